"""Tables in Markdown, so that what a command prints can stand in a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first column is text, the others are numbers."""
    lines = [list(heads), *(list(row) for row in rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(heads))]
    marks = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    shown = [lines[0], marks, *lines[1:]]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) if index == 0 else cell.rjust(width)
                          for index, (cell, width) in enumerate(zip(line, widths, strict=True))) + " |"
        for line in shown
    )  # fmt: skip


def seconds(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def percent(value: float) -> str:
    return f"{100 * value:.3f}%" if value < 0.001 else f"{100 * value:.2f}%"


def number(value: float) -> str:
    return f"{value:,.0f}"


def ratio(ours: float, other: float) -> str:
    """How many times as long we take."""
    return f"{ours / other:.2f}" if other > 0 else "-"


def mebibytes(value: float) -> str:
    return f"{value / 2**20:,.0f}"
