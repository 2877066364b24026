"""The passes over the intermediate representation, held to runs of the functions: what fails in a run is a
candidate."""

from __future__ import annotations

from functools import cache

import corpus
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import batch, table
from ir_functions import units
from ir_runs import failures

from pliant.analyses import registry
from pliant.engine import Evaluation, Program
from pliant.extractors.budget import file_steps
from pliant.extractors.facts import FileFacts
from pliant.extractors.ir import Unit
from pliant.extractors.ir.reading import read
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.passes.facts import facts_of
from pliant.extractors.python import extract as python
from pliant.extractors.writer import FactWriter

_NEEDS = {"load": "attribute", "store": "attribute", "call": "call"}
_SEMANTICS = Semantics(
    null="nil", needs=_NEEDS, truth_is_not_null=True, containers={"tuple": "tuple"}, zero_is_null=frozenset(),
    false=frozenset((False, "")), integers={"": 0},
)  # fmt: skip
_RUNS = 12
_IN_DEAD_CODE = """\
unit go "."

function "f" any
  variable $x class("T") local
  variable $z class("T") local
b0:
  %1 = const null
  set $x, %1
  %3 = const null
  set $z, %3
  %5 = get $z
  branch ==(%5, 0), b2, b1
b1:
  %7 = get $x
  set $z, %7
  exit []
b2:
  %10 = get $x
  branch null(%10), b4, b3
b3:
  %12 = get $z
  exit [%12]
b4:
  %14 = const null
  set $x, %14
"""
_LOOP = _IN_DEAD_CODE + "  jump b2\n"
_LOOP_OF_TWO_ENTRIES = _IN_DEAD_CODE + "  branch null(%14), b5, b6\nb5:\n  jump b6\nb6:\n  branch null(%14), b5, b3\n"


@cache
def _program() -> Program:
    return registry.program((), frozenset())


def _facts(unit: Unit) -> FileFacts:
    writer = FactWriter()
    facts_of(unit, _SEMANTICS, writer, file_steps(0))
    return writer.finish()


def _candidates(unit: Unit) -> set[tuple[str, int, int]]:
    """Function, number of the instruction that fails, and of the one that makes the null."""
    facts = _facts(unit)
    numbers = {facts.symbols[facts.places[at]]: facts.places[at + 1] for at in range(0, len(facts.places), 5)}
    evaluation = Evaluation.bootstrap(_program(), batch({"": facts}))
    texts = evaluation.strings(np.asarray(evaluation.rows("null_dereference")).reshape(-1))
    return {
        (site.split("|")[1], numbers[site], numbers[origin])
        for site, origin in zip(texts[::2], texts[1::2], strict=True)
        if site in numbers and origin in numbers
    }


@given(unit=units(), seed=st.integers(0, 1000))
@corpus.examples(150)
def test_what_fails_in_a_run_is_a_candidate(unit: Unit, seed: int) -> None:
    for function in unit.functions:
        function.spans = {each.number: (each.number, 0, each.number, 1) for each in function.instructions()}
    failed = {
        (function.name, *failure)
        for function in unit.functions
        for run in range(_RUNS)
        for failure in failures(function, seed * _RUNS + run)
    }
    if failed:
        candidates = _candidates(unit)
        assert failed <= candidates, (failed - candidates, candidates)


@pytest.mark.parametrize("text", [_LOOP, _LOOP_OF_TWO_ENTRIES])
def test_a_loop_that_nothing_leads_to_is_not_reached(text: str) -> None:
    facts = _facts(read(text))
    assert "null" in facts.rows
    assert "returns" not in facts.rows


@given(unit=units())
@corpus.examples(60)
def test_the_same_unit_gives_the_same_facts(unit: Unit) -> None:
    one, other = _facts(unit), _facts(unit)
    assert (one.symbols, one.rows, one.places) == (other.symbols, other.rows, other.places)


def test_what_a_result_shows_of_values_of_the_function_is_not_told() -> None:
    source = b"class A:\n    def ready(self, x):\n        return self.find(x) is not None and self.left is not None\n"
    told = {field for _, _, field in table(python.extract(source), "implies")}
    assert told == {"left"}
