"""How functions of a file may be left, by the numbers that are passed: told to the calls of functions further down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.ir.operands import Operand, Type
from pliant.extractors.ir.unit import MODULE
from pliant.extractors.lowering.ranges import EVERYTHING, Number, Range, join, meet
from pliant.extractors.passes import names
from pliant.extractors.passes.shared_variables import SharedVariables
from pliant.extractors.passes.sums import RANGE, Sum
from pliant.extractors.passes.ways_out import Left
from pliant.extractors.ssa import UNDEFINED, Key, Value

_MOST = 12  # ways out of a function that are told apart
_JOINS = 6  # that are looked through


@dataclass(slots=True)
class Outcome:
    """A way out of a function. needs: what its parameters are then, by their number; given: what it returns; null: the
    symbol of the null that this is. kinds: the types of the parameters. left: fields of parameters that are null then.
    sets: shared variables that it has written, whatever way led there. stores: numbers that fields of a parameter hold
    then: a constant, or else the parameter that is one."""

    needs: dict[int, Range]
    given: Range
    null: str
    kinds: tuple[Type, ...]
    left: frozenset[tuple[int, str]]
    sets: frozenset[str]
    stores: tuple[tuple[int, str, Number | None, int], ...] = ()


class FileOutcomes(SharedVariables):
    """Outcomes of the function under construction, and of those that it calls."""

    def prepare(self) -> None:
        super().prepare()
        self._handed_on: set[tuple[int, str]] = set()

    # This function.

    def write_exits(self) -> None:
        super().write_exits()
        if self.function.name != MODULE:
            name = self.function.name.partition("#")[0]
            self.survey.outcomes.setdefault(name, []).extend(self._summary())

    def _summary(self) -> list[Outcome]:
        fn = self.fn
        kinds = tuple(each.type for each in self.function.formals)
        numbers = [
            (position, value)
            for position, value in enumerate(fn.formals)
            if RANGE in fn.fields_of.get(value, ()) and len(self.left) <= _MOST
        ]
        found = []
        for left in self.left:
            needs: dict[int, Range] = {}
            for position, value in numbers:
                for block in left.blocks:
                    said = self.said_of(value, RANGE, block)
                    if said is not None:
                        needs[position] = meet(needs.get(position, EVERYTHING), said)
            found.append(Outcome(needs, left.given, left.null, kinds, self._left_null(left), self._sets(left)))
        if len(found) > _MOST:
            some_left = frozenset[tuple[int, str]]().union(*(each.left for each in found))
            given = join(each.given for each in found)
            found = [Outcome({}, given, "", kinds, some_left, _always_set(found))]
        if len(found) == 1:
            found[0].stores = self._stores(self.left[0])
        return found

    def _left_null(self, left: Left) -> frozenset[tuple[int, str]]:
        positions = {formal: position for position, formal in enumerate(self.fn.formals)}
        guards = self.guards
        return frozenset(
            (positions[formal], field)
            for formal, field, content in left.paths
            if content in guards.literal_null
            or content in guards.known_null
            or (positions[formal], field) in self._handed_on
        )

    def _sets(self, left: Left) -> frozenset[str]:
        return frozenset(
            name
            for name, variable in self.variables_written.items()
            if variable.home == "module"
            and not self._may_be_entry(self.fn.read(name, left.blocks[0]), self.cell(variable))
        )

    def _may_be_entry(self, content: Value, entry: Value, depth: int = _JOINS) -> bool:
        """Whether a shared variable may still be what it was at the entry of the function."""
        fn = self.fn
        content = fn.resolve(content)
        operands = fn.operands(content)
        if operands is None or not depth:
            return content == UNDEFINED or operands is not None or fn.root(content) == entry
        return any(self._may_be_entry(operand, entry, depth - 1) for operand in operands if operand != content)

    def _stores(self, left: Left) -> tuple[tuple[int, str, Number | None, int], ...]:
        """The numbers that the function has put where one of its parameters points to; of two, the second may be the
        first under another name."""
        fn = self.fn
        formals = {formal: position for position, formal in enumerate(fn.formals)}
        found: list[tuple[int, str, Number | None, int]] = []
        for formal, position in formals.items():
            for field in fn.fields_of.get(formal, ()) if formal not in fn.private else ():
                value = fn.content((formal, field), left.blocks[0]) if field[:1] == "=" else UNDEFINED
                known = self.sums.get(value)
                if known is None:
                    continue
                if not known.terms:
                    found.append((position, field[1:], known.constant, 0))
                elif not known.constant and len(known.terms) == 1 and known.terms[0][1] == 1:
                    source = known.terms[0][0]
                    if source in formals:
                        found.append((position, field[1:], None, formals[source]))
        return tuple(found) if len({position for position, *_ in found}) == 1 else ()

    # Functions that are called.

    def called(self, call: Value, passed: list[tuple[Value, list[Key]]]) -> None:
        super().called(call, passed)
        instruction = self.results[call]
        callee = instruction.operands[0]
        if self.op(callee) == "get":
            variable = self.function.variables[self.instructions[callee].operands[0]]
            outcomes = self.survey.outcomes.get(variable.name.partition("#")[0]) if variable.home == "module" else None
            if outcomes:
                operands = [each.value for each in instruction.operands[1]]
                self._returned(outcomes, call, operands, [value for value, _ in passed])

    def _number_passed(self, operand: Operand, kind: Type) -> Sum | None:
        """A number as a parameter of a type; None if it is another one there, as -1 where it has no sign."""
        known = self.sum_of(operand) if kind.kind in ("number", "boolean", "any") else None
        return known._replace(asked=True) if known is not None and self.fits(known, kind) else None

    def _returned(self, outcomes: Sequence[Outcome], call: Value, operands: list[Operand], values: list[Value]) -> None:
        """What a call may give, and what its arguments are behind it."""
        fn = self.fn
        fn.spend(sum(len(each.left) + NODE_STEPS * (1 + len(each.needs) + len(each.sets)) for each in outcomes))
        left_null = sorted(set().union(*(each.left for each in outcomes)))
        positions = {formal: position for position, formal in enumerate(fn.formals)} if left_null else {}
        for position, field in left_null:
            root = fn.root(values[position]) if position < len(values) else fn.opaque
            if root in fn.formals:  # what the call leaves there is what this function leaves there
                fn.fields_of.setdefault(root, {})[field] = None
                self._handed_on.add((positions[root], field))
        needed = {at: each.kinds[at] for each in outcomes for at in each.needs if at < len(operands)}
        sums = {at: self._number_passed(operands[at], kind) for at, kind in needed.items()}
        ranges = {at: self.spread(known) for at, known in sums.items() if known is not None}
        left: list[Outcome] = []
        ruled_out: list[Outcome] = []
        for each in outcomes:
            possible = all(meet(ranges.get(at, EVERYTHING), need) for at, need in each.needs.items())
            (left if possible else ruled_out).append(each)
        if not left:
            fn.stop()
            return
        if (numbers := join(each.given for each in left)) != EVERYTHING:
            self.ranges[call] = numbers
            if numbers[0][0] > 0:
                fn.nonnull.add(call)  # a pointer that is never null
        for null in sorted({each.null for each in ruled_out} - {each.null for each in left} - {""}):
            fn.emit("rules_out", call, fn.fixed_value(null))
        for name in sorted(_always_set(left)):
            self._set_by(name, call)
        self._stored(outcomes, left, operands, values)
        for at, known in sums.items():
            if known is not None and len(known.terms) == 1 and all(at in each.needs for each in left):
                self.show_range(known, join(range_ for each in left for range_ in [each.needs[at]]))

    def _stored(
        self, outcomes: Sequence[Outcome], left: list[Outcome], operands: list[Operand], values: list[Value]
    ) -> None:
        for position, path, number, source in left[0].stores if len(outcomes) == 1 else ():
            if max(position, source) >= len(operands):
                continue
            stored = Sum((), number, asked=True) if number is not None else None
            if stored is None:
                stored = self._number_passed(operands[source], left[0].kinds[source])
            place, _ = self.place(values[position], path)
            if stored is not None and place is not None:
                value = self.fn.unnamed()
                self.sums[value] = stored
                self.set_number(place, path.rpartition(".")[2], value, writes=True)

    def _set_by(self, name: str, call: Value) -> None:
        """A shared variable behind a call, which always writes it."""
        fn = self.fn
        shared = fn.fixed_value(names.cell_symbol(MODULE, name))
        fn.entry_values.setdefault(name, shared)
        after = fn.value(self.writer.name(self.guards.place, f"{name.partition('#')[0]} after calls"))
        fn.define(after, "assign_object", after, shared)
        fn.define(after, "variable_after", after, call, shared)
        fn.write(name, after)
        self.variable_read_at[name] = self.calls_so_far


def _always_set(some: Sequence[Outcome]) -> frozenset[str]:
    return frozenset[str].intersection(*(each.sets for each in some))
