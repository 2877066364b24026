"""Where the reports of a run go: standard output, files, and GitHub's step summary; several forms in one run.

A report is rendered where it was made, and written where it was asked for: these may be two processes
(`watch_socket.py`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pliant.ci.errors import UserError, visible
from pliant.ci.reports import FORMATS, Style, renderer

if TYPE_CHECKING:
    from pliant.ci.report import Report

STANDARD_OUTPUT = "-"
_SUMMARY_BYTES = 1_000_000  # of a step, together; GitHub takes 1 MiB


class Output(NamedTuple):
    """A form, and the file that takes it; None for standard output."""

    format: str
    file: str | None


class Text(NamedTuple):
    """What is written to a file, or added to it; None for standard output."""

    text: str
    file: str | None
    added: bool = False


def parse(text: str) -> Output:
    """`FORMAT=FILE`, `-` being standard output."""
    name, equals, file = text.partition("=")
    if not equals or not file:
        raise UserError(f"--report expects FORMAT=FILE, such as sarif=pliant.sarif, not '{visible(text)}'")
    if name not in FORMATS:
        raise UserError(f"--report: there is no format '{visible(name)}': it is one of {', '.join(FORMATS)}")
    return Output(name, None if file == STANDARD_OUTPUT else file)


def summary_of(outputs: Sequence[Output]) -> str | None:
    """The file of GitHub's step summary, if the outputs have one. Raises UserError for two on standard output."""
    if sum(output.file is None for output in outputs) > 1:
        raise UserError("two reports would go to standard output: give each but one a file (--report FORMAT=FILE)")
    is_github = any(output.format == "github" for output in outputs)
    return os.environ.get("GITHUB_STEP_SUMMARY") or None if is_github else None


def rendered(report: Report, outputs: Sequence[Output], style: Style, summary: str | None = None) -> list[Text]:
    """The report in every form; only what goes to standard output has colours. summary: as of `summary_of`."""
    plain = replace(style, colour=False)
    texts = [Text(renderer(each.format)(report, style if each.file is None else plain), each.file) for each in outputs]
    if summary is not None:
        texts.append(Text(renderer("markdown")(report, plain), summary, added=True))
    if not any(each.file is None for each in outputs) and not style.quiet:
        texts.append(Text(renderer("text")(report, replace(style, quiet=True)), None))
    return texts


def write(texts: Sequence[Text]) -> None:
    for each in texts:
        if each.file is None:
            sys.stdout.write(each.text)
            sys.stdout.flush()
        elif each.added:
            _add_summary(Path(each.file), each.text)
        else:
            try:
                Path(each.file).write_text(each.text, encoding="utf-8")
            except OSError as error:
                told = f"the report cannot be written to {visible(each.file)}: {error.strerror}"
                raise UserError(told) from None


def _add_summary(file: Path, text: str) -> None:
    try:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(text.encode()[:_SUMMARY_BYTES].decode("utf-8", "ignore"))
    except OSError as error:
        raise UserError(f"$GITHUB_STEP_SUMMARY cannot be written: {error.strerror}") from None
