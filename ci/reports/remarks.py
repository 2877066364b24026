"""What was not analysed, told once for all places of a file that it is said of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pliant.ci.report import Remark

_MAX_LINES = 8  # that are told by their numbers


def together(remarks: Sequence[Remark]) -> Iterator[Remark]:
    """The remarks, in their order; those of one file with one message as one, at the first of its lines."""
    lines: dict[Remark, list[int]] = {}
    for remark in remarks:
        lines.setdefault(replace(remark, line=0), []).append(remark.line)
    for remark, (first, *others) in lines.items():
        message = remark.message
        if others:
            told = ", ".join(map(str, others[:_MAX_LINES]))
            more = f" and {len(others) - _MAX_LINES} more" if len(others) > _MAX_LINES else ""
            message = f"{message}; the same on line{'s' * (len(others) > 1)} {told}{more}"
        yield replace(remark, line=first, message=message)
