"""What names mean where code stands: local variables, those of the code around it, classes, fields."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.java.declarations import Captured, Class, Field, Frame, Namer, declare
from pliant.extractors.java.of_function import OfFunction
from pliant.extractors.java.types import DULL, bare, erased
from pliant.extractors.lowering import base
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import UNDEFINED, Key, Value
from pliant.extractors.writer import FactWriter

if TYPE_CHECKING:
    from pliant.extractors.java.written_types import Type

_LONGEST_NAME = 1000  # of a lambda or local class, with the functions and classes around it


class Scope(base.Lowering, OfFunction):
    def __init__(
        self, root: Node, writer: FactWriter, left_out: LeftOut, fields: tuple[frozenset[str], frozenset[str]]
    ) -> None:
        super().__init__(root, writer, left_out, "|<module>", *fields)
        self.forget_function()
        self.namer = Namer()
        self.package = ""
        self.imports: dict[str, tuple[str, list[str]]] = {}  # simple name -> package, names inside it
        self.stars: list[str] = []  # packages whose names are all imported
        self.static_imports: dict[str, tuple[str, list[str]]] = {}  # member -> package, names of its class
        self.static_stars: list[tuple[str, list[str]]] = []
        self.classes: dict[str, Class] = {}  # top-level classes
        self.type_values: set[str] = set()  # symbols of types that have been declared
        self.class_: Class | None = None
        self.static = True
        self.captures: dict[str, Captured] = {}
        self.frame = Frame(None)
        self._captured: list[tuple[int, int, list[tuple[int, str]]]] = []  # code that was asked for its identifiers

    def declare_variable(self, name: str, type_name: str, value: Value, written: Type | None = None) -> Key:
        """A new variable of the current block. written: its type with arguments, where that is looked at."""
        count = self.redeclared.get(name, 0)
        self.redeclared[name] = count + 1
        key = name if name and not count else f"{name}#{count}"  # a name that the parser made up is empty
        self.frame.names[name] = key
        self.types[key] = type_name
        if written is not None:
            self.written_types[key] = written
        self.assign(key, value)
        return key

    def local(self, name: str) -> str | None:
        """The key of a variable of this function."""
        frame: Frame | None = self.frame
        while frame is not None:
            key = frame.names.get(name)
            if key is not None:
                return key
            frame = None if frame.start else frame.outer
        return None

    def captured(self, name: str) -> Captured | None:
        """A variable of the code around this lambda or local class."""
        found = self.captures.get(name)
        if found is not None or self.class_ is None:
            return found
        for number, class_ in enumerate(self.class_.chain()):
            if number:
                self.fn.spend(1)
            if name in class_.fields:
                return None
            if name in class_.captures:
                return class_.captures[name]
        return None

    def capture(self, symbol: str, node: Node) -> dict[str, Captured]:
        """What the code in `node`, which will be function or class `symbol`, takes from the variables here."""
        names = self._identifiers(node)
        first = bisect_left(names, (node.start_byte, ""))
        last = bisect_left(names, (node.end_byte, ""))
        self.fn.spend(last - first)
        found: dict[str, Captured] = {}
        for name in dict.fromkeys(name for _, name in reversed(names[first:last])):
            if (known := self._capture(symbol, name)) is not None:
                found[name] = known
        return found

    def _identifiers(self, node: Node) -> list[tuple[int, str]]:
        """The identifiers of `node` and of what was asked around it, by their places."""
        at = bisect_right(self._captured, node.start_byte, key=lambda each: each[0])
        if not at or self._captured[at - 1][1] < node.end_byte:
            names = [(each.start_byte, text(each)) for each in self.identifiers(node)]
            self._captured.insert(at, (node.start_byte, node.end_byte, names))
            return names
        return self._captured[at - 1][2]

    def identifiers(self, node: Node) -> list[Node]:
        """All in `node`, in their order."""
        raise NotImplementedError

    def _capture(self, symbol: str, name: str) -> Captured | None:
        key = self.local(name)
        if key is None:
            return self.captured(name)
        value = self.fn.read(key)
        cell = f"{symbol}|{name}|captured"
        if value == UNDEFINED:
            return Captured(cell, True, self.types[key])
        self.emit("assign", self.fn.fixed_value(cell), value)
        self.fn.escaped(value)
        return Captured(cell, value in self.fn.nonnull, self.types[key])

    # Classes and types.

    def this(self) -> Value:
        """The receiver of the code that is being lowered."""
        if self.this_value == UNDEFINED and self.class_ is not None:
            self.this_value = self.this_of(self.class_)
        return self.this_value if self.this_value != UNDEFINED else self.opaque()

    def this_of(self, class_: Class) -> Value:
        """The object of a class around this code."""
        if class_ is self.class_ and self.this_value != UNDEFINED:
            return self.this_value
        symbol = f"{self.symbol}|{class_.name}.this|1"
        known = symbol in self.fn.fixed
        value = self.fn.fixed_value(symbol)
        if not known:
            self.fn.nonnull.add(value)
            self.emit("new", value, class_.instance, class_.symbol)
        return value

    def class_value(self, class_: Class) -> Value:
        return self._declared_type(f"|<module>|class {class_.symbol[1:].replace('|', ' ')}|1", "holds", class_.symbol)

    def _declared_type(self, symbol: str, relation: str, *entries: str) -> Value:
        value = self.fn.fixed_value(symbol)
        self.fn.nonnull.add(value)
        if symbol not in self.type_values:
            self.type_values.add(symbol)
            self.emit(relation, value, *entries)
        return value

    def find_class(self, name: str) -> Class | None:
        """The class of this file that a simple name means here."""
        frame: Frame | None = self.frame
        while frame is not None:
            if name in frame.classes:
                return frame.classes[name]
            frame = frame.outer
        for class_ in self.class_.chain() if self.class_ is not None else ():
            if name in class_.inner:
                return class_.inner[name]
            if name == class_.name:
                return class_
            local = class_.frame
            while local is not None:
                if name in local.classes:
                    return local.classes[name]
                local = local.outer
        return self.classes.get(name)

    def is_type_parameter(self, name: str) -> bool:
        return self.class_ is not None and any(name in class_.type_parameters for class_ in self.class_.chain())

    def type_value(self, name: str) -> Value:
        """What holds the class that a name, perhaps a dotted one, means here."""
        parts = [part for part in name.split(".") if part]
        if not parts:
            return self.opaque()
        class_ = self.find_class(parts[0])
        if class_ is not None:
            while len(parts) > 1 and parts[1] in class_.inner:
                class_ = class_.inner[parts.pop(1)]
            return self._members(self.class_value(class_), name, parts[1:])
        if parts[0] in self.imports:
            package, names = self.imports[parts[0]]
            return self._imported(package, [*names, *parts[1:]])
        if parts[0][:1].islower() and len(parts) > 1:
            split = next((number for number, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
            return self._imported(".".join(parts[:split]), parts[split:])
        symbol = f"|<module>|type {parts[0]}|1"
        value = self.fn.fixed_value(symbol)
        self.fn.nonnull.add(value)
        if symbol not in self.type_values:
            self.type_values.add(symbol)
            self.fn.spend(2 * len(self.stars))
            for package in (self.package, *self.stars, "java.lang"):
                self.emit("import_from", value, package, parts[0])
        return self._members(value, name, parts[1:])

    def _imported(self, package: str, names: list[str]) -> Value:
        value = self._declared_type(f"|<module>|type {package}.{names[0]}|1", "import_from", package, names[0])
        return self._members(value, f"{package}.{names[0]}", names[1:])

    def _members(self, value: Value, name: str, members: list[str]) -> Value:
        for member in members:
            name = f"{name}.{member}"
            value_of = self.fn.fixed_value(f"|<module>|type {name}|1")
            self.fn.nonnull.add(value_of)
            if f"member {name}" not in self.type_values:
                self.type_values.add(f"member {name}")
                self.emit("load", value_of, value, member)
            value = value_of
        return value

    def declared(self, value: Value | str, node: Node | None) -> None:
        """Note the class that a type gives `value`."""
        if node is None:
            return
        name = erased(node)
        if name.endswith("[]") or name in DULL or bare(node).type not in ("type_identifier", "scoped_type_identifier"):
            return
        if not self.is_type_parameter(name):
            self.emit("typed", value, self.type_value(name))

    def deeper(self, qualname: str) -> str:
        """The qualified name of a function or class in the code of a function; its length bounds how deep they nest."""
        if len(qualname) > _LONGEST_NAME:
            raise RecursionError
        return qualname

    def declare_local_class(self, node: Node, qualname: str, *, static: bool = False) -> Class:
        """A class in the code of a function, anonymous or with a name; its methods wait to be lowered."""
        class_ = declare(node, self.class_, self.deeper(qualname), self.namer, static=static)
        class_.frame = self.frame
        if class_.name:
            self.frame.classes[class_.name] = class_
        return class_

    # Fields.

    def field_owner(self, name: str) -> tuple[Class, Field] | None:
        """The innermost class around this code that has a field of that name, of its own or from a class around it that
        it is derived from."""
        passed: list[Class] = []
        for class_ in self.class_.chain() if self.class_ is not None else ():
            known = class_.fields.get(name)
            if known is not None:
                heirs = [] if known.static else [heir for heir in passed if self._derived(heir, class_)]
                return (heirs or [class_])[0], known
            passed.append(class_)
        return None

    def _derived(self, class_: Class, other: Class) -> bool:
        """Whether a class of this file names another one among its bases."""
        return any(self.find_class(erased(base)) is other for base in class_.bases)

    def field_base(self, class_: Class, known: Field) -> Value:
        """The object (or class) whose field an unqualified name is."""
        return self.class_value(class_) if known.static else self.this_of(class_)

    def inherits(self) -> Class | None:
        """The innermost class around this code that has bases, in which names may be looked for."""
        for class_ in self.class_.chain() if self.class_ is not None else ():
            if class_.bases:
                return class_
        return None
