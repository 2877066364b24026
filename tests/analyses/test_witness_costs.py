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


def _of_constants(size: int, *, callers: int = 0) -> str:
    """A function with many branches that passes on no bytes at no address, through so many others."""
    branches = "".join(f"    if (external(k + {number})) q = other(q, k);\n" for number in range(size))
    chain = "".join(
        f"int pass{number}(const char *p, int n) {{ return {f'pass{number - 1}' if number else 'sum'}(p, n); }}\n"
        for number in range(callers)
    )
    outermost = f"pass{callers - 1}" if callers else "sum"
    return f"""
#include <stddef.h>
int external(int k);
int *other(int *q, int k);
int sum(const char *p, int n) {{ int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }}
{chain}int large(int *q, int k) {{
{branches}    return q ? {outermost}(NULL, 0) : 0;
}}
"""


def _answer(source: str, most: int) -> str:
    files = {"a.c": source}
    evaluation, places = evaluate(files)
    [row] = evaluation.rows("null_dereference")
    return court(files, evaluation, places).answer(*evaluation.strings(row), most=most).verdict


def test_what_a_call_passes_is_known_however_large_its_function_is() -> None:
    assert _answer(_of_constants(200), 2_000) == "refuted"
    assert _answer(_of_constants(200).replace("NULL, 0", "NULL, k"), 2_000) == "open"


def test_constants_are_passed_through_eight_functions() -> None:
    assert _answer(_of_constants(1, callers=7), bounds.MOST_STEPS) == "refuted"
    assert _answer(_of_constants(1, callers=7).replace("NULL, 0", "NULL, 1"), bounds.MOST_STEPS) == "witnessed"


@pytest.mark.parametrize("most", [0, 1, 100])
def test_a_bound_that_is_met_before_a_run_ends_that_run_alone(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MOST_ALONE", most)
    source = _of_constants(1).replace("q ? sum(NULL, 0) : 0", "k <= 0 ? sum(NULL, k) : 0")
    assert _answer(source, bounds.MOST_STEPS) == "refuted"
