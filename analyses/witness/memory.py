"""Memory that is known by its addresses: variables whose address is taken, pointers into objects, structures by value.

What a field holds is found by the address of the field, so that what is written through a pointer to it is found as
well. A pointer of which it is not known where it leads may lead to each field whose address the program takes anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pliant.analyses.witness.bounds import LOOKED_UP, MOST_BODIES, READING_DEPTH
from pliant.analyses.witness.cells import changed
from pliant.analyses.witness.declared import declared, declared_part
from pliant.analyses.witness.derived import Callees
from pliant.analyses.witness.effects import Effects
from pliant.analyses.witness.known import NOT_ZERO, NULL, PRESENT, ZERO, Known
from pliant.analyses.witness.lending import Source, is_by_value
from pliant.analyses.witness.order import Order
from pliant.analyses.witness.outcomes import Outcome, Target
from pliant.analyses.witness.programs import Code
from pliant.analyses.witness.state import Cell, State
from pliant.analyses.witness.terms import Node, Row, root_of
from pliant.extractors.ir.operands import ANY, Argument, Constant, Operand, Type
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.ranges import Number, meet

POINTED: Cell = ("field", "*")  # what is found by an address alone
_WHOLE = frozenset(("array", "class", "function"))
_NUMBERS = frozenset(("number", "boolean"))
_ELEMENTS = "[]"  # behind the name of a field that is an array: its first element
_NOWHERE = frozenset(("null", "the null", "zero"))
_COPIED = "="  # in place of the name of a field that a function writes: a structure is copied


class Memory(Order):
    """Methods for languages that have addresses."""

    # Where something is.

    def _address(self, name: str) -> Node:
        """The address of a variable."""
        found = self._addresses.get(name)
        if found is None:
            variable = self.function.variables.get(name)
            if variable is None or variable.home == "local":
                found = self._own(self.terms.new(f"&{name}"), ("&", name))
            else:
                owner = self.code.path if variable.home == "module" else variable.owner
                found = self.terms.constant(Constant("string", f"&{owner}|{variable.name}"))
            self._addresses[name] = found
        return found

    def _begin(self, state: State, variable: str, value: Node) -> None:
        """A parameter holds a value where the function begins."""
        if not self.semantics.pointers:
            state.set(self._cell(variable), value)
            return
        known = self.function.variables.get(variable)
        if known is not None and known.type.kind in ("number", "boolean"):
            value = self._converted(value, known.type)
        self._received |= {root_of(each) for each in self._alternatives(value)}
        if variable in self.code.addressed:
            state.change(POINTED, partial(self.terms.stored, base=self._address(variable), value=value))
        state.set(self._cell(variable), value)  # what is asked about as it was passed

    def _own(self, made: Node, source: Source) -> Node:
        """A new object of this run, or the address of a variable."""
        self.terms.steps.spend(LOOKED_UP)
        self.terms.made_at[made] = (self.id, source)
        if self.run.lending.is_private(self.code, source):
            self.terms.private.add(made)
        else:
            self.run.has_shared = True
        return made

    def _type(self, operand: Operand) -> Type:
        return declared(self.code, operand)

    def _of_part(self, kind: Type, field: str) -> Type:
        return declared_part(self.code, kind, field)

    # What memory holds.

    def _content(self, address: Node) -> Node:
        """What is at an address."""
        terms, address = self.terms, self._plain(address)
        tables = {cell: self.state.get(cell) for cell in map(_table, self._alternatives(address))}
        if len(tables) == 1:
            return terms.held(next(iter(tables.values())), address)
        return terms.chosen_by(address, lambda each: terms.held(tables[_table(each)], each))

    def _hold(self, address: Node, value: Node) -> None:
        """There is a value at an address from here on."""
        address = self._plain(address)
        ways = self._alternatives(address)
        places = {_table(each): None for each in ways}
        unclear = POINTED in places and any(_table(each) == POINTED and not _is_sure(each) for each in ways)
        pointed = self.run.derived.pointed
        if any(cell[1] in pointed for cell in places):
            places[POINTED] = None
        stored = partial(self.terms.stored, base=address, value=value)
        if unclear:
            self._layer(lambda cell, before: stored(before.get(cell)) if cell[1] in pointed else None)
        for cell in places:
            self._change(cell, stored)

    def _layer(self, changes: Callable[[Cell, State], Node | None]) -> None:
        """What fields hold by object is what `changes` says from here on, of those of which it says something."""
        before = State(self.terms, [(self.holds, self.state)])

        def instead(cell: Cell) -> Node | None:
            return changes(cell, before) if cell[0] == "field" else None

        self.state = State(self.terms, [(self.holds, before)], instead=instead)

    def _assign(self, target: Node, source: Node, *, fields: bool = False) -> None:
        """An object becomes a copy of another one. fields: it is a structure."""
        terms = self.terms
        ways = [each for each in self._alternatives(target) if each.op not in _NOWHERE]

        def changes(cell: Cell, before: State) -> Node:
            found = before.get(cell)
            if len(ways) != 1:
                return terms.table("copied", born=terms.now())
            return terms.copied(found, ways[0], source, fields=fields)

        self._layer(changes)

    # Instructions.

    def _get_variable(self, instruction: Instruction) -> None:
        name = instruction.operands[0]
        variable = self.function.variables.get(name)
        if variable is not None and variable.home != "local" and variable.type.kind in _WHOLE:
            self._gives(instruction, self._address(name))
        elif name in self.code.addressed and variable is not None and variable.home == "local":
            value = self._content(self._address(name))
            self.terms.read(value, marked=True)  # also where a pointer reads the same
            self._gives(instruction, value)
        elif name in self.code.outline.pointed:
            self._gives(instruction, self.terms.some(name))
        elif (number := self.run.named_number(self.code, name)) is not None:
            self._gives(instruction, self.terms.constant(Constant("integer", number)))
        else:
            self._get(instruction)

    def _set_a_variable(self, instruction: Instruction) -> None:
        name, operand = instruction.operands
        self._set_variable_to(name, self._value(operand))

    def _set_variable_to(self, name: str, value: Node) -> None:
        if name in self.code.addressed and self.function.variables[name].home == "local":
            self._hold(self._address(name), value)
        else:
            self._set(self._cell(name), value)

    def _address_of(self, instruction: Instruction) -> None:
        self._gives(instruction, self._address(instruction.operands[0]))

    def _interior(self, instruction: Instruction) -> None:
        operand, name = instruction.operands
        if instruction.number == self._site and self._used is None:
            self._saw(self._value(operand))
        part = self.terms.part(self._value(operand), name)
        if name == _ELEMENTS:
            part = self.terms.not_null("element")
        elif self._of_part(self._type(operand), name).kind == "array":
            part = self.terms.part(part, _ELEMENTS)
        self._gives(instruction, part)

    def _offset(self, instruction: Instruction) -> None:
        operand, by = instruction.operands
        self._gives(instruction, self._element_at(self._value(operand), by, self._declared(operand, "*"), sure=False))

    def _element_at(self, base: Node, key: Operand, declared: Type, *, sure: bool = True) -> Node:
        """The address of an element that is declared so."""
        is_known = isinstance(key, Constant) and type(key.content) is int
        by = key.content if is_known else self._plain(self._value(key))  # type: ignore[union-attr]
        return self.terms.part(base, _step(by, declared), sure=sure)

    def _load_from(self, instruction: Instruction) -> None:
        operand, name = instruction.operands
        base = self._needs(instruction, operand)
        self._gives_content(instruction, base if name == "*" else self.terms.part(base, name, sure=True))

    def _element_of(self, instruction: Instruction) -> None:
        operand, key = instruction.operands
        base = self._needs(instruction, operand)
        self._gives_content(instruction, self._element_at(base, key, self._declared(operand, "*")))

    def _gives_content(self, instruction: Instruction, address: Node) -> None:
        self._gives(instruction, self._read(instruction, self._content(address)))

    def _store_to(self, instruction: Instruction) -> None:
        operand, name, value = instruction.operands
        base = self._needs(instruction, operand)
        address = base if name == "*" else self.terms.part(base, name, sure=True)
        self._write(address, self._declared(operand, name), value)

    def _put_to(self, instruction: Instruction) -> None:
        operand, key, value = instruction.operands
        declared = self._declared(operand, "*")
        address = self._element_at(self._needs(instruction, operand), key, declared)
        self._write(address, declared, value)

    def _declared(self, operand: Operand, name: str) -> Type:
        return self._of_part(self._type(operand), name)

    def _write(self, address: Node, declared: Type, operand: Operand) -> None:
        if self._is_structure(declared, operand):
            fields = "array" not in (declared.kind, self._type(operand).kind)
            self._assign(address, self._value(operand), fields=fields)
        else:
            self._hold(address, self._value(operand))

    def _is_structure(self, declared: Type, operand: Operand) -> bool:
        """Whether what is stored is a structure, rather than its address. declared: what holds it from here on."""
        if declared.kind == "pointer" or isinstance(operand, Constant):
            return False
        return is_by_value(self.code, operand) or (
            self.code.instruction(operand).op == "call" and "class" in (declared.kind, self._type(operand).kind)
        )

    def _zero_of(self, instruction: Instruction) -> None:
        kind = instruction.operands[0].kind
        if kind not in ("class", "array", "any"):
            self._gives(instruction, self.terms.zero)
            return
        made = self._own(self.terms.new("zero"), ("new", instruction.number))
        self.terms.zeroed.add(made)
        if kind == "any":  # of a type that the file does not show: a structure, or a number or a pointer
            made = self.terms.either(self.terms.open("structure"), made, self.terms.zero)
        self._gives(instruction, made)

    def _copy_of(self, instruction: Instruction) -> None:
        made = self._own(self.terms.new("copy"), ("new", instruction.number))
        self._assign(made, self._value(instruction.operands[0]))
        self._gives(instruction, made)

    def _allocate_object(self, instruction: Instruction) -> None:
        kind, operands = instruction.operands
        made = self._own(self.terms.new("new"), ("new", instruction.number))
        declared = kind.of[0] if kind.kind == "array" and kind.of else ANY
        for number, operand in enumerate(operands if kind.kind == "array" else ()):
            self._write(self.terms.part(made, _step(number, declared)), declared, operand)
        self._gives(instruction, made)

    def _convert_number(self, instruction: Instruction) -> None:
        operand, kind, _ = instruction.operands
        self._gives(instruction, self._converted(self._value(operand), kind))

    def _converted(self, value: Node, kind: Type) -> Node:
        """A value as one of a type: the number itself where that is one of the type."""
        terms, value = self.terms, self._plain(value)
        if kind.kind == "pointer" and value.op in ("arithmetic", "boolean", "applied", "either"):
            value = terms.either(terms.is_zero(value), terms.either(terms.is_null(value), value, terms.zero), value)
        elif kind.kind == "boolean":
            value = terms.boolean(terms.opposite(terms.is_zero(value)))
        elif kind.kind == "number" and (bounds := self.semantics.limits.get(kind.name)) is not None:
            low, high = bounds[0][0], bounds[-1][1]
            limits = [(terms.constant(Constant("integer", int(low))), value)] if low > -_FAR else []
            if high < _FAR:
                limits.append((value, terms.constant(Constant("integer", int(high)))))
            fits = terms.both(*(terms.is_less(one, other, or_equal=True) for one, other in limits))
            value = terms.either(fits, value, terms.other("wrapped"))
        return value

    def _compute(self, instruction: Instruction) -> None:
        operator, operands = instruction.operands
        values = [self._value(each) for each in operands]
        plain = operator in ("+", "-") and all(self._is_a_number(*each) for each in zip(operands, values, strict=True))
        if plain:
            self._gives(instruction, self._sum(operator, operands, values))
        elif operator in ("+", "-"):  # perhaps a pointer
            self._gives(instruction, self.terms.some("sum"))
        else:
            found = self.terms.connected(operator, values) or self.terms.bits(operator, values)
            self._gives(instruction, found or self.terms.applied(operator, values))

    def _sum(self, operator: str, operands: Sequence[Operand], values: Sequence[Node]) -> Node:
        """Numbers without a sign do not get below 0."""
        terms = self.terms
        for operand, value in zip(operands, values, strict=True):
            self._note_sign(operand, value)
        found = terms.sum(operator, values)
        limits = [self.semantics.limits.get(self._type(each).name) for each in operands]
        if operator == "+" or not any(each is not None and each[0][0] == 0 for each in limits):
            return found
        return terms.either(terms.is_less(terms.zero, found, or_equal=True), found, terms.other("wrapped"))

    def _is_a_number(self, operand: Operand, value: Node) -> bool:
        if isinstance(operand, Constant) or value.op in ("arithmetic", "boolean", "zero"):
            return True
        instruction = self.code.instruction(operand)
        return instruction.op in ("arithmetic", "test") or self._type(operand).kind in ("number", "boolean")

    # What may have changed.

    def _forgotten(self, loop: set[int]) -> Callable[[Cell], bool]:
        variables: set[object] = set()
        fields: frozenset[str] | None = frozenset()
        code = False
        for number in loop:
            self.terms.steps.spend(len(self.function.blocks[number].instructions))
            for each in self.function.blocks[number].instructions:
                effects = Effects(frozenset(), code=False)
                if each.op == "set" and each.operands[0] in self.code.addressed:
                    effects = Effects(frozenset("*"), code=False)
                elif each.op == "set":
                    variables.add(each.operands[0])
                elif each.op in ("store", "put"):
                    name = each.operands[1] if each.op == "store" else "*"
                    is_whole = self._is_structure(self._declared(each.operands[0], name), each.operands[2])
                    effects = Effects(None if is_whole else frozenset((name,)), code=False)
                elif each.op == "call":
                    effects = self._effects(each)
                    if self._lends(each):
                        effects = Effects(None, code=effects.code)
                    if self.code.may_expand(each):
                        variables |= {
                            name for name in self.code.passed_by_name(each) if name not in self.code.addressed
                        }
                        if not self.code.addressed.isdisjoint(self.code.passed_by_name(each)):
                            effects |= Effects(frozenset("*"), code=False)
                code |= effects.code
                fields = None if fields is None or effects.fields is None else fields | effects.fields
        fields = None if fields is None else self.run.derived.with_pointed(fields)
        names = {self._cell(str(each)) for each in variables}
        return lambda cell: cell in names or changed(cell, fields, elements=True, code=code)

    def _kept_by(self, loop: set[int]) -> frozenset[object]:
        """Which private objects the rounds of a loop may change."""
        lent = self.run.lending.of(self.code)
        found: set[Source] = set()
        for number in loop:
            for each in self.function.blocks[number].instructions:
                if each.op == "set" and each.operands[0] in self.code.addressed:
                    found.add(("&", each.operands[0]))
                elif each.op in ("store", "put"):
                    found |= lent.sources(each.operands[0])
                elif each.op == "call":
                    found.update(*(lent.sources(argument.value) for argument in each.operands[-1]))
                    found |= {("&", name) for name in self.code.passed_by_name(each)}
        return frozenset((*self._received, *((self.id, source) for source in found)))

    def _lends(self, call: Instruction) -> bool:
        """Whether a call of which nobody knows what it does gets the address of something."""
        callees = self.run.callees(self.code.symbol_of(call))
        if callees.bodies or callees.library in self.semantics.memory.names - self.semantics.memory.writes.keys():
            return False
        lent = self.run.lending.of(self.code)
        return any(source[0] != "formal" for each in call.operands[-1] for source in lent.sources(each.value)) or any(
            self._is_address(each) for each in call.operands[-1]
        )

    def _leads_to_pointer(self, argument: Argument) -> bool:
        """Whether an argument may be the address of a pointer, as far as its type shows."""
        if isinstance(argument.value, Constant):
            return False
        pointee = declared_part(self.code, declared(self.code, argument.value), "*")
        return pointee.kind == "pointer" or self.code.instruction(argument.value).op == "address"

    def _is_address(self, argument: Argument) -> bool:
        made = None if isinstance(argument.value, Constant) else self.code.instruction(argument.value)
        return made is not None and made.op in ("interior", "address")

    def _lent(self, call: Instruction) -> frozenset[int]:
        """The positions of the arguments that a call passes on to what nobody knows."""
        if not self.run.callees(self.code.symbol_of(call)).bodies:
            return frozenset()
        found = range(len(call.operands[-1]))
        return frozenset(at for at in found if self.run.lending.is_lent(self.code, call.number, at))

    def _effects(self, instruction: Instruction) -> Effects:
        effects = super()._effects(instruction)
        if instruction.op != "call" or effects.fields is None or not self._lent(instruction):
            return effects
        return effects | Effects(self.run.derived.with_pointed(frozenset("*")), code=False)

    def _call_in_memory(self, instruction: Instruction, arguments: Sequence[Argument], passed: Sequence[Node]) -> None:
        """A call that is not run may have written."""
        effects = self._effects(instruction)
        callees = self.run.callees(self.code.symbol_of(instruction))
        roots = {root_of(leaf) for each in passed for leaf in self._alternatives(each)}
        fields = effects.fields
        if fields is None or fields or effects.code:

            def forgets(cell: Cell) -> bool:
                return changed(cell, fields, elements=True, code=True)

            self.forgotten.append(forgets)
            self.state = State(self.terms, [(self.holds, self.state)], forgets)
            self.state.changed = frozenset(roots)
        memory = self.semantics.memory
        if callees.bodies:
            return
        known = callees.library in memory.names
        if not known and self.run.has_shared:
            self._layer(lambda cell, before: self.terms.lost(before.get(cell)))
        writes = memory.writes.get(callees.library, ())
        for position, (each, value) in enumerate(zip(arguments, passed, strict=True)):
            for leaf in self._alternatives(value) if not known or position in writes else ():
                if known or root_of(leaf).op == "new" or leaf.op == "part" or self._is_address(each):
                    left = self.terms.either(self.terms.open("left"), leaf, self.terms.some("written"))
                    self._assign(leaf, left)
                    if not known:  # what is left there is not the null that was there
                        self._hold(leaf, self.terms.other("written"))

    def _tell_outcomes(
        self, instruction: Instruction, callees: Callees, passed: Sequence[Node], called_in: State
    ) -> None:
        """What a call that is not run leaves where its arguments lead to goes with what it gives. called_in: the state
        before it."""
        effects = self._effects(instruction)
        if not callees.known or len(callees.bodies) > MOST_BODIES:
            return
        lent = self._lent(instruction)

        def changes(cell: Cell, before: State) -> Node | None:
            if not changed(cell, effects.fields, elements=False, code=False):
                return None
            table, found = before.get(cell), False
            codes = [self.run.programs.code(each) for each in callees.bodies]
            for position, value in enumerate(passed):
                for path, address in self._cells_behind(value, cell, position, codes):
                    is_lent = position in lent and not path
                    outcomes = self._outcomes(instruction, codes, position, path, address)
                    if outcomes is not None:
                        asked = partial(self._left_in, outcomes, instruction, called_in, before, cell, address, is_lent)
                        table, found = self.terms.stored(table, address, self.terms.pending(asked)), True
                    elif is_lent and not self.run.coarse:  # as where the address is passed right here
                        table, found = self.terms.stored(table, address, self.terms.other("lent")), True
            return table if found else None

        self._layer(changes)

    def _tell_failures(self, call: Instruction, arguments: Sequence[Argument]) -> None:
        """A call that has given nothing has told why, where its function takes the address for that."""
        if not self.semantics.memory.failures or self.holds is self.terms.false:
            return
        if not any(map(self._leads_to_pointer, arguments)):
            return
        terms, callees = self.terms, self.run.callees(self.code.symbol_of(call))
        codes = [self.run.programs.code(each) for each in callees.bodies]
        positions = [_told_at(code) for code in codes if code is not None]
        if not positions or len(positions) < len(codes):
            return
        result = self.state.get(("value", self.id, call.number))
        failed = terms.is_null(result) if declared(self.code, call.number).kind == "pointer" else terms.is_zero(result)
        for position in frozenset.intersection(*positions) & frozenset(range(len(arguments))):
            [where, *others] = self._alternatives(self._value(arguments[position].value))
            if not others and where.op not in _NOWHERE:
                self._hold(where, terms.either(failed, terms.not_null("told"), self._content(where)))

    def _cells_behind(
        self, value: Node, cell: Cell, position: int, codes: Sequence[Code | None]
    ) -> Iterator[tuple[tuple[str, ...], Node]]:
        """The paths from an argument to what a table has, and their addresses."""
        paths: set[tuple[str, ...]] = {(str(cell[1]),)} if cell != POINTED else set()
        for code in codes:
            formals = code.function.formals if code is not None else ()
            if position >= len(formals) or formals[position].kind != "one" or formals[position].type.kind in _NUMBERS:
                return
            paths |= code.paths_behind(formals[position].variable)  # type: ignore[union-attr]
        [where, *others] = self._alternatives(value)
        if others:  # which of them it is would be asked at each read behind the call
            return
        if cell == _table(where):
            yield (), where
        for path in sorted(each for each in paths if each[-1] == cell[1]):
            address = where
            for step in path:
                address = self.terms.part(address, step, sure=True)
            yield path, address

    def _outcomes(
        self, call: Instruction, codes: Sequence[Code | None], position: int, path: tuple[str, ...], address: Node
    ) -> Sequence[Outcome] | None:
        """What any of some functions leaves behind a parameter; None where that may be anything."""
        alone = all(self._is_alone(root_of(each), call) for each in self._alternatives(address))
        found: list[Outcome] = []
        for code in codes:
            if code is None or self.run.coarse:
                return None
            target = Target(code.function.formals[position].variable, path, alone)
            outcomes = self.run.outcomes_of(code, target, READING_DEPTH - 1 - self.depth)
            if outcomes is None:
                return None
            found += outcomes
        return found

    def _is_alone(self, made: Node, call: Instruction) -> bool:
        """Whether nothing leads to an object where a call gets it but what is passed there."""
        self.terms.steps.spend(LOOKED_UP)
        where = self.terms.made_at.get(made)
        if made in self.terms.private or where is None:
            return where is not None
        run, source = where
        return run == self.id and self.run.lending.is_alone(self.code, source, call.number)

    def _left_in(
        self,
        outcomes: Sequence[Outcome],
        call: Instruction,
        called_in: State,
        behind: State,
        cell: Cell,
        address: Node,
        is_lent: bool,
    ) -> Node:
        """What is in a cell behind a call. called_in, behind: the states before the call, and where it may have written
        anything. is_lent: a function of which nobody knows what it writes gets the address, too."""
        terms, result = self.terms, behind.get(("value", self.id, call.number))
        pointer = declared(self.code, call.number).kind == "pointer"
        before, after = (terms.held(state.get(cell), address) for state in (called_in, behind))
        after = terms.other("lent") if is_lent else after
        was_null = terms.is_zero(before)
        ways: dict[str, list[Node]] = {"kept": [], "null": [], "present": []}
        for each in outcomes:
            was = was_null if each.was == NULL else terms.opposite(was_null)
            holds = terms.both(was, self._is_known(result, each.result, pointer=pointer))
            if each.kept:
                ways["kept"].append(holds)
            else:
                for nullness, name in ((NULL, "null"), (PRESENT, "present")):
                    if each.nullness & nullness:
                        ways[name].append(holds)
        kept, null, present = (terms.any_of(*each) for each in ways.values())
        is_null = terms.both(null, terms.any_of(terms.open("null"), terms.opposite(present)))
        is_kept = terms.both(kept, terms.any_of(terms.open("kept"), terms.opposite(terms.any_of(null, present))))
        return terms.either(is_kept, before, terms.either(is_null, after, terms.not_null("left")))

    def _is_known(self, value: Node, known: Known, *, pointer: bool) -> Node:
        """Whether a value is one of which that is known. pointer: whether it is declared to be a pointer."""
        terms, ways = self.terms, []
        is_zero = terms.is_null(value) if pointer else terms.is_zero(value)
        if meet(known.numbers, ZERO):
            ways.append(is_zero)
        others = meet(known.numbers, NOT_ZERO)
        if others == NOT_ZERO:
            ways.append(terms.opposite(is_zero))
        else:
            ways += [self._is_between(value, *each) for each in others]
        bits = [1 << at for at in range(known.bits.bit_length()) if known.bits >> at & 1]
        masked = [terms.bits("&", [value, terms.constant(Constant("integer", bit))]) for bit in bits]
        has = [terms.opposite(terms.is_zero(each)) for each in masked if each is not None]
        return terms.both(terms.any_of(*ways), *has)

    def _is_between(self, value: Node, low: Number, high: Number) -> Node:
        """Whether a number that is not 0 is in an interval, or less than 1 from there."""
        terms, limits = self.terms, []
        for number, above in ((low - 1, True), (high + 1, False)):
            if abs(number) < _FAR:
                limit = terms.constant(Constant("integer", int(number)))
                limits.append(terms.is_less(*((limit, value) if above else (value, limit)), or_equal=False))
        return terms.both(*limits)

    def _only_reads(self, instruction: Instruction, library: str, passed: Sequence[Node]) -> bool:
        """Give what a function of the library gives that changes nothing; says whether it is one."""
        if library not in self.semantics.memory.reads:
            return False
        states = self.run.states
        number = states.setdefault((library, self.state.get(POINTED)), len(states))
        self._gives(instruction, self.terms.applied(f"{library} {number}", passed))
        return True

    def _alternatives(self, value: Node) -> list[Node]:
        """What a value may be that is joined."""
        found, seen, todo = dict[Node, None](), set[Node](), [value]
        while todo:
            each = self._plain(todo.pop())
            if each in seen:
                continue
            seen.add(each)
            self.terms.steps.spend(1)
            if each.op == "either":
                todo += each.nodes()[1:]
            else:
                found[each] = None
        return list(found)

    def _plain(self, value: Node) -> Node:
        while value.op == "pending":
            value = self.terms.computed(value)
        return value


def _told_at(code: Code) -> frozenset[int]:
    """The positions of the parameters by which a function tells why it has failed."""
    failures, found = code.semantics.memory.failures, set[int]()
    for position, formal in enumerate(code.function.formals):
        pointee = declared_part(code, formal.type, "*")
        if pointee.kind == "pointer" and declared_part(code, pointee, "*").name in failures and formal.kind == "one":
            found.add(position)
    return frozenset(found)


def _table(address: Node) -> Cell:
    """Where it is noted what is at an address."""
    step = address.args[1] if address.op == "part" else None
    return ("field", step) if isinstance(step, str) and step != _ELEMENTS else POINTED


def _step(by: object, declared: Type) -> object:
    """The step to an element that is declared so, over as many before it."""
    depth = 0
    while declared.kind == "array":
        depth, declared = depth + 1, declared.of[0] if declared.of else ANY
    return Row(depth, by) if depth else by


def _is_sure(address: Node) -> bool:
    """Whether an address is none of a field that has a name."""
    return address.op in _NOWHERE or root_of(address).op in ("new", "constant")


_FAR = 2**62

POINTER_DOES: dict[str, Callable[[Memory, Instruction], None]] = {
    "address": Memory._address_of,
    "allocate": Memory._allocate_object,
    "arithmetic": Memory._compute,
    "convert": Memory._convert_number,
    "copy": Memory._copy_of,
    "element": Memory._element_of,
    "get": Memory._get_variable,
    "interior": Memory._interior,
    "load": Memory._load_from,
    "offset": Memory._offset,
    "put": Memory._put_to,
    "set": Memory._set_a_variable,
    "store": Memory._store_to,
    "zero": Memory._zero_of,
}
