"""A Python file to facts: its variables and names; what all languages share is in `extractors.lowering`.

`expressions`, `conditions`, `statements` and `definitions` each add handlers by the node types of tree-sitter-python.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from tree_sitter import Node

from pliant.extractors.lowering import base
from pliant.extractors.lowering.base import WORDS, Expression, Statement
from pliant.extractors.lowering.exits import Exit
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.lowering.source import text
from pliant.extractors.passes.inheritance import Known
from pliant.extractors.python.scopes import Scope, ScopeBuilder
from pliant.extractors.ssa import UNDEFINED, Key, Value
from pliant.extractors.writer import FactWriter, Span

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}


@dataclass(slots=True)
class Pending:
    """A function whose body is lowered when the one around it is done."""

    node: Node
    scope: Scope
    symbol: str
    owner: str | None  # the class it is a method of
    kinds: frozenset[str] = field(default_factory=frozenset)  # decorators that change what it is


@dataclass(frozen=True, slots=True)
class _Unwritten(Container[Key]):
    """Keys of variables that are not bound between two bytes. scopes: by what follows the name in a key."""

    scopes: dict[str, Scope]
    start: int
    end: int

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, str):
            return False
        name, mark, number = key.partition("#")
        scope = self.scopes.get(mark + number)
        if scope is None or name in scope.rebound:
            return False
        places = scope.places.get(name)
        if places is None:
            return False
        first = bisect_left(places, self.start)
        return first == len(places) or places[first] >= self.end


class Lowering(base.Lowering):
    expressions = EXPRESSIONS
    statements = STATEMENTS
    null_name = "None"
    correlates = True
    skipped = frozenset(("comment", "line_continuation"))

    def __init__(self, root: Node, writer: FactWriter, left_out: LeftOut) -> None:
        self.scopes = ScopeBuilder(root)
        stored, cleared = frozenset(self.scopes.stored_fields), frozenset(self.scopes.cleared_fields)
        super().__init__(root, writer, left_out, "|<module>", stored, cleared)
        self.scope = self.scopes.module
        self.pending: deque[Pending] = deque()
        self.class_symbol: str | None = None  # the class whose body is being lowered
        self.defining: str | None = None  # the function whose defaults and annotations are being lowered
        self.method_of: str | None = None  # the class of the method that is being lowered
        self.anonymous = False  # in the arguments of a call
        self.in_annotation = False  # annotations may never be evaluated
        self.suspects: Span | None = None  # the condition of an `if` that is branched on
        self.asserting = False  # in the condition of an assertion
        self.overloads: dict[str, bool] = {}  # qualified name -> whether every overload may give null
        self.builtins: set[str] = set()  # names of builtins that have been declared
        self.constants: set[str] = set()  # module-level names bound once, to something that is not null
        self.stars: list[str] = []  # modules whose names are all imported

    def start_function(self, symbol: str) -> None:
        super().start_function(symbol)
        self.classes: dict[Value, Known] = {}  # classes made in this function, by the values that hold them
        self.exits: list[Exit] = []
        self.attribute_reads: set[Value] = set()

    # Naming.

    @property
    def qualname(self) -> str:
        """The definition that names made here belong to."""
        return (self.defining or self.class_symbol or self.symbol)[1:]

    def nested(self, name: str) -> str:
        """The qualified name of a definition made here."""
        outer = self.class_symbol or self.symbol
        return name if outer == "|<module>" else f"{outer[1:]}.{name}"

    # Values.

    def container(self, value: Value, kind: str) -> None:
        """`value` is a new container of class `kind`. Those that are written as arguments of calls have no name by
        which their maker could change them: the file has one object for them all."""
        self.fn.nonnull.add(value)
        if self.anonymous:
            self.emit("new", value, f"|<module>|{kind} argument|object", kind)
            return
        self.emit("new", value, value, kind)
        self.emit("made_in", value, self.symbol)

    def null_errors(self, kind: str) -> frozenset[str]:
        return ATTRIBUTE_ERROR if kind in ("attribute", "context") else TYPE_ERROR

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> Value:
        if self.in_annotation:
            return UNDEFINED
        site = super().dereference(value, what, kind, node, keys)
        if site and self.fn.resolve(value) in self.attribute_reads:
            self.emit("trusts", self.symbol, value)
        return site

    def guarded(self, guarded: Value, current: Value) -> None:
        if self.suspects is not None and guarded in self.known_null:
            self.fn.spans[guarded] = self.suspects
            self.emit("found_null", guarded)

    def null_of_unknown(self, key: Key) -> None:
        if self.suspects is not None and isinstance(key, tuple) and key[1] in self.tracked:
            null = self.fn.value(self.writer.name(self.qualname, f"{self.fn.key_name(key)} null"), self.suspects)
            self.known_null.add(null)
            self.emit("found_null", null)
            self.fn.write(key, null)

    def store_field(self, base: Value, name: str, value: Value, node: Node) -> None:
        super().store_field(base, name, value, node)
        if self.is_literal_null(value):
            self.emit("clears", self.symbol, base, name, value)

    def leave_out_statement(self, node: Node, reason: str) -> None:
        """Of the names that it may bind, nothing is known."""
        super().leave_out_statement(node, reason)
        for name in sorted(self.scope.bound.keys() & set(WORDS.findall(text(node)))):
            self.bind(name, self.opaque())

    # Variables.

    def key(self, name: str, owner: Scope) -> str:
        """The variable's key in the function being lowered; what follows `#` does not go into names."""
        if owner.kind not in ("class", "comprehension") and owner.function() is self.scope.function():
            return name
        return f"{name}#{owner.number}"

    def unwritten(self, loop: Node) -> Container[Key]:
        """Keys of the variables to which nothing in `loop` gives another value."""
        scopes: dict[str, Scope] = {}
        scope: Scope | None = self.scope
        home = self.scope.function()
        while scope is not None:
            scopes[self.key("", scope)] = scope
            scope = scope.parent if scope is not home else None
        return _Unwritten(scopes, loop.start_byte, loop.end_byte)

    def plain(self, key: Key) -> str:
        """What a variable is called."""
        return key.split("#")[0] if isinstance(key, str) else f"{key[1]} of {self.fn.what(key[0])}"

    def literal(self, content: object) -> Value:
        """The value of a constant that is written."""
        value = self.fn.unnamed()
        self.fn.constants[value] = content
        return value

    def cell(self, name: str, owner: Scope) -> str:
        """The symbol of the cell through which functions share a variable."""
        return f"|{owner.function().qualname}|{name}|cell"

    def lookup(self, name: str) -> tuple[Value, Key | None]:
        """The value of a name that is read here, and the key to refine when it is tested."""
        fn = self.fn
        owner = self.scope.owner(name)
        if owner is None:
            return self.builtin(name), None
        key = self.key(name, owner)
        if owner.function() is self.scope.function():
            value = fn.read(key)
            if value == UNDEFINED and owner.kind == "class":
                outer = owner.parent.owner(name) if owner.parent is not None else None
                if outer is None:
                    return self.builtin(name), None
            if value == UNDEFINED and (owner.kind == "module" or name in owner.rebound):
                value = self._enter_cell(key, name, owner)
            elif value != UNDEFINED and name in owner.rebound and owner.kind != "module" and value not in fn.nonnull:
                merged = self.value(name)
                self.emit("assign_object", merged, value)
                self.emit("assign_object", merged, fn.fixed_value(self.cell(name, owner)))
                fn.nonnull.add(merged)
                value = merged
        else:
            if key not in fn.entry_values:
                self._enter_cell(key, name, owner)
            value = fn.read(key)
        if value == UNDEFINED:
            value = self.opaque()
        return value, key

    def _enter_cell(self, key: Key, name: str, owner: Scope) -> Value:
        value = self.fn.fixed_value(self.cell(name, owner))
        if owner.definite(name) or (owner.kind == "module" and name in self.constants):
            self.fn.nonnull.add(value)
        self.fn.entry_values[key] = value
        return value

    def builtin(self, name: str) -> Value:
        value = self.fn.fixed_value(f"|<module>|builtin {name}|1")
        self.fn.nonnull.add(value)
        if name in self.builtins:
            return value
        self.builtins.add(name)
        self.emit("import_from", value, "builtins", name)
        self.fn.spend(len(self.stars))
        for dotted in self.stars:
            self.emit("import_from", value, dotted, name)
        return value

    def bind(self, name: str, value: Value, node: Node | None = None, how: str = "assignment") -> None:
        """Give a name a value here."""
        scope = self.scope
        if how == "walrus":
            while scope.kind == "comprehension" and scope.parent is not None:
                scope = scope.parent
        home = scope.function()
        if name in home.globals:
            owner: Scope | None = home.module()
        elif name in home.nonlocals and scope.kind != "class":
            owner = home.parent.owner(name) if home.parent is not None else None
        else:
            owner = scope
        if owner is None:
            owner = scope
        fn = self.fn
        if value == UNDEFINED:
            value = self.opaque()
        if "import" in owner.how.get(name, ()) and self.is_literal_null(value):
            if owner.kind == "module" and node is not None and not _sets_flag(node):
                self.emit("import_fallback", fn.fixed_value(self.cell(name, owner)), value)
            value = self.opaque()  # `x = None` where the import of x fails: users test for that elsewhere
        key = self.key(name, owner)
        self.assign(key, value)
        if value in self.call_results:
            self.emit("named", value)
        if owner.function() is not home:
            fn.entry_values.setdefault(key, fn.fixed_value(self.cell(name, owner)))
        if owner.kind == "module" or name in owner.captured:
            if owner.bound[name] > MANY:
                self.writer.unmodelled(f"a name with more than {MANY} definitions, read by functions")
            else:
                self.emit("assign_object", fn.fixed_value(self.cell(name, owner)), value)
        if owner.kind == "class" and self.class_symbol is not None:
            self.emit("class_attribute", self.class_symbol, name, value)

    def capture(self, inner: Scope) -> None:
        """Give functions that are made here what the variables they use hold now, if that is all they ever hold."""
        for name in sorted(inner.references):
            owner = inner.owner(name)
            if owner is None or owner.kind == "module" or owner.function() is not self.scope.function():
                continue
            if name in owner.captured and owner.bound[name] == 1 and name not in owner.rebound:
                value = self.fn.read(self.key(name, owner))
                if value != UNDEFINED:
                    self.emit("assign", self.fn.fixed_value(self.cell(name, owner)), value)
                    if value in self.fn.nonnull:
                        owner.how.setdefault(name, set()).clear()
                        owner.how[name].add("definition")


MANY = 64  # definitions of a name, past which functions that read it are not told what it holds
ATTRIBUTE_ERROR = frozenset(("AttributeError",))
TYPE_ERROR = frozenset(("TypeError",))


def _sets_flag(node: Node) -> bool:
    """Whether the `try` around a node sets something to True or False, which users may test instead."""
    around: Node | None = node
    while around is not None and around.type not in ("try_statement", "module"):
        around = around.parent
    return around is not None and around.type == "try_statement" and _FLAG.search(text(around)) is not None


_FLAG = re.compile(r"=\s*(True|False)\b")
