"""A file on its way to a unit: what it declares is read first, then its functions are translated one by one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property, partial

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, CType, Declarator, Specifiers, declarator, parameters, specifiers
from pliant.extractors.c.directives import branches_of
from pliant.extractors.c.linkage import LINKAGE
from pliant.extractors.c.macros import Macro, read_macro
from pliant.extractors.c.models import models
from pliant.extractors.c.repair import Parsed
from pliant.extractors.c.translation import functions
from pliant.extractors.c.translation.body import Body
from pliant.extractors.c.translation.declarations import read_type, type_definition
from pliant.extractors.c.translation.initializers import has_parts
from pliant.extractors.c.translation.kinds import Kinds, as_record
from pliant.extractors.c.translation.names import Global
from pliant.extractors.c.translation.variables import Initials, Started
from pliant.extractors.ir.operands import Type
from pliant.extractors.ir.unit import MODULE, Function, LeftOut, Unit
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.lowering.source import joined, span
from pliant.extractors.lowering.translated import TranslatedFile

_BLOCK = re.compile(rb"\s*\{")
_PROMISE = re.compile(rb"onnull|oreturn")
_STORED = re.compile(rb"(?:->|\.)\s*+([A-Za-z_]\w*+)\s*+(?:[-+*/%&|^]|<<|>>)?=(?!=)")
_DOTTED = re.compile(
    rb"""/\*(?s:.*?)(?:\*/|\Z)|//.*+|"(?:\\.|[^"\\\n])*+|([A-Za-z_]\w*+)\s*+\.\s*+[A-Za-z_]|[A-Za-z_]\w*+"""
)
_UNDEFINED = re.compile(rb"#\s*undef\s++([A-Za-z_]\w*+)")
_NO_VARIABLES = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__FILE__", "__LINE__", "__COUNTER__"))
_NULLS = frozenset(("NULL", "((void *)0)", "((void*)0)", "nullptr"))
_CONDITIONALS = frozenset(("preproc_if", "preproc_ifdef"))
_BRANCHES = frozenset(("preproc_else", "preproc_elif", "preproc_elifdef"))
_AROUND = frozenset(("linkage_specification", "declaration_list", "ERROR", *_BRANCHES))
_DEFINITIONS = frozenset(("preproc_def", "preproc_function_def"))
_TYPES = frozenset(("struct_specifier", "union_specifier", "enum_specifier"))


class File(TranslatedFile):
    """The unit of a C file under construction. loops, heads, assigning, nullable: as in `Parsed`. statics: the
    variables of the file that declarations in functions make, by the place of the name."""

    def __init__(
        self,
        parsed: Parsed,
        parser: Parser,
        left_out: isolation.LeftOut | None = None,
        emit: Callable[[File], None] = lambda file: None,
    ) -> None:
        super().__init__(parsed.tree.root_node, Unit("c", LINKAGE), left_out, emit)
        self.parser = parser
        self.source = parsed.source
        self.loops = parsed.loops
        self.heads = parsed.heads
        self.assigning = parsed.assigning
        self.nullable = parsed.nullable
        self.kinds = Kinds()
        self.macros: dict[str, Macro] = {}
        self.varied: set[str] = set()  # macros that may be something else
        self.enumerators: dict[str, int | None] = {}  # None: not the same however the program is built
        self.globals: dict[str, Global] = {}
        self.noreturn: set[str] = set()
        self.tables: set[str] = set()  # variables that are constant
        self.statics: dict[int, str] = {}
        self._told: dict[isolation.Part, LeftOut] = {}  # declarations that are left out
        self._exported: dict[str, bool] = {}  # variables that other files see: whether with this one alone
        self._statements: list[Callable[[], object]] = []  # of the file, for when all names are known
        self._initials = Initials()

    # What `isolation` asks.

    def outside(self) -> Body:
        return Body(self, Function(MODULE, span=span(self.root)))

    def lower_outside(self, body: Body) -> None:
        for node in self._declared():
            self.attempt(node, partial(self._read, body, node))
        self._initials.write(body)
        for run in self._statements:
            run()
        self._statements.clear()
        for macro in self.macros.values():
            self.attempt(macro.node, partial(self._macro, body, macro))
        self.unit.classes = self.kinds.classes()
        self.unit.numbers = {
            name: number
            for name, number in (
                *self.enumerators.items(),
                *((each.name, each.number) for each in self.macros.values() if each.name not in self.varied),
            )
            if name.isupper() and number is not None
        }
        self.unit.left_out += self._told.values()

    def variables(self, body: Body) -> dict[str, Type]:
        found = {name: each.type for name, each in body.function.variables.items() if name in self._exported}
        self.unit.private = {name: kind for name, kind in found.items() if self._exported[name]}
        return {name: kind for name, kind in found.items() if not self._exported[name]}

    def stored(self) -> frozenset[str]:
        return frozenset(("*", *(match.decode() for match in _STORED.findall(self.source))))

    def attempt(self, node: Node, run: Callable[[], object]) -> None:
        """Do something for a declaration, which may fail for itself."""
        part = node.start_byte, node.end_byte, ""
        if part in self.left_out:
            self._told.setdefault(part, LeftOut("", span(node), self.left_out[part]))
            return
        try:
            run()
        except Exception as error:
            self.failed[part] = isolation.reason_of(error)

    # What names mean.

    @cached_property
    def dotted(self) -> frozenset[str]:
        """Names of which members are read: they are of structures, whatever the names of their types stand for."""
        return frozenset(name.decode() for name in _DOTTED.findall(self.source) if name)

    def is_external(self, name: str) -> bool:
        """Whether a name that the file does not declare may be a variable or a function of another file."""
        return name not in self.macros and name not in self.enumerators and name not in _NO_VARIABLES

    def defines(self, name: str) -> bool:
        known = self.globals.get(name)
        return known is not None and known.here and known.declarator is not None

    def kind_of(self, name: str, otherwise: CType) -> CType:
        known = self.globals.get(name)
        return known.kind if known is not None else otherwise

    def number_of(self, name: str) -> int | None:
        """The number that an enumerator or a macro is, if it is the same however the program is built."""
        if name in self.enumerators:
            return self.enumerators[name]
        macro = self.macros.get(name)
        if macro is None:
            return models().constants.get(name) if name not in self.globals else None
        return macro.number if name not in self.varied else None

    def enumerate(self, name: str, number: int | None) -> None:
        """Note an enumerator; one that has two numbers has none."""
        self.enumerators[name] = number if self.enumerators.get(name, number) == number else None

    def defined_before(self, name: str, node: Node) -> int | None:
        """The number that a macro is at a node, if the file defines it once, and before, outside of functions."""
        macro = self.macros.get(name)
        if macro is None or name in self.varied or name in self._undefined:
            return None
        is_outside = macro.node.parent is None or macro.node.parent.type == "translation_unit"
        return macro.number if is_outside and macro.node.start_byte < node.start_byte else None

    @cached_property
    def _undefined(self) -> frozenset[str]:
        return frozenset(name.decode() for name in _UNDEFINED.findall(self.source))

    # Declarations.

    def _declared(self) -> list[Node]:
        """The declarations of the file, when its macros have been read."""
        found: list[Node] = []
        todo = [(node, False) for node in reversed(self.root.named_children)]
        while todo:
            node, conditional = todo.pop()
            if node.type in _CONDITIONALS:
                conditional = conditional or not _is_guard(node)
                todo += [
                    (child, conditional) for children in reversed(branches_of(node)) for child in reversed(children)
                ]
            elif node.type in _AROUND:
                todo += [(child, conditional) for child in reversed(node.named_children)]
            elif node.type in _DEFINITIONS:
                self._define(node, conditional)
            elif node.type != "comment":
                found.append(node)
        return found

    def _define(self, node: Node, conditional: bool) -> None:
        macro = read_macro(node)
        if macro is not None:
            if conditional or macro.name in self.macros:
                self.varied.add(macro.name)
            if macro.parameters is None and (kind := CType(" ".join(macro.body.split()))).arithmetic:
                self.kinds.define(macro.name, kind)
            self.macros[macro.name] = macro

    def _macro(self, body: Body, macro: Macro) -> None:
        """A macro as other files see it: one with parameters, or of statements, is a function; one that is a name is
        what that holds."""
        name = macro.name
        if name in self.globals or name in self.kinds.types.typedefs:
            return
        if macro.parameters is None and (macro.read(self.parser) is None or macro.form == "expression"):
            if macro.body in _NULLS or (macro.body.isidentifier() and self.is_external(macro.body)):
                value = body.builder.null(span(macro.node)) if macro.body in _NULLS else body.value_of(macro.body)
                local = body.module_variable(name, UNKNOWN, here=True)
                body.builder.set(local.variable, value, span(macro.node))
                self._exported[name] = True
                if macro.body not in _NULLS:
                    self.unit.renames.append(name)
        elif "..." not in (macro.parameters or ()) and macro.read(self.parser) is not None:
            flags = frozenset(("global", "private", "macro"))
            function = Function(self.unique(name), flags=flags, span=span(macro.node), extent=span(macro.node))
            inside = Body(self, function)
            self.wait(macro.node, inside, partial(functions.translate_macro, inside, macro), minor=True)

    def _read(self, body: Body, node: Node) -> None:
        kind = node.type
        if kind == "function_definition":
            self._function(body, node, node.child_by_field_name("body"))
        elif kind == "declaration":
            self._declaration(body, node)
        elif kind == "type_definition":
            type_definition(body, node)
        elif kind in _TYPES:
            read_type(body, node)
        elif kind == "expression_statement":
            self._statements.append(partial(self.attempt, node, partial(body.statement, node)))
        elif kind not in ("compound_statement", "preproc_include", "preproc_call"):
            body.statement(node)

    def _function(self, body: Body, node: Node, block: Node | None) -> None:
        declared = node.child_by_field_name("declarator")
        one, parts = declarator(declared), specifiers(node)
        is_macro = declared is not None and declared.type == "parenthesized_declarator"  # MACRO(name) {
        if one.name is None or block is None or (one.function is None and not is_macro):
            return
        if parts.node is not None:
            read_type(body, parts.node)
        name = joined(one.name)
        kind = CType(parts.base, one.levels)
        if one.function is None:
            name, kind = f"{parts.base}_{name}", CType(UNKNOWN.base, ("function",))
        elif node.start_byte in self.heads:
            name, kind = self._name_of_head(node, one.function), CType(UNKNOWN.base, one.levels)
        known = self.globals.get(name)
        if known is None or not known.here:
            self.globals[name] = Global(kind, True, one.function, node)
        static = "static" in parts.storage
        function = Function(
            self.unique(name), flags=frozenset(("global", "private") if static else ("global",)),
            span=span(one.name), extent=span(node),
        )  # fmt: skip
        if one.function is not None and self._promises(node.start_byte, block.start_byte):
            self._promise(body, function, one.function, node, block.start_byte)
        inside = Body(self, function)
        function.result = self.kinds.type(CType(kind.base, kind.levels[1:]))
        if self.source.find(b"static", block.start_byte, block.end_byte) >= 0:
            self._initials.add_statics(body, function.name, block)
        self.wait(node, inside, partial(self._body, inside, kind, one.function, node, block))

    def _name_of_head(self, node: Node, function: Node) -> str:
        """Of a function whose head is a call of a macro: the macro and what among its arguments is a name alone."""
        given = (each.type.base for each in parameters(function)[0] if not each.name and not each.type.levels)
        return "_".join((self.heads[node.start_byte], *filter(None, given)))

    def _body(self, body: Body, kind: CType, function: Node | None, node: Node, block: Node) -> None:
        body.result = self.kinds.resolve(CType(kind.base, kind.levels[1:]))
        body.function.result = self.kinds.type(body.result)
        functions.translate(body, function, node, block)

    def _promises(self, start: int, end: int) -> bool:
        """Whether a declaration may say more of a function than types do."""
        nullable = self.nullable
        return _PROMISE.search(self.source, start, end) is not None or (
            bool(nullable) and bisect_left(nullable, start) < bisect_left(nullable, end)
        )

    def _promise(self, body: Body, function: Function, declared: Node, node: Node, end: int) -> None:
        """What a declaration says of a function, at the file's own instructions."""
        said, never_returns = functions.promises(body, declared, node, end)
        if never_returns:
            self.noreturn.add(function.name.partition("#")[0])
            function.flags |= {"noreturn"}
        if said:
            body.builder.do("signature", function.name, tuple(said), span=function.span)

    def _declaration(self, body: Body, node: Node) -> None:
        parts = specifiers(node)
        if parts.node is not None:
            read_type(body, parts.node)
        for child in node.children_by_field_name("declarator"):
            one = declarator(child)
            if one.name is None:
                continue
            if one.levels[:1] == ("function",) and one.function is not None:
                if (block := self._block_behind(node)) is not None:
                    self._function(body, node, block)
                    return
                self._prototype(body, joined(one.name), CType(parts.base, one.levels), one.function, node)
            else:
                self._variable(body, joined(one.name), parts, one, one.name)

    def _block_behind(self, node: Node) -> Node | None:
        """The body of `int f(a) int a; {`, which is read as a declaration with a block behind it."""
        following = node.next_named_sibling if _BLOCK.match(self.source, node.end_byte) else None
        return following if following is not None and following.type == "compound_statement" else None

    def _prototype(self, body: Body, name: str, kind: CType, function: Node, node: Node) -> None:
        if name not in self.globals:
            self.globals[name] = Global(kind, False, function, node)
        if not self._promises(node.start_byte, node.end_byte):
            return
        said, never_returns = functions.promises(body, function, node, node.end_byte)
        if said or never_returns:
            flags = frozenset(("declared", "noreturn") if never_returns else ("declared",))
            declared = Function(self.unique(name), flags=flags, span=span(node))
            functions.declare_formals(Body(self, declared), function, node)
            self._promise(body, declared, function, node, node.end_byte)
            self.unit.functions.append(declared)

    def _variable(self, body: Body, name: str, parts: Specifiers, one: Declarator, place: Node) -> None:
        kind = self.kinds.resolve(CType(parts.base, one.levels))
        kind = as_record(kind, name in self.dotted or has_parts(one.initial))
        known = self.globals.get(name)
        if "extern" in parts.storage and one.initial is None:
            if known is None:
                self.globals[name] = Global(kind, False)
            return
        if known is None or not known.here:
            self.globals[name] = Global(kind, True)
        self._exported[name] = "static" in parts.storage
        if "const" in parts.storage:
            self.tables.add(name)
        self._initials.add(Started(name, kind, one.initial, place))


def _is_guard(node: Node) -> bool:
    """Whether a conditional keeps a header from being read twice: it begins by defining, as nothing, the name that it
    asks for."""
    name = node.child_by_field_name("name")
    first = next((each for each in node.named_children[1:] if each.type != "comment"), None)
    if node.children[0].type != "#ifndef" or node.child_by_field_name("alternative") is not None:
        return False
    if name is None or first is None or first.type != "preproc_def" or first.child_by_field_name("value") is not None:
        return False
    defined = first.child_by_field_name("name")
    return defined is not None and defined.text == name.text
