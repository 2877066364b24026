"""What is taken away from a source is replaced by as many spaces, so that positions hold."""

from __future__ import annotations

BLANK = bytes(code if code == 10 else 32 for code in range(256))  # all but line ends becomes spaces
_BLANK_LINES = bytes(code if code in (10, 13) else 32 for code in range(256))


def erase(source: bytearray, start: int, end: int, blank: bytes = _BLANK_LINES) -> None:
    source[start:end] = source[start:end].translate(blank)


def outermost(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Start and end of what the ranges cover, in order."""
    covered: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if covered and start < covered[-1][1]:
            covered[-1] = (covered[-1][0], max(end, covered[-1][1]))
        else:
            covered.append((start, end))
    return covered
