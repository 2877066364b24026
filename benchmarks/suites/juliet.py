"""Juliet's CWE-476 and CWE-690: functions named bad must fire, functions named good must not.

Checkouts: arichardson/juliet-test-suite-c (C) and find-sec-bugs/juliet-test-suite (Java). A test case may be spread
over files and functions, and fires if something is found in any bad function of it; each good function counts by
itself, the ones that only call the others left out. `null_check_after_deref` is a redundant check and no dereference:
left out, as are the cases in C++.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sources import functions, inside, nulls, read
from verdicts import Outcome, Verdict

_WEAKNESSES = ("CWE476_NULL_Pointer_Dereference", "CWE690_NULL_Deref_From_Return")
_SUFFIXES = (".c", ".h", ".java")
_CASE = re.compile(r"^(?P<case>CWE\d+_\w*?__(?P<kind>\w+?)_\d\d)[a-z]?(?:_(?P<part>bad|good\w*))?\.(?:c|java)$")
_LEFT_OUT = "null_check_after_deref"


def verdicts(checkout: Path) -> Iterator[Verdict]:
    root = next(path for path in (checkout / "testcases", checkout / "src" / "testcases") if path.is_dir())
    support = read(root.parent / "testcasesupport", _SUFFIXES)
    for weakness in _WEAKNESSES:
        own = read(root / weakness, _SUFFIXES)
        files = {path: source for path, source in own.items() if _LEFT_OUT not in path}
        yield from _judge(weakness[:6], files, {f"testcasesupport/{path}": text for path, text in support.items()})


def _judge(weakness: str, files: dict[str, bytes], support: dict[str, bytes]) -> Iterator[Verdict]:
    at = nulls({**files, **support})
    bad: dict[tuple[str, str], Outcome] = {}
    for path, source in files.items():
        match = _CASE.match(Path(path).name)
        if match is None:
            continue
        category = f"{weakness} {match['kind']}"
        for function in functions(path, source):
            name = function.name.rpartition(".")[2].removeprefix(match["case"]).lower().lstrip("_")
            side = (
                "bad" if "bad" in name or match["part"] == "bad" else "good" if "good" in name or match["part"] else ""
            )
            outcome = inside(function, at)
            if side == "bad":
                key = category, match["case"]
                bad[key] = max(bad.get(key, outcome), outcome)
            elif side == "good" and name != "good":
                yield Verdict(category, f"{path}:{function.first} {function.name}", False, outcome)
    for (category, case), outcome in bad.items():
        yield Verdict(category, case, True, outcome)
