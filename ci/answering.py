"""The answer to a question of `pliant check`: by this process, for itself or for one that asks (`watch_socket.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.errors import UserError
from pliant.ci.outputs import Output, rendered
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.watch_socket import Answer, Question, comparison


def answer(request: Request, question: Question) -> Answer:
    """What `pliant check --head WORKTREE` says, by a process that has `request.held`."""
    if question.comparison != comparison(request.base, request.state, request.config):
        return Answer(declined=True)
    asked = replace(
        request,
        folder=Path(question.folder),
        within=question.within,
        rules=tuple(question.rules),
        unchanged=question.unchanged,
        baseline=None if question.baseline is None else Path(question.baseline),
    )
    said: list[str] = []
    try:
        return answered(check(asked, said.append), question, said)
    except UserError as error:
        return Answer(said=said, error=str(error))
    except Exception:  # whoever asks does it without this process, and tells what is wrong
        return Answer(declined=True)


def answered(report: Report, question: Question, said: Sequence[str] = ()) -> Answer:
    """A report as it is asked for. said: lines for standard error."""
    report.seconds = {"start": question.start, **report.seconds}
    report.fail_on, report.fail_on_skipped = question.fail_on, question.fail_on_skipped
    outputs = [Output(name, file) for name, file in question.outputs]
    return Answer(rendered(report, outputs, Style(**question.style), question.summary), said, report.fails)
