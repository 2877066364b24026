"""Witnesses are held to runs of C: a null that is followed where random functions run is never refuted."""

from __future__ import annotations

from random import Random

import corpus
from c_machine import NOTHING, Machine, Null
from c_nulls import DECLARATIONS, caller, source, with_status
from c_runs import PRELUDE
from in_memory import court, evaluate

from pliant.extractors.ir import Unit
from pliant.extractors.languages import LANGUAGES

_FUNCTIONS = corpus.share(120)
_RUNS = 24  # of each
_TOGETHER = 20  # functions in a file, where that makes no difference
_Pair = tuple[int, int]  # the line where a null is followed, and the one where it is made


def test_what_fails_in_a_run_is_not_refuted() -> None:
    random, followed = Random(1), 0
    for number in range(_FUNCTIONS):
        text = PRELUDE + DECLARATIONS + source(random, number)
        failed = failures(LANGUAGES["c"].translate(text.encode()), f"f{number}", random)
        said = answers(text)
        followed += len(failed & said.keys())
        assert not {pair for pair in failed if said.get(pair) == {"refuted"}}, text
    assert followed > _FUNCTIONS // 10


def test_what_fails_behind_a_call_with_a_status_is_not_refuted() -> None:
    random, followed, refuted = Random(2), 0, 0
    for first in range(0, _FUNCTIONS, _TOGETHER):
        numbers = range(first, first + _TOGETHER)
        text = PRELUDE + DECLARATIONS
        for number in numbers:
            text += f"{with_status(random, number)}\n{caller(random, number)}\n"
        unit, said = LANGUAGES["c"].translate(text.encode()), answers(text)
        failed = {pair for number in numbers for pair in failures(unit, f"g{number}", random)}
        followed += len(failed & said.keys())
        refuted += sum(each == {"refuted"} for each in said.values())
        assert not {pair for pair in failed if said.get(pair) == {"refuted"}}, text
    assert followed > _FUNCTIONS // 10
    assert refuted


def failures(unit: Unit, name: str, random: Random) -> set[_Pair]:
    """The nulls that runs follow."""
    found = set()
    for _ in range(_RUNS):
        machine = Machine(unit)
        nodes = [NOTHING, *machine.globals["nodes"].elements]
        given = [random.randint(-2, 6), random.randint(-2, 6), random.choice(nodes), random.choice(nodes)]
        try:
            machine.call(name, given)
        except Null as error:
            made = getattr(error.null, "made", None)
            if error.at is not None and made is not None:
                function, number = error.at
                places = [function.spans.get(number), machine.functions[made[0]].spans.get(made[1])]
                if all(places):
                    found.add(tuple(place[0] for place in places if place is not None))
    return found  # type: ignore[return-value]


def answers(text: str) -> dict[_Pair, set[str]]:
    """What is said of each candidate."""
    files = {"a.c": text}
    evaluation, places = evaluate(files)
    judge, found = court(files, evaluation, places), dict[_Pair, set[str]]()
    for row in evaluation.rows("null_dereference"):
        site, origin = evaluation.strings(row)
        pair = places[site].line, places[origin].line
        found.setdefault(pair, set()).add(judge.answer(site, origin).verdict)
    return found
