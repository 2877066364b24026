"""What evaluation costs, in a unit that is the same on every machine: the time of one row that Bootstrap joins.

Beside the rows that joins put out, it takes time to look keys up and to run a plan at all. Update's keys are dearer
than Bootstrap's: it meets large relations with few of them at a time. `benchmarks/prices.py` fits the prices to
processor time; these are those of compiled kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a row that a join puts out, of a key that is looked up in a run, and of a run of a plan."""

    row: float
    key: float
    run: float


BOOTSTRAP: Final = Prices(1.0, 4.0, 4000.0)
UPDATE: Final = Prices(0.75, 5.5, 10000.0)


@dataclass(frozen=True, slots=True)
class Work:
    """`rows` that joins put out, partial instantiations included; `keys` that were looked up, counted again for every
    run of an arrangement; `runs` of plans."""

    rows: int
    keys: int
    runs: int

    def cost(self, prices: Prices) -> float:
        return prices.row * self.rows + prices.key * self.keys + prices.run * self.runs
