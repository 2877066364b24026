"""Blocks and the edges between them: where control goes in a function, and what was written since when."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from pliant.extractors import budget

Value = int
Block = int
Path = tuple[Value, str]  # root of the base, field
Key = str | Path  # a variable, or a path
UNDEFINED: Value = 0

_FEW = 16  # predecessors that are looked through one by one


@dataclass(frozen=True, slots=True)
class Here:
    """A place in a function: a block, how much had been written and how often called when it was lowered."""

    block: Block
    mark: int
    calls: int


@dataclass(slots=True)
class _Region:
    """What was lowered since `block`: writes number `begin` to `end`; which keys they write, once that was asked.
    quiet: nothing was called."""

    block: Block
    begin: int
    end: int
    quiet: bool
    written: frozenset[Key] | None = None


class Blocks:
    """The blocks of a function under construction.

    An edge leads from a block that has ended to one that is not sealed yet; control is at the end of `block`.
    """

    __slots__ = (
        "_before",
        "_called",
        "_calls",
        "_defs",
        "_entries",
        "_incomplete",
        "_kept",
        "_log",
        "_many_preds",
        "_preds",
        "_regions",
        "_sealed",
        "block",
        "entry",
        "most_steps",
        "steps",
    )

    def __init__(self) -> None:
        self.steps = 0  # that the function has taken so far
        self.most_steps = budget.FUNCTION_STEPS
        self._many_preds: dict[Block, set[Block]] = {}  # the same of blocks that many lead to
        self._preds: list[list[Block]] = []
        self._defs: list[dict[Key, Value]] = []
        self._sealed: list[bool] = []
        self._before: list[Block] = []  # the only block that leads to a sealed one, which ends no region; else -1
        self._calls: list[list[Value]] = []
        self._kept: dict[Block, Container[Key]] = {}  # header of a loop -> variables that the loop does not write
        self._log: list[Key] = []  # all that was written, in order
        self._called = 0  # how many calls there were
        self._entries: list[tuple[int, int]] = []  # where in the log control comes in from elsewhere, and from where
        self._regions: dict[Block, _Region] = {}  # a block that only its region leads to
        self._incomplete: dict[Block, dict[Key, Value]] = {}
        self.block = self.new_block()
        self.entry = self.block
        self.seal(self.block)

    def spend(self, steps: int) -> None:
        """Count steps (`budget`). Raises TooMuch past those that the function may take, which counts no further."""
        self.steps += steps
        if self.steps > self.most_steps:
            self.steps = self.most_steps + 1
            raise budget.TooMuch(f"it takes more than {self.most_steps:,} steps")

    def new_block(self, *preds: Block) -> Block:
        """A block that is not sealed: predecessors can still be added."""
        self._preds.append(list(preds))
        self._defs.append({})
        self._sealed.append(False)
        self._before.append(-1)
        self._calls.append([])
        return len(self._preds) - 1

    def keep(self, header: Block, names: Container[Key]) -> None:
        """Say that the loop of `header`, whose one predecessor so far is what is before it, does not write `names`."""
        self._kept[header] = names

    def here(self) -> Here:
        """Where a region begins."""
        return Here(self.block, len(self._log), self._called)

    def joins(self, block: Block, since: Here) -> None:
        """Say that nothing leads to `block`, all of whose predecessors are known, but what was lowered `since`: of what
        was not written since then, it has what was there."""
        for place, source in reversed(self._entries):
            self.spend(1)
            if place < since.mark:
                break
            if source < since.mark:
                return
        if self._preds[block]:
            self._before[block] = -1
            self._regions[block] = _Region(since.block, since.mark, len(self._log), since.calls == self._called)

    def written_before(self, block: Block) -> frozenset[Key]:
        """The keys that were written in the region that a join ends; none where it ends none."""
        region = self._regions.get(block)
        return frozenset() if region is None else self._written(region)

    def enter(self, source: Here | None = None) -> None:
        """Note that control comes in from elsewhere: from `source`, or from anywhere."""
        self._entries.append((len(self._log), source.mark if source is not None else -1))

    def start(self, block: Block) -> None:
        """Seal `block` and go on in it."""
        self.seal(block)
        self.block = block

    def edge(self, source: Block, target: Block) -> None:
        if self._sealed[target]:
            raise AssertionError("an edge into a sealed block")
        preds = self._preds[target]
        if len(preds) < _FEW:
            if source not in preds:
                preds.append(source)
            return
        known = self._many_preds.get(target)
        if known is None:
            known = self._many_preds[target] = set(preds)
        if source not in known:
            known.add(source)
            preds.append(source)

    def sealed(self, block: Block) -> bool:
        """Whether all predecessors of a block are known."""
        return self._sealed[block]

    def jump(self, target: Block) -> None:
        """End the current block with an edge to `target` and go on where nothing leads."""
        if self.reachable():
            self.edge(self.block, target)
        self.stop()

    def stop(self) -> None:
        """What is lowered next is not reached."""
        self.start(self.new_block())

    def reachable(self, block: Block | None = None) -> bool:
        block = self.block if block is None else block
        return block == self.entry or bool(self._preds[block]) or not self._sealed[block]

    def split(self) -> Block:
        """Begin a new block after the current one; returns the one that ended."""
        ended = self.block
        self.start(self.new_block(ended) if self.reachable() else self.new_block())
        return ended

    def seal(self, block: Block) -> None:
        if self._sealed[block]:
            return
        self._sealed[block] = True
        preds = self._preds[block]
        if len(preds) == 1 and block not in self._regions:
            self._before[block] = preds[0]
        if block in self._incomplete:
            for key, phi in self._incomplete.pop(block).items():
                self._complete(key, phi, block)

    def _written(self, region: _Region) -> frozenset[Key]:
        if region.written is None:
            self.spend(region.end - region.begin)
            region.written = frozenset(self._log[region.begin : region.end])
        return region.written

    def _complete(self, key: Key, phi: Value, block: Block) -> Value:
        """Give `phi` its operands: all predecessors of its block are known now."""
        raise NotImplementedError
