"""A failure costs the function in which it happens, or the statement outside of functions, and nothing else.

What fails has noted things of the whole file before: names that it has declared, functions inside it. So a file in
which something fails is lowered anew from its tree, without that part, until nothing fails: no half function stays.
"""

from __future__ import annotations

import sys
from bisect import bisect_right, insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tree_sitter import Node

from pliant.extractors.budget import TooMuch
from pliant.extractors.writer import FactWriter

Part = tuple[int, int, str]  # first byte, byte behind the last one, function (empty: a statement outside of functions)
LeftOut = Mapping[Part, str]  # why, as the end of a sentence

_ATTEMPTS = 4


class FileFails(Exception):
    """So much of a file fails that the whole of it is left out."""


@dataclass(slots=True)
class Waiting:
    """A function whose body is lowered after the code around it. node: its syntax tree. minor: its body is lowered
    after those of all others, with the steps that they leave."""

    symbol: str
    node: Node
    lower: Callable[[], None]
    minor: bool = False

    @property
    def part(self) -> Part:
        # Ordinals of functions of one name may change with what is left out.
        return self.node.start_byte, self.node.end_byte, self.symbol.partition("#")[0]


@dataclass(slots=True)
class Spent:
    """The steps that the translation of a file has taken, in all attempts: with minor functions, and without."""

    all: int = 0
    major: int = 0

    def add(self, steps: int, *, minor: bool = False) -> None:
        self.all += steps
        self.major += 0 if minor else steps


class Counted(Protocol):
    """Something that has taken steps (`budget`)."""

    @property
    def steps(self) -> int: ...


class File(Protocol):
    """The lowering of one file, without the parts that are left out. failed: statements outside of functions that
    were found to fail."""

    failed: dict[Part, str]

    @property
    def fn(self) -> Counted:
        """What is being lowered."""

    def lower_file(self) -> None:
        """Lower what is outside of functions."""

    def next_function(self) -> Waiting | None:
        """Take one of the functions that are waiting."""

    def leave_out(self, function: Waiting, reason: str) -> None:
        """Write what holds of a function that is not lowered."""

    def finish(self, spent: int) -> None:
        """All functions have been lowered. What fails only now is `failed` as well. spent: steps of all attempts."""


def lower(begin: Callable[[FactWriter, LeftOut], File], most_steps: int) -> FactWriter:
    """The facts of a file. begin: makes its lowering. most_steps: that it may take, with all attempts. Raises what
    fails outside of any part; FileFails."""
    left_out: dict[Part, str] = {}
    spent = Spent()
    for _ in range(_ATTEMPTS):
        writer = FactWriter()
        failed = _attempt(begin(writer, left_out), left_out, spent, most_steps)
        if not failed:
            return writer
        left_out |= failed
    raise FileFails(f"parts of it fail that are found one after the other, {next(iter(left_out.values()))}")


def _attempt(file: File, left_out: LeftOut, spent: Spent, most_steps: int) -> dict[Part, str]:
    """Lower a file; returns the parts of it that fail, not all of which need be found. spent: what the file has taken
    before, to which this attempt is added; past `most_steps`, the functions that still wait are left out."""
    failed = file.failed
    try:
        file.lower_file()
    except TooMuch:
        if not failed:
            raise
        spent.add(file.fn.steps)
        return failed
    spent.add(file.fn.steps)
    fails: list[tuple[int, int]] = []  # where functions that fail begin and end, none in another
    while (function := file.next_function()) is not None:
        part = function.part
        at = bisect_right(fails, (part[0], sys.maxsize)) - 1
        if at >= 0 and part[1] <= fails[at][1]:
            continue  # nothing will know of it in the next attempt
        if part in left_out:
            file.leave_out(function, left_out[part])
            continue
        if (spent.all if function.minor else spent.major) > most_steps:
            file.leave_out(function, f"translating the file takes more than {most_steps:,} steps")
            continue
        state = vars(file).copy()
        try:
            function.lower()
        except Exception as error:
            failed[part] = reason_of(error)
            insort(fails, part[:2])
            spent.add(file.fn.steps, minor=function.minor)
            vars(file).update(state)
        else:
            spent.add(file.fn.steps, minor=function.minor)
    if not failed:
        file.finish(spent.all)
    return failed


def reason_of(error: Exception) -> str:
    """Why something is left out over which an extractor fails. A lack of memory is no fault of a part."""
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, FileFails | TooMuch):
        return str(error)
    said = " ".join(str(error).split())[:200]
    return f"the extractor fails here with {type(error).__name__}{': ' if said else ''}{said}"
