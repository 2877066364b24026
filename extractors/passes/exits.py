"""Where a function is left: with what, what its result shows, and what is shown of its parameters."""

from __future__ import annotations

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.ranges import RESULTS
from pliant.extractors.passes.calls import FALSE, TRUE, Calls
from pliant.extractors.passes.guards import SHOWN, Shown
from pliant.extractors.passes.uses import Given
from pliant.extractors.ssa import Block, Path, Refinement, Value

BOUNDS = "$bounds"  # the field under which it is followed that a parameter is a number out of bounds
_Way = tuple[Block, Value, int | None, list[Refinement]]


class Exits(Calls):
    """Ways out: block, control value, 0 or 1 where the result is false or true, and what that shows."""

    def prepare(self) -> None:
        super().prepare()
        self._ways_out: list[_Way] = []
        self._results: list[Value] = []
        self._implies: dict[tuple[str, str], None] = {}

    def exit(self, last: Instruction) -> None:
        fn = self.fn
        [operands] = last.operands
        if not fn.reachable():
            return
        self._way_out(operands)
        self.leave_written()
        if operands:
            value = (
                self.value(operands[0])
                if len(operands) == 1
                else self.all_of(operands) or self._several(last, operands)
            )
            if not self.is_quiet():
                self.emit(last, "exit", value=value)
            fn.returned(value)
            if len(operands) == 1 and self.op(operands[0]) in ("const", "nothing"):
                self._requirements(value)
                is_null = self.op(operands[0]) == "nothing" or self.is_null(operands[0])
                if is_null and self.after_search(self.index.block_of(operands[0])):
                    fn.emit("searched", value)
        fn.leave()
        fn.stop()

    def after_search(self, block: int) -> bool:
        """Whether control comes to a block where a loop ends that leaves the function by another way, too."""
        raise NotImplementedError

    def is_quiet(self) -> bool:
        """Whether of what the function gives nothing is told."""
        return False

    def _several(self, last: Instruction, operands: tuple[Operand, ...]) -> Value:
        """Several results as one."""
        fn = self.fn
        value = self.named(last, "results")
        fn.nonnull.add(value)
        given: Given = {"result": value, "class": self.semantics.containers["tuple"]}
        self.emit(last, "tuple", **given, values=[self.value(each) for each in operands])
        self.truths(value, operands)
        return value

    def _requirements(self, null: Value) -> None:
        """Flags: which parameters must be true or false for `null` to be returned here."""
        if not self.semantics.tests_tell:
            return
        for formal in self.fn.formals:
            if self.fn.on_every_way(self.fn.content((formal, BOUNDS))):
                self.fn.emit("requires", null, formal, "bounds")
                continue
            truth, is_null = self.guards.answer(formal, "true"), self.guards.answer(formal, "null")
            if is_null and not self.semantics.truth_is_not_null:
                self.fn.emit("requires", null, formal, "null")
                continue
            if truth is None and is_null is not None:
                truth = not is_null
            if truth is not None:
                self.fn.emit("requires", null, formal, "true" if truth else "false")

    def _way_out(self, operands: tuple[Operand, ...]) -> None:
        """Note that control is about to leave the function with these results."""
        if not self.semantics.tests_tell:
            return
        fn = self.fn
        told = self.semantics.suspects or self.function.result.kind == "boolean"
        if len(operands) != 1 or self.op(operands[0]) == "nothing" or not told:
            self._ways_out.append((fn.block, self.live(), FALSE if operands and told else None, []))
            return
        [result] = operands
        self._results.append(fn.value(self.writer.name(self.guards.place, "result")))
        value = self.value(result)
        ways = self._ways_of(result, value)
        for outcome, name in ((True, "true"), (False, "false")):
            possible = [(tests[0 if outcome else 1], block) for block, truth, tests in ways if truth in (outcome, None)]
            for field in sorted(self._fields_shown(possible)):
                if "#" not in field:  # else it is one for values of this function
                    self._implies[name, field] = None
        live = self.live()
        for block, truth, (yes, no) in ways:
            if truth is not None:
                self._ways_out.append((block, live, TRUE if truth else FALSE, yes if truth else no))
            elif not yes and not no:
                self._ways_out.append((block, live, None, []))
            else:
                self._ways_out += [(block, live, TRUE, yes), (block, live, FALSE, no)]

    def _fields_shown(self, ways: list[tuple[list[Refinement], Block]]) -> set[str]:
        """The fields of parameters that are not null whichever of several ways has led out. Each: what is shown at its
        end, and its last block."""
        found: set[Path] | None = None
        for shown, block in ways:
            here = self.fields_of(shown) | self.shown_before(block)
            known = set() if found is None else {key for key in found if self.fn.content(key, block) in self.fn.nonnull}
            found = here if found is None else (found & here) | known
            if not found:
                break
        return {field for _, field in found or ()}

    def fields_of(self, shown: list[Refinement]) -> set[Path]:
        """The fields of parameters that are shown not to be null."""
        return {key for key, _, nonnull in shown if nonnull and isinstance(key, tuple) and key[0] in self.fn.formals}

    def shown_before(self, block: Block) -> set[Path]:
        """The fields of parameters that were shown not to be null on the way to the end of a block, within the result
        that is being computed: by `a` of `a and b`."""
        raise NotImplementedError

    def _ways_of(self, result: Operand, value: Value) -> list[tuple[Block, bool | None, Shown]]:
        """Blocks from which control comes to an exit with a result, the truth of the result on that way, and what its
        being true, or false, shows."""
        fn = self.fn
        sources = fn.sources(value)
        if sources is None or fn.homes[value] != fn.block:
            return [(fn.block, self.truth(result), self.tests_of(result))]
        found: list[tuple[Block, bool | None, Shown]] = []
        for block, each in sources:
            truth: bool | None = self.guards.answer(each, "true", block)
            if truth is None and each in fn.constants and not isinstance(fn.constants[each], Constant):
                truth = fn.constants[each] not in self.semantics.false
            if truth is None and each in self.guards.known_null:
                truth = False
            found.append((block, truth, fn.tests.get(fn.root(each), ([], []))))
        return found

    def tests_of(self, operand: Operand) -> Shown:
        """What the truth of an operand shows."""
        yes, no = self.fn.tests.get(self.fn.root(self.value(operand)), ([], []))
        further = self.shown_by_value(operand)
        return yes + further[0] + self.guards.tested(operand, self, nonnull=True), no + further[1]

    def write_exits(self) -> None:
        """How the function is left, as far as that tells callers something of their arguments."""
        fn = self.fn
        if self._implies:
            for outcome, field in self._implies:
                fn.emit("implies", self.symbol, outcome, field)
            for result in self._results:
                fn.emit("result", self.symbol, result)
        if not self.function.flags.isdisjoint(("generator", "asynchronous")):
            return
        if self.semantics.passed_conditions and self._ways_out:
            for formal in fn.formals:
                truths = {self.guards.answer(formal, "true", block) for block, *_ in self._ways_out}
                if len(truths) == 1 and (truth := truths.pop()) is not None:
                    fn.emit("left_only", formal, "true" if truth else "false")
        asked = [
            formal
            for formal in fn.formals
            if SHOWN in fn.fields_of.get(formal, ()) and (self.semantics.suspects or formal in self.guards.tested_roots)
        ]
        known = [
            {formal for formal in asked if fn.on_every_way(fn.content((formal, SHOWN), block))}
            | {root for _, root, nonnull in shown if nonnull and root in fn.formals}
            for block, _, _, shown in self._ways_out
        ]
        told = set().union(*known) - fn.nonnull
        if not told:
            return
        for (_, live, status, _), shown in zip(self._ways_out, known, strict=True):
            place = fn.value(self.writer.name(self.guards.place, "exit"))
            fn.emit("exit", place, self.symbol, live)
            fn.emit("exit_result", place, *((status, status) if status is not None else RESULTS))
            for formal in fn.formals:
                if formal in told:
                    fn.emit("exit_shown" if formal in shown else "exit_unknown", place, formal)
