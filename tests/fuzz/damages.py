"""Damaged states: whatever happens to what is kept between runs, the next run gives the result of a clean one."""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from fuzz import clean_runs
from fuzz.campaign import Fuzzer
from fuzz.processes import Failed
from fuzz.reduction import Fails, ddmin
from pliant.ci.errors import UserError

_KINDS: Final = (
    "flip", "flip", "flip", "cut", "zero", "append", "remove", "empty", "remove folder", "swap", "swap folders",
    "copy folder", "link", "link elsewhere", "folder", "pipe", "forge", "forge", "old",
)  # fmt: skip
_OWN: Final = "own"  # the user's cache of parsed rules and library facts


@dataclass(frozen=True)
class Damage:
    """kind: of _KINDS. at: chooses the file; by: chooses where in it, or another file."""

    kind: str
    at: int
    by: int


@dataclass(frozen=True)
class Case:
    """What is damaged: `state` or `out` of a command that has run, or the user's own cache."""

    command: str
    part: str
    damages: tuple[Damage, ...]


def fuzzer(language: str = "") -> Fuzzer[Case]:
    return Fuzzer("damages", _draw, check, [_fewer], _write, _read, _counts, seconds=60.0, hash_seeds=(1,))


def _draw(chance: random.Random) -> Case:
    command = chance.choice(clean_runs.COMMANDS)
    part = chance.choice(["state", "state", "state", _OWN] if command == "check" else ["state", "out", "out", "out"])
    damages = tuple(
        Damage(chance.choice(_KINDS), chance.randrange(1 << 20), chance.randrange(1 << 20))
        for _ in range(chance.choice([1, 1, 2, 5]))
    )
    return Case(command, part, damages)


def check(case: Case) -> str:
    expected = clean_runs.clean(case.command)
    warm = clean_runs.warm(case.command)
    with tempfile.TemporaryDirectory(prefix="fuzz-damages-") as name:
        folder = Path(name)
        shutil.copytree(warm, folder / "kept", symlinks=True)
        environment = {}
        top = folder / "kept" / case.part
        if case.part == _OWN:
            shutil.copytree(os.environ["XDG_CACHE_HOME"], top)
            environment = {"XDG_CACHE_HOME": str(top)}
            clean_runs.forget_in_memory()
        (folder / "elsewhere").write_bytes(b"elsewhere")
        for damage in case.damages:
            _damage(top, folder, damage)
        said: list[str] = []
        with patch.dict(os.environ, environment):
            try:
                found = clean_runs.here(case.command, folder / "kept", said)
                again = clean_runs.here(case.command, folder / "kept", [])
            except UserError as error:
                if _is_no_history(warm, folder / "kept") or _is_in_the_way(folder / "kept"):
                    return "refused"
                raise Failed("a damage stops no run", f"{case.command}, {case.part}", str(error)) from None
            finally:
                if case.part == _OWN:
                    clean_runs.forget_in_memory()
        if (folder / "elsewhere").read_bytes() != b"elsewhere":
            raise Failed("nothing is written elsewhere", case.part)
        for result, run in ((found, "the run after a damage"), (again, "the second run after a damage")):
            if result != expected:
                raise Failed(f"{run} gives the result of a clean one", f"{case.command}, {case.part}", str(said))
        if not all(message.isprintable() for message in said):
            raise Failed("messages are printable", case.part, repr(said))
    return "told" if said else "not told"


def _is_no_history(warm: Path, kept: Path) -> bool:
    """Whether the folder of a history does not say whose it is: a run has to refuse it, since it may be anything."""
    plan = kept / "out" / "plan.json"
    return not plan.is_file() or plan.read_bytes() != (warm / "out" / "plan.json").read_bytes()


def _is_in_the_way(kept: Path) -> bool:
    """Whether a folder stands where a history has a file: it is not removed, since it may hold anything."""
    return any(path.is_dir() for path in (kept / "out").iterdir() if path.suffix in (".html", ".parquet"))


def _damage(top: Path, folder: Path, damage: Damage) -> None:
    files = sorted(path for path in top.rglob("*") if path.is_file() and not path.is_symlink())
    if not files:
        return
    path = files[damage.at % len(files)]
    other = files[damage.by % len(files)]
    content = path.read_bytes()
    match damage.kind:
        case "flip":
            if content:
                changed = bytearray(content)
                changed[damage.by % len(content)] ^= 1 << damage.at % 8
                _replace(path, bytes(changed))
        case "cut":
            _replace(path, content[: damage.by % (len(content) + 1)])
        case "zero":
            start = damage.by % (len(content) + 1)
            _replace(path, content[:start] + bytes(len(content[start : start + 512])) + content[start + 512 :])
        case "append":
            _replace(path, content + b"\0" * (damage.by % 100 + 1))
        case "remove":
            path.unlink()
        case "empty":
            _replace(path, b"")
        case "remove folder":
            if path.parent != top:
                shutil.rmtree(path.parent)
        case "swap":
            theirs = other.read_bytes()
            _replace(other, content)
            _replace(path, theirs)
        case "swap folders" | "copy folder":
            _folders(path, other, damage.kind == "swap folders")
        case "link":
            path.unlink()
            path.symlink_to(other if other != path else folder / "nowhere")
        case "link elsewhere":
            path.unlink()
            path.symlink_to(folder / "elsewhere")
        case "folder":
            path.unlink()
            path.mkdir()
        case "pipe":
            path.unlink()
            os.mkfifo(path)
        case "forge":
            _forge(next((each for each in [path, *files] if each.suffix == ".json"), path), damage)
        case _:
            os.utime(path, (damage.by, damage.by))


def _replace(path: Path, content: bytes) -> None:
    """As a file of its own: states share files."""
    path.unlink()
    path.write_bytes(content)


def _folders(one: Path, other: Path, swapped: bool) -> None:
    """What is in one folder stands under the name of another as well, or instead."""
    one, other = one.parent, other.parent
    if one == other or one in other.parents or other in one.parents:
        return
    aside = one.with_name(f"{one.name}.aside")
    other.rename(aside)
    if swapped:
        one.rename(other)
        aside.rename(one)
    else:
        shutil.copytree(one, other)
        shutil.rmtree(aside)


def _forge(path: Path, damage: Damage) -> None:
    """A value of a JSON file is another one; its digests stay."""
    try:
        read = json.loads(path.read_bytes())
    except ValueError:
        return
    places: list[tuple[Any, Any]] = []
    todo = [read]
    while todo:
        part = todo.pop()
        for key in part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ():
            places.append((part, key))
            todo.append(part[key])
    if places:
        part, key = places[damage.at % len(places)]
        values = [0, -1, 2**63, "", "x", "0" * 64, None, [], {}, True, 1.5, "../x", part[key]]
        part[key] = values[damage.by % len(values)]
        _replace(path, json.dumps(read).encode())


def _counts(case: Case, answer: object) -> Mapping[str, int]:
    return {f"damages over {case.command}": 1, f"{answer}": 1}


def _fewer(case: Case, fails: Fails[Case]) -> Case:
    return replace(case, damages=tuple(ddmin(case.damages, lambda some: fails(replace(case, damages=tuple(some))))))


def _write(case: Case) -> tuple[bytes, str]:
    return json.dumps(asdict(case), indent=1).encode(), ".json"


def _read(content: bytes, suffix: str) -> Case:
    read = json.loads(content)
    return Case(read["command"], read["part"], tuple(Damage(**each) for each in read["damages"]))
