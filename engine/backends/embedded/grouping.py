"""Rows that are alike, put together and counted."""

from __future__ import annotations

from collections.abc import Sequence

from . import kernels
from .keys import Column, Counts


def group(parts: Sequence[Sequence[Column]], size: int) -> tuple[list[Column], Counts] | None:
    """Distinct rows of all parts, which have the same columns, in order; and how often each is there. `size`: rows of
    all parts, at least one. None where they do not fit a word.

    By one thread: to cut a million words into two ranges takes longer than to sort all of them."""
    packed = kernels.pack(parts, size)
    return None if packed is None else kernels.count_packed(*packed)


__all__ = ["group"]
