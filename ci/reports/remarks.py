"""What was not analysed, told once for all places of a file that it is said of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pliant.ci.report import Remark

_MAX_LINES = 8  # that are told by their numbers


def together(remarks: Sequence[Remark]) -> Iterator[Remark]:
    """The remarks, in their order; those of one file with one message as one, at the first of its lines."""
    lines: dict[tuple[str, str], list[int]] = {}
    for remark in remarks:
        lines.setdefault((remark.file, remark.message), []).append(remark.line)
    for (file, message), (first, *others) in lines.items():
        if others:
            told = ", ".join(map(str, others[:_MAX_LINES]))
            more = f" and {len(others) - _MAX_LINES} more" if len(others) > _MAX_LINES else ""
            message = f"{message}; the same on line{'s' * (len(others) > 1)} {told}{more}"
        yield Remark(file, first, message)
