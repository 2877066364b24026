"""PyCG's micro-benchmark: the edges of its call graphs.

Checkout: vitsalis/PyCG. An expected edge that is missing is a miss; an edge between functions of the program that is
not expected is a false alarm, so precision is found / (found + alarms). Calls of the library and of built-ins count
neither way: PyCG names them after their text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from sources import evaluate, pairs, read
from verdicts import Outcome, Verdict


def verdicts(checkout: Path) -> Iterator[Verdict]:
    for path in sorted((checkout / "micro-benchmark" / "snippets").rglob("callgraph.json")):
        category, case = path.parent.parts[-2:]
        files = read(path.parent, (".py",))
        expected = {(caller, callee) for caller, some in json.loads(path.read_text()).items() for callee in some}
        modules = {_module(file) for file in files}
        own = {edge for edge in expected if any(edge[1] == m or edge[1].startswith(f"{m}.") for m in modules)}
        found = set(_edges(files))
        for caller, callee in sorted(own):
            outcome = Outcome.SHOWN if (caller, callee) in found else Outcome.NOTHING
            yield Verdict(category, f"{case}: {caller} -> {callee}", True, outcome)
        for caller, callee in sorted(found - own):
            yield Verdict(category, f"{case}: {caller} -> {callee}", False, Outcome.SHOWN)


def _edges(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """(caller, callee) by PyCG's names, of the calls between the program's own functions."""
    evaluation, _ = evaluate(files)
    caller_of = dict(pairs(evaluation, "call"))
    for relation in ("callee", "constructs"):
        for call, function in pairs(evaluation, relation):
            if call in caller_of:
                yield _name(caller_of[call]), _name(function)


def _name(function: str) -> str:
    """`path|Outer.inner`, `<module>` for a module's body; PyCG joins them by dots and counts lambdas from 1."""
    file, _, qualified = function.partition("|")
    module = _module(file)
    return module if qualified == "<module>" else f"{module}.{_LAMBDA.sub(_lambda, qualified)}"


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _lambda(match: re.Match[str]) -> str:
    return f"<lambda{int(match[1] or 1)}>"


_LAMBDA = re.compile(r"<lambda>(?:[#~](\d+))?")
