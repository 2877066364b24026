"""What a call leaves in a cell and what it gives: held to runs of random functions of C."""

from __future__ import annotations

from random import Random
from typing import Any

import corpus
from c_machine import NOTHING, Machine, Nothing, Null, Place
from c_nulls import DECLARATIONS, with_status
from c_runs import PRELUDE
from in_memory import evaluate, programs

from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.known import NOT_ZERO, NULL, PRESENT
from pliant.analyses.witness.lending import Lending
from pliant.analyses.witness.outcomes import Outcome, Outcomes, Target
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.lowering.ranges import meet

_FUNCTIONS = corpus.share(90)
_RUNS = 40  # of each
_TARGETS = (Target("out", ()), Target("p", ("next",)))


def test_no_pair_that_a_run_gives_is_left_out() -> None:
    random, told = Random(1), 0
    functions = [with_status(random, number) for number in range(_FUNCTIONS)]
    text = "\n".join((PRELUDE + DECLARATIONS, *functions))
    files = {"a.c": text}
    evaluation, places = evaluate(files)
    of_side, derived = programs(files, places), Derived(evaluation)
    outcomes = Outcomes(of_side, derived, Lending(of_side, derived))
    unit = LANGUAGES["c"].translate(text.encode())
    for number, function in enumerate(functions):
        code = of_side.code(f"a.c|f{number}")
        assert code is not None
        found = {target: outcomes.of(code, target, 3).outcomes for target in _TARGETS}
        told += sum(each is not None for each in found.values())
        for _ in range(_RUNS):
            for target, seen in _observed(Machine(unit), f"f{number}", random).items():
                if (pairs := found[target]) is not None:
                    assert any(_covers(each, *seen) for each in pairs), (function, target, seen, pairs)
    assert told > _FUNCTIONS


def _observed(machine: Machine, name: str, random: Random) -> dict[Target, tuple[Any, Any, Any]]:
    """What a run finds in the cells, what it leaves there, and what it gives; nothing where it does not come back."""
    nodes = [NOTHING, *machine.globals["nodes"].elements]
    variable = {"cell": random.choice(nodes)}
    record = random.choice(nodes)
    where = [Place(variable, "cell"), *(Place(each, "next") for each in nodes[1:])]
    cells = {_TARGETS[0]: random.choice(where)}
    if not isinstance(record, Nothing):
        cells[_TARGETS[1]] = Place(record, "next")
    before = {target: machine.load(place, "*") for target, place in cells.items()}
    try:
        given = machine.call(name, [random.randint(-2, 6), random.randint(-2, 6), record, cells[_TARGETS[0]]])
    except Null:
        return {}
    return {target: (before[target], machine.load(place, "*"), given) for target, place in cells.items()}


def _covers(outcome: Outcome, before: Any, after: Any, given: Any) -> bool:
    known = outcome.result
    if not isinstance(given, int):
        fits = bool(meet(known.numbers, NOT_ZERO)) if not isinstance(given, Nothing) else _has(known.numbers, 0)
    else:
        fits = _has(known.numbers, given) and (given & known.bits) == known.bits
    is_so = after is before or after == before if outcome.kept else bool(outcome.nullness & _nullness(after))
    return outcome.was == _nullness(before) and is_so and fits


def _nullness(value: Any) -> int:
    return NULL if isinstance(value, Nothing) else PRESENT


def _has(numbers: Any, number: int) -> bool:
    return any(low <= number <= high for low, high in numbers)
