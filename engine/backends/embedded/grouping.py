"""Rows that are alike, put together and counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from . import kernels
from .keys import Column, Counts


def group(
    parts: Sequence[Sequence[Column | None]], size: int, lifted: int = 0, key: int = 0
) -> tuple[list[NDArray[Any]], Counts] | None:
    """Distinct rows of all parts, which have the same columns, in order; and how often each is there. `size`: rows of
    all parts, at least one. None where they do not fit a word.

    `lifted`: so many of the first columns are one more than what is given; None is 0. `key`: so many of the last, one
    or two, are given as one, of the words that they are in an arrangement.

    By one thread: to cut a million words into two ranges takes longer than to sort all of them."""
    packed = kernels.pack(parts, size, lifted)
    return None if packed is None else kernels.count_packed(*packed, key)


__all__ = ["group"]
