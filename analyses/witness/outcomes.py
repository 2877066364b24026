"""What a call may leave in a cell together with what it gives: pairs that an analysis of the function finds.

Property simulation (Das, Lerner and Seigle, "ESP: Path-Sensitive Program Verification in Polynomial Time", PLDI 2002):
the state of a block is told apart by the nullness of one cell, before the call and here, and whether it has been
written. All else that is known (`known`) is joined where that is the same. A pair is left out only where no execution
gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pliant.analyses.witness.bounds import LOOKED_UP, Steps, TooLarge
from pliant.analyses.witness.declared import declared, declared_part
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.known import NULL, PRESENT, Domain, Known
from pliant.analyses.witness.lending import Lending, is_by_value
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Rests
from pliant.extractors.ir import graph as flow
from pliant.extractors.ir.operands import Argument, Constant, Operand, Predicate, Type
from pliant.extractors.ir.unit import Instruction

MOST = 30_000  # steps for the pairs of a function and a cell, with those of the functions that it calls
_UNKNOWN_AFTER = 4  # states that come to a block, of which the numbers are joined as they are
_SCALAR = frozenset(("number", "boolean", "pointer", "string"))
_FRESH = frozenset(("allocate", "closure", "class", "tuple", "address"))  # what they give is not null
_QUIET = frozenset(("declare", "signature", "annotate", "copy", "next", "item", "offset", "slice", "import", "caught"))
_MAY_BE_STRUCTURES = frozenset(("call", "load", "element"))  # what gives such in languages that have them by value

Id = tuple[object, ...]  # a value: two variables that have one hold the same
_Key = str | int  # a variable, an instruction
_CELL = ""  # the key of what is in the cell


@dataclass(frozen=True, slots=True)
class Target:
    """A cell: behind a parameter, the fields that lead there; what it points to itself where there are none. alone:
    whether nothing else leads to the object but what is passed there."""

    formal: str
    path: tuple[str, ...]
    alone: bool = False

    @property
    def name(self) -> str:
        """That of the field."""
        return self.path[-1] if self.path else "*"

    @property
    def address(self) -> Id:
        found: Id = ("formal", self.formal)
        for step in self.path:
            found = ("part", found, step)
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """was, nullness: what the cell may be before and behind the call (NULL, PRESENT or both). kept: whether nothing was
    written to it. result: what the call gives."""

    was: int
    kept: bool
    nullness: int
    result: Known


@dataclass(frozen=True, slots=True)
class Summary:
    """outcomes: None where there may be any. steps: that it took."""

    outcomes: tuple[Outcome, ...] | None
    steps: int


class _Unclear(Exception):
    """Something is not modelled."""


class Outcomes:
    """Those of one side, found once for each function and cell."""

    def __init__(self, programs: Programs, derived: Derived, lending: Lending) -> None:
        self.programs, self.derived, self.lending = programs, derived, lending
        self._found: dict[tuple[str, Target, int], tuple[Summary, Rests]] = {}

    def of(self, code: Code, target: Target, depth: int) -> Summary:
        """depth: of calls that are followed."""
        key = (code.symbol, target, depth)
        return self.programs.reads.kept(self._found, key, lambda: self._find(code, target, depth))

    def _find(self, code: Code, target: Target, depth: int) -> Summary:
        steps = Steps(MOST)
        analysis = _Analysis(self, code, target, depth, steps)
        outcomes: tuple[Outcome, ...] | None
        try:
            outcomes = analysis.outcomes()
        except (_Unclear, TooLarge):
            outcomes = None
        return Summary(outcomes, MOST - max(steps.left, 0))


@dataclass(slots=True)
class _Values:
    """ids: of variables and of what instructions give. known: of values, by id."""

    ids: dict[_Key, Id]
    known: dict[Id, Known]

    def copy(self) -> _Values:
        return _Values(dict(self.ids), dict(self.known))

    def retire(self, is_old: Callable[[Id], bool]) -> None:
        """What has one of some ids gets another one, since that id will be that of another value."""
        old = {key for key, name in self.ids.items() if is_old(name)}
        known = -1
        while known != len(old):
            known = len(old)
            old |= {key for key, name in self.ids.items() if name[0] == "was" and name[1] in old and name[1] != key}
        given = {key: self.known.get(self.ids[key]) for key in old}
        for key, value in given.items():
            self.ids[key] = ("was", key)
            if value is None:
                self.known.pop(("was", key), None)
            else:
                self.known[("was", key)] = value


@dataclass(slots=True)
class _State:
    was: int
    kept: bool
    values: _Values

    def copy(self) -> _State:
        return _State(self.was, self.kept, self.values.copy())


_Property = tuple[int, bool, int]


class _Analysis:
    """Of one function and one cell."""

    def __init__(self, side: Outcomes, code: Code, target: Target, depth: int, steps: Steps) -> None:
        self.side, self.code, self.target, self.depth, self.steps = side, code, target, depth, steps
        self.domain = Domain(pointers=code.semantics.pointers)
        self.address = target.address
        rebound = code.outline.rebound
        self.tracked = {
            name
            for name, each in code.function.variables.items()
            if each.home == "local" and name not in code.addressed and (code.function.name, name) not in rebound
        }
        self.crossing = _crossing(code)
        kinds = [each.type for each in code.function.formals if each.variable == target.formal]
        self._pointee = declared_part(code, kinds[0], "*") if kinds and not target.path else None
        self.found: dict[_Property, Known] = {}
        self.at: dict[int, dict[_Property, _Values]] = {}  # what holds where blocks begin
        self.came: dict[tuple[int, _Property], int] = {}  # how often a state of that property came to a block

    def outcomes(self) -> tuple[Outcome, ...]:
        code = self.code
        if not code.is_plain or code.is_macro:
            raise _Unclear
        order = {block: place for place, block in enumerate(flow.reverse_postorder(code.edges.__getitem__))}
        self.todo: set[int] = set()
        for was in (NULL, PRESENT):
            values = _Values({}, {})
            for formal in code.function.formals:
                if formal.variable in self.tracked:
                    values.ids[formal.variable] = ("formal", formal.variable)
            values.ids[_CELL] = ("cell",)
            values.known[("cell",)] = self.domain.with_nullness(self.domain.anything, was)
            self._arrive(0, _State(was, True, values))
        while self.todo:
            block = min(self.todo, key=order.__getitem__)
            self.todo.discard(block)
            self._block(block)
        return tuple(Outcome(*key, result) for key, result in sorted(self.found.items(), key=lambda each: each[0]))

    # Blocks.

    def _block(self, number: int) -> None:
        block = self.code.function.blocks[number]
        states = [_State(was, kept, values.copy()) for (was, kept, _), values in self.at[number].items()]
        for instruction in block.instructions[:-1]:
            self.steps.spend(len(states))
            if block.handler is not None:
                for state in states:
                    self._arrive(block.handler, state.copy())
            states = self._step(instruction, states)
        if block.handler is not None:
            for state in states:
                self._arrive(block.handler, state.copy())
        for state in states:
            self.steps.spend(1)
            self._leave(block.instructions[-1], state)

    def _leave(self, instruction: Instruction, state: _State) -> None:
        operands = instruction.operands
        match instruction.op:
            case "jump":
                self._arrive(operands[0], state)
            case "branch":
                for target, holds in ((operands[1], True), (operands[2], False)):
                    side = state.copy()
                    if self._assume(operands[0], side.values, holds=holds):
                        self._arrive(target, side)
            case "switch":
                value = self._id(operands[0], state.values)
                rest = state.copy()
                is_left = True
                for constant, target in operands[1]:
                    side = state.copy()
                    if self._limit(value, side.values, self._among(self._known(value, side.values), constant)):
                        self._arrive(target, side)
                    is_left = is_left and self._differs(value, constant, rest.values)
                if is_left:
                    self._arrive(operands[2], rest)
            case "choose":
                for _, target in operands[0]:
                    self._arrive(target, state.copy())
            case "exit":
                given = [self._known(self._id(each, state.values), state.values) for each in operands[0]]
                result = self._returned(given[0]) if len(given) == 1 else self.domain.anything
                key = self._property(state)
                self.found[key] = self.found[key] | result if key in self.found else result
            case "raise":
                pass  # where there is a handler, what comes before it has led there
            case _:
                raise _Unclear

    def _returned(self, known: Known) -> Known:
        """What is known of a value as one of the type that the function gives."""
        kind = self.code.function.result
        return self._as_number(known, kind) if kind.kind == "number" else known

    def _property(self, state: _State) -> _Property:
        return state.was, state.kept, self.domain.nullness(self._known(state.values.ids[_CELL], state.values))

    def _arrive(self, block: int, state: _State) -> None:
        """Control may come to a block in a state, which belongs to the block from here on."""
        values, of_block, key = state.values, self.at.setdefault(block, {}), self._property(state)
        if not key[2]:
            return
        for each in [each for each in values.ids if isinstance(each, int) and each not in self.crossing]:
            del values.ids[each]
        held = set(values.ids.values())
        values.known = {name: known for name, known in values.known.items() if name in held}
        self.steps.spend(1 + len(held) // 4)
        values.retire(lambda name: name[0] == "join" and name[1] == block)
        before = of_block.get(key)
        if before is None:
            of_block[key] = values
        else:
            at = block, key
            self.came[at] = self.came.get(at, 0) + 1
            after = _joined(block, before, values, self.domain, widened=self.came[at] > _UNKNOWN_AFTER)
            if after == before:
                return
            of_block[key] = after
        self.todo.add(block)

    def _merged(self, number: int, states: Sequence[_State]) -> list[_State]:
        """States behind an instruction, one of each property. number: a mark that is not that of a block."""
        found: dict[_Property, _State] = {}
        for state in states:
            key = self._property(state)
            if not key[2]:
                continue
            state.values.retire(lambda name: name[0] == "join" and name[1] == -number)
            before = found.get(key)
            if before is None:
                found[key] = state
            else:
                self.steps.spend(1 + len(before.values.ids) // 4)
                before.values = _joined(-number, before.values, state.values, self.domain, widened=False)
        return list(found.values())

    # Values.

    def _known(self, value: Id, values: _Values) -> Known:
        return _known(self.domain, value, values)

    def _id(self, operand: Operand, values: _Values) -> Id:
        if isinstance(operand, Constant):
            return _constant(operand)
        found = values.ids.get(operand)
        if found is None:
            found = values.ids[operand] = ("value", operand)
        return found

    def _new(self, instruction: Instruction, values: _Values, known: Known | None = None) -> Id:
        """An instruction gives a value of its own."""
        name: Id = ("value", instruction.number)
        self._renew(name, values)
        values.ids[instruction.number] = name
        if known is not None and known != self.domain.anything:
            values.known[name] = known
        else:
            values.known.pop(name, None)
        return name

    def _renew(self, name: Id, values: _Values) -> None:
        if name in values.ids.values():
            values.retire(lambda each: each == name)

    def _limit(self, value: Id, values: _Values, known: Known) -> bool:
        """Note what is known of a value; says whether that is possible."""
        if value[0] != "constant":
            values.known[value] = known
        return known.is_possible

    # Conditions.

    def _assume(self, predicate: Predicate, values: _Values, *, holds: bool) -> bool:
        """Note that a predicate holds, or does not; says whether that is possible."""
        operator, operands = predicate.operator, predicate.operands
        if operator == "not":
            assert isinstance(operands[0], Predicate)
            return self._assume(operands[0], values, holds=not holds)
        if operator in ("and", "or"):
            parts = [each for each in operands if isinstance(each, Predicate)]
            if holds == (operator == "and"):
                return all(self._assume(each, values, holds=holds) for each in parts)
            possible = []
            for each in parts:
                side = values.copy()
                if self._assume(each, side, holds=holds):
                    possible.append(side)
            if len(possible) == 1:
                values.ids, values.known = possible[0].ids, possible[0].known
            return bool(possible)
        terms = [self._id(each, values) for each in operands if isinstance(each, int | Constant)]
        known = [self._known(each, values) for each in terms]
        match operator:
            case "null":
                return self._limit(terms[0], values, self.domain.with_nullness(known[0], NULL if holds else PRESENT))
            case "truth" | "always":
                return self._limit(terms[0], values, self.domain.with_truth(known[0], holds=holds))
            case "is" if holds:
                return self._limit(terms[0], values, self.domain.with_nullness(known[0], PRESENT))
            case "==":
                return self._equal(operands, terms, values, holds=holds)
            case "<" | "<=":
                left, right = (0, 1) if holds else (1, 0)
                or_equal = (operator == "<=") == holds
                whole = all(self._is_whole(each) for each in operands if isinstance(each, int | Constant))
                less, more = self.domain.compared(known[left], known[right], or_equal=or_equal, whole=whole)
                return self._limit(terms[left], values, less) and self._limit(terms[right], values, more)
        return True

    def _equal(self, operands: Sequence[object], terms: Sequence[Id], values: _Values, *, holds: bool) -> bool:
        for value, other in ((terms[0], terms[1]), (terms[1], terms[0])):
            if other[0] == "constant" and isinstance(constant := other[1], Constant):
                if not holds:
                    return self._differs(value, constant, values, operands)
                if not self._limit(value, values, self._among(self._known(value, values), constant)):
                    return False
        return True

    def _among(self, known: Known, constant: Constant) -> Known:
        """A value, if it equals a constant."""
        other = self.domain.constant(constant)
        if constant.kind == "null":
            return self.domain.with_nullness(known, NULL)
        if other.only is None or (known.other and not self.domain.pointers):
            return known
        return known.among(other.numbers)

    def _differs(self, value: Id, constant: Constant, values: _Values, operands: Sequence[object] = ()) -> bool:
        """A value is not a constant."""
        known, other = self._known(value, values), self.domain.constant(constant)
        if constant.kind == "null":
            return self._limit(value, values, self.domain.with_nullness(known, PRESENT))
        if isinstance(other.only, int) and (
            other.only == 0
            or known.only is not None
            or all(isinstance(each, Constant) or self._is_whole(each) for each in operands)
        ):
            return self._limit(value, values, known.without(other.only))
        return True

    def _is_whole(self, operand: object) -> bool:
        """Whether an operand is surely a whole number."""
        if isinstance(operand, Constant):
            return operand.kind in ("integer", "boolean")
        assert isinstance(operand, int)
        kind = self._declared(operand)
        return kind.kind == "number" and kind.name not in self.code.semantics.fractions

    def _declared(self, operand: Operand) -> Type:
        if isinstance(operand, int):
            instruction = self.code.instruction(operand)
            if instruction.op == "arithmetic" and instruction.operands[1]:
                kinds = [self._declared(each) for each in instruction.operands[1] if isinstance(each, int)]
                return kinds[0] if kinds and all(each == kinds[0] for each in kinds) else Type("any")
        return declared(self.code, operand)

    def _as_number(self, known: Known, kind: Type) -> Known:
        """A value as a number of a type."""
        limits = self.code.semantics.limits.get(kind.name)
        if limits is None:
            return known
        fits = known.among(limits)
        return known if fits == known else Known(False, False, limits)

    # Instructions.

    def _step(self, instruction: Instruction, states: list[_State]) -> list[_State]:
        if instruction.op in ("store", "put", "fill", "call", "invoke", "set"):
            after = [each for state in states for each in self._writes(instruction, state)]
            return self._merged(instruction.number, after) if len(after) > 1 else after
        for state in states:
            self._compute(instruction, state.values)
        return [state for state in states if self._needs(instruction, state.values)]

    def _needs(self, instruction: Instruction, values: _Values) -> bool:
        """What must not be null is not, behind an instruction; says whether that is possible."""
        op = instruction.op
        if op != "require" and (op not in self.code.semantics.needs or op in ("call", "invoke")):
            return True
        if op == "load" and instruction.operands[1] in self.code.semantics.of_null:
            return True
        value = self._id(instruction.operands[0], values)
        return self._limit(value, values, self.domain.with_nullness(self._known(value, values), PRESENT))

    def _compute(self, instruction: Instruction, values: _Values) -> None:
        """Instructions that write nothing."""
        domain, op, operands, number = self.domain, instruction.op, instruction.operands, instruction.number
        if op == "get":
            self._get(instruction, values)
        elif op == "const":
            values.ids[number] = _constant(operands[0])
        elif op == "nothing":
            values.ids[number] = _constant(Constant("null"))
        elif op == "load":
            base = self._id(operands[0], values)
            if self._address(base, operands[1]) == self.address:
                values.ids[number] = values.ids[_CELL]
            elif self._is_computed(instruction):
                raise _Unclear
            else:
                self._new(instruction, values)
        elif op == "interior":
            base = self._id(operands[0], values)
            if (address := self._address(base, operands[1])) is not None:
                values.ids[number] = address
                values.known.setdefault(address, self._known(base, values))
            else:
                self._new(instruction, values)
        elif op == "convert":
            self._convert(instruction, values)
        elif op == "zero":
            self._zero(instruction, values)
        elif op == "test":
            self._test(instruction, values)
        elif op == "arithmetic":
            terms = [self._known(self._id(each, values), values) for each in operands[1]]
            signed = all(map(self._is_signed, operands[1]))
            found = domain.computed(operands[0], *terms, signed=signed) if len(terms) == 2 else None
            self._new(instruction, values, found)
        elif op in _FRESH:
            self._new(instruction, values, domain.present)
        elif op in _QUIET or op in ("element", "require"):
            if instruction.gives:
                self._new(instruction, values)
        else:
            raise _Unclear

    def _is_signed(self, operand: Operand) -> bool:
        if not self._is_whole(operand):
            return False
        limits = self.code.semantics.limits.get(self._declared(operand).name) if isinstance(operand, int) else None
        return limits is None

    def _is_computed(self, load: Instruction) -> bool:
        symbol = self.code.symbol_of(load)
        return self.side.derived.is_computed(symbol) if symbol else bool(self.code.semantics.getter)

    def _get(self, instruction: Instruction, values: _Values) -> None:
        name = instruction.operands[0]
        if name in self.tracked:
            found = values.ids.get(name)
            values.ids[name] = found = self._new(instruction, values) if found is None else found
            values.ids[instruction.number] = found
            return
        number = self.side.derived.named_number(self.code, name)
        if number is None:
            self._new(instruction, values)
        else:
            values.ids[instruction.number] = _constant(Constant("integer", number))

    def _convert(self, instruction: Instruction, values: _Values) -> None:
        operand, kind, how = instruction.operands
        value = self._id(operand, values)
        known = self._known(value, values)
        if how == "boxed":
            self._new(instruction, values, self.domain.present)
        elif kind.kind == "pointer" or not self.domain.pointers or self._fits(operand, known, kind):
            values.ids[instruction.number] = value
        elif kind.kind == "boolean":
            nullness = self.domain.nullness(known)
            numbers = tuple((each, each) for each, what in ((0, NULL), (1, PRESENT)) if nullness & what)
            self._new(instruction, values, self.domain.truth.among(numbers))
        elif kind.kind == "number" and kind.name not in self.code.semantics.fractions:
            self._new(instruction, values, self._as_number(self.domain.anything, kind))
        else:
            self._new(instruction, values)

    def _fits(self, operand: Operand, known: Known, kind: Type) -> bool:
        """Whether a value of which that is known is the same as a number of a type."""
        is_number = kind.kind == "number" and kind.name not in self.code.semantics.fractions
        return is_number and self._is_whole(operand) and self._as_number(known, kind) == known

    def _zero(self, instruction: Instruction, values: _Values) -> None:
        kind, semantics = instruction.operands[0].kind, self.code.semantics
        if kind in semantics.zero_is_null:
            values.ids[instruction.number] = _constant(Constant("null"))
        elif kind in ("number", "boolean"):
            values.ids[instruction.number] = _constant(Constant("integer", 0))
        else:
            self._new(instruction, values)

    def _test(self, instruction: Instruction, values: _Values) -> None:
        predicate = instruction.operands[0]
        possible = [holds for holds in (False, True) if self._assume(predicate, values.copy(), holds=holds)]
        if len(possible) == 1:
            values.ids[instruction.number] = _constant(Constant("boolean", possible[0]))
        else:
            self._new(instruction, values, self.domain.truth)

    # Writes.

    def _writes(self, instruction: Instruction, state: _State) -> list[_State]:
        """The states behind an instruction that may write the cell."""
        if instruction.op == "set":
            return self._set(instruction, state)
        if instruction.op in ("call", "invoke"):
            return self._call(instruction, state)
        operand, key, value = instruction.operands
        if instruction.op == "fill" or (instruction.op == "put" and not self.domain.pointers):
            return [state]  # elements of containers are no cells
        if not self._needs(instruction, state.values):
            return []
        base = self._id(operand, state.values)
        if instruction.op == "store":
            address, name = self._address(base, key), key
        else:
            address, name = (base if isinstance(key, Constant) and key.content == 0 else None), "*"
        kind = declared_part(self.code, self._declared(operand), name)
        if address == self.address:
            if name == "*" and kind != self._pointee:  # perhaps a part of it
                return [self._changed(instruction, state)]
            return [self._written(instruction, state, value, kind)]
        if address is not None and _is_in(self.address, address):
            if name == "*" and kind.kind in _SCALAR:
                return [state, self._changed(instruction, state.copy())]
            return [self._changed(instruction, state)]
        is_near = address is not None and _root(address) == ("formal", self.target.formal)
        if address is not None and is_near and not _is_in(address, self.address):
            return [state]  # another field of the same object
        if self._is_apart(operand):
            return [state]
        if self._may_be_structure(kind, value) and self._may_hold_it(name):
            return [state, self._changed(instruction, state.copy())]
        pointed = self.side.derived.pointed if self.domain.pointers else frozenset()
        target = self.target.name
        if name == target or (name == "*" and target in pointed) or (target == "*" and name in pointed):
            return [state, self._written(instruction, state.copy(), value, kind)]
        return [state]

    def _is_apart(self, operand: Operand) -> bool:
        """Whether a pointer cannot lead to the cell, since it is made from nothing that does."""
        source = "formal", self.target.formal
        return self.target.alone and source not in self.side.lending.of(self.code).sources(operand)

    def _may_be_structure(self, kind: Type, value: Operand) -> bool:
        """Whether what is stored may be a structure. kind: what holds it is declared to be."""
        if isinstance(value, Constant) or not self.domain.pointers or kind.kind in _SCALAR:
            return False
        return is_by_value(self.code, value) or self.code.instruction(value).op in _MAY_BE_STRUCTURES

    def _may_hold_it(self, name: str) -> bool:
        """Whether a field, if that is a structure, may have the cell in it."""
        return name == "*" or name in self.target.path or name in self.side.derived.pointed

    def _written(self, instruction: Instruction, state: _State, value: Operand, kind: Type) -> _State:
        if self._may_be_structure(kind, value):
            return self._changed(instruction, state)
        state.values.ids[_CELL] = self._id(value, state.values)
        state.kept = False
        return state

    def _changed(self, instruction: Instruction, state: _State, nullness: int = NULL | PRESENT) -> _State:
        """The cell holds something else of that nullness."""
        name: Id = ("content", instruction.number)
        self._renew(name, state.values)
        state.values.ids[_CELL], state.kept = name, False
        state.values.known[name] = self.domain.with_nullness(self.domain.anything, nullness)
        return state

    def _set(self, instruction: Instruction, state: _State) -> list[_State]:
        name, value = instruction.operands
        if name in self.tracked:
            state.values.ids[name] = self._id(value, state.values)
            return [state]
        variable = self.code.function.variables.get(name)
        if not self.domain.pointers or self.target.alone or (variable is not None and variable.home == "local"):
            return [state]
        if self.target.name != "*" and variable is not None and variable.type.kind in _SCALAR:
            return [state]
        return [state, self._changed(instruction, state.copy())]

    # Calls.

    def _call(self, instruction: Instruction, state: _State) -> list[_State]:
        derived, programs, semantics = self.side.derived, self.side.programs, self.code.semantics
        self.steps.spend(LOOKED_UP)
        if instruction.op == "invoke" or not self.domain.pointers:
            raise _Unclear
        callees = derived.callees(self.code.symbol_of(instruction))
        arguments: Sequence[Argument] = instruction.operands[-1]
        if callees.library in semantics.never_return and not callees.bodies:
            return []
        passed = [self._id(each.value, state.values) for each in arguments]
        codes = [programs.code(each) for each in callees.bodies]
        if (codes and any(code is None or code.is_macro for code in codes)) or self.code.may_expand(instruction):
            for name in self._set_by_macro(instruction, codes):
                state.values.ids.pop(name, None)
            if any(each == state.values.ids[_CELL] for each in passed):  # it may set what is written there
                self._new(instruction, state.values)
                return [state, self._changed(instruction, state.copy())]
        known = self.domain.present if callees.present else None
        if not callees.bodies:
            self._new(instruction, state.values, known)
            memory = semantics.memory
            is_known = callees.library in memory.names
            writes = memory.writes.get(callees.library, ())
            for at, each in enumerate(passed):
                if at in writes or (is_known and at in memory.runs.get(callees.library, ())):
                    return [state, self._changed(instruction, state.copy())]
                if not is_known and _is_in(self.address, each):  # as for an address that is passed right here
                    return [self._changed(instruction, state)]
            source = "formal", self.target.formal
            if is_known or self.side.lending.is_alone(self.code, source, instruction.number):
                return [state]
            return [state, self._changed(instruction, state.copy())]  # the function has kept the address somewhere
        self.steps.spend(LOOKED_UP * len(callees.bodies))
        effects = [derived.effects(each).fields for each in callees.bodies]
        names = {self.target.name, "[]"} if self.target.name == "*" else {self.target.name}
        position = next((at for at, each in enumerate(passed) if _is_in(self.address, each)), None)
        is_elsewhere = all(each is not None and names.isdisjoint(each) for each in effects)
        is_elsewhere = is_elsewhere or all(self._is_apart(each.value) for each in arguments)
        if is_elsewhere and (callees.known or position is None):
            self._new(instruction, state.values, known)
            return [state]
        if position is None or not callees.known or not self.depth:
            self._new(instruction, state.values, known)
            return [state, self._changed(instruction, state.copy())]
        path = _path(self.address, passed[position]) or ()
        found: list[_State] = []
        for code in codes:
            outcomes = self._inner(code, position, path)
            if outcomes is None:
                self._new(instruction, state.values, known)
                return [state, self._changed(instruction, state.copy())]
            for outcome in outcomes:
                found += self._behind(instruction, state.copy(), outcome)
        return found

    def _set_by_macro(self, call: Instruction, codes: Sequence[Code | None]) -> Iterator[str]:
        """The variables of the function that the use of a macro may set."""
        for position, name in enumerate(self.code.arguments_by_name(call)):
            for code in codes or (None,):
                formals = code.function.formals if code is not None and code.is_macro else ()
                if name and (code is None or (position < len(formals) and formals[position].variable in code.sets)):
                    yield name

    def _inner(self, code: Code | None, position: int, path: tuple[str, ...]) -> tuple[Outcome, ...] | None:
        """What a function that is called leaves in the cell, which its argument leads to."""
        if code is None or position >= len(code.function.formals) or code.function.formals[position].kind != "one":
            return None
        target = Target(code.function.formals[position].variable, path, self.target.alone)
        summary = self.side.of(code, target, self.depth - 1)
        self.steps.spend(summary.steps)
        return summary.outcomes

    def _behind(self, instruction: Instruction, state: _State, outcome: Outcome) -> Iterator[_State]:
        """The state behind a call, with an outcome of it."""
        values = state.values
        cell = values.ids[_CELL]
        if self._limit(cell, values, self.domain.with_nullness(self._known(cell, values), outcome.was)):
            self._new(instruction, values, outcome.result)
            yield state if outcome.kept else self._changed(instruction, state, outcome.nullness)

    def _address(self, base: Id, name: str) -> Id | None:
        """Where a field is of which that is known."""
        if name == "*":
            return base
        return ("part", base, name) if base[0] in ("formal", "part") and name != "[]" else None


def _constant(constant: Constant) -> Id:
    return ("constant", constant)


def _known(domain: Domain, value: Id, values: _Values) -> Known:
    if value[0] == "constant":
        constant = value[1]
        assert isinstance(constant, Constant)
        return domain.constant(constant)
    return values.known.get(value, domain.anything)


def _root(address: Id) -> Id:
    while address[0] == "part":
        inner = address[1]
        assert isinstance(inner, tuple)
        address = inner
    return address


def _path(address: Id, base: Id) -> tuple[str, ...] | None:
    """The fields from a base to an address in it; None for an address elsewhere."""
    path: list[str] = []
    while address != base:
        if address[0] != "part":
            return None
        path.append(str(address[2]))
        inner = address[1]
        assert isinstance(inner, tuple)
        address = inner
    return tuple(reversed(path))


def _is_in(address: Id, other: Id) -> bool:
    """Whether an address is another one, or leads into what is there."""
    return _path(address, other) is not None


def _joined(mark: int, one: _Values, other: _Values, domain: Domain, *, widened: bool) -> _Values:
    """What holds of values that come from two places. mark: of the place where they meet; `other` has no value that got
    its id there."""
    names: dict[tuple[Id, Id], Id] = {}
    joined = _Values({}, {})
    for key, first in one.ids.items():
        second = other.ids.get(key)
        if second is None:
            continue
        name = first if first == second else names.setdefault((first, second), ("join", mark, key))
        joined.ids[key] = name
        if name[0] != "constant":
            before, came = _known(domain, first, one), _known(domain, second, other)
            known = before.widened(came) if widened else before | came
            if known != domain.anything:
                joined.known[name] = known
    return joined


def _crossing(code: Code) -> set[int]:
    """The values that are used in other blocks than those that give them."""
    return {
        operand
        for at, block in enumerate(code.function.blocks)
        for each in block.instructions
        for operand in each.uses()
        if isinstance(operand, int) and code.block_of[operand] != at
    }
