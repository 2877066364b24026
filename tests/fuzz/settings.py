"""Random settings, model files, rule files and baselines, half of them valid: a result, or one line and status 2."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from fuzz import random_histories
from fuzz.campaign import Fuzzer
from fuzz.datalog_mutations import ANYHOW, kept
from fuzz.originals import ROOT
from fuzz.processes import Failed
from fuzz.random_histories import REGULAR, Commit
from fuzz.reduction import Fails, ddmin
from fuzz.repositories import clean_environment
from pliant.analyses.baseline import SCHEMA
from pliant.analyses.rules import rules
from pliant.ci import cli
from pliant.ci.commands.check import Format
from pliant.ci.config_table import SETTINGS, Setting

_BASE: Final = {
    "shop/find.py": b"def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n",
    "tests/test_it.py": b"from shop.find import find\n\n\ndef test_it():\n    assert find(1).x\n",
    "A.java": b"class A { String f(String s) { return s; } int g() { return f(null).length(); } }\n",
    "a.c": b"#include <stdlib.h>\nint f(void) { int *p = malloc(4); if (!p) return 1; *p = 1; free(p); return 0; }\n",
}
_HEAD: Final = {
    **_BASE,
    "shop/find.py": _BASE["shop/find.py"].replace(b"return key", b"if key:\n        return None\n    return key"),
    "a.c": _BASE["a.c"].replace(b"if (!p) return 1;", b""),
}
_LIKELY: Final = (
    "src/", "*.py", "/a.c", "**/tests/**", "!shop/", "a[b-d].c", "\\#x", "x y", "", "/", "**", "*", "shop/find.py",
)  # fmt: skip
_PATTERNS: Final = (
    *_LIKELY, "[", "!", "\\", "a\\", "[!", "***", "é", "a/../b", "/**/", " ", "[]-a]", "a" * 3000,
)  # fmt: skip
_RULE: Final = """.decl {name}(site: symbol, origin: symbol)  // this calls what was called before
.output {name}
{name}(b, a) :-
    call_value(a, v), call_value(b, w), call(a, f, _), call(b, f, _), a != b,
    direct(v, "builtins.print"), direct(w, "builtins.print").
"""
_ODD_VALUES: Final = (
    "3", "-1", "1e400", "nan", "inf", "true", "[]", "{}", '""', "'x'", "9" * 5000, "0x" + "f" * 5000, "1_0", "07:32:00",
    "1979-05-27T07:32:00Z", "[[]]", "{ a = 1 }", "[" * 3000, "[" * 300 + "]" * 300, '"\\u0000"', '"\\uD800"', '"a\\nb"',
    "[1, 'a']", "{ '*' = 'off' }", "", "=", '["a", ""]', "'" * 4, '"""', "{ '' = 'off' }", "{ a.b.c = 'off' }",
    "['\\x00']",
)  # fmt: skip
_ODD_BYTES: Final = (
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\r",
    b"\f",
    b"\x1b[31m",
    b"[",
    b'"',
    b"#",
    b"\xe2\x80\xae",
)
_JSON: Final = ("json", "sarif", "gitlab", "rdjson", "rdjsonl")
_COMMANDS: Final = ("check",) * 6 + (
    "config show",
    "baseline check",
    "baseline write",
    "rules list",
    "explain",
    "history",
)


@dataclass(frozen=True)
class Case:
    """Files beside the sources, where they are (`base`, `head`: in a commit; `named`: on disk, by --config), and what
    is asked for. config: which of the files are the settings."""

    files: tuple[tuple[str, bytes], ...]
    config: str
    place: str
    command: str
    format: str


def fuzzer(language: str = "") -> Fuzzer[Case]:
    return Fuzzer("settings", _draw, check, [_fewer_files, _fewer_lines, _fewer_bytes], _write, _read, _counts,
                  seconds=60.0, hash_seeds=(1,))  # fmt: skip


# Drawing


def _draw(chance: random.Random) -> Case:
    place = chance.choice(["base", "base", "head", "named"])
    files: dict[str, bytes] = {}
    table = _table(chance, files, place == "named")
    config = chance.choice(["pliant.toml", "pliant.toml", "pyproject.toml"])
    files[config] = _toml(table, config).encode()
    if chance.random() < 0.05:
        files["pyproject.toml" if config == "pliant.toml" else "pliant.toml"] = files[config]
    if chance.random() < 0.45:
        for _ in range(chance.choice([1, 1, 2])):
            name = chance.choice([*sorted(files), config, config])
            files[name] = _spoilt(name, files[name], chance)
    if chance.random() < 0.05 and len(files) > 1:
        files.pop(chance.choice(sorted(set(files) - {config})))
    return Case(
        tuple(files.items()), config, place, chance.choice(_COMMANDS), chance.choice([each.value for each in Format])
    )  # fmt: skip


def _table(chance: random.Random, files: dict[str, bytes], named: bool) -> dict[str, Any]:
    some = [each for each in SETTINGS if named or not each.named]
    return {each.key: _value(each, chance, files) for each in chance.sample(some, chance.randint(0, 4))}


def _value(setting: Setting, chance: random.Random, files: dict[str, bytes]) -> Any:
    match setting.key:
        case "models":
            return [_file(chance, files, f"m.{language}.toml", _model(language, chance))
                    for language in chance.choice([["python"], ["java"], ["python", "java"]])]  # fmt: skip
        case "rule-files":
            text = _RULE.replace("{name}", chance.choice(["twice", "a_b", "null", "x" * 80]))
            for _ in range(chance.choice([0, 0, 1, 2])):
                text = kept(text, chance)
            return [_file(chance, files, "own.dl", text.encode())]
        case "baseline":
            return _file(chance, files, "baseline.json", _baseline(chance))
        case "rules":
            return {name: chance.choice(setting.choices) for name in chance.sample(_rules(), chance.randint(1, 3))}
        case "projects":
            part = [each for each in SETTINGS if each.project]
            return [
                {"path": path, **{each.key: _value(each, chance, files) for each in chance.sample(part, 2)}}
                for path in chance.sample(["shop", "tests", "a/b", "shop/x", "é"], chance.randint(1, 2))
            ]
    match setting.kind:
        case "choice":
            return chance.choice(setting.choices)
        case "choices":
            return chance.sample(setting.choices, chance.randint(0, len(setting.choices)))
        case "texts":
            some = _LIKELY if chance.random() < 0.9 else _PATTERNS
            return [chance.choice(some) for _ in range(chance.randint(0, 3))]
        case "text":
            return chance.choice(["kept", "./kept", "a/b"])
        case _:  # a kind of setting that is newer than this
            return _of_example(setting)


def _of_example(setting: Setting) -> Any:
    return tomllib.loads(f"x = {setting.example}")["x"]


@cache
def _rules() -> list[str]:
    known = sorted(rules())
    return [*known, *sorted({f"{rule.partition('.')[0]}.*" for rule in known}), "*", "user.twice", "user.*"]


def _file(chance: random.Random, files: dict[str, bytes], name: str, content: bytes) -> str:
    path = chance.choice([name, name, f"ci/{name}", f"a b/{name}"])
    files[path] = content
    return (
        path if chance.random() < 0.95 else chance.choice([f"../{path}", f"/{path}", f"./{path}", "", "shop", "none"])
    )


def _model(language: str, chance: random.Random) -> bytes:
    """Some tables of the project's own models, or a new one."""
    text = (ROOT / "extractors" / "models" / f"{language}.toml").read_text()
    tables = re.split(r"(?m)^(?=\[)", text)[1:]
    at = chance.randrange(len(tables))
    return "".join(tables[at : at + chance.randint(1, 4)]).encode()


def _baseline(chance: random.Random) -> bytes:
    entries = [
        {"rule": chance.choice(["null.attribute", "no.rule"]), "file": chance.choice(["shop/find.py", "a.c", "\udcff"]),
         "function": "use", "message": "m", "ways": [chance.choice(["0" * 16, "x", ""])]}
        for _ in range(chance.randint(0, 2))
    ]  # fmt: skip
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=1).encode()


def _toml(table: Mapping[str, Any], config: str) -> str:
    prefix = "[tool.pliant]\n" if config == "pyproject.toml" else ""
    return prefix + "".join(f"{key} = {_in_toml(value)}\n" for key, value in table.items())


def _in_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_in_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_in_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _spoilt(name: str, content: bytes, chance: random.Random) -> bytes:
    place = chance.randint(0, len(content))
    if name.endswith(".dl") and chance.random() < 0.7:
        text = content.decode("utf-8", "replace")
        return chance.choice(ANYHOW)(text, chance).encode("utf-8", "surrogatepass")
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    match chance.randrange(9):
        case 0 | 1 | 2:
            key, equals, _ = lines[at].partition(b"=")
            key = key if equals else chance.choice([each.key for each in SETTINGS]).encode()
            lines[at] = key + b"= " + chance.choice(_ODD_VALUES).encode()
        case 3:
            lines[at] = re.sub(rb"[a-z]", lambda found: found.group() * 2, lines[at], count=1)
        case 4:
            lines.insert(at, lines[at])
        case 5:
            return content[:place] + chance.choice(_ODD_BYTES) + content[place:]
        case 6:
            return content[:place]
        case 7:
            words = re.findall(rb'"[^"]*"|[\w.-]+', content) or [b"x"]
            return content.replace(chance.choice(words), chance.choice([*words, b"9" * 5000, b"null", b"{}"]), 1)
        case _:
            lines.insert(at, chance.choice([b"[x]", b"[[projects]]", b"a.b = 1", b"[rules]", b"x" * 2_000_000, b"}"]))
    return b"\n".join(lines)


# What is checked


def check(case: Case) -> str:
    """`valid`: the status is 0 or 1; `refused`: it is 2."""
    clean_environment()
    with tempfile.TemporaryDirectory(prefix="fuzz-settings-") as name:
        folder = Path(name)
        committed = {path: content for path, content in case.files if case.place != "named"}
        first = {**_BASE, **(committed if case.place == "base" else {})}
        sides = (first, {**_HEAD, **committed})
        trees = [tuple((path, (REGULAR, text)) for path, text in sorted(side.items())) for side in sides]
        history = (Commit((), trees[0]), Commit((0,), trees[1]))
        base, head = random_histories.made(history, folder / "repo")
        options = ["--state-dir", str(folder / "state")]
        if case.place == "named":
            for path, content in case.files:
                (folder / "named" / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / "named" / path).write_bytes(content)
            options += ["--config", str(folder / "named" / case.config)]
        return _ran(case, _arguments(case, folder, base, head, options))


def _arguments(case: Case, folder: Path, base: str, head: str, options: list[str]) -> list[str]:
    repo = str(folder / "repo")
    baseline = next((path for path, _ in case.files if path.endswith("baseline.json")), "none.json")
    match case.command:
        case "check":
            return ["check", repo, "--base", base, "--head", head, "--format", case.format, *options]
        case "config show":
            return ["config", "show", repo, "--base", base, *options[2:]]
        case "baseline check" | "baseline write":
            path = folder / "named" / baseline
            given = [] if case.command.endswith("write") and not path.exists() else ["--baseline", str(path)]
            given = given or ["--baseline", str(folder / "new.json")]
            return [*case.command.split(), repo, "--head", head, *given, *options]
        case "rules list":
            return ["rules"]
        case "explain":
            return ["explain", "0" * 16, repo, "--base", base, "--head", head, *options]
        case _:
            return ["history", f"{base}..{head}", repo, "--out", str(folder / "out"), *options]


def _ran(case: Case, arguments: list[str]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["pliant", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            status: object = cli._run()
        except SystemExit as error:
            status = error.code
    said = err.getvalue()
    if "internal error" in said or "Traceback" in said:
        kind = re.search(r"internal error: (\w+)", said)
        raise Failed("no internal error", kind.group(1) if kind else "a traceback", said)
    if status not in (0, 1, 2):
        raise Failed("the status is 0, 1 or 2", f"{status} of {case.command}", said)
    if not all(line.isprintable() for line in said.splitlines()):
        raise Failed("messages are printable", case.command, repr(said))
    if status == 2 and (len(said.splitlines()) != 1 or not said.startswith("pliant: ")):
        raise Failed("what is refused is one line", f"{len(said.splitlines())} lines of {case.command}", said)
    if status != 2 and case.command == "check" and case.format in _JSON:
        texts = out.getvalue().splitlines() if case.format == "rdjsonl" else [out.getvalue()]
        try:
            for text in texts:
                json.loads(text)
        except ValueError as error:
            raise Failed("a report is whole", case.format, str(error)) from None
    return "refused" if status == 2 else "valid"


def _counts(case: Case, answer: object) -> Mapping[str, int]:
    return {str(answer): 1}


# Smaller ones


def _fewer_files(case: Case, fails: Fails[Case]) -> Case:
    return replace(case, files=tuple(ddmin(case.files, lambda some: fails(replace(case, files=tuple(some))))))


def _each(case: Case, fails: Fails[Case], parts: Callable[[bytes], list[bytes]]) -> Case:
    for number, (path, content) in enumerate(case.files):

        def put(some: list[bytes], case: Case = case, number: int = number, path: str = path) -> Case:
            files = (*case.files[:number], (path, b"".join(some)), *case.files[number + 1 :])
            return replace(case, files=files)

        case = put(ddmin(parts(content), lambda some, put=put: fails(put(some))))  # type: ignore[misc]
    return case


def _fewer_lines(case: Case, fails: Fails[Case]) -> Case:
    return _each(case, fails, lambda content: content.splitlines(keepends=True))


def _fewer_bytes(case: Case, fails: Fails[Case]) -> Case:
    return _each(case, fails, lambda content: re.findall(rb"\w+|\W", content) if len(content) < 8000 else [content])


def _write(case: Case) -> tuple[bytes, str]:
    files = [[path, content.decode("utf-8", "surrogateescape")] for path, content in case.files]
    return json.dumps([files, case.config, case.place, case.command, case.format], indent=1).encode(), ".json"


def _read(content: bytes, suffix: str) -> Case:
    files, *rest = json.loads(content)
    return Case(tuple((path, text.encode("utf-8", "surrogateescape")) for path, text in files), *rest)
