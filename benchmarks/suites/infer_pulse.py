"""Infer's own tests of Pulse, C and Java: null rows of `issues.exp` must fire, functions named ok must not.

Checkout: facebook/infer. A row names a file and a function; the finding may fail in a function that this one calls. An
ok function is at fault where it is the one that calls all others on the way of a null, not where another one passes it.
Rows that Infer itself calls false (`FP_`, or `_FP`) are functions named ok, or left out; so are latent issues, which
need another caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sources import Function, Way, functions, ways
from verdicts import Outcome, Verdict

_OK = re.compile(r"(?:_ok|Ok|_good|Good|OK)$")
_ROW = re.compile(r"^codetoanalyze/(?P<path>[^,]+), (?P<function>.+?), -?\d+, (?P<kind>[A-Z_]+),")
_JAVA_NAME = re.compile(r"(?:.*\.)?(?P<class>[\w$]+)\.(?P<method>[\w<>$]+)\(")


def verdicts(checkout: Path) -> Iterator[Verdict]:
    tests = checkout / "infer" / "tests" / "codetoanalyze"
    for language, suffix in (("c", ".c"), ("java", ".java")):
        folder = tests / language / "pulse"
        rows: dict[str, set[str]] = {}
        for line in (folder / "issues.exp").read_text().splitlines():
            if (match := _ROW.match(line)) and match["kind"] == "NULLPTR_DEREFERENCE":
                rows.setdefault(Path(match["path"]).name, set()).add(_short(match["function"]))
        for path in sorted(folder.glob(f"*{suffix}")):
            source = path.read_bytes()
            own = ways({path.name: source})
            of_name: dict[str, list[Function]] = {}
            for function in functions(path.name, source):
                name = ".".join(function.name.split(".")[-2:])
                of_name.setdefault(name, []).append(function)
            for name, some in of_name.items():
                fired = _most(way for way in own for function in some if way.touches(function))
                top = (way for way in own for function in some if function.holds(way.top().file, way.top().line))
                short = name.rpartition(".")[2]
                if name in rows.get(path.name, ()) and not _is_false(short):
                    yield Verdict(language, f"{path.name}:{some[0].first} {name}", True, fired)
                elif _OK.search(short):
                    yield Verdict(language, f"{path.name}:{some[0].first} {name}", False, _most(top))


def _is_false(name: str) -> bool:
    return name.startswith("FP_") or name.endswith("_FP")


def _most(ways: Iterable[Way]) -> Outcome:
    return max((way.outcome for way in ways), default=Outcome.NOTHING)


def _short(function: str) -> str:
    """`Class.method` of a Java signature; a C function's name as it is."""
    match = _JAVA_NAME.match(function.partition(" ")[2] or function)
    if match is None:
        return function
    owner = match["class"].rpartition("$")[2]
    return f"{owner}.{owner if match['method'] == '<init>' else match['method']}"
