"""A C file to facts: its variables, their places in memory, and what is known of the objects behind pointers.

A scalar whose address is never taken is followed like a local of any language. All others are places in memory: an
address and a field, `*` for the whole. A pointer into an object (`p + 1`, `&p->field`) counts as one to the object;
fields of nested structs are fields of the outermost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tree_sitter import Node, Parser

from pliant.extractors.c.declarations import UNKNOWN, CType, Types
from pliant.extractors.c.macros import Macro
from pliant.extractors.c.models import Models, models
from pliant.extractors.lowering import base
from pliant.extractors.lowering.base import Expression, Statement, Tests
from pliant.extractors.lowering.source import span, text
from pliant.extractors.ssa import UNDEFINED, Block, Here, Key, Refinement, Value
from pliant.extractors.writer import FactWriter

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}
MODULE = "|<module>"
LINKAGE = "C"  # the one module that all names with external linkage are members of
FREED = "$freed"  # the field under which it is followed that an object was freed
NONNULL = "$nonnull"  # the field under which it is followed that a value is not null
LARGEST = 2**31 - 2  # number that a result is followed as: facts hold 32 bits
_MACRO_DEPTH = 12


def expression(*types: str) -> Callable[[Expression], Expression]:
    def register(handler: Expression) -> Expression:
        for kind in types:
            EXPRESSIONS[kind] = handler
        return handler

    return register


def statement(*types: str) -> Callable[[Statement], Statement]:
    def register(handler: Statement) -> Statement:
        for kind in types:
            STATEMENTS[kind] = handler
        return handler

    return register


@dataclass(slots=True, eq=False)
class Variable:
    """key: of its value while it is followed like a local. address: of its place, where it has one.
    cell: the symbol by which functions share it, empty for an automatic one."""

    name: str
    key: str
    type: CType
    address: Value | None = None
    cell: str = ""
    function: bool = False


@dataclass(slots=True)
class Place:
    """Where something is read from or written to: a variable, or `field` of the object that `base` points to; `path` is
    the field as it is followed in this function."""

    node: Node
    variable: Variable | None = None
    base: Value = UNDEFINED
    field: str = ""
    path: str = ""
    homes: tuple[Value, ...] = ()  # values besides the base that the path depends on


@dataclass(slots=True)
class Bound:
    """What a macro's parameter stands for: a node, read where the macro is used."""

    node: Node
    frame: Frame | None


@dataclass(slots=True)
class Frame:
    """A macro that is being expanded."""

    macro: Macro
    arguments: dict[str, Bound]
    at: Node
    number: int


@dataclass(slots=True)
class CallInfo:
    """A call that was lowered: its arguments with the variables that they are."""

    arguments: list[Value]
    keys: list[list[Key]]
    tests: dict[int, base.Tests] = field(default_factory=dict)


@dataclass(slots=True)
class Exit:
    """A point where the function is left. status: what it returns as a number, if that is known. paths: parameter,
    field, content."""

    value: Value
    live: Value
    status: int | None
    block: Block
    paths: list[tuple[Value, str, Value]]


class Lowering(base.Lowering):
    expressions = EXPRESSIONS
    statements = STATEMENTS
    null_name = "NULL"

    def __init__(self, root: Node, writer: FactWriter, parser: Parser) -> None:
        self.parser = parser
        self.models: Models = models()
        self.types = Types()
        self.macros: dict[str, Macro] = {}
        self.globals: dict[str, Variable] = {}
        self.enumerators: dict[str, int | None] = {}
        self.functions: dict[str, CType] = {}  # functions that are defined here -> what they return
        self.prototypes: dict[str, CType] = {}  # the same of those that are declared
        self.exported: set[tuple[str, bool]] = set()
        self.classes: set[str] = set()  # of objects that are known in the file
        self.placed: set[str] = set()
        self.addressed_anywhere: frozenset[str] = frozenset()
        self.dotted_anywhere: frozenset[str] = frozenset()
        self.imported: set[str] = set()
        self.pending: list[tuple[Node, Node, str]] = []
        self.loops: set[int] = set()
        self.nullable: list[int] = []  # where a pointer is declared to be nullable
        self.arithmetic_fields: set[str] = set()
        self.frame: Frame | None = None
        self.frames = 0
        stored, cleared = self.survey(root)
        super().__init__(root, writer, MODULE, stored, cleared)

    def survey(self, root: Node) -> tuple[frozenset[str], frozenset[str]]:
        """Fields that the file writes, and fields that it sets to null."""
        raise NotImplementedError

    def start_function(self, symbol: str) -> None:
        super().start_function(symbol)
        self.scopes: list[dict[str, Variable]] = []
        self.shadowed: dict[str, int] = {}
        self.addressed: frozenset[str] = frozenset()  # variables whose address is taken
        self.dotted: frozenset[str] = frozenset()  # variables of which fields are read
        self.addresses: set[Value] = set()
        self.allocated: set[Value] = set()  # results of allocations that have no type yet
        self.loads: set[Value] = set()  # values that were read from memory
        self.compared: dict[int, Value] = {}  # comparison -> the call that it is about
        self.rest = UNDEFINED
        self.numbers: set[Value] = set()  # parameters that are no pointers
        self.exits: list[Exit] = []
        self.shared: dict[Key, Variable] = {}  # that this function has written
        self.labels: dict[str, Block] = {}
        self.jumps_to: dict[str, int] = {}
        self.landmarks: list[int] = []
        self.switches: list[Here] = []
        self.defaults: list[bool] = []
        self.objects: dict[Value, Value] = {}  # a pointer -> the one to the same object that it was made from
        self.renamed: set[Value] = set()  # contents that were read again, after calls that may have changed them
        self.epoch = 0  # calls so far that may change any memory
        self.read_at: dict[Key, int] = {}
        self.places: dict[tuple[Value, str], Value] = {}
        self.interiors: dict[tuple[Value, str], Value] = {}
        self.stack = self.fn.private  # addresses of variables that end with the function
        self.call_info: dict[Value, CallInfo] = {}
        self.first_reads: dict[
            Value, tuple[Value, str]
        ] = {}  # value -> parameter and field that it was read from first
        self.kept: list[Key] = []  # places outside of the frame that pointers were stored to
        self.moves: dict[Value, tuple[Value, Value]] = {}  # a call of realloc -> what it may free, its state before
        self.states: set[Value] = set()  # what calls make of objects
        self.touched: dict[Value, None] = {}  # objects that calls may have freed
        self.status: dict[Value, int] = {}  # values that are known numbers
        self.returns: CType = UNKNOWN
        self.in_macro_function = False
        self.result_key: Key | None = None
        self.alive = self.fn.fixed_value(f"{symbol}|state|alive")
        self.fn.define(self.alive, "alive", self.alive)

    # Positions: what a macro does happens where it is used.

    def at(self, node: Node) -> Node:
        frame = self.frame
        while frame is not None:
            node, frame = frame.at, None
        return node

    def value(self, what: str, node: Node | None = None) -> Value:
        return self.fn.value(self.writer.name(self.qualname, what), span(self.at(node)) if node is not None else None)

    def unique_key(self, node: Node, what: str) -> str:
        number = self.frame.number if self.frame is not None else 0
        return f"{what}#{number}-{node.start_byte}-{node.end_byte}"

    @contextmanager
    def within(self, frame: Frame | None) -> Iterator[None]:
        outer, self.frame = self.frame, frame
        try:
            yield
        finally:
            self.frame = outer

    def bound(self, name: str) -> Bound | None:
        """What the name of a macro's parameter stands for here."""
        return self.frame.arguments.get(name) if self.frame is not None else None

    def expanding(self, macro: Macro) -> bool:
        frame, depth = self.frame, 0
        while frame is not None:
            if frame.macro is macro:
                return True
            frame, depth = frame.arguments.get("", Bound(frame.at, None)).frame, depth + 1
        return depth > _MACRO_DEPTH

    def open_frame(self, macro: Macro, arguments: list[Node], node: Node) -> Frame:
        self.frames += 1
        bound = {
            name: Bound(argument, self.frame) for name, argument in zip(macro.parameters or (), arguments, strict=False)
        }
        bound[""] = Bound(node, self.frame)  # the macro around it
        return Frame(macro, bound, self.at(node), self.frames)

    # Names.

    def variable(self, name: str) -> Variable | None:
        for scope in reversed(self.scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return self.globals.get(name)

    def external(self, name: str) -> Value:
        """What a name that the file does not define stands for."""
        value = self.fn.fixed_value(f"|<module>|extern {name}|1")
        if name not in self.imported:
            self.imported.add(name)
            self.emit("import_from", value, LINKAGE, name)
        return value

    # Types.

    def class_name(self, kind: CType) -> str | None:
        """The class of the objects of a type; None where nothing is known of it, empty where they hold no pointers."""
        resolved = self.types.resolve(kind)
        if "function" in resolved.levels:
            return None
        if resolved.levels:
            pointed = self.class_name(CType(resolved.base))
            return f"{resolved.base if pointed == '' else pointed or '?'} {'*' * len(resolved.levels)}"
        if resolved.arithmetic and resolved.base != "void":
            return ""
        name = kind.base if "#" in resolved.base or not resolved.base else resolved.base
        # A header's typedef of a struct is not seen: most have the name of the struct.
        return None if "#" in name or name in ("", "void") else name.removeprefix("struct ").removeprefix("union ")

    def class_of(self, kind: CType) -> str | None:
        """`class_name`, of a class of which one object stands for all."""
        name = self.class_name(kind)
        if name and name not in self.classes:
            self.classes.add(name)
            self.emit("instance", name, f"{name} object")
        return name

    # Memory.

    def object_of(self, value: Value, depth: int = 6) -> Value:
        """The pointer that stands for the object which `value` points into."""
        fn = self.fn
        value = fn.resolve(value)
        passed: set[Value] = set()
        while value in self.objects and value not in passed:  # a phi may have become what was made of it
            passed.add(value)
            value = fn.resolve(self.objects[value])
        if not depth or value in fn.carried or value in self.renamed:
            return value
        operands = fn.operands(value)
        if operands is not None:
            found = {self.object_of(operand, depth - 1) for operand in operands if operand not in (value, UNDEFINED)}
            return found.pop() if len(found) == 1 and UNDEFINED not in found else value
        root = fn.roots[value]
        return value if root in (value, UNDEFINED) else self.object_of(root, depth - 1)

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
        fresh = key is not None and (self.read_at.get(key) == self.epoch or self.private(key))
        if plain and fresh:
            return content
        value = self.value(what, place.node)
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

    def private(self, key: Key) -> bool:
        """Whether only this function changes the content of a path."""
        return False

    def is_nonnull(self, value: Value) -> bool:
        fn = self.fn
        return value in fn.nonnull or fn.content((fn.root(value), NONNULL)) == fn.opaque

    def read_variable(self, variable: Variable, node: Node) -> Value:
        fn = self.fn
        if variable.function:
            value = fn.fixed_value(variable.cell)
            fn.nonnull.add(value)
            return value
        if variable.address is not None:
            if self.in_memory_whole(variable):
                return self.address(variable)
            return self.read(Place(node, None, self.address(variable), "*", "*"), variable.name)
        key = variable.key
        if not variable.cell:
            value = fn.read(key)
            return value if value != UNDEFINED else fn.opaque
        # Shared with other functions: followed until a call may change it.
        fn.entry_values.setdefault(key, fn.fixed_value(variable.cell))
        value = fn.read(key)
        if value == UNDEFINED:
            value = fn.fixed_value(variable.cell)
        elif self.read_at.get(key, 0) != self.epoch:
            again = self.value(variable.name, node)
            fn.define(again, "assign_object", again, fn.fixed_value(variable.cell))
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
            address = fn.fixed_value(variable.cell if self.in_memory_whole(variable) else f"{variable.cell} address")
            fn.nonnull.add(address)
            self.addresses.add(address)
            return address
        return variable.address

    def write(self, place: Place, value: Value, node: Node) -> None:
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
        if place.base in (UNDEFINED, fn.opaque):
            return
        self.emit("store", place.base, place.field, value)
        if place.field not in self.written_fields:
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
        return self.object_of(value) in self.stack

    def write_variable(self, variable: Variable, value: Value, node: Node) -> None:
        fn = self.fn
        if variable.cell and self.points_to_stack(value):
            value = self.kept_value(variable.name, value, node, variable.key)
        self.assign(variable.key, value)
        if value in self.call_results:
            self.emit("named", value)
        if variable.cell and not variable.type.arithmetic:
            fn.entry_values.setdefault(variable.key, fn.fixed_value(variable.cell))
            self.emit("assign_object", fn.fixed_value(variable.cell), value)
            self.read_at[variable.key] = self.epoch
            self.shared[variable.key] = variable
            if value == fn.opaque or self.is_nonnull(value):
                self.emit("variable_set", variable.cell)

    def copy(self, target: Value, source: Value) -> None:
        """A struct is assigned: what both are known by is their addresses."""
        fn = self.fn
        self.emit("copies", target, source)
        into, origin = fn.root(target), fn.root(source)
        for known in list(fn.fields_of.get(into, ())):
            if not known.startswith("$"):
                fn.write((into, known), fn.unknown)
        for known in list(fn.fields_of.get(origin, ())):
            if not known.startswith("$"):
                fn.write((into, known), fn.read((origin, known)))
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

    # Guards and uses.

    def guarded(self, guarded: Value, current: Value) -> None:
        self.objects[guarded] = current

    def tests_of(self, node: Node, value: Value) -> Tests:
        yes, no = super().tests_of(node, value)
        return yes, no + self.tested(node, value, nonnull=False)

    def refine(self, refinements: Iterable[Refinement]) -> None:
        refinements = list(refinements)
        super().refine(refinements)
        for _, root, nonnull in refinements:
            if root == UNDEFINED:
                continue
            if nonnull:
                self.fn.write((root, NONNULL), self.fn.opaque)
            else:  # there is nothing that could be freed
                self.fn.write((root, FREED), self.fn.opaque)
                moved = self.moves.get(root)
                if moved is not None:
                    self.fn.write((moved[0], FREED), moved[1])

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> None:
        fn = self.fn
        value = fn.resolve(value)
        if value in (UNDEFINED, fn.opaque) or not fn.reachable():
            return
        self.use(value, what, kind, node)
        if not self.is_nonnull(value):
            super().dereference(value, what, kind, self.at(node), keys)
            fn.write((fn.root(value), NONNULL), fn.opaque)

    def use(self, value: Value, what: str, kind: str, node: Node) -> None:
        """The object that `value` points to is used: it must not have been freed."""
        fn = self.fn
        target = self.object_of(value)
        state = fn.content((target, FREED)) if FREED in fn.fields_of.get(target, ()) else UNDEFINED
        if state not in (UNDEFINED, self.alive, fn.opaque) and fn.reachable() and self.comes_from(state, self.states):
            self.emit("use_freed", self.value(what, node), state, kind, self.live())
            fn.write((target, FREED), self.alive)

    def comes_from(self, state: Value, sources: set[Value]) -> bool:
        """Whether a state may be one of `sources`; so it may be where not all ways to here are known yet."""
        fn = self.fn
        seen: set[Value] = set()
        todo = [state]
        while todo:
            current = fn.resolve(todo.pop())
            operands = fn.operands(current)
            if current in sources or operands == []:
                return True
            if current not in seen:
                seen.add(current)
                todo.extend(operands or ())
        return False

    # Dispatch.

    def pointer(self, node: Node, kind: CType = UNKNOWN) -> Value:
        """The value of an expression that stands where a pointer may: `0` is null there."""
        if self.is_zero(node) and not kind.arithmetic:
            return self.null("NULL", node, "literal")
        return self.expression(node)

    def is_zero(self, node: Node) -> bool:
        kind = node.type
        if kind == "number_literal":
            return text(node) in ("0", "0L", "0x0", "0UL")
        if kind == "null":
            return True
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.is_zero(node.named_children[0])
        if kind == "cast_expression":
            value = node.child_by_field_name("value")
            return value is not None and self.is_zero(value)
        if kind == "identifier":
            bound = self.bound(text(node))
            if bound is not None:
                with self.within(bound.frame):
                    return self.is_zero(bound.node)
            macro = self.macros.get(text(node))
            if macro is not None and macro.parameters is None and self.variable(text(node)) is None:
                body = macro.body.strip()
                return body in ("0", "NULL", "(0)") or "*)0" in body.replace(" ", "")
        return False

    def statement(self, node: Node) -> None:
        if not self.fn.reachable() and not self.has_landmark(node):
            return
        if self.fn.reachable():
            super().statement(node)
            return
        handler = self.statements.get(node.type)
        if handler is not None:
            handler(self, node)

    def has_landmark(self, node: Node) -> bool:
        """Whether a label or a case is in the node, so that it can be reached from elsewhere."""
        if self.frame is not None:
            return False
        start, end = node.start_byte, node.end_byte
        return any(start <= place < end for place in self.landmarks)

    def is_function(self, name: str) -> bool:
        """Whether the file defines a function of that name."""
        variable = self.variable(name) if name else None
        return variable is not None and variable.function

    def is_address(self, value: Value) -> bool:
        """Whether a value is the address of a variable."""
        return value in self.stack or value in self.addresses

    def file_declaration(self, node: Node) -> None:
        """A declaration outside of functions."""
        raise NotImplementedError

    def unwritten(self, loop: Node) -> frozenset[str]:
        """Keys of variables that a loop does not give another value."""
        parts = [loop]
        if self.frame is not None:
            parts = [bound.node for name, bound in self.frame.arguments.items() if name]
            outer = self.frame.arguments[""].frame
            if self.frame.macro.assigns or outer is not None:
                return frozenset()
        written: set[str] = set()
        for part in parts:
            names = self.written_between(part.start_byte, part.end_byte)
            if names is None:
                return frozenset()
            written |= names
        return frozenset(
            variable.key
            for scope in self.scopes
            for name, variable in scope.items()
            if name not in written and not variable.cell and variable.address is None
        )

    def written_between(self, start: int, end: int) -> set[str] | None:
        """Names that are assigned to in a part of the file; None where that is not known."""
        raise NotImplementedError

    # Leaving a function.

    def leave_with(self, value: Value | None, status: int | None, node: Node) -> None:
        """Control leaves the function with `value`, which is the number `status` where that is known."""
        fn = self.fn
        if not fn.reachable():
            fn.stop()
            return
        live = self.live()
        left = self.value("exit", node)
        if status is not None and abs(status) > LARGEST:
            status = None
        if status is None and value is not None and self.types.resolve(self.returns).pointer and self.is_nonnull(value):
            status = 1 if value != fn.opaque else None
        paths = []
        for formal in fn.formals:
            for name in fn.fields_of.get(formal, ()):
                if name.startswith("$") or name not in self.cleared:
                    continue
                content = fn.content((formal, name))
                if content != UNDEFINED and content not in fn.nonnull:
                    paths.append((formal, name, content))
        self.exits.append(Exit(left, live, status, fn.block, paths))
        for key, variable in self.shared.items():
            content = fn.read(key)
            if content in (UNDEFINED, fn.opaque) or self.is_nonnull(content):
                self.emit("variable_set", variable.cell)
            else:
                self.emit("variable_left", variable.cell, content, live)
        self._leave_kept(value, left, live)
        quiet = value == fn.opaque or self.types.resolve(self.returns).arithmetic
        self.leave(None if quiet else value)

    def _leave_kept(self, value: Value | None, left: Value, live: Value) -> None:
        """Addresses of variables that end here and are still held by what does not."""
        fn = self.fn
        for key in dict.fromkeys(self.kept):
            for stored in self._alternatives(fn.read(key)):
                target = self.object_of(stored)
                if target in self.stack and stored != target:
                    self.emit("outlives", stored, target, live)
        for returned in self._alternatives(value) if value is not None else ():
            target = self.object_of(returned)
            if target in self.stack:
                self.emit("outlives", left, target, live)

    def _alternatives(self, value: Value) -> list[Value]:
        """The values that a phi joins, or the value itself."""
        operands = self.fn.operands(value)
        return [self.fn.resolve(operand) for operand in operands] if operands is not None else [self.fn.resolve(value)]

    def _write_freed(self) -> None:
        """Write what is left of the objects of the parameters, as far as calls may have freed them."""
        fn = self.fn
        reached = [(formal, formal, "") for formal in fn.formals]
        reached += [(value, formal, name) for value, (formal, name) in self.first_reads.items()]
        for value, formal, name in reached:
            if value not in self.touched:
                continue
            for left in self.exits:
                state = fn.content((value, FREED), left.block)
                if state == UNDEFINED and fn.content((formal, FREED), left.block) != fn.opaque:
                    state = self.alive
                if state not in (UNDEFINED, fn.opaque):
                    self.emit("freed_exit", self.symbol, formal, name, state, left.live)

    def write_exits(self) -> None:
        """Write how the function is left, as far as that tells callers something."""
        fn = self.fn
        self._write_freed()
        if not self.exits:
            for variable in self.shared.values():
                self.emit("variable_set", variable.cell)
        shown = [
            {formal for formal in fn.formals if fn.content((formal, NONNULL), left.block) == fn.opaque}
            for left in self.exits
        ]
        told = set().union(*shown) - fn.nonnull
        if not told and not (len(self.exits) > 1 and any(left.paths for left in self.exits)):
            return
        for left, known in zip(self.exits, shown, strict=True):
            self.emit("exit", left.value, self.symbol, left.live)
            if left.status is None:
                self.emit("exit_any", left.value)
            else:
                self.emit("exit_status", left.value, left.status)
            for formal in fn.formals:
                if formal in told:
                    self.emit("exit_shown" if formal in known else "exit_unknown", left.value, formal)
            for formal, name, content in left.paths:
                self.emit("exit_path", left.value, formal, name, content)
