"""Where the reports of a run go: standard output, files, and GitHub's step summary; several forms in one run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pliant.ci.errors import UserError, visible
from pliant.ci.report import Report
from pliant.ci.reports import FORMATS, Style, renderer

STANDARD_OUTPUT = "-"
_SUMMARY_BYTES = 1_000_000  # of a step, together; GitHub takes 1 MiB


@dataclass(frozen=True, slots=True)
class Output:
    """A form, and the file that takes it; None for standard output."""

    format: str
    file: Path | None


def parse(text: str) -> Output:
    """`FORMAT=FILE`, `-` being standard output."""
    name, equals, file = text.partition("=")
    if not equals or not file:
        raise UserError(f"--report expects FORMAT=FILE, such as sarif=pliant.sarif, not '{visible(text)}'")
    if name not in FORMATS:
        raise UserError(f"--report: there is no format '{visible(name)}': it is one of {', '.join(FORMATS)}")
    return Output(name, None if file == STANDARD_OUTPUT else Path(file))


def write(report: Report, outputs: Sequence[Output], style: Style, *, terminal: bool) -> None:
    """Writes the report in every form; `terminal`: whether colours may be used on standard output."""
    if sum(output.file is None for output in outputs) > 1:
        raise UserError("two reports would go to standard output: give each but one a file (--report FORMAT=FILE)")
    for output in outputs:
        on_terminal = replace(style, colour=style.colour and terminal and output.file is None)
        _write(renderer(output.format)(report, on_terminal), output.file)
    if any(output.format == "github" for output in outputs) and (named := os.environ.get("GITHUB_STEP_SUMMARY")):
        _add_summary(Path(named), renderer("markdown")(report, style))
    if not any(output.file is None for output in outputs) and not style.quiet:
        _write(renderer("text")(report, replace(style, colour=style.colour and terminal, quiet=True)), None)


def _write(text: str, file: Path | None) -> None:
    if file is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"the report cannot be written to {visible(str(file))}: {error.strerror}") from None


def _add_summary(file: Path, text: str) -> None:
    try:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(text.encode()[:_SUMMARY_BYTES].decode("utf-8", "ignore"))
    except OSError as error:
        raise UserError(f"$GITHUB_STEP_SUMMARY cannot be written: {error.strerror}") from None
