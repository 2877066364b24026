"""What is to be known of facts before a program is localised: how many there are, and which values are frequent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...datalog.program import Program
from ...facts import to_words
from ...strategies.pipelined.skew import Limits, Share, Skew, heavy_among

Column = tuple[str, int]  # an input, and the column


@dataclass(slots=True)
class Survey:
    """`sizes`: of each input, how many facts it has. `sums`: of each input that was summed, the sum of its facts'
    digests. `frequent`: of each column, its most frequent values as text, each with about how many rows have it."""

    sizes: dict[str, int] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)
    frequent: dict[Column, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, notes: Iterable[tuple[str, str]]) -> Survey:
        """Of what tasks have seen (`gathering`): inputs and notes."""
        found = cls()
        for name, note in notes:
            told = json.loads(note)
            found.sizes[name] = found.sizes.get(name, 0) + told["size"]
            found.sums[name] = (found.sums.get(name, 0) + int(told["sum"])) % 2**64
            for at, some in told["frequent"].items():
                counts = found.frequent.setdefault((name, int(at)), {})
                for value, rows in some.items():
                    counts[value] = counts.get(value, 0) + rows
        return found

    def heavy(self, shards: int, limits: Limits | None = None) -> dict[Column, tuple[Share, list[str]]]:
        """Of columns with heavy values what part they are, and these."""
        found = {}
        for (name, at), counts in sorted(self.frequent.items()) if shards > 1 else ():
            values = np.array(list(counts.values()), np.int64)
            chosen, share = heavy_among(values, self.sizes[name], shards, limits or Limits())
            if chosen.any():
                found[name, at] = share, [value for value, heavy in zip(counts, chosen, strict=True) if heavy]
        return found


def skew_from(program: Program, heavy: Mapping[Column, tuple[Share, list[str]]], ids: Mapping[str, int]) -> Skew:
    """With values as they are stored. `ids`: of the symbols among them."""
    words: list[int] = []
    for (name, at), (_, values) in heavy.items():
        symbol = program.inputs[name][at] == "symbol"
        words += [ids[value] if symbol else int(value) for value in values]
    stored = np.unique(to_words(np.array(words, np.int64)))
    return Skew(stored, {(program.input_storage[name], at): share for (name, at), (share, _) in heavy.items()})


def symbols_among(program: Program, heavy: Mapping[Column, tuple[Share, list[str]]]) -> list[str]:
    values = [some for (name, at), (_, some) in heavy.items() if program.inputs[name][at] == "symbol"]
    return sorted({value for some in values for value in some})


__all__ = ["Survey", "skew_from", "symbols_among"]
