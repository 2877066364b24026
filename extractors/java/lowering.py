"""A Java file to facts: variables, fields, types and the functions that wait to be lowered.

`expressions`, `conditions`, `statements`, `switches` and `classes` each add handlers by the node types of
tree-sitter-java; what all languages share is in `extractors.lowering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from tree_sitter import Node

from pliant.extractors.java import helpers, names
from pliant.extractors.java.declarations import CLASSES, Captured, Class, Field, Frame, Namer, declare
from pliant.extractors.java.of_function import OfFunction
from pliant.extractors.java.types import DULL, bare, erased, is_primitive
from pliant.extractors.lowering import base
from pliant.extractors.lowering.base import Expression, Statement
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.ssa import UNDEFINED, Block, Key, Path, Refinement, Value
from pliant.extractors.writer import FactWriter

if TYPE_CHECKING:
    from pliant.extractors.java import evaluation
    from pliant.extractors.java.type_arguments import Type

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}

ARRAY = "java.lang.Object[]"  # the class of all arrays
_LONGEST_NAME = 1000  # of a lambda or local class, with the functions and classes around it
_NULL_POINTER = frozenset(("NullPointerException",))


@dataclass(slots=True)
class Pending:
    """A function whose body is lowered when the one around it is done."""

    symbol: str
    class_: Class | None
    static: bool
    lower: Callable[[], None]
    node: Node
    captures: dict[str, Captured] = field(default_factory=dict)
    frame: Frame | None = None


class Lowering(base.Lowering, OfFunction):
    expressions: ClassVar[dict[str, Expression]] = EXPRESSIONS
    statements: ClassVar[dict[str, Statement]] = STATEMENTS
    null_name = "null"
    correlates = True
    skipped = frozenset(("line_comment", "block_comment"))

    def __init__(self, root: Node, writer: FactWriter, fields: tuple[frozenset[str], frozenset[str]]) -> None:
        super().__init__(root, writer, "|<module>", *fields)
        self.forget_function()
        self.namer = Namer()
        self.package = ""
        self.imports: dict[str, tuple[str, list[str]]] = {}  # simple name -> package, names inside it
        self.stars: list[str] = []  # packages whose names are all imported
        self.static_imports: dict[str, tuple[str, list[str]]] = {}  # member -> package, names of its class
        self.static_stars: list[tuple[str, list[str]]] = []
        self.classes: dict[str, Class] = {}  # top-level classes
        self.pending: list[Pending] = []
        self.type_values: set[str] = set()  # symbols of types that have been declared
        self.class_: Class | None = None
        self.static = True
        self.captures: dict[str, Captured] = {}
        self.frame = Frame(None)
        self.annotated = False  # whether the file says of type arguments that they take null: else none is looked at
        self.type_use = False  # whether an annotation in front of an array speaks of its elements
        self.arrays_twice: frozenset[str] = frozenset()
        # What calls of methods of this file do (`outcomes`).
        self.ways: dict[tuple[object, ...], list[evaluation.Way]] = {}
        self.small_methods: dict[str, tuple[bool, bool]] = {}
        self.members_twice: frozenset[str] | None = None
        self.ruled_out: list[tuple[str, str, frozenset[int]]] = []  # call, method, the returns that it may reach
        self.return_nulls: dict[str, dict[int, str]] = {}  # method -> where it returns a null that is written -> that

    def null_errors(self, kind: str) -> frozenset[str]:
        return _NULL_POINTER

    def begin(self, pending: Pending) -> None:
        self.start_function(pending.symbol)
        self.class_, self.static, self.captures = pending.class_, pending.static, pending.captures
        self.frame = Frame(pending.frame, start=True)
        self.forget_function()

    def end(self) -> None:
        """The function has been lowered."""
        for value, content in self.reads:
            if content == UNDEFINED or self.fn.may_be(content, self.fn.unknown) or self.fn.is_entry(content):
                self.emit("unknown_content", value)
                continue
            for call in self.fn.calls_since_unknown(content):
                self.emit("unknown_before", value, call)
        for holder, name in self.writes.values() if not self.left else ():
            self.emit("attribute_set", holder, name)
        helpers.write_exits(self)
        self.fn.finish()

    def guarded(self, guarded: Value, current: Value) -> None:
        if not self.using:
            self.tested_roots.add(self.fn.root(current))

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> Value:
        self.using = True
        site = super().dereference(value, what, kind, node, keys)
        self.using = False
        return site

    def store_field(self, base: Value, name: str, value: Value, node: Node) -> None:
        super().store_field(base, name, value, node)
        self.stored.add(self.fn.root(base))
        self.written(base, name, value, self.fn.path(base, name))
        self.fn.wrote(base, name, value)

    def written(self, base: Value, name: str, value: Value, path: Path | None) -> None:
        """Note that an attribute (`[]`: an element) of `base` was written; path: where what it holds is followed."""
        if self._may_be_null(value):
            self.emit("attribute_written", base, name, value)
        else:
            self.emit("attribute_set", base, name)
        if path is not None:
            self.writes[path] = (base, name)

    def tested(self, node: Node, value: Value, *, nonnull: bool) -> list[Refinement]:
        found = super().tested(node, value, nonnull=nonnull)
        return found + names.others(self, found) if self.names_of else found

    def note_tested_null(self, node: Node, shown: Iterable[Refinement]) -> None:
        super().note_tested_null(node, [each for each in shown if not names.declared_not_null(self, each[1])])

    def leave_written(self) -> None:
        """Note what the function leaves in the attributes that it has written."""
        if self.fn.reachable():
            self.left = True
            for path, (base, name) in self.writes.items():
                value = self.fn.content(path)
                if self._may_be_null(value):
                    self.emit("attribute_left", base, name, value, self.live())
                else:
                    self.emit("attribute_set", base, name)

    def _may_be_null(self, value: Value, _: Block | None = None) -> bool:
        return value not in (UNDEFINED, self.fn.opaque) and value not in self.fn.nonnull

    def literal(self, content: object) -> Value:
        """The value of a constant that is written."""
        value = self.fn.unnamed()
        self.fn.constants[value] = content
        return value

    # Local variables.

    def known_to_be_null(self, value: Value) -> bool:
        """Whether a value is null, or one of what it joins is, as far as it was lowered."""
        value = self.fn.resolve(value)
        operands = self.fn.operands(value)
        return value in self.known_null or any(self.is_literal_null(each) for each in operands or (value,))

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
        for class_ in self.class_.chain():
            if name in class_.fields:
                return None
            if name in class_.captures:
                return class_.captures[name]
        return None

    def capture(self, symbol: str, node: Node) -> dict[str, Captured]:
        """What the code in `node`, which will be function or class `symbol`, takes from the variables here."""
        found: dict[str, Captured] = {}
        todo = [node]
        while todo:
            current = todo.pop()
            if current.type == "identifier":
                name = text(current)
                if name not in found and (known := self._capture(symbol, name)) is not None:
                    found[name] = known
            else:
                todo.extend(current.named_children)
        return found

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

    # Types that are known without other files.

    def static_type(self, node: Node) -> str:
        """The type of an expression as far as this file tells; empty where it does not."""
        kind = node.type
        known = _LITERAL_TYPES.get(kind)
        if known is not None:
            return known
        if kind == "identifier":
            name = text(node)
            key = self.local(name)
            if key is not None:
                return self.types[key]
            captured = self.captured(name)
            if captured is not None:
                return captured.type_name
            owner = self.field_owner(name)
            return owner[1].type_name if owner is not None else ""
        if kind == "parenthesized_expression":
            inner = elements(node)
            return self.static_type(inner[0]) if inner else ""
        if kind in ("cast_expression", "object_creation_expression"):
            declared = node.child_by_field_name("type")
            return erased(declared) if declared is not None else ""
        if kind == "field_access":
            base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
            if name_node is None or base_node is None:
                return ""
            if text(name_node) == "length":
                return "int"
            if base_node.type == "this":
                known_field = self.class_.fields.get(text(name_node)) if self.class_ is not None else None
                return known_field.type_name if known_field is not None else ""
            return ""
        if kind == "array_access":
            array = node.child_by_field_name("array")
            name = self.static_type(array) if array is not None else ""
            return name[:-2] if name.endswith("[]") else ""
        if kind == "method_invocation":
            return self._result_type(node)
        if kind == "binary_expression":
            return self._binary_type(node)
        if kind in ("unary_expression", "update_expression"):
            inner = elements(node)
            operand = self.static_type(inner[-1]) if inner else ""
            return operand if is_primitive(operand) else "int"
        if kind == "assignment_expression":
            left = node.child_by_field_name("left")
            return self.static_type(left) if left is not None else ""
        if kind == "ternary_expression":
            consequence = node.child_by_field_name("consequence")
            return self.static_type(consequence) if consequence is not None else ""
        return ""

    def _binary_type(self, node: Node) -> str:
        operator = node.child_by_field_name("operator")
        what = text(operator) if operator is not None else ""
        if what in _BOOLEAN_OPERATORS:
            return "boolean"
        operands = [node.child_by_field_name("left"), node.child_by_field_name("right")]
        kinds = [self.static_type(operand) if operand is not None else "" for operand in operands]
        if what == "+" and "String" in kinds:
            return "String"
        if what == "+" and "" in kinds:
            return ""
        return next((kind for kind in kinds if is_primitive(kind)), "int" if what != "+" else "")

    def _result_type(self, node: Node) -> str:
        name_node, base_node = node.child_by_field_name("name"), node.child_by_field_name("object")
        name = text(name_node) if name_node is not None else ""
        if base_node is None or base_node.type == "this":
            arguments = elements(node.child_by_field_name("arguments"))
            for class_ in self.class_.chain() if self.class_ is not None else ():
                if name in class_.methods:
                    found = {m.type_name for m in class_.methods[name] if len(m.parameters) == len(arguments)}
                    return found.pop() if len(found) == 1 else ""
        return PRIMITIVE_RESULTS.get(name, "")


PRIMITIVE_RESULTS = {
    **dict.fromkeys(("size", "length", "indexOf", "lastIndexOf", "hashCode", "compareTo", "compare", "ordinal"), "int"),
    **dict.fromkeys(("equals", "isEmpty", "contains", "containsKey", "hasNext", "startsWith", "endsWith"), "boolean"),
    **dict.fromkeys(("equalsIgnoreCase", "matches", "isPresent", "containsValue", "isBlank"), "boolean"),
    **dict.fromkeys(("intValue", "parseInt", "nextInt", "bitCount"), "int"),
    **dict.fromkeys(("longValue", "parseLong", "currentTimeMillis", "nanoTime", "nextLong"), "long"),
    **dict.fromkeys(("doubleValue", "parseDouble", "nextDouble", "sqrt", "pow", "sin", "cos", "exp", "log"), "double"),
    **dict.fromkeys(("charAt", "charValue"), "char"),
    **dict.fromkeys(("trim", "toString", "substring", "toLowerCase", "toUpperCase", "concat", "format"), "String"),
}
_BOOLEAN_OPERATORS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_LITERAL_TYPES = {
    "string_literal": "String",
    "decimal_integer_literal": "int",
    "hex_integer_literal": "int",
    "octal_integer_literal": "int",
    "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double",
    "hex_floating_point_literal": "double",
    "character_literal": "char",
    "true": "boolean",
    "false": "boolean",
    "instanceof_expression": "boolean",
}


__all__ = ["ARRAY", "CLASSES", "EXPRESSIONS", "STATEMENTS", "Frame", "Lowering", "Pending", "span"]
