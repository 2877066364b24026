"""What the classes of a file declare, read before any code is lowered: a name may be used above its declaration."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from pliant.extractors.java.types import NONNULL, NULLABLE, annotation_names, erased, is_nullable, is_primitive
from pliant.extractors.lowering.source import COMMENTS, elements, text
from pliant.extractors.writer import LONGEST_NAME, shortened

CLASSES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "interface",
}
_SURE = frozenset(
    [
        "object_creation_expression",
        "array_initializer",
        "array_creation_expression",
        "string_literal",
        "enum_constant",
        "lambda_expression",
        "class_literal",
        "method_reference",
    ]
)
VARARGS = 6  # how many arguments more than parameters are looked for


@dataclass(slots=True)
class Field:
    """A field, a record's component or an enum's constant. node: of its name; value: its initialiser."""

    name: str
    type: Node | None
    type_name: str
    node: Node
    value: Node | None = None
    static: bool = False
    final: bool = False
    private: bool = False
    volatile: bool = False
    nullable: bool = False

    @property
    def primitive(self) -> bool:
        return is_primitive(self.type_name)

    @property
    def sure(self) -> bool:
        """Whether it never holds null, by its initialiser."""
        return self.final and self.value is not None and self.value.type in _SURE


@dataclass(slots=True)
class Parameter:
    name: str
    type: Node | None
    type_name: str
    node: Node
    nullable: bool
    rest: bool


@dataclass(slots=True)
class Method:
    """node: None where the language provides it; name: `<init> Class` for constructors."""

    symbol: str
    name: str
    node: Node | None
    place: Node
    parameters: list[Parameter]
    type: Node | None = None
    type_name: str = ""
    static: bool = False
    nullable: bool = False
    private: bool = False
    final: bool = False
    nonnull: bool = False

    @property
    def keys(self) -> list[str]:
        """The names under which calls find it: the name and the number of arguments."""
        count = len(self.parameters)
        if self.parameters and self.parameters[-1].rest:
            return [f"{self.name}/{number}" for number in range(count - 1, count + VARARGS)]
        return [f"{self.name}/{count}"]


@dataclass(slots=True)
class Captured:
    """A variable of the code around a lambda or class: the cell that holds it there, and what is known of it."""

    cell: str
    nonnull: bool
    type_name: str


@dataclass(slots=True, eq=False)
class Class:
    """bases: the types that it extends or implements; inner: its member classes; captures: variables of the code
    around a local or anonymous class."""

    symbol: str
    name: str
    kind: str
    node: Node
    outer: Class | None
    static: bool
    final: bool = False
    bases: list[Node] = field(default_factory=list)
    fields: dict[str, Field] = field(default_factory=dict)
    methods: dict[str, list[Method]] = field(default_factory=dict)
    inner: dict[str, Class] = field(default_factory=dict)
    type_parameters: frozenset[str] = frozenset()
    initialisers: list[Node] = field(default_factory=list)
    captures: dict[str, Captured] = field(default_factory=dict)
    frame: Frame | None = None  # where local classes are looked for
    arities: dict[str, Counter[int]] = field(default_factory=dict)  # of `overloads`

    def overloads(self, name: str, count: int) -> int:
        """How many methods of a name have so many parameters; asked when all are known."""
        if name not in self.arities:
            self.arities[name] = Counter(len(method.parameters) for method in self.methods[name])
        return self.arities[name][count]

    @property
    def instance(self) -> str:
        return f"{self.symbol}|instance"

    def chain(self) -> Iterator[Class]:
        """This class and those around it."""
        current: Class | None = self
        while current is not None:
            yield current
            current = current.outer

    @property
    def constructor(self) -> str:
        """The name of its constructors."""
        return constructor_name(self.name)

    def constructors(self) -> list[Method]:
        return self.methods.get(self.constructor, [])


class Frame:
    """The local names of a block: variables and classes. start: the outermost block of a function."""

    __slots__ = ("classes", "names", "outer", "start")

    def __init__(self, outer: Frame | None, *, start: bool = False) -> None:
        self.outer = outer
        self.start = start
        self.names: dict[str, str] = {}  # name -> key
        self.classes: dict[str, Class] = {}


def constructor_name(class_name: str) -> str:
    return f"<init> {class_name.rsplit('.', 1)[-1]}"


class Namer:
    """Gives each definition of a file a symbol of its own. type_use: the file's annotations in front of arrays speak of
    their elements."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self.type_use = False

    def __call__(self, qualname: str) -> str:
        if len(qualname) > LONGEST_NAME:
            qualname = shortened(qualname)
        count = self._counts.get(qualname, 0) + 1
        self._counts[qualname] = count
        return f"|{qualname}" if count == 1 else f"|{qualname}#{count}"


def modifiers_node(node: Node | None) -> Node | None:
    """What stands in front of a declaration."""
    return next((child for child in node.children if child.type == "modifiers"), None) if node is not None else None


def modifiers_of(node: Node) -> tuple[frozenset[str], frozenset[str]]:
    """The words and the simple names of the annotations in front of a declaration."""
    for child in node.children:
        if child.type == "modifiers":
            words = frozenset(part.type for part in child.children if not part.is_named)
            return words, annotation_names(child)
        if child.is_named and child.type not in COMMENTS:
            break
    return frozenset(), frozenset()


def declare(node: Node, outer: Class | None, qualname: str, namer: Namer, *, static: bool = False) -> Class:
    """The class that a declaration (or the body of an anonymous class) makes, and those inside it."""
    kind = CLASSES.get(node.type, "class")
    name_node = node.child_by_field_name("name")
    name = text(name_node) if name_node is not None and node.type in CLASSES else ""
    words, _ = modifiers_of(node) if node.type in CLASSES else (frozenset(), frozenset())
    inside = outer is not None and outer.kind == "interface"
    found = Class(
        namer(qualname), name, kind, node, outer, static or "static" in words or kind != "class" or inside or not outer
    )
    found.final = "final" in words or kind == "record" or node.type == "class_body"
    found.type_parameters = frozenset(
        text(part.named_children[-1 if part.named_children[0].type == "annotation" else 0])
        for part in elements(node.child_by_field_name("type_parameters"))
        if part.type == "type_parameter" and part.named_children
    )
    for child in node.children:
        if child.type == "superclass":
            found.bases += elements(child)
        elif child.type in ("super_interfaces", "extends_interfaces"):
            for types in elements(child):
                found.bases += elements(types)
    body = node if node.type == "class_body" else node.child_by_field_name("body")
    if kind == "record":
        for parameter in parameters_of(node, type_use=namer.type_use):
            found.fields[parameter.name] = Field(
                parameter.name,
                parameter.type,
                parameter.type_name,
                parameter.node,
                final=True,
                nullable=parameter.nullable,
            )
    _members(found, body, namer)
    if kind == "record":
        _record_methods(found, namer)
    elif kind == "enum":
        for key in ("values", "valueOf"):
            symbol = f"{found.symbol}.{key}"
            arguments = [] if key == "values" else [Parameter("name", None, "String", node, False, False)]
            found.methods.setdefault(key, [Method(symbol, key, None, name_node or node, arguments, static=True)])
    if kind != "interface" and not found.constructors():
        place = name_node or node
        method = Method(namer(f"{found.symbol[1:]}.{found.name or '<init>'}"), found.constructor, None, place, [])
        found.methods[found.constructor] = [method]
    return found


def _members(found: Class, body: Node | None, namer: Namer) -> None:
    qualname = found.symbol[1:]
    for child in elements(body):
        kind = child.type
        if kind in CLASSES:
            name_node = child.child_by_field_name("name")
            if name_node is not None:
                found.inner[text(name_node)] = declare(child, found, f"{qualname}.{text(name_node)}", namer)
        elif kind in ("field_declaration", "constant_declaration"):
            _fields(found, child, type_use=namer.type_use)
        elif kind in ("method_declaration", "annotation_type_element_declaration"):
            _method(found, child, namer)
        elif kind in ("constructor_declaration", "compact_constructor_declaration"):
            _constructor(found, child, namer)
        elif kind == "enum_constant":
            name_node = child.child_by_field_name("name")
            if name_node is not None:
                constant = Field(text(name_node), None, found.name, name_node, child, static=True, final=True)
                found.fields[constant.name] = constant
        elif kind == "enum_body_declarations":
            _members(found, child, namer)
        elif kind in ("block", "static_initializer"):
            found.initialisers.append(child)


def _fields(found: Class, node: Node, *, type_use: bool) -> None:
    words, annotations = modifiers_of(node)
    declared = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        name_node = declarator.child_by_field_name("name")
        if name_node is None:
            continue
        dimensions = declarator.child_by_field_name("dimensions")
        type_name = (erased(declared) if declared is not None else "") + ("[]" if dimensions is not None else "")
        found.fields[text(name_node)] = Field(
            text(name_node),
            declared,
            type_name,
            name_node,
            declarator.child_by_field_name("value"),
            static="static" in words or node.type == "constant_declaration" or found.kind == "interface",
            final="final" in words or node.type == "constant_declaration" or found.kind == "interface",
            private="private" in words,
            volatile="volatile" in words,
            nullable=is_nullable(annotations, declared, type_use=type_use),
        )


REST_MARK = b"/*~"
_NULLABLE_REST = re.compile(rb"@(?:\w+\.)*(?:%b)(?=\s*\.\.\.)" % "|".join(sorted(NULLABLE)).encode())


def readable(source: bytes) -> bytes:
    """A source that the grammar knows: in `Object @Nullable... rest` a comment stands for the annotation,
    and begins with REST_MARK."""

    def comment(match: re.Match[bytes]) -> bytes:
        return REST_MARK + b"~" * (len(match[0]) - len(REST_MARK) - 2) + b"*/"

    return _NULLABLE_REST.sub(comment, source) if b"..." in source else source


def parameters_of(node: Node, *, type_use: bool = False) -> list[Parameter]:
    found = []
    for child in elements(node.child_by_field_name("parameters")):
        if child.type not in ("formal_parameter", "spread_parameter", "identifier"):
            continue
        _, annotations = modifiers_of(child)
        declared = child.child_by_field_name("type")
        name_node = child.child_by_field_name("name")
        rest = child.type == "spread_parameter"
        if child.type == "identifier":
            name_node = child
        elif rest:
            for part in elements(child):
                if part.type == "variable_declarator":
                    name_node = part.child_by_field_name("name")
                elif part.type != "modifiers":
                    declared = part
        if name_node is None or text(name_node) == "this":
            continue
        dimensions = child.child_by_field_name("dimensions")
        type_name = erased(declared) if declared is not None else ""
        if rest or dimensions is not None:
            type_name += "[]"
        nullable = not rest and is_nullable(annotations, declared, type_use=type_use)
        nullable = nullable or (rest and any((part.text or b"").startswith(REST_MARK) for part in child.children))
        found.append(Parameter(text(name_node), declared, type_name, child, nullable, rest))
    return found


def _symbol(found: Class, name: str, shown: str, parameters: list[Parameter], namer: Namer) -> str:
    """The first method of a name is named by it, others by their parameters' types as well."""
    qualname = f"{found.symbol[1:]}.{shown}"
    if name in found.methods:
        qualname += "#" + ",".join(parameter.type_name for parameter in parameters)
    return namer(qualname)


def _method(found: Class, node: Node, namer: Namer) -> None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    words, annotations = modifiers_of(node)
    annotations |= annotation_names(node)  # behind type parameters
    declared = node.child_by_field_name("type")
    name = text(name_node)
    parameters = parameters_of(node, type_use=namer.type_use)
    type_name = erased(declared) if declared is not None else ""
    if node.child_by_field_name("dimensions") is not None:
        type_name += "[]"
    method = Method(
        _symbol(found, name, name, parameters, namer),
        name,
        node,
        name_node,
        parameters,
        declared,
        type_name,
        static="static" in words,
        nullable=is_nullable(annotations, declared, type_use=namer.type_use),
        private="private" in words,
        final="final" in words,
        nonnull=not annotations.isdisjoint(NONNULL),
    )
    found.methods.setdefault(name, []).append(method)


def _constructor(found: Class, node: Node, namer: Namer) -> None:
    place = node.child_by_field_name("name") or node
    compact = node.type == "compact_constructor_declaration"
    parameters = parameters_of(found.node if compact else node, type_use=namer.type_use)
    words, _ = modifiers_of(node)
    symbol = _symbol(found, found.constructor, found.name or text(place), parameters, namer)
    method = Method(symbol, found.constructor, node, place, parameters, private="private" in words)
    found.methods.setdefault(found.constructor, []).append(method)


def _record_methods(found: Class, namer: Namer) -> None:
    """The accessors and the canonical constructor that a record has without writing them."""
    parameters = parameters_of(found.node, type_use=namer.type_use)
    place = found.node.child_by_field_name("name") or found.node
    if not any(len(method.parameters) == len(parameters) for method in found.constructors()):
        symbol = f"{found.symbol}.{found.name}" + ("#" if found.constructors() else "")
        found.methods.setdefault(found.constructor, []).append(
            Method(symbol, found.constructor, None, place, parameters)
        )
    for parameter in parameters:
        if not any(not method.parameters for method in found.methods.get(parameter.name, ())):
            method = Method(
                f"{found.symbol}.{parameter.name}",
                parameter.name,
                None,
                parameter.node,
                [],
                parameter.type,
                parameter.type_name,
                nullable=parameter.nullable,
            )
            found.methods.setdefault(parameter.name, []).append(method)
