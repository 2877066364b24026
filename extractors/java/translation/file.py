"""A file on its way to a unit: its imports, its classes, and its functions one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from pliant.extractors.ir.operands import ANY, Operand, Type
from pliant.extractors.ir.unit import MODULE, Function, LeftOut, Span, Unit
from pliant.extractors.java.translation import classes, members
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.frames import Declared, Frame
from pliant.extractors.java.translation.nulls import Said, are_said
from pliant.extractors.java.translation.written import of_language
from pliant.extractors.java.types import NULLABLE, TYPE_USE
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.source import elements, joined, span, text
from pliant.extractors.lowering.translated import TranslatedFile

_LONGEST = 1000  # of a lambda's or local class's name, with those around it: that bounds how deep they nest
_PACKAGES = 64  # that are imported whole and in which a class is looked for
UNNAMED = "<default>"  # the package of a file that names none


class File(TranslatedFile):
    """The unit of a Java file under construction."""

    def __init__(
        self, root: Node, left_out: isolation.LeftOut | None = None, emit: Callable[[File], None] = lambda file: None
    ) -> None:
        super().__init__(root, Unit("java", UNNAMED), left_out, emit)
        self._told: set[isolation.Part] = set()  # parts that are left out, and that is noted
        self.frame = Frame()
        self.imports: dict[str, tuple[str, list[str]]] = {}  # simple name -> package, names inside it
        self.static_imports: dict[str, tuple[str, list[str]]] = {}  # member -> package, names of its class
        self.stars: list[str] = []  # packages of which all classes are imported
        self.static_stars: list[tuple[str, list[str]]] = []
        self.elsewhere = ""  # where a class is whose import is not written: packages, the first that has it
        self._mentioned: set[str] = set()  # names of classes that are in `unit.mentions`
        self.type_use = False  # whether an annotation in front of an array speaks of its elements
        self.declared: dict[str, Declared] = {}  # classes by the names of their types
        self.fields: set[str] = set()  # that classes of the file have
        self.says_null = False  # whether it says of type arguments or elements that they take null
        self.said: dict[tuple[str, str], Said] = {}  # of variables, with their functions
        self.said_of: dict[int, Said] = {}  # of calls, by node
        self.types: dict[int, Type] = {}  # of expressions, by node

    def outside(self) -> Body:
        return Body(self, Function(MODULE, span=span(self.root)), self.frame)

    def lower_outside(self, body: Body) -> None:
        self.says_null = are_said(self.root.text or b"")
        for node in self._headers():
            self._attempt(node, partial(self._read, node))
        for class_ in list(self.frame.classes.values()):
            self._attempt(class_.node, partial(members.define, body, class_))

    def variables(self, body: Body) -> dict[str, Type]:
        return {name: ANY for name, each in body.function.variables.items() if each.home == "module"}

    def stored(self) -> set[str]:
        return self.fields

    def _attempt(self, node: Node, run: Callable[[], object]) -> None:
        """Do something for a class, which may fail for itself."""
        part = node.start_byte, node.end_byte, ""
        if part in self.left_out:
            if part not in self._told:
                self._told.add(part)
                self.unit.left_out.append(LeftOut("", span(node), self.left_out[part]))
            return
        try:
            run()
        except Exception as error:
            self.failed[part] = isolation.reason_of(error)

    def fails(self, where: Span | None, error: Exception) -> None:
        """Note that the passes fail over what is outside of functions, at `where`: that costs the class there."""
        for class_ in self.frame.classes.values():
            part = class_.node.start_byte, class_.node.end_byte, ""
            first, last = class_.node.start_point[0] + 1, class_.node.end_point[0] + 1
            if where is not None and first <= where[0] <= last and part not in self.left_out:
                self.failed[part] = isolation.reason_of(error)
                return
        raise error

    def define(self, body: Body, class_: Declared) -> Operand:
        """Make a class, and those inside it."""
        return members.define(body, class_)

    def finish(self, spent: int) -> None:
        """Emit the unit, and forget what names mean: classes and their frames hold each other."""
        super().finish(spent)
        self.frame.classes.clear()
        for class_ in self.declared.values():
            class_.frame.class_ = None
            class_.inner.clear()
        self.declared.clear()

    # Headers.

    def _headers(self) -> list[Node]:
        """Read package and imports; returns the declarations of classes."""
        found: list[Node] = []
        todo = elements(self.root)[::-1]
        while todo:
            node = todo.pop()
            if node.type == "package_declaration":
                self.unit.module = _dotted(node) or UNNAMED
            elif node.type == "import_declaration":
                self._import(node)
            elif node.type in classes.CLASSES:
                found.append(node)
            elif node.type == "ERROR":
                todo += elements(node)[::-1]
            elif node.type not in ("module_declaration", ";"):
                self.unmodelled[f"{node.type} outside of classes"] = 1
        if len(self.stars) > _PACKAGES:
            self.unmodelled[f"more than {_PACKAGES} packages that are imported whole"] = 1
        self.elsewhere = "|".join(dict.fromkeys((self.unit.module, *self.stars[:_PACKAGES], "java.lang")))
        used = {package for name in NULLABLE for package, _ in [self.imports.get(name, ("", []))]}
        self.type_use = not TYPE_USE.isdisjoint(used) or (
            not NULLABLE & self.imports.keys() and not TYPE_USE.isdisjoint(self.stars)
        )
        return found

    def _import(self, node: Node) -> None:
        parts = [part for part in _dotted(node).split(".") if part]
        if not parts:
            return
        star = any(child.type == "asterisk" for child in node.children)
        static = any(child.type == "static" for child in node.children)
        if star and not static:
            self.stars.append(".".join(parts))
            return
        at = next((number for number, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        package = ".".join(parts[:at])
        self.mention(package, parts[at])
        if star:
            self.static_stars.append((package, parts[at:]))
        elif not static:
            self.imports[parts[-1]] = (package, parts[at:])
        elif len(parts) > at + 1:
            self.static_imports[parts[-1]] = (package, parts[at:-1])

    def _read(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self.frame.classes.setdefault(text(name), classes.read(self, node, None, self.frame, text(name)))

    # Names.

    def deeper(self, qualname: str) -> str:
        """The qualified name of a function or class in the code of a function."""
        if len(qualname) > _LONGEST:
            raise RecursionError
        return qualname

    def meaning(self, name: str, frame: Frame) -> tuple[Declared | None, str, list[str]]:
        """The class of the file, or the module, that a name begins with, and what of the name follows that; neither for
        a type parameter."""
        first, *rest = [part for part in name.split(".") if part] or [""]
        each: Frame | None = frame
        while each is not None:
            if first in each.parameters:
                return None, "", []
            found = each.classes.get(first)
            if found is None and each.class_ is not None:
                found = each.class_ if first == each.class_.simple else each.class_.inner.get(first)
            each = each.outer
            if found is not None:
                while rest and rest[0] in found.inner:
                    found = found.inner[rest.pop(0)]
                return found, "", rest
        if first in self.imports:
            package, names = self.imports[first]
            return None, package, [*names, *rest]
        if not rest and of_language(first):
            self.mention("java.lang", first)
            return None, "java.lang", [first]
        if first[:1].islower() and rest:
            parts = [first, *rest]
            at = next((number for number, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
            self.mention(".".join(parts[:at]), parts[at])
            return None, ".".join(parts[:at]), parts[at:]
        self.mention(self.elsewhere, first)
        return None, self.elsewhere, [first, *rest]

    def mention(self, packages: str, name: str) -> None:
        """Note that the file names a class of a package, or of one of several."""
        if (known := f"{packages}.{name}") not in self._mentioned:
            self._mentioned.add(known)
            self.unit.mentions += [f"{package}.{name}" for package in packages.split("|")]

    def type_named(self, name: str, frame: Frame) -> Type:
        """The type of a name, perhaps a dotted one."""
        if name in ("var", "", "void"):
            return ANY
        class_, module, rest = self.meaning(name, frame)
        if class_ is not None:
            return class_.type if not rest else ANY
        return Type("class", ".".join(rest), module) if rest else ANY


def _dotted(node: Node) -> str:
    """The name in a package or import declaration."""
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            return joined(child)
    return ""
