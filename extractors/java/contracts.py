"""What the sources of a Java library say of it, as models: its classes, what their members return, which results may be
null, and which arguments must not be.

Comes in: the files of an archive or a folder. Goes out: tables in the form of models/java.toml. A member may return
null if an annotation or its Javadoc says so, or that of the same member of a class that it inherits from. An argument
must not be null if Javadoc says so, or if the code fails for it on every way (required.py); of members with one name
and as many arguments, all of them have to. Only what other code can name is told: public and protected members of
classes in packages that a module exports, or in all packages where nothing is a module, and the classes that these
inherit from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from pliant.extractors.budget import TooMuch
from pliant.extractors.java import translation
from pliant.extractors.java.documentation import may_be_null, must_not_be_null
from pliant.extractors.java.extract import parse
from pliant.extractors.java.library_models import CONSTRUCTOR, Tables
from pliant.extractors.java.required import required
from pliant.extractors.java.semantics import SEMANTICS
from pliant.extractors.java.types import DULL, NULLABLE, PRIMITIVES, annotation_names, erased
from pliant.extractors.lowering.source import elements, span, text

_TYPES = frozenset(
    (
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    )
)
_BODIES = frozenset(("class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"))
_METHODS = frozenset(("method_declaration", "constructor_declaration", "annotation_type_element_declaration"))

_MOST_ARGUMENTS = 6  # of a method that takes any number, as many as its members are told for
_LANG = "java.lang"


@dataclass(slots=True)
class _Method:
    """arities: the numbers of arguments. result: its type as it is written, without type arguments. nullable: what the
    source says, if anything. required: the numbers of the arguments that must not be null. variables: the names of its
    type parameters."""

    name: str
    arities: range
    result: str
    nullable: bool | None = None
    required: frozenset[int] = frozenset()
    variables: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Class:
    """One type of the library. visible: whether other packages can name it. bases: as they are written."""

    name: str
    file: _File
    outer: _Class | None
    visible: bool
    bases: list[str] = field(default_factory=list)
    variables: frozenset[str] = frozenset()
    methods: list[_Method] = field(default_factory=list)


@dataclass(slots=True)
class _File:
    package: str
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)


def derive(paths: Iterable[str], read: Callable[[str], bytes], skip: Callable[[str, str], None]) -> Tables:
    """Class -> its model. paths: of a library's files, which `read` reads; that may raise OSError. skip: told of files
    that are left out, and why."""
    sources = [path for path in paths if path.endswith(".java") and _name(path) != "package-info.java"]
    modules = [path for path in sources if _name(path) == "module-info.java"]
    exported: set[str] | None = set() if modules else None
    classes: dict[str, _Class] = {}
    for path in [*modules, *(path for path in sources if path not in modules)]:
        try:
            content = read(path)
            if exported is not None and path in modules:
                exported.update(_exports(content))
            else:
                _read(parse(content), exported, classes)
        except OSError as error:
            skip(path, error.strerror or "it cannot be read")
        except TooMuch as error:
            skip(path, str(error))
        except RecursionError:
            skip(path, "it is nested too deeply")
    library = _Library(classes, exported)
    return {each.name: library.table(each) for each in library.told()}


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _exports(module: bytes) -> list[str]:
    """The packages that a module exports to all others."""
    plain = re.sub(r"/\*.*?\*/|//[^\n]*", "", module.decode(errors="replace"), flags=re.DOTALL)
    return re.findall(r"\bexports\s+([\w.]+)\s*;", plain)


# Reading.


def _read(root: Node, exported: Set[str] | None, classes: dict[str, _Class]) -> None:
    """Read a file. exported: the packages whose classes others can name; None for all."""
    file = _File("")
    for child in root.named_children:
        if child.type == "package_declaration":
            file.package = _dotted(child)
        elif child.type == "import_declaration" and not any(part.type == "static" for part in child.children):
            imported = _dotted(child)
            if any(part.type == "asterisk" for part in child.children):
                file.stars.append(imported)
            else:
                file.imports[imported.rpartition(".")[2]] = imported
    of_code = _required(root) if exported is None or file.package in exported else {}
    todo: list[tuple[Node, _Class | None]] = [(child, None) for child in root.named_children if child.type in _TYPES]
    while todo:
        node, outer = todo.pop()
        if node.child_by_field_name("name") is None:  # of code that is not valid
            continue
        found = _class(node, file, outer)
        classes.setdefault(found.name, found)
        of_interface = node.type in ("interface_declaration", "annotation_type_declaration")
        for child in _members(node):
            if child.type in _TYPES:
                todo.append((child, found))
            elif child.type in _METHODS and child.child_by_field_name("name") and (of_interface or _is_visible(child)):
                found.methods.append(_method(child, of_code))


def _dotted(node: Node) -> str:
    """The name in a package or import declaration."""
    found = [child for child in node.named_children if child.type in ("scoped_identifier", "identifier")]
    return text(found[0]) if found else ""


def _class(node: Node, file: _File, outer: _Class | None) -> _Class:
    simple = text(node.child_by_field_name("name"))  # type: ignore[arg-type]
    within = outer.name if outer is not None else file.package
    visible = (outer is None or outer.visible) and (_is_visible(node) or _in_interface(node))
    found = _Class(f"{within}.{simple}" if within else simple, file, outer, visible, variables=_variables(node))
    for kind in ("superclass", "interfaces"):
        part = node.child_by_field_name(kind)
        found.bases += _types(part) if part is not None else []
    for child in node.children:
        if child.type == "extends_interfaces":
            found.bases += _types(child)
    if node.type == "enum_declaration":
        found.methods += [_Method("values", range(1), f"{simple}[]"), _Method("valueOf", range(1, 2), simple)]
    if node.type == "record_declaration":
        parameters = node.child_by_field_name("parameters")
        for each in elements(parameters) if parameters is not None else ():
            name, kind_node = each.child_by_field_name("name"), each.child_by_field_name("type")
            if name is not None and kind_node is not None:
                found.methods.append(_Method(text(name), range(1), erased(kind_node)))
    return found


def _types(node: Node) -> list[str]:
    """The types in `extends` or `implements`."""
    lists = [child for child in node.named_children if child.type == "type_list"]
    return [erased(each) for part in lists or [node] for each in elements(part)]


def _members(node: Node) -> Iterator[Node]:
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type in _BODIES:
            yield from child.named_children
        else:
            yield child


def _modifiers(node: Node) -> Node | None:
    return next((child for child in node.children if child.type == "modifiers"), None)


def _is_visible(node: Node) -> bool:
    found = _modifiers(node)
    return found is not None and any(child.type in ("public", "protected") for child in found.children)


def _in_interface(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("interface_body", "annotation_type_body")


def _variables(node: Node) -> frozenset[str]:
    """The names of type parameters."""
    found = node.child_by_field_name("type_parameters")
    if found is None:
        found = next((child for child in node.children if child.type == "type_parameters"), None)
    names = (
        next((part for part in each.named_children if part.type == "type_identifier"), None) for each in elements(found)
    )
    return frozenset(text(name) for name in names if name is not None)


def _required(root: Node) -> dict[tuple[int, int], frozenset[int]]:
    """By the place of its name, the parameters that a function of a file must not get null for."""
    try:
        unit = translation.translate(root, root.end_byte)
    except Exception:  # of a file that cannot be translated, its documentation is read
        return {}
    found = required(unit, SEMANTICS)
    return {each.span[:2]: found[each.name] for each in unit.functions if each.span is not None and found[each.name]}


def _method(node: Node, of_code: Mapping[tuple[int, int], frozenset[int]]) -> _Method:
    """of_code: what the code requires, by the place of the name."""
    parameters = node.child_by_field_name("parameters")
    given = [each for each in elements(parameters) if each.type in ("formal_parameter", "spread_parameter")]
    many = any(each.type == "spread_parameter" for each in given)
    arities = range(len(given) - 1, max(_MOST_ARGUMENTS, len(given) + 1)) if many else range(len(given), len(given) + 1)
    result = node.child_by_field_name("type")
    modifiers = _modifiers(node)
    annotations = annotation_names(modifiers) if modifiers is not None else frozenset()
    if result is not None and result.type == "annotated_type":
        annotations |= annotation_names(result)
    said = _documentation(node)
    nullable = True if not annotations.isdisjoint(NULLABLE) else may_be_null(said)
    place: Node = node.child_by_field_name("name")  # type: ignore[assignment]
    names = [text(each.child_by_field_name("name") or each) for each in given if each.type == "formal_parameter"]
    needed = of_code.get(span(place)[:2], frozenset()) | must_not_be_null(said, names)
    needed &= frozenset(range(len(names)))  # of any number of arguments, there may be none
    name = CONSTRUCTOR if node.type == "constructor_declaration" else text(place)
    return _Method(name, arities, erased(result) if result is not None else "void", nullable, needed, _variables(node))


def _documentation(node: Node) -> str:
    """The Javadoc comment in front of a declaration, without its stars."""
    before = node.prev_named_sibling
    lines: list[str] = []
    while before is not None and before.type == "line_comment":
        lines.insert(0, text(before))
        before = before.prev_named_sibling
    if lines and all(line.startswith("///") for line in lines):
        return "\n".join(line[3:] for line in lines)
    if before is None or before.type != "block_comment" or not text(before).startswith("/**"):
        return ""
    return re.sub(r"^[ \t]*\*+ ?", "", text(before)[3:].removesuffix("*/"), flags=re.MULTILINE)


# The library as a whole.


class _Library:
    def __init__(self, classes: Mapping[str, _Class], exported: set[str] | None) -> None:
        self._classes = classes
        self._exported = exported
        self._bases: dict[str, list[_Class]] = {}

    def told(self) -> list[_Class]:
        """The classes that others can name, and what these inherit from."""
        found: dict[str, _Class] = {}
        todo = [each for each in self._classes.values() if each.visible and self._is_exported(each)]
        while todo:
            each = todo.pop()
            if each.name not in found:
                found[each.name] = each
                todo += self.bases(each)
        return [found[name] for name in sorted(found)]

    def _is_exported(self, each: _Class) -> bool:
        return self._exported is None or each.file.package in self._exported

    def bases(self, each: _Class) -> list[_Class]:
        if each.name not in self._bases:
            self._bases[each.name] = []  # a class in its own header means what is outside of it
            found = [self._meant(base, each, frozenset()) for base in each.bases]
            self._bases[each.name] = [base for base in found if base is not None and base is not each]
        return self._bases[each.name]

    def table(self, each: _Class) -> dict[str, Any]:
        """The model of a class."""
        nullable: dict[str, None] = {}
        returns: dict[str, set[str]] = {}
        members: dict[str, None] = {}
        requires: dict[str, frozenset[int]] = {}
        for method in each.methods:
            for count in method.arities:
                member = f"{method.name}/{count}"
                requires[member] = requires.get(member, method.required) & method.required
            if method.name == CONSTRUCTOR:
                continue
            result = self.resolved(method.result, each, method.variables)
            may = self._may_be_null(each, method, set()) if method.result not in PRIMITIVES else False
            for count in method.arities:
                member = f"{method.name}/{count}"
                members[member] = None
                if may:
                    nullable[member] = None
                returns.setdefault(member, set()).add(result.name if result is not None else "")
        table: dict[str, Any] = {}
        if bases := sorted({base.name for base in self.bases(each)}):
            table["bases"] = bases
        if nullable:
            table["nullable"] = sorted(nullable)
        told = {member: min(found) for member, found in sorted(returns.items()) if len(found) == 1 and "" not in found}
        if told:
            table["returns"] = told
        if needed := {member: sorted(found) for member, found in sorted(requires.items()) if found}:
            table["requires"] = needed
        if rest := sorted(members.keys() - nullable.keys() - told.keys()):
            table["members"] = rest
        return table

    def _may_be_null(self, each: _Class, method: _Method, seen: set[str]) -> bool:
        """What the source says of a method, or of the same one of the nearest class that it inherits from."""
        if method.nullable is not None:
            return method.nullable
        seen.add(each.name)
        for base in self.bases(each):
            if base.name not in seen:
                for other in base.methods:
                    if other.name == method.name and other.arities == method.arities:
                        return self._may_be_null(base, other, seen)
        return False

    def resolved(self, written: str, within: _Class, variables: frozenset[str]) -> _Class | None:
        """The class of a result; None for what others cannot name, or says nothing of null."""
        if written.endswith("[]") or written in DULL:
            return None
        found = self._meant(written, within, variables)
        return found if found is not None and found.visible and self._is_exported(found) else None

    def _meant(self, written: str, within: _Class, variables: frozenset[str]) -> _Class | None:
        """The class of the library that a type means."""
        if written in variables:
            return None
        first, *rest = written.split(".")
        found = self._named(first, within)
        if found is None and rest:
            found, rest = self._classes.get(written), []
        for part in rest:
            found = self._inner(found, part, set()) if found is not None else None
        return found

    def _named(self, name: str, within: _Class) -> _Class | None:
        outer: _Class | None = within
        while outer is not None:
            if name in outer.variables:
                return None
            if outer.name.rpartition(".")[2] == name:
                return outer
            if (inner := self._inner(outer, name, set())) is not None:
                return inner
            outer = outer.outer
        file = within.file
        names = [file.imports[name]] if name in file.imports else []
        names += [f"{package}.{name}" for package in (file.package, _LANG, *file.stars)]
        return next((self._classes[each] for each in names if each in self._classes), None)

    def _inner(self, outer: _Class, name: str, seen: set[str]) -> _Class | None:
        """The type of that name in a class, or in one that it inherits from."""
        found = self._classes.get(f"{outer.name}.{name}")
        if found is not None:
            return found
        seen.add(outer.name)
        for base in self.bases(outer):
            if base.name not in seen and (found := self._inner(base, name, seen)) is not None:
                return found
        return None
