"""Facts of inputs as messages to the shards that have copies of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...backends.embedded.keys import Column
from .localise import LocalProgram
from .messages import Message, Number


def route_rows(
    program: LocalProgram, storage: str, columns: Sequence[Column], counts: Number, sender: int, number: int
) -> Iterator[Message]:
    """Rows of an input that come (+1) and go (-1), for all shards that have copies of it."""
    for copy in program.inputs[storage]:
        for target, places in program.targets(copy, columns, len(counts)):
            some = [column[places] for column in columns]
            number += 1
            yield Message(sender, number, target, "rows", copy.name, some, len(counts[places]), None, counts[places])


def by_storage(program: LocalProgram, facts: Mapping[str, tuple[list[Column], int]], sign: int) -> Iterator[Message]:
    """Messages for encoded facts of a batch."""
    number = 0 if sign > 0 else 1 << 30
    for name, (columns, size) in facts.items():
        for message in route_rows(program, name, columns, np.full(size, sign, np.int64), -1, number):
            number = message.number
            yield message


__all__ = ["by_storage", "route_rows"]
