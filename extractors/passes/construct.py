"""Static single assignment of a function, block by block, and the facts of its instructions on the way.

Blocks are taken in reverse postorder. A block that control comes to over several edges is sealed when the last of those
has been seen, as Braun et al. have it (`extractors.ssa`); where a branch goes, guards stand (`guards`). `variables`
says what operands are, `steps` what instructions do.
"""

from __future__ import annotations

from pliant.extractors.budget import NODE_STEPS, TooMuch
from pliant.extractors.ir.graph import dominators, leads_to, predecessors, reverse_postorder
from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Instruction, Unit
from pliant.extractors.lowering.isolation import reason_of
from pliant.extractors.passes import names
from pliant.extractors.passes.steps import Given, Steps
from pliant.extractors.passes.variables import FileSurvey
from pliant.extractors.ssa import Block, Here
from pliant.extractors.writer import FactWriter

_RAISING = frozenset(
    ("load", "element", "call", "invoke", "store", "put", "require", "next", "convert", "arithmetic", "await")
)


def write(unit: Unit, semantics: Semantics, writer: FactWriter, most_steps: int) -> None:
    """Write the facts of all functions; past `most_steps`, those that are left are left out."""
    survey = FileSurvey(unit, semantics)
    steps = 0
    for function in unit.functions:
        symbol = names.function_symbol(function.name)
        if function.blocks:
            construction = None
            try:
                if steps > most_steps:
                    raise TooMuch(f"the file takes more than {most_steps:,} steps")
                construction = _Construction(function, semantics, writer, survey)
                construction.run()
                continue
            except Exception as error:  # nothing of the function has been written
                writer.function_left_out(symbol, function.span[0] if function.span else 1, reason_of(error))
            finally:
                steps += construction.fn.steps if construction is not None else 0
        writer.row("ends", writer.symbol(symbol), writer.symbol(symbol))  # a call of it comes back


class _Construction(Steps):
    """The blocks of a function on their way to facts."""

    def run(self) -> None:
        self.fn.spend(NODE_STEPS * len(self.instructions))
        self.prepare()
        self._enter()
        fn, blocks = self.fn, self.function.blocks
        order = reverse_postorder(blocks)
        before = predecessors(blocks, order)
        immediate = dominators(blocks)
        missing = {number: len(before[number]) for number in order}  # edges that have not been seen yet
        started: set[int] = set()
        self._places: dict[int, Block] = {}
        self._ends: dict[int, Here] = {}
        if missing[0]:  # a loop begins where the function does
            self._ends[-1] = fn.here()
            immediate[0] = -1
            self._places[0] = fn.new_block(fn.block)
        for number in order:
            if number in self._places:
                place = self._places[number]
                if missing[number]:
                    fn.block = place
                else:
                    fn.start(place)
                    if len(before[number]) > 1:
                        fn.joins(place, self._ends[immediate[number]])
            started.add(number)
            edges: dict[int, dict[Block, None]] = {}
            for target, source in self._block(number):
                edges.setdefault(target, {})[source] = None
            for target in leads_to(blocks[number]):
                place = self._places.setdefault(target, -1)
                if place == -1:
                    place = self._places[target] = fn.new_block()
                for source in edges.get(target, ()):
                    if fn.reachable(source):
                        fn.edge(source, place)
                missing[target] -= 1
                if not missing[target] and target in started:
                    fn.seal(place)
                    fn.joins(place, self._ends[immediate[target]])
        fn.finish()

    def _block(self, number: int) -> list[tuple[int, Block]]:
        """Take the instructions of a block; returns the edges that leave it: target, and the block they come from."""
        block, fn = self.function.blocks[number], self.fn
        edges: list[tuple[int, Block]] = []
        if block.handler is not None:  # control may leave it before its end: a join behind it begins here
            self._ends[number] = fn.here()
        for instruction in block.instructions[:-1]:
            if block.handler is not None and instruction.op in _RAISING:
                edges.append((block.handler, fn.split()))
            self.step(instruction)
        last = block.instructions[-1]
        if block.handler is not None:
            edges.append((block.handler, fn.split()))
        if last.op == "branch":
            return edges + self._branch(number, *last.operands)
        if last.op == "exit":
            self._exit(last)
        self._ends.setdefault(number, fn.here())
        edges += [(target, fn.block) for target in block.successors()]
        return edges

    def _branch(self, number: int, predicate: Predicate, yes: int, no: int) -> list[tuple[int, Block]]:
        fn = self.fn
        shown = self.guards.shown(predicate, self)
        constant = _decided(predicate)
        self._ends.setdefault(number, fn.here())
        here = [fn.block] if fn.reachable() else []
        edges = []
        for outcome, target in ((True, yes), (False, no)):
            fn.start(fn.new_block(*(here if constant is None or constant is outcome else [])))
            if fn.reachable():
                self.guards.refine(shown[0 if outcome else 1])
                for operand, what in _outcomes(predicate, outcome):
                    self.settle(operand, what)
            edges.append((target, fn.block))
        return edges

    def _enter(self) -> None:
        fn = self.fn
        for position, formal in enumerate(self.function.formals):
            what = formal.variable.partition("#")[0]
            value = fn.fixed_value(names.formal_symbol(self.function.name, what))
            fn.homes[value] = fn.entry
            if formal.kind in ("rest", "names"):
                fn.nonnull.add(value)
                fn.emit("formal_array", self.symbol, position, value)
            else:
                fn.formals[value] = None
                fn.emit("formal", self.symbol, position, value)
                fn.emit("formal_name", self.symbol, what, value)
            self.declare(value, formal.type)
            self.write(formal.variable, value)

    def _exit(self, last: Instruction) -> None:
        fn = self.fn
        [operands] = last.operands
        if not fn.reachable():
            return
        if operands:
            value = (
                self.value(operands[0])
                if len(operands) == 1
                else self.all_of(operands) or self._several(last, operands)
            )
            self.emit(last, "exit", value=value)
            fn.returned(value)
        fn.leave()
        fn.stop()

    def _several(self, last: Instruction, operands: tuple[Operand, ...]) -> int:
        """Several results as one."""
        fn = self.fn
        value = self.named(last, "results")
        fn.nonnull.add(value)
        given: Given = {"result": value, "class": self.semantics.containers["tuple"]}
        self.emit(last, "tuple", **given, values=[self.value(each) for each in operands])
        self.truths(value, operands)
        return value


def _outcomes(predicate: Predicate, holds: bool) -> list[tuple[Operand, str]]:
    """What operands are shown to be where a predicate holds, or does not: `null`, `true`, `false`."""
    operator, operands = predicate.operator, predicate.operands
    if operator == "not":
        [inner] = operands
        return _outcomes(inner, not holds) if isinstance(inner, Predicate) else []
    if operator in ("and", "or"):
        if holds != (operator == "and"):
            return []
        return [each for inner in operands if isinstance(inner, Predicate) for each in _outcomes(inner, holds)]
    subject = operands[0]
    if not isinstance(subject, int) or operator not in ("null", "truth"):
        return []
    if operator == "null":
        return [(subject, "null")] if holds else []
    return [(subject, "true" if holds else "false")]


def _decided(predicate: Predicate) -> bool | None:
    """The outcome of a predicate that has but one."""
    if predicate.operator == "not":
        [inner] = predicate.operands
        decided = _decided(inner) if isinstance(inner, Predicate) else None
        return None if decided is None else not decided
    subject = predicate.operands[0]
    if predicate.operator in ("always", "truth") and isinstance(subject, Constant) and subject.kind == "boolean":
        return bool(subject.content)
    return None
