"""Rows that are alike, put together and counted; many of them by several threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from . import kernels
from .keys import Column, Counts
from .parallel import in_ranges

_WORTH_A_THREAD: Final = 1 << 15  # rows to sort


def group(parts: Sequence[Sequence[Column]], size: int) -> tuple[list[Column], Counts] | None:
    """Distinct rows of all parts, which have the same columns, in order; and how often each is there. `size`: rows of
    all parts, at least one. None where they do not fit a word."""
    packed = kernels.pack(parts, size)
    if packed is None:
        return None
    words, widths, offsets = packed
    found = in_ranges(words, _WORTH_A_THREAD, lambda mine: kernels.count_packed(mine, widths, offsets))
    if len(found) == 1:
        return found[0]
    columns = [np.concatenate(each) for each in zip(*(columns for columns, _ in found), strict=True)]
    return columns, np.concatenate([counts for _, counts in found])


__all__ = ["group"]
