"""Which parameters of a function are not null wherever it comes back: on every way it tests them, or uses them.

An analysis of its blocks, forward: where ways meet, what holds on all of them holds. A call shows what it demands
itself, if it can run nothing else; such calls are read for parameters of which nothing else tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pliant.analyses.witness.bounds import LOOKED_UP, Steps, TooLarge
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Rests
from pliant.extractors.ir.operands import Operand, Predicate
from pliant.extractors.ir.unit import Block, Instruction

MOST = 5_000  # steps for a function, with those that it calls
_SAME = frozenset(("copy", "convert"))  # give what they take, or fail
_NOTHING = frozenset[str]()


@dataclass(frozen=True, slots=True)
class Demanded:
    """variables: of the parameters. steps: that it took to find."""

    variables: frozenset[str]
    steps: int


class Demands:
    """Those of the functions of one side."""

    def __init__(self, programs: Programs, derived: Derived) -> None:
        self.programs, self.derived = programs, derived
        self._found: dict[tuple[str, int], tuple[Demanded, Rests]] = {}

    def of(self, code: Code, depth: int) -> Demanded:
        """depth: of calls that are followed."""

        def find() -> Demanded:
            analysis = _Analysis(self, code, depth)
            try:
                variables = analysis.demanded() if code.is_plain else _NOTHING
            except TooLarge:
                variables = _NOTHING
            return Demanded(variables, MOST - max(analysis.steps.left, 0))

        return self.programs.reads.kept(self._found, (code.symbol, depth), find)


@dataclass(slots=True)
class _Analysis:
    """of: which parameter an instruction gives, if one is read there; one that may change does not count."""

    demands: Demands
    code: Code
    depth: int
    steps: Steps = field(default_factory=lambda: Steps(MOST))
    of: dict[Operand, str] = field(default_factory=dict)

    def demanded(self) -> frozenset[str]:
        code = self.code
        self.steps.spend(code.size)
        formals = code.unchanged
        for each in code.index.of("get", *_SAME):
            name = each.operands[0] if each.op == "get" else self.of.get(each.operands[0], "")
            if name in formals:
                self.of[each.number] = name
        if not self.of:
            return _NOTHING
        shown = [frozenset(self._used(block)) for block in code.function.blocks]
        found = self._everywhere(formals, shown)
        if self.depth and found != formals:
            more = [
                each | frozenset(self._called(block)) for each, block in zip(shown, code.function.blocks, strict=True)
            ]
            found = self._everywhere(formals, more) if more != shown else found
        return found

    def _everywhere(self, formals: frozenset[str], shown: list[frozenset[str]]) -> frozenset[str]:
        """The parameters that are shown not to be null on every way to an exit. shown: by each block."""
        blocks, known = self.code.function.blocks, {0: _NOTHING}
        left = formals
        todo = [0]
        while todo:
            number = todo.pop()
            block, before = blocks[number], known[number]
            self.steps.spend(1)
            after = before | shown[number]
            ways = [(target, after | tested) for target, tested in self._ends(block)]
            if block.handler is not None:
                ways.append((block.handler, before))
            if block.instructions[-1].op == "exit":
                left &= after
            for target, here in ways:
                there = known.get(target)
                if there is None or not there <= here:
                    known[target] = here if there is None else there & here
                    todo.append(target)
        return left if any(blocks[each].instructions[-1].op == "exit" for each in known) else _NOTHING

    def _ends(self, block: Block) -> Iterator[tuple[int, frozenset[str]]]:
        """The blocks that come next, with what the test at the end shows."""
        last = block.instructions[-1]
        if last.op != "branch":
            yield from ((each, _NOTHING) for each in block.successors())
            return
        predicate, yes, no = last.operands
        yield yes, frozenset(self._tested(predicate, outcome=True))
        yield no, frozenset(self._tested(predicate, outcome=False))

    def _tested(self, predicate: Predicate, *, outcome: bool) -> Iterator[str]:
        """What is not null where a predicate has an outcome."""
        operator, operands = predicate
        means = self.code.semantics.truth_is_not_null
        if (operator == "null" and not outcome) or (operator == "truth" and outcome and means):
            if operands[0] in self.of:
                yield self.of[operands[0]]
        elif operator in ("not", "and" if outcome else "or"):
            for each in operands:
                assert isinstance(each, Predicate)
                yield from self._tested(each, outcome=outcome != (operator == "not"))

    def _used(self, block: Block) -> Iterator[str]:
        """The parameters that a block uses where null fails."""
        semantics = self.code.semantics
        for each in block.instructions:
            if each.op in semantics.needs or each.op == "require":
                named = each.op in ("invoke", "load") and each.operands[1] in semantics.of_null
                if not named and each.operands[0] in self.of:
                    yield self.of[each.operands[0]]

    def _called(self, block: Block) -> Iterator[str]:
        """Those that it passes to functions that demand them."""
        derived = self.demands.derived
        for each in block.instructions:
            if each.op not in ("call", "invoke"):
                continue
            passed = [argument for argument in each.operands[-1] if argument.value in self.of]
            if not passed:
                continue
            self.steps.spend(LOOKED_UP)
            callees = derived.callees(self.code.symbol_of(each))
            needed = [self._demanded_by(each, body) for body in callees.bodies if callees.known]
            if needed and not callees.makes:
                yield from {name for name in needed[0] if all(name in others for others in needed)}

    def _demanded_by(self, call: Instruction, body: str) -> frozenset[str]:
        """The parameters that a call passes to a function that demands them."""
        code = self.demands.programs.code(body)
        if code is None:
            return _NOTHING
        found = self.demands.of(code, self.depth - 1)
        self.steps.spend(found.steps)
        bound = self._bound(call, code)
        return frozenset(self.of[bound[each]] for each in found.variables if bound.get(each) in self.of)

    def _bound(self, call: Instruction, code: Code) -> Mapping[str, Operand]:
        """What a call passes for the parameters of a function, as far as that is sure."""
        formals = code.function.formals
        if formals and formals[0].kind == "receiver":
            if self.demands.derived.is_bound(self.code.symbol_of(call), code.symbol) is not True:
                return {}
            formals = formals[1:]
        found: dict[str, Operand] = {}
        for formal, argument in zip(formals, call.operands[-1], strict=False):
            if argument.name or formal.kind != "one":
                break
            found[formal.variable] = argument.value
        return found
