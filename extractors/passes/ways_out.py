"""Ways out that callers tell apart by what a function gives: status codes, and null or not.

    if ((error = open(path, &file)) < 0)
        goto done;
    *out = file;
done:
    return error;       // less than 0, or else `*out` is set

A join's phis take their operands from the same predecessors: on each way the result is one operand, and what is left in
memory the operand beside it. A caller that tests the result knows by which ways the function may have been left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pliant.extractors.ir.operands import Argument, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.correlation import unguarded
from pliant.extractors.lowering.ranges import EVERYTHING, RESULTS, Range, meet, point
from pliant.extractors.passes.exits import Exits
from pliant.extractors.passes.guards import SHOWN
from pliant.extractors.passes.sums import RANGE, Came
from pliant.extractors.passes.variables import NEVER_NULL
from pliant.extractors.ssa import UNDEFINED, Block, Key, Value

_DEPTH = 3  # joins behind joins that are looked through
_MOST = 8  # ways that are told apart
LOW, HIGH = RESULTS
_ANY: Range = (RESULTS,)
_NULL, _NOT_NULL = point(0), ((LOW, -1), (1, HIGH))


class Way(NamedTuple):
    """A way to a point where the function is left. given: the numbers that it may give then. came: of joins, from which
    of their predecessors it leads to them."""

    given: Range
    came: Came


class Left(NamedTuple):
    """A way out. blocks: where it ends, and others that it leads through. paths: parameter, field, content. call: of
    which it hands on the result, else UNDEFINED. null: the symbol of the null that it gives."""

    place: Value
    live: Value
    blocks: list[Block]
    paths: list[tuple[Value, str, Value]]
    given: Range
    call: Value
    null: str


class WaysOut(Exits):
    """left: the ways out so far."""

    def prepare(self) -> None:
        super().prepare()
        self.left: list[Left] = []
        self.numbers_passed: set[Value] = set()  # parameters that are numbers
        self._passed_to: dict[Value, list[tuple[Value, list[Key]]]] = {}  # call -> its arguments, and where they are

    # Out of this function.

    def _way_out(self, operands: tuple[Operand, ...]) -> None:
        if not self.semantics.results_tell:
            super()._way_out(operands)
            return
        fn = self.fn
        live = self.live()
        value = self.value(operands[0]) if len(operands) == 1 else UNDEFINED
        for way in self._ways_to(operands[0], value) if len(operands) == 1 else [Way(EVERYTHING, {})]:
            place = fn.value(self.writer.name(self.guards.place, "exit"))
            call = fn.root(fn.by_way(unguarded(self.guards, value), way.came))
            blocks = [fn.block, *way.came.values()]
            handed_on = call if call in self._passed_to else UNDEFINED
            null = fn.names[fn.resolve(value)] if value in self.guards.literal_null and way.given == _NULL else ""
            self.left.append(Left(place, live, blocks, self._paths(way.came), way.given, handed_on, null or ""))

    def _paths(self, came: Came) -> list[tuple[Value, str, Value]]:
        """What parameters lead to on a way, as far as it may be null."""
        fn = self.fn
        found = []
        for formal in fn.formals:
            for field in fn.fields_of.get(formal, ()):
                if field[:1] in "$=" or field not in fn.cleared:
                    continue
                content = fn.by_way(fn.content((formal, field)), came)
                if content != UNDEFINED and content not in fn.nonnull:
                    found.append((formal, field, content))
        return found

    def _ways_to(self, operand: Operand, value: Value) -> list[Way]:
        """The ways to here, where an operand is the result: a number, or a pointer, which is 0 or another."""
        fn = self.fn
        if self.function.result.kind == "pointer":
            if value in self.guards.known_null or value in self.guards.literal_null:
                return [Way(_NULL, {})]
            known = value in fn.nonnull and value != fn.opaque
            return [Way(((1, math.inf),) if known else EVERYTHING, {})]
        known_sum = self.result_of(operand)
        if known_sum is None:
            return [Way(EVERYTHING, {})]
        given = self.spread(known_sum)
        [*terms] = known_sum.terms
        if len(terms) != 1 or terms[0][1] != 1 or known_sum.constant:
            return [Way(given, {})]
        found: list[Way] = []
        self._follow(terms[0][0], given, {}, found)
        told_apart = 1 < len(found) <= _MOST and len({way.given for way in found}) > 1
        return found if told_apart else [Way(given, {})]

    def _follow(self, value: Value, given: Range, came: Came, found: list[Way]) -> None:
        at = next(reversed(came.values()), self.fn.block)
        block, sources = self._join(value, at) if len(came) < _DEPTH else (at, [])
        if not sources or block in came or len(found) > _MOST:
            left = meet(self.of_term(value, 1, at), given)
            if left:
                found.append(Way(left, came))
            return
        for pred, operand in sources:
            if operand != UNDEFINED:
                self._follow(operand, given, {**came, block: pred}, found)

    def _join(self, value: Value, at: Block) -> tuple[Block, list[tuple[Block, Value]]]:
        """The last join before the end of `at` behind which `value` is another number, or less is known of it; what it
        is on each way there."""
        fn = self.fn
        phi = unguarded(self.guards, value)
        if sources := fn.sources(phi):
            return fn.homes[phi], sources
        if RANGE in fn.fields_of.get(value, ()):
            token = fn.resolve(fn.read((value, RANGE), at))
            if sources := fn.sources(token):
                return fn.homes[token], [(pred, value) for pred, _ in sources]
        return at, []

    def write_exits(self) -> None:
        if not self.semantics.results_tell:
            super().write_exits()
            return
        fn = self.fn
        open_ones = [
            formal
            for formal in fn.formals
            if SHOWN in fn.fields_of.get(formal, ()) and formal not in self.numbers_passed
        ]
        shown = [
            {
                formal
                for formal in open_ones
                if any(fn.on_every_way(fn.content((formal, SHOWN), block)) for block in left.blocks)
            }
            for left in self.left
        ]
        self._write_truths()
        told = set().union(*shown)
        if not told and not any(left.paths for left in self.left):
            return
        for left, known in zip(self.left, shown, strict=True):
            fn.emit("exit", left.place, self.symbol, left.live)
            for low, high in meet(left.given, _ANY) or _ANY:
                fn.emit("exit_result", left.place, int(low), int(high))
            if left.call != UNDEFINED and left.paths:
                fn.emit("exit_of_call", left.place, left.call)
            for formal in fn.formals:
                if formal in told:
                    fn.emit("exit_shown" if formal in known else "exit_unknown", left.place, formal)
            for formal, field, content in left.paths:
                fn.emit("exit_path", left.place, formal, field, content)

    def _write_truths(self) -> None:
        """Parameters that are true, or false, wherever the function is left: so must be what is passed."""
        for formal in self.fn.formals if self.left else ():
            for truth in (True, False):
                if all(any(self._is_so(formal, truth, block) for block in left.blocks) for left in self.left):
                    self.fn.emit("left_only", formal, "true" if truth else "false")

    def _is_so(self, formal: Value, truth: bool, block: Block) -> bool:
        fn = self.fn
        if formal in self.numbers_passed:
            said = self.said_of(formal, RANGE, block)
            return said is not None and (not meet(said, _NULL) if truth else said == _NULL)
        if self.guards.answer(formal, "true", block) is truth or self.guards.answer(formal, "null", block) is (
            not truth
        ):
            return True
        return truth and SHOWN in fn.fields_of.get(formal, ()) and fn.on_every_way(fn.content((formal, SHOWN), block))

    # Out of a function that was called.

    def _call(
        self,
        instruction: Instruction,
        key: str,
        live: Value,
        arguments: tuple[Argument, ...],
        receivers: list[Value],
        *,
        quiet: bool = False,
    ) -> Value:
        if not self.semantics.results_tell or self.is_of_memory(instruction):
            return super()._call(instruction, key, live, arguments, receivers, quiet=quiet)
        passed = [(self.value(each.value), self.keys(each.value)) for each in arguments]
        call = super()._call(instruction, key, live, arguments, receivers, quiet=quiet)
        self._passed_to[call] = passed
        self.called(call, passed)
        return call

    def called(self, call: Value, passed: list[tuple[Value, list[Key]]]) -> None:
        """A call was made. passed: what it got, and where that is."""

    def after_call(self, instruction: Instruction, call: Value, outcome: bool | None) -> None:
        if not self.semantics.results_tell:
            super().after_call(instruction, call, outcome)
        elif outcome is None and call in self._passed_to:
            self.conditions_held(instruction, call)
            self._lies_in(call, _ANY, {})

    def found_null(self, operand: Operand, holds: bool) -> None:
        """The result of a call is null here, or it is not."""
        if self.semantics.results_tell:
            self.result_lies_in(self.fn.root(self.value(operand)), _NULL if holds else _NOT_NULL, {})

    def result_lies_in(self, value: Value, range_: Range, came: Came) -> None:
        if value in self._passed_to:
            self._lies_in(value, meet(range_, _ANY), came)

    def _lies_in(self, call: Value, ranges: Range, came: Came) -> None:
        """The result of a call lies in one of some ranges here: its arguments, and what it wrote through them, are what
        they are when it ends so."""
        fn = self.fn
        numbers = [(int(low), int(high)) for low, high in ranges]
        for argument, keys in self._passed_to[call]:
            root = fn.root(argument)
            for key in keys:
                current = fn.read(key)
                if (
                    current in (UNDEFINED, fn.opaque, fn.unknown)
                    or fn.root(current) != root
                    or self.is_nonnull(current)
                ):
                    continue
                after = self.after(key, current)
                for low, high in numbers:
                    fn.define(after, "shown", after, call, argument, low, high)
                fn.write(key, after)
            if ranges != _ANY:
                self._left_by(call, argument, root, numbers, came)

    def _left_by(
        self, call: Value, argument: Value, root: Value, numbers: Sequence[tuple[int, int]], came: Came
    ) -> None:
        """What a call has left in the fields of an argument, if its result is one of some numbers."""
        fn = self.fn
        for field in dict.fromkeys([*(["*"] if root in fn.private else []), *fn.fields_of.get(root, ())]):
            if field[:1] in "$=":
                continue
            left = fn.left_by(call, fn.by_way(fn.content((root, field)), came), root)
            if left is None:
                continue
            content, since = left
            after = fn.value(self.writer.name(self.guards.place, f"{field} of {fn.what(root)} after calls"))
            fn.carried[after] = call
            before, calls = fn.carried_from[content]
            if before != fn.unknown and before not in fn.nonnull:
                fn.define(after, "carry", after, before, field)
                for crossed in calls:
                    fn.define(after, "carry_across", after, crossed)
            fn.carried_from[after] = before, calls
            for low, high in numbers:
                fn.define(after, "path_result_when", call, argument, field, after, low, high)
            fn.write((root, field), fn.across((root, field), after, since, fn.block) if since else after)

    def is_nonnull(self, value: Value) -> bool:
        fn = self.fn
        if value in fn.nonnull:
            return True
        root = fn.root(value)
        return SHOWN in fn.fields_of.get(root, ()) and fn.on_every_way(fn.content((root, SHOWN)))

    def is_quiet(self) -> bool:
        """Whether of what the function gives nothing is told."""
        return self.semantics.results_tell and self.function.result.kind in NEVER_NULL
