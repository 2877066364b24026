"""Places in memory: where pointers lead, what is read from and written to there, and what is known of it.

A scalar whose address is never taken is followed like a local of any language. All others are places in memory: an
address and a field, `*` for the whole. A pointer into an object (`p + 1`, `&p->field`) counts as one to the object;
fields of nested structs are fields of the outermost.
"""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.entities import FREED, NONNULL, Place, Variable
from pliant.extractors.c.names import Names
from pliant.extractors.ssa import UNDEFINED, Key, Value

_CALLS = 8  # between a write of a shared variable and its next read that are asked whether they write it


class Memory(Names):
    def object_of(self, value: Value, depth: int = 6, known: dict[tuple[Value, int], Value] | None = None) -> Value:
        """The pointer that stands for the object which `value` points into. known: what phis on the way stand for."""
        fn = self.fn
        value = fn.resolve(value)
        if value in self.objects:
            value = self._made_from(value)
        if not depth or value in fn.carried or value in self.renamed:
            return value
        operands = fn.operands(value)
        if operands is not None:
            known = {} if known is None else known
            found = known.get((value, depth))
            if found is None:
                found = known[value, depth] = self._joined_object(value, operands, depth - 1, known)
            return found
        root = fn.roots[value]
        return value if root in (value, UNDEFINED) else self.object_of(root, depth - 1, known)

    def _joined_object(
        self, phi: Value, operands: list[Value], depth: int, known: dict[tuple[Value, int], Value]
    ) -> Value:
        found = UNDEFINED
        for operand in operands:
            if operand not in (phi, UNDEFINED):
                target = self.object_of(operand, depth, known)
                if target == UNDEFINED or target != (found or target):
                    return phi
                found = target
        return found or phi

    def _made_from(self, value: Value) -> Value:
        """The pointer that `value`, one of `objects`, was made from, and that one, and so on."""
        resolve, objects, origins = self.fn.resolve, self.objects, self.origins
        passed: set[Value] = set()
        while value in objects and value not in passed:  # a phi may have become what was made of it
            passed.add(value)
            value = resolve(origins.get(value) or objects[value])
        if value not in passed:
            for each in passed:  # so that it is found at once the next time
                origins[each] = value
        return value

    def path_key(self, place: Place) -> Key | None:
        """The key under which the content of a place in memory is followed."""
        fn = self.fn
        root = fn.root(place.base)
        if root in (UNDEFINED, fn.opaque):
            return None
        if not place.homes:
            return (root, place.path)
        # An element: known until the index or the pointer changes.
        home = max([fn.homes[root], *(fn.homes[value] for value in place.homes)])
        number = self.places.get((root, place.path))
        if number is None:
            number = self.places[(root, place.path)] = fn.unnamed()
            fn.names[number] = fn.names[root]
            fn.homes[number] = home
        return (number, place.path)

    def read(self, place: Place, what: str) -> Value:
        fn = self.fn
        if place.variable is not None:
            return self.read_variable(place.variable, place.node)
        key = self.path_key(place)
        content = UNDEFINED
        if key is not None:
            content = fn.read(key)
            content = UNDEFINED if content == fn.unknown else content
        plain = content != UNDEFINED and content not in fn.carried and fn.operands(content) is None
        own = key is not None and key[0] in self.stack and content in self.forms  # a number that calls have not changed
        fresh = key is not None and (self.read_at.get(key) == self.epoch or own)
        if plain and fresh:
            return content
        value = self.value(what, place.node)
        if (cell := self.cells.get(place.base)) is not None and place.field == "*":
            fn.define(value, "assign_object", value, cell)
        else:
            fn.define(value, "load", value, place.base, place.field)
        self.loads.add(value)
        if key is None:
            return value
        if content == UNDEFINED:
            root = fn.root(place.base)
            self.first_read(value, root, place)
        else:
            fn.roots[value] = fn.root(content)
            if self.is_nonnull(content):
                fn.nonnull.add(value)
                fn.define(value, "nonnull", value)
            elif content != fn.opaque:
                fn.define(value, "assign_null", value, content)
            if fresh:
                self.objects[value] = content
            else:
                self.renamed.add(value)
            if fn.carried.get(content) == UNDEFINED:
                self.first_read(value, fn.root(place.base), place)
        fn.write(key, value)
        self.read_at[key] = self.epoch
        return value

    def first_read(self, value: Value, root: Value, place: Place) -> None:
        """`value` is what a field of a parameter held when the function was entered, if nothing has written it."""
        if root in self.fn.formals and place.field not in self.written_fields and not place.homes:
            self.first_reads[value] = (root, place.path)
            self.fn.write((value, FREED), self.alive)

    def is_nonnull(self, value: Value) -> bool:
        fn = self.fn
        if value in fn.nonnull:
            return True
        root = fn.root(value)
        return NONNULL in fn.fields_of.get(root, ()) and fn.read((root, NONNULL)) == fn.opaque

    def read_variable(self, variable: Variable, node: Node) -> Value:
        fn = self.fn
        if variable.function:
            value = fn.fixed_value(variable.cell)
            fn.nonnull.add(value)
            return value
        if variable.address is not None:
            self.mentioned.add(variable.key)
            if self.in_memory_whole(variable):
                return self.address(variable)
            return self.read(Place(node, None, self.address(variable), "*", "*"), variable.name)
        key = variable.key
        if not variable.cell:
            value = fn.read(key)
            self.looked_at.add(value)
            return value if value != UNDEFINED else fn.opaque
        # Shared with other functions: followed until a call may change it.
        fn.entry_values.setdefault(key, fn.fixed_value(variable.cell))
        value = fn.read(key)
        if value == UNDEFINED:
            value = fn.fixed_value(variable.cell)
        elif self.read_at.get(key, 0) != self.epoch:
            again = self.value(variable.name, node)
            shared = fn.fixed_value(variable.cell)
            fn.define(again, "assign_object", again, shared)
            between = self.calls_made[self.read_at.get(key, 0) :]
            if value != shared and len(between) <= _CALLS and variable is self.globals.get(variable.name):
                fn.define(again, "assign_null", again, shared)
                fn.define(again, "carry", again, value, variable.cell)  # until a call writes the variable
                for call in between:
                    fn.define(again, "carry_across", again, call)
            else:
                fn.define(again, "assign", again, value)
            fn.roots[again] = fn.root(value)
            if self.is_nonnull(value):
                fn.nonnull.add(again)
            self.renamed.add(again)
            fn.write(key, again)
            value = again
        self.read_at[key] = self.epoch
        return value

    def in_memory_whole(self, variable: Variable) -> bool:
        """Whether the variable's value is its address: arrays and structs."""
        return variable.type.array or variable.type.aggregate

    def address(self, variable: Variable) -> Value:
        """The address of a variable that has a place in memory."""
        fn = self.fn
        if variable.address is None:
            variable.address = fn.fixed_value(variable.cell)
        if variable.cell:
            cell = fn.fixed_value(variable.cell)
            address = cell if self.in_memory_whole(variable) else fn.fixed_value(f"{variable.cell} address")
            if address != cell:
                self.cells[address] = cell
            fn.nonnull.add(address)
            self.addresses.add(address)
            return address
        return variable.address

    def write(self, place: Place, value: Value, node: Node, *, number: bool = False) -> None:
        """number: the place is declared to hold one, so that it is none where a pointer is kept."""
        fn = self.fn
        if value == UNDEFINED:
            value = fn.opaque
        if place.variable is not None and (place.variable.address is None or place.variable.function):
            self.write_variable(place.variable, value, node)
            return
        if place.variable is not None:
            if self.in_memory_whole(place.variable):
                self.copy(self.address(place.variable), value)
                return
            place = Place(node, None, self.address(place.variable), "*", "*")
        if fn.root(place.base) not in self.stack:
            self.effects = True
        if place.base in (UNDEFINED, fn.opaque):
            return
        fn.lent.discard(value)
        self.emit("store", place.base, place.field, value)
        if self.points_to_stack(value):
            self.escaped[self.object_of(value)] = None
        # At an index that is not written as a number: whichever element that is.
        if place.homes or fn.root(place.base) not in self.stack:
            self.written_by.setdefault(place.field, set()).add(UNDEFINED if place.homes else fn.root(place.base))
        if place.field not in self.written_fields and not (number and place.field == "*"):
            self.written_fields.add(place.field)
            self.emit("field_write", self.symbol, place.field)
        key = self.path_key(place)
        if key is None:
            return
        if self.points_to_stack(value) and self.object_of(place.base) not in self.stack:
            value = self.kept_value(place.field, value, node, key)
        self.assign(key, value)
        self.read_at[key] = self.epoch

    def kept_value(self, what: str, value: Value, node: Node, key: Key) -> Value:
        """`value`, the address of a variable, as it is kept from here on in a place that outlives the function."""
        fn = self.fn
        stored = self.value(f"{what} =", node)
        fn.define(stored, "assign", stored, value)
        self.objects[stored] = value
        fn.roots[stored] = fn.root(value)
        if self.is_nonnull(value):
            fn.nonnull.add(stored)
        self.kept.append(key)
        return stored

    def points_to_stack(self, value: Value) -> bool:
        return bool(self.stack) and self.object_of(value) in self.stack

    def write_variable(self, variable: Variable, value: Value, node: Node) -> None:
        fn = self.fn
        if variable.cell:
            self.effects = True
            fn.lent.discard(value)
        if variable.cell and self.points_to_stack(value):
            value = self.kept_value(variable.name, value, node, variable.key)
        self.assign(variable.key, value)
        if value in self.call_results:
            self.emit("named", value)
        if variable.cell and not variable.type.arithmetic:
            if variable.cell not in self.written_fields:
                self.written_fields.add(variable.cell)
                self.emit("field_write", self.symbol, variable.cell)
            fn.entry_values.setdefault(variable.key, fn.fixed_value(variable.cell))
            self.emit("assign_object", fn.fixed_value(variable.cell), value)
            self.read_at[variable.key] = self.epoch
            self.shared[variable.key] = variable
            if value == fn.opaque or self.is_nonnull(value):
                self.emit("variable_set", variable.cell)

    def copy(self, target: Value, source: Value) -> None:
        """A struct is assigned: what both are known by is their addresses."""
        fn = self.fn
        self.effects = self.effects or fn.root(target) not in self.stack
        self.emit("copies", target, source)
        into, origin = fn.root(target), fn.root(source)
        for known in list(fn.fields_of.get(into, ())):
            if not known.startswith("$"):
                fn.write((into, known), fn.unknown)
        for known in list(fn.fields_of.get(origin, ())):
            if not known.startswith("$"):
                fn.write((into, known), fn.read((origin, known)))
                self.written_by.setdefault(known.rpartition(".")[2], set()).add(into)
                self.read_at[(into, known)] = self.epoch

    def interior(self, base_value: Value, what: str, node: Node) -> Value:
        """A pointer into the object that `base_value` points to."""
        fn = self.fn
        if base_value in (UNDEFINED, fn.opaque):
            return fn.opaque
        value = self.value(what, node)
        fn.define(value, "interior", value, base_value)
        self.objects[value] = base_value
        if self.is_nonnull(base_value):
            fn.nonnull.add(value)
        return value
