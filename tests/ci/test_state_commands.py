"""`pliant state ls|show|gc|verify`."""

from __future__ import annotations

import json
import os
import shutil
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from repos import Repo
from typer.testing import CliRunner

from pliant.ci.check import check
from pliant.ci.commands.app import app
from pliant.ci.comparison import Request
from pliant.ci.errors import UserError
from pliant.ci.state_commands import parse_age, parse_size
from pliant.engine import Evaluation
from pliant.engine.state import layers_of
from pliant.extractors.seal import shared_or_own

BASE = {"a.py": "def find(key):\n    return {}[key]\n\n\ndef use():\n    return find(1).name\n", "b.py": "import a\n"}
HEAD = {"a.py": BASE["a.py"].replace("return {}[key]", "if key:\n        return None\n    return key")}


def commit_folders(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "commits").iterdir() if not path.name.startswith("."))


@pytest.fixture
def kept(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Repo, Path]:
    """A repository whose base and head have a state, the head's being a delta."""
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit(HEAD)
    folder = tmp_path / "state"
    check(Request(repo.folder, "main", "pr", folder), pytest.fail).keep()
    monkeypatch.chdir(repo.folder)
    monkeypatch.setenv("PLIANT_STATE_DIR", str(folder))
    return repo, folder


def reseal(where: Path) -> None:
    """What whoever has the key could do."""
    manifest = json.loads((where / "manifest.json").read_text())
    [engine, *_], _ = layers_of(where / "engine")
    parts = ("state", manifest["format"], manifest["commit"], manifest["key"], engine, manifest["files_sha256"])
    manifest["seal"] = shared_or_own().of(*parts)
    (where / "manifest.json").write_text(json.dumps(manifest))


def run(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["state", *arguments])
    if isinstance(done.exception, UserError):
        assert "\n" not in str(done.exception)
        raise done.exception
    assert done.exit_code == status, (done.output, done.exception)
    return done.stdout


def listed() -> list[dict[str, Any]]:
    states: list[dict[str, Any]] = json.loads(run("ls", "--json"))["states"]
    return states


def test_ls_tells_wholes_from_deltas_and_shared_bytes(kept: tuple[Repo, Path]) -> None:
    repo, folder = kept
    main, pr = repo.git("rev-parse", "main"), repo.git("rev-parse", "pr")
    states = {state["commit"]: state for state in listed()}
    assert states.keys() == {main, pr} and all(state["current"] for state in states.values())
    assert (states[main]["layers"], states[main]["base"]) == (1, None)
    assert (states[pr]["layers"], states[pr]["base"]) == (2, main)
    assert states[pr]["own_bytes"] < states[main]["bytes"] / 2 < states[pr]["bytes"]
    files = {path.stat().st_ino: path.stat().st_size for path in folder.glob("commits/*/**/*") if path.is_file()}
    assert json.loads(run("ls", "--json"))["bytes"] == sum(files.values())
    text = run("ls")
    assert f"delta on {main[:12]}, 2 layers" in text and "whole" in text and "2 states, " in text
    shutil.rmtree(next(path for path in commit_folders(folder) if path.name.startswith(main)))
    assert "delta on a state that was removed, 2 layers" in run("ls")


def test_ls_of_nothing_and_of_what_is_no_state(repo: Repo, tmp_path: Path) -> None:
    repo.commit(BASE)
    options = ["--repo", str(repo.folder), "--state-dir", str(tmp_path / "state")]
    assert run("ls", *options).startswith("0 states, 0 B")
    commits = tmp_path / "state" / "commits"
    (commits / "notes.txt").write_text("mine")
    (commits / f"{'a' * 40}-{'b' * 16}").mkdir()
    assert "damaged" in run("ls", *options)
    with pytest.raises(UserError, match="repository"):
        run("ls", "--repo", str(tmp_path))


def test_show_has_every_relation(kept: tuple[Repo, Path]) -> None:
    shown = json.loads(run("show", "pr", "--json"))
    relations = {each["name"]: each for each in shown["relations"]}
    assert relations["null_dereference"]["tuples"] > 0 and relations["null_dereference"]["levels"] >= 1
    assert all(len(each["digest"]) == 32 and each["bytes"] >= 0 for each in relations.values())
    assert len(shown["digest"]) == 32 and len(shown["layers"]) == 2 and shown["files"] == 2
    text = run("show", "pr")
    assert shown["digest"] in text and "null_dereference" in text
    assert run("show").splitlines()[-1] == text.splitlines()[-1]  # HEAD
    with pytest.raises(UserError, match="pliant state ls lists"):
        run("show", kept[0].commit({"c.py": "x = 1\n"}) or "HEAD")


def test_verify_finds_what_digests_of_files_cannot(kept: tuple[Repo, Path]) -> None:
    repo, folder = kept
    text = run("verify")
    assert text.count("equal: ") == 2 and "NOT" not in text
    main, pr = repo.git("rev-parse", "main"), repo.git("rev-parse", "pr")
    by_commit = {path.name[:40]: path for path in commit_folders(folder)}
    shutil.rmtree(by_commit[main] / "engine")
    shutil.copytree(by_commit[pr] / "engine", by_commit[main] / "engine")  # sound, but of another commit
    reseal(by_commit[main])
    assert "NOT equal" in run("verify", "main", status=1)
    [told] = json.loads(run("verify", "pr", "--json"))
    assert told["equal"] is True and told["commit"] == pr and told["stored"] == told["built"]
    data = max((by_commit[main] / "engine").iterdir(), key=lambda path: path.stat().st_size)
    data.write_bytes(bytes(data.stat().st_size))
    assert "damaged" in run("verify", "main", status=1)


def test_gc_keeps_what_was_used_last(kept: tuple[Repo, Path]) -> None:
    repo, folder = kept
    main, pr = repo.git("rev-parse", "main"), repo.git("rev-parse", "pr")
    for path in commit_folders(folder):
        age = 3 * 86400 if path.name.startswith(main) else 60
        os.utime(path, (time.time() - age, time.time() - age))
    whole = {state["commit"]: state for state in listed()}
    assert "1 state would go" in run("gc", "--keep", "1", "--dry-run")
    assert len(listed()) == 2
    assert run("gc", "--older-than", "4d").startswith("0 states removed")
    assert run("gc", "--max-size", "1G").startswith("0 states removed")
    done = json.loads(run("gc", "--older-than", "2d", "--json"))
    assert [each["commit"] for each in done["removed"]] == [main]
    assert done["freed_bytes"] == whole[main]["own_bytes"] < whole[main]["bytes"]  # the delta still has the rest
    assert [state["commit"] for state in listed()] == [pr]
    assert run("verify", "pr").count("equal: ") == 1
    assert check(Request(repo.folder, "main", "pr", folder), pytest.fail).counts()["new"] == 1
    assert run("gc", "--max-size", "1K").startswith(main[:12]) or len(listed()) == 1
    run("gc", "--keep", "0")
    assert listed() == []


@pytest.mark.parametrize("used", [10**12, -(10**12)])
def test_a_state_that_was_used_at_no_time_of_the_past_is_listed(kept: tuple[Repo, Path], used: int) -> None:
    for folder in commit_folders(kept[1]):
        os.utime(folder, (used, used))
    for state in json.loads(run("ls", "--json"))["states"]:
        assert 0 <= datetime.fromisoformat(state["used"]).timestamp() <= time.time()
    assert run("ls")


def test_gc_removes_what_cut_short_processes_left(kept: tuple[Repo, Path]) -> None:
    _, folder = kept
    left = folder / "commits" / ".0123456789abcdef.tmp"
    (left / "engine").mkdir(parents=True)
    (left / "engine" / "data-0.arrow").write_text("x")
    run("gc", "--dry-run")
    assert left.exists()
    assert run("gc").startswith("0 states removed")
    assert not left.exists() and len(listed()) == 2


@pytest.mark.parametrize("wrong", ["-1", "2X", "", "1.5G", "ten", "9" * 30])
def test_sizes_and_ages_that_make_no_sense(wrong: str) -> None:
    for parse in (parse_size, parse_age):
        with pytest.raises(UserError, match="such as"):
            parse(wrong)
    assert (parse_size("2k"), parse_size("1GiB"), parse_size("7")) == (2048, 1 << 30, 7)
    assert (parse_age("90m"), parse_age("2w")) == (5400, 14 * 86400)


def test_links_are_not_followed_by_any_command(kept: tuple[Repo, Path], tmp_path: Path) -> None:
    repo, folder = kept
    outside = tmp_path / "outside"
    (outside / "engine").mkdir(parents=True)
    (outside / "engine" / "manifest.json").write_text("precious")
    state = next(path for path in commit_folders(folder) if path.name.startswith(repo.git("rev-parse", "pr")))
    name = state.name
    state.rename(tmp_path / "moved")
    state.symlink_to(outside)
    assert "damaged" in run("ls")
    run("gc", "--keep", "0")
    assert not (folder / "commits" / name).is_symlink()
    assert (outside / "engine" / "manifest.json").read_text() == "precious"


def test_a_process_that_has_a_state_open_keeps_it(kept: tuple[Repo, Path]) -> None:
    _, folder = kept
    from pliant.analyses import registry  # noqa: PLC0415

    engines = [path / "engine" for path in commit_folders(folder)]
    opened = [Evaluation.open(engine, registry.program()) for engine in engines]
    run("gc", "--keep", "0")
    assert not any(engine.exists() for engine in engines)
    assert len({evaluation.digest() for evaluation in opened}) == 2
