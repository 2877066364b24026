"""Small functions that are run on what is known, held to runs of them, and what is told of calls."""

from __future__ import annotations

import corpus
from hypothesis import given
from hypothesis import strategies as st
from in_memory import table
from ir_functions import units
from ir_runs import Thing as Ran
from ir_runs import run_of

from pliant.extractors.facts import FileFacts
from pliant.extractors.ir import Function, Unit
from pliant.extractors.ir.reading import read
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.passes import facts_of
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.known_values import NOTHING, Known, Null, Thing, Unknown
from pliant.extractors.passes.small_functions import Way, ways
from pliant.extractors.passes.survey import FileSurvey
from pliant.extractors.writer import FactWriter

_SEMANTICS = Semantics(
    null="nil", needs={"load": "attribute", "store": "attribute", "call": "call", "invoke": "method"},
    truth_is_not_null=False, containers={"tuple": "tuple"}, zero_is_null=frozenset(), objects=True,
    arity=True, classes_tell=True, evaluates=True, integers={"": 32, "int": 32},
)  # fmt: skip
_RUNS = 8


def _ways(unit: Unit, function: Function) -> list[Way]:
    survey = FileSurvey(unit, [Index(each) for each in unit.functions], _SEMANTICS)
    return ways(survey, function, NOTHING, [], lambda steps: None)


def _is(known: Known | None, ran: Ran) -> bool:
    """Whether what a run gave is what is said to be known of it."""
    if isinstance(known, Unknown):
        return True
    if isinstance(known, Null):
        return known.number == ran.null
    if isinstance(known, Thing):
        return ran.null is None
    return known is not None and ran.null is None and ran.content == known


@given(unit=units(), seed=st.integers(0, 1000))
@corpus.examples(150)
def test_what_a_run_gives_is_among_what_is_known(unit: Unit, seed: int) -> None:
    for function in unit.functions[1:]:
        found = _ways(unit, function)
        for run in range(_RUNS if found else 0):
            ran = run_of(function, seed * _RUNS + run)
            if ran.typed and ran.result is not None:
                assert any(_is(way.result, ran.result) for way in found), (found, ran.result)


_UNIT = """unit java "shop"

class class("Shop") class

function "<module>" any
  variable $Shop any module
b0:
  %1 = class "Shop", [] in "Shop"
  set $Shop, %1 in "Shop"
  exit []

function "Shop.word" class("String", "java.lang")
  owner class("Shop")
  flags private static
  formal $kind number("int") one
  variable $kind number("int") local
b0:
  %1 = get $kind
  branch ==(%1, 1), b1, b2
b1:
  exit ["one"]
b2:
  %4 = const null
  exit [%4]

function "Shop.next" number("int")
  owner class("Shop")
  flags FLAGS
  formal $this class("Shop") receiver
  formal $kind number("int") one
  variable $this class("Shop") local
  variable $kind number("int") local
b0:
  %1 = get $kind
  %2 = arithmetic "+", [%1, 1]
  exit [%2]

function "Shop.call" any
  owner class("Shop")
  formal $this class("Shop") receiver
  variable $this class("Shop") local
  variable $Shop any module
b0:
  %1 = get $Shop
  %2 = invoke %1, "word", [1]
  %3 = invoke %1, "word", [2]
  %4 = get $this
  %5 = invoke %4, "next", [4]
  branch ==(%5, 5), b1, b2
b1:
  exit [%2]
b2:
  %8 = load %3, "unreached"
  exit [%3]
"""


def _facts(flags: str) -> FileFacts:
    writer = FactWriter()
    facts_of(read(_UNIT.replace("FLAGS", flags)), _SEMANTICS, writer)
    return writer.finish()


def test_a_call_does_not_give_the_null_that_its_arguments_rule_out() -> None:
    facts = _facts("private")
    [(called,)] = table(facts, "evaluated_not_null")
    assert called == "|Shop.call|.word()|1"
    assert table(facts, "rules_out") == []


def test_a_call_does_not_give_the_nulls_that_are_not_reached() -> None:
    unit = _UNIT.replace('exit ["one"]', "%3 = const null\n  exit [%3]").replace(
        "%4 = const null\n  exit [%4]", "%5 = const null\n  exit [%5]"
    )
    writer = FactWriter()
    facts_of(read(unit.replace("FLAGS", "private")), _SEMANTICS, writer)
    found = table(writer.finish(), "rules_out")
    assert found == [
        ("|Shop.call|.word()|1", "|Shop.word|return|2"),
        ("|Shop.call|.word()|2", "|Shop.word|return|1"),
    ]


def test_the_number_that_a_call_gives_decides_a_branch() -> None:
    facts = _facts("private")
    assert {kind for _, _, kind, _ in table(facts, "dereference")} == set()
    assert table(facts, "evaluated_number") == []


def test_a_method_that_may_be_overridden_is_assumed_not_to_be() -> None:
    facts = _facts("synchronized")
    [(call, number)] = table(facts, "evaluated_number")
    assert number == 5
    assert (call, call, "|Shop.next") in table(facts, "evaluated_for")
    assert {(number, outcome) for _, _, of, number, outcome in table(facts, "control_if") if of == call} == {
        (5, "equal"),
        (5, "other"),
    }
