"""The inner loops of joins and updates, which take most of the time of an update: compiled where the package was built
with a C compiler, calls of numpy otherwise. Both give the same; PLIANT_KERNELS=numpy chooses numpy.

What is compiled goes over its rows once, where numpy makes an array of each step. It is compiled twice: for every
processor, and for those that have AVX2.
"""

from __future__ import annotations

import os
from contextlib import suppress

from .in_numpy import (
    Ascent,
    count_packed,
    divide,
    enter,
    expand,
    fill,
    find_ranges,
    find_rows,
    join,
    lower,
    mark,
    merge,
    note,
    outlook,
    pack,
    put,
    settle,
    sum_by_row,
    take,
    walk,
)
from .interface import (
    Derived,
    Divided,
    Entries,
    Held,
    Joined,
    Leg,
    Levels,
    Outlook,
    Seen,
    Sieve,
    Tier,
    Walked,
    Wanted,
    Way,
)

COMPILED = False
if os.environ.get("PLIANT_KERNELS") != "numpy":
    try:
        from .compiled import (
            Ascent,
            count_packed,
            divide,
            enter,
            fill,
            find_ranges,
            find_rows,
            has_avx2,
            join,
            lower,
            mark,
            merge,
            note,
            outlook,
            pack,
            put,
            settle,
            sum_by_row,
            take,
            walk,
        )
    except ImportError:  # there was no compiler
        pass
    else:
        COMPILED = True
        if has_avx2():
            with suppress(ImportError):  # the compiler was one for other processors
                from .compiled_avx2 import (
                    Ascent,
                    count_packed,
                    divide,
                    enter,
                    fill,
                    find_ranges,
                    find_rows,
                    join,
                    lower,
                    mark,
                    merge,
                    note,
                    outlook,
                    pack,
                    put,
                    settle,
                    sum_by_row,
                    take,
                    walk,
                )

__all__ = [
    "COMPILED", "Ascent", "Derived", "Divided", "Entries", "Held", "Joined", "Leg", "Levels", "Outlook", "Seen",
    "Sieve", "Tier", "Walked", "Wanted", "Way", "count_packed", "divide", "enter", "expand", "fill", "find_ranges",
    "find_rows", "join", "lower", "mark", "merge", "note", "outlook", "pack", "put", "settle", "sum_by_row", "take",
    "walk",
]  # fmt: skip
