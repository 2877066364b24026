"""What a question may cost is counted: no source makes work that is not."""

from __future__ import annotations

import sys
from types import FrameType

import pathological_witnesses
import pytest
from in_memory import court, evaluate

from pliant.analyses.witness import bounds, judge

PARTS = 60
CALLS = 20  # of functions, for a step
READING = 20  # for a byte of the source, where it is looked for


@pytest.mark.parametrize("name", pathological_witnesses.GENERATORS)
@pytest.mark.one_in(3)
def test_all_work_is_counted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"a.{'go' if 'Go' in name else 'py'}": pathological_witnesses.GENERATORS[name](PARTS)}
    evaluation, places = evaluate(files)
    asked = court(files, evaluation, places)
    all_steps: list[bounds.Steps] = []

    def steps(_most: int) -> bounds.Steps:
        all_steps.append(bounds.Steps())
        return all_steps[-1]

    monkeypatch.setattr(judge, "Steps", steps)
    calls = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event != "return"

    row = evaluation.strings(evaluation.rows("null_dereference")[0])
    asked.answer(*row).why()  # what is read once for each file
    all_steps.clear()
    sys.setprofile(note)
    try:
        asked.answer(*row).why()
    finally:
        sys.setprofile(None)
    spent = bounds.MOST_STEPS - all_steps[0].left
    assert calls <= CALLS * spent + READING * sum(map(len, files.values()))


def test_a_question_that_costs_too_much_is_open() -> None:
    files = {"a.py": pathological_witnesses.GENERATORS["branches that set objects"](PARTS)}
    evaluation, places = evaluate(files)
    row = evaluation.strings(evaluation.rows("null_dereference")[0])
    answer = court(files, evaluation, places).answer(*row, most=10_000)
    assert (answer.verdict, answer.reason) == ("open", "it takes more than 10,000 steps")


def test_the_questions_of_a_side_have_a_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a.py": pathological_witnesses.GENERATORS["branches that set what is used"](4)}
    evaluation, places = evaluate(files)
    monkeypatch.setattr(judge, "MOST_OF_SIDE", 400)
    asked = court(files, evaluation, places)
    answers = [asked.answer(*evaluation.strings(row)) for row in evaluation.rows("null_dereference")]
    assert answers[0].verdict == "witnessed"
    assert (answers[-1].verdict, answers[-1].reason) == ("open", "the findings before it took 400 steps")
