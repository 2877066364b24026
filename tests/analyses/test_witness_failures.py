"""What cannot be read, or fails, leaves candidates open: it costs no others, and no check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from in_memory import court, evaluate, verdicts

from pliant.analyses.findings import Witness
from pliant.analyses.witness import run
from pliant.extractors.go import expressions
from pliant.extractors.python.translation import functions

# What `a` and `c` do is refuted, if it can be read.
PYTHON = """
def finished(archive, dry):
    if not dry:
        return archive.name

def a(path, dry):
    archive = None if dry else open(path)
    return finished(archive, dry)

def finished_too(archive, dry):
    if not dry:
        return archive.name

def b(path, dry):
    use({literal})
    archive = None if dry else open(path)
    return finished_too(archive, dry)

def finished_last(archive, dry):
    if not dry:
        return archive.name

def c(path, dry):
    archive = None if dry else open(path)
    return finished_last(archive, dry)
"""
GO = """package p
type S struct {{ n int }}
func finished(s *S, dry bool) int {{
	if dry {{ return 0 }}
	return s.n
}}
func a(dry bool) int {{
	var s *S
	if !dry {{ s = &S{{}} }}
	return finished(s, dry)
}}
func finishedToo(s *S, dry bool) int {{
	if dry {{ return 0 }}
	return s.n
}}
func b(dry bool) int {{
	use({literal})
	var s *S
	if !dry {{ s = &S{{}} }}
	return finishedToo(s, dry)
}}
"""


def failing(handler: Callable[[Any, Any], Any], error: Exception) -> Callable[[Any, Any], Any]:
    def translate(body: Any, node: Any) -> Any:
        if b"fails" in node.text:
            raise error
        return handler(body, node)

    return translate


@pytest.mark.parametrize("error", [ValueError("no"), RecursionError()])
@pytest.mark.parametrize("path", ["a.py", "a.go"])
def test_a_function_that_cannot_be_read_costs_itself(
    path: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {path: (PYTHON if path == "a.py" else GO).format(literal='"fails"')}
    assert set(map(frozenset, verdicts(files).values())) == {frozenset(["refuted"])}
    evaluation, places = evaluate(files)
    handlers: Any = functions.EXPRESSIONS if path == "a.py" else expressions.HANDLERS
    kind = "string" if path == "a.py" else "interpreted_string_literal"
    monkeypatch.setitem(handlers, kind, failing(handlers[kind], error))
    asked = court(files, evaluation, places)
    rows = map(evaluation.strings, evaluation.rows("null_dereference"))
    reasons = {site.split("|")[1]: asked.answer(site, origin).reason for site, origin in rows}
    not_read = {name for name, reason in reasons.items() if reason == "a function on the way cannot be read"}
    assert not_read == {"finished_too" if path == "a.py" else "finishedToo"}
    assert {reasons[name] for name in reasons.keys() - not_read} == {""}


def test_what_is_left_out_may_call_what_is_private(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = """
class Box:
    def __init__(self):
        self._lid = None

    def close(self):
        self._lid = None

    def open(self, lid):
        self._lid = lid

    def shown(self):
        if self._lid is None:
            return ""
        return self._name()

    def said(self):
        return self._name() if self._lid is not None else ""

    def _name(self):
        return self._lid.name

    def handed(self):
        return use("{}", self._name)
"""
    assert verdicts({"a.py": kept[: kept.index("    def handed")]}) == {("a.py", 21): {"refuted"}}
    assert verdicts({"a.py": kept}) == {("a.py", 21): {"witnessed"}}
    monkeypatch.setitem(functions.EXPRESSIONS, "string", failing(functions.EXPRESSIONS["string"], ValueError("no")))
    assert verdicts({"a.py": kept.format("fails")}) == {("a.py", 21): {"witnessed"}}


def test_a_file_that_cannot_be_read_leaves_its_candidates_open(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a.py": PYTHON.format(literal="0")}
    evaluation, places = evaluate(files)

    def translate(*arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr("pliant.extractors.python.extract.translate", translate)
    asked = court(files, evaluation, places)
    for row in evaluation.rows("null_dereference"):
        answer = asked.answer(*evaluation.strings(row))
        assert (answer.verdict, answer.reason) == ("open", "a function on the way cannot be read")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RecursionError(), "what decides it is nested too deeply"),
        (KeyError("b\na"), "looking for an execution fails with KeyError: 'b\\na'"),
    ],
)
def test_a_question_that_fails_is_open(error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def can_hold(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(run, "can_hold", can_hold)
    files = {"a.py": PYTHON.format(literal="0")}
    evaluation, places = evaluate(files)
    asked = court(files, evaluation, places)
    for row in evaluation.rows("null_dereference"):
        site, origin = evaluation.strings(row)
        assert asked.witness(site, origin) == Witness("open", reason)
