"""Call graphs and points-to sets of the files of the folders `java_graph/`, `c_graph/` and `python_graph/`: one small
file a construct.

Comments at the ends of lines say what is expected of the calls that begin on them, and of what is handed to `look`:

    shape.area();  // calls: Circle.area, Square.area
    look(shape);  // holds: Circle, Square

`calls: none` stands for a call that runs nothing of the file, `holds: none` for a value of which nothing is known. A
file whose name ends in `_gap` records what the analysis does not do, and the comments say what it does instead.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from in_memory import evaluate

from pliant.analyses.wording import shown_function
from pliant.engine import Evaluation

PROGRAMS = sorted(
    path
    for folder in ("java_graph", "c_graph", "python_graph")
    for path in (Path(__file__).parent / folder).iterdir()
    if path.suffix in (".java", ".c", ".py")
)
_EXPECTED = re.compile(r"(?://|#)\s*(calls|holds):\s*(.*?)\s*(?=//|#|$)")


def _pairs(evaluation: Evaluation, relation: str, first: int, second: int) -> list[tuple[str, str]]:
    rows = evaluation.rows(relation)[:, [first, second]]
    texts = evaluation.strings(rows.reshape(-1))
    return list(zip(texts[::2], texts[1::2], strict=True))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_calls_and_objects_are_those_that_comments_name(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    evaluation, places = evaluate({program.name: text})
    calls: dict[int, set[str]] = {}
    line_of = {call: places[call].line for call, _ in _pairs(evaluation, "call", 0, 1) if call in places}
    for relation in ("callee", "constructs"):
        for call, function in _pairs(evaluation, relation, 0, 1):
            if call in line_of and not function.endswith(".look"):
                calls.setdefault(line_of[call], set()).add(shown_function(function))
    classes: dict[str, set[str]] = {}
    for o, c in _pairs(evaluation, "class_of", 0, 1):
        classes.setdefault(o, set()).add(shown_function(c) or c)
    looks = {call for call, name in _pairs(evaluation, "call_method", 0, 2) if name == "look/1"}
    looks |= {call for call, name in _pairs(evaluation, "called_name", 0, 1) if name == "look"}
    held: dict[str, set[str]] = {}
    for v, o in _pairs(evaluation, "points_to", 0, 1):
        held.setdefault(v, set()).update(classes.get(o, {shown_function(o) or o}))
    objects: dict[int, set[str]] = {}
    for call, v in _pairs(evaluation, "actual", 0, 2):
        if call in looks:
            objects.setdefault(line_of[call], set()).update(held.get(v, ()))
    wrong = []
    asked = 0
    for number, line in enumerate(text.splitlines(), 1):
        for what, names in _EXPECTED.findall(line):
            asked += 1
            expected = set() if names == "none" else {name.strip() for name in names.split(",")}
            found = (calls if what == "calls" else objects).get(number, set())
            if found != expected:
                wrong.append(f"{program.name}:{number} {what}: {sorted(found)}, expected {sorted(expected)}")
    assert asked
    assert wrong == []


OVERLOADS = """
interface Store {}
interface Delay {}
class Provider {
    Provider(Store store, java.util.Set<String> all, Store last) { this(store, null, all, last); }
    Provider(Store store, java.util.Set<String> all, Store last, Delay delay) {}
    Provider(Store store, other.Pool pool, java.util.Set<String> all, Store last) {}
}
"""


def test_an_overload_gets_nothing_if_one_argument_does_not_fit() -> None:
    evaluation, _ = evaluate({"A.java": OVERLOADS})
    formals = {evaluation.strings(row)[2].split("|")[1] for row in evaluation.rows("passes").tolist()}
    assert formals == {"Provider.Provider#Store,Pool,Set,Store"}
