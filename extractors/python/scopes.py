"""Which variable a name means: the scopes of a module, built before it is lowered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tree_sitter import Node

from pliant.extractors.lowering.source import text

Kind = Literal["module", "function", "class", "comprehension"]

_COMPREHENSIONS = frozenset(
    ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
)
_DEFINITE = frozenset(("import", "definition", "receiver"))


@dataclass(eq=False, slots=True)
class Scope:
    """bound: name -> how often it is bound here; places: name -> the bytes where; captured: names that functions inside
    read or write; rebound: names that functions inside write; definite: names bound once, by an import or a
    definition."""

    kind: Kind
    parent: Scope | None
    number: int
    bound: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[int]] = field(default_factory=dict)
    how: dict[str, set[str]] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    rebound: set[str] = field(default_factory=set)
    references: set[str] = field(default_factory=set)
    qualname: str = ""
    yields: bool = False

    def bind(self, name: str, node: Node, how: str = "assignment") -> None:
        """Note that `node` gives a name a value."""
        scope: Scope = self
        if how == "walrus":
            while scope.kind == "comprehension" and scope.parent is not None:
                scope = scope.parent
        scope.bound[name] += 1
        scope.places.setdefault(name, []).append(node.start_byte)
        scope.how.setdefault(name, set()).add(how)

    def definite(self, name: str) -> bool:
        """Whether the name is bound by imports and definitions alone, hence never null."""
        return name not in self.rebound and self.how.get(name, set()) <= _DEFINITE and bool(self.bound.get(name))

    def function(self) -> Scope:
        """The function or module whose code this scope's code runs in."""
        scope: Scope = self
        while scope.kind in ("class", "comprehension") and scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope that `name`, read here, belongs to; None for a builtin."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if name in scope.globals:
                return scope.module()
            if scope.kind == "class":
                if first and name in scope.bound and name not in scope.nonlocals:
                    return scope
            elif name in scope.bound and name not in scope.nonlocals:
                return scope
            if scope.kind != "comprehension":
                first = False
            scope = scope.parent
        return None

    def module(self) -> Scope:
        scope: Scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


def targets(node: Node) -> Iterator[Node]:
    """The identifiers that a target binds."""
    kind = node.type
    if kind == "identifier":
        yield node
    elif kind not in ("attribute", "subscript", "call"):
        for child in node.named_children:
            yield from targets(child)


class ScopeBuilder:
    """Builds the scopes of a file. `of` maps the id of a node that opens a scope to its scope."""

    def __init__(self, root: Node) -> None:
        self.of: dict[int, Scope] = {}
        self.stored_fields: set[str] = set()
        self.cleared_fields: set[str] = set()
        self._all: list[Scope] = []
        self._set_by_function: set[str] = set()
        self.module = self._open("module", None, root)
        self._children(root, self.module)
        self.stored_fields -= self._set_by_function
        self.cleared_fields -= self._set_by_function
        self._resolve()

    def _open(self, kind: Kind, parent: Scope | None, node: Node) -> Scope:
        scope = Scope(kind, parent, len(self._all))
        self._all.append(scope)
        self.of[node.id] = scope
        return scope

    def _children(self, node: Node, scope: Scope) -> None:
        for child in node.named_children:
            self._visit(child, scope)

    def _visit(self, node: Node, scope: Scope) -> None:
        kind = node.type
        if kind == "identifier":
            scope.references.add(text(node))
            return
        handler = _VISITORS.get(kind)
        if handler is not None:
            handler(self, node, scope)
        elif kind in _COMPREHENSIONS:
            self._comprehension(node, scope)
        else:
            for child in node.named_children:
                self._visit(child, scope)

    def _attribute(self, node: Node, scope: Scope) -> None:
        value = node.child_by_field_name("object")
        if value is not None:
            self._visit(value, scope)

    def _keyword_argument(self, node: Node, scope: Scope) -> None:
        value = node.child_by_field_name("value")
        if value is not None:
            self._visit(value, scope)

    def _bind_targets(self, node: Node, scope: Scope, how: str = "assignment") -> None:
        for name in targets(node):
            scope.bind(text(name), name, how)

    def _assignment(self, node: Node, scope: Scope) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None:
            if right is not None or node.type != "assignment" or scope.kind == "class":
                self._bind_targets(left, scope)
            self._fields(left, right)
        self._children(node, scope)

    def _fields(self, left: Node, right: Node | None) -> None:
        """Note the attributes that an assignment writes, and those that it sets to None."""
        if left.type == "attribute":
            name = left.child_by_field_name("attribute")
            if name is not None:
                self.stored_fields.add(text(name))
                value = right
                while value is not None and value.type == "assignment":
                    value = value.child_by_field_name("right")
                if value is not None and value.type == "none":
                    self.cleared_fields.add(text(name))
        elif left.type in ("pattern_list", "tuple_pattern", "list_pattern"):
            values: list[Node | None] = list(right.named_children) if right is not None else []
            for index, child in enumerate(left.named_children):
                self._fields(child, values[index] if len(values) == left.named_child_count else None)

    def _decorator(self, node: Node, scope: Scope) -> None:
        """A property with a setter: what is written need not be what is read."""
        words = text(node).removeprefix("@").split(".")
        if words[1:] == ["setter"]:
            self._set_by_function.add(words[0].strip())
        self._children(node, scope)

    def _walrus(self, node: Node, scope: Scope) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            scope.bind(text(name), name, "walrus")
        self._children(node, scope)

    def _for(self, node: Node, scope: Scope) -> None:
        left = node.child_by_field_name("left")
        if left is not None:
            self._bind_targets(left, scope)
            self._fields(left, None)
        self._children(node, scope)

    def _with_or_except(self, node: Node, scope: Scope) -> None:
        self._bind_targets(node, scope)
        self._children(node, scope)

    def _import(self, node: Node, scope: Scope) -> None:
        for child in node.children_by_field_name("name"):
            alias = child.child_by_field_name("alias")
            if alias is not None:
                scope.bind(text(alias), alias, "import")
            elif node.type == "import_statement":
                scope.bind(text(child).split(".")[0].strip(), child, "import")
            else:
                scope.bind(text(child), child, "import")

    def _global(self, node: Node, scope: Scope) -> None:
        owner = scope.function()
        for child in node.named_children:
            (owner.globals if node.type == "global_statement" else owner.nonlocals).add(text(child))

    def _function(self, node: Node, scope: Scope) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            scope.bind(text(name), name, "definition")
        inner = self._open("function", scope, node)
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            for position, child in enumerate(parameters.named_children):
                bound = child.child_by_field_name("name") if child.child_by_field_name("name") is not None else child
                if child.type == "typed_parameter":
                    bound = child.named_children[0] if child.named_children else child
                receiver = position == 0 and scope.kind == "class"
                if bound is not None:
                    for identifier in targets(bound):
                        inner.bind(text(identifier), identifier, "receiver" if receiver else "parameter")
                for part in ("value", "type"):
                    expression = child.child_by_field_name(part)
                    if expression is not None:
                        self._visit(expression, scope)
        for part in ("return_type", "type_parameters"):
            expression = node.child_by_field_name(part)
            if expression is not None:
                self._visit(expression, scope)
        body = node.child_by_field_name("body")
        if body is not None:
            self._visit(body, inner)

    def _class(self, node: Node, scope: Scope) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            scope.bind(text(name), name, "definition")
        bases = node.child_by_field_name("superclasses")
        if bases is not None:
            self._visit(bases, scope)
        inner = self._open("class", scope, node)
        body = node.child_by_field_name("body")
        if body is not None:
            self._visit(body, inner)

    def _comprehension(self, node: Node, scope: Scope) -> None:
        inner = self._open("comprehension", scope, node)
        first = True
        for child in node.named_children:
            if child.type == "for_in_clause":
                left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
                if left is not None:
                    self._bind_targets(left, inner)
                for part in child.named_children:
                    self._visit(part, scope if first and right is not None and part.id == right.id else inner)
                first = False
            else:
                self._visit(child, inner)

    def _yield(self, node: Node, scope: Scope) -> None:
        scope.function().yields = True
        self._children(node, scope)

    def _pattern(self, node: Node, scope: Scope) -> None:
        """A case pattern: a name without a dot captures, except in a value or class position."""
        if node.child_by_field_name("alias") is not None:  # `as` of a with or except
            self._children(node, scope)
            return
        for child in node.named_children:
            if child.type == "dotted_name":
                if child.named_child_count == 1 and node.type != "class_pattern":
                    if text(child) != "_":
                        scope.bind(text(child), child)
                elif child.named_children:
                    scope.references.add(text(child.named_children[0]))
            elif child.type == "identifier":
                if node.type != "keyword_pattern":
                    scope.bind(text(child), child)
            else:
                self._visit(child, scope)

    def _resolve(self) -> None:
        """Find which names of a scope are used by functions inside it."""
        for scope in self._all:
            home = scope.function()
            for name in scope.references | scope.nonlocals | scope.globals:
                owner = scope.owner(name) if name not in scope.nonlocals else self._nonlocal_owner(scope, name)
                if owner is not None and owner.function() is not home:
                    owner.captured.add(name)
                    if name in scope.bound and (name in scope.nonlocals or name in scope.globals):
                        owner.rebound.add(name)
            for name in scope.bound:
                if name in home.globals and home.kind == "function":
                    owner = home.module()
                    owner.captured.add(name)
                    owner.rebound.add(name)
                    owner.bound[name] += 1
                    owner.how.setdefault(name, set()).add("assignment")

    @staticmethod
    def _nonlocal_owner(scope: Scope, name: str) -> Scope | None:
        parent = scope.parent
        return parent.owner(name) if parent is not None else None


_VISITORS = {
    "attribute": ScopeBuilder._attribute,
    "keyword_argument": ScopeBuilder._keyword_argument,
    "decorator": ScopeBuilder._decorator,
    "assignment": ScopeBuilder._assignment,
    "augmented_assignment": ScopeBuilder._assignment,
    "named_expression": ScopeBuilder._walrus,
    "for_statement": ScopeBuilder._for,
    "as_pattern_target": ScopeBuilder._with_or_except,
    "import_statement": ScopeBuilder._import,
    "import_from_statement": ScopeBuilder._import,
    "future_import_statement": lambda self, node, scope: None,
    "global_statement": ScopeBuilder._global,
    "nonlocal_statement": ScopeBuilder._global,
    "function_definition": ScopeBuilder._function,
    "lambda": ScopeBuilder._function,
    "class_definition": ScopeBuilder._class,
    "yield": ScopeBuilder._yield,
    "case_pattern": ScopeBuilder._pattern,
    "as_pattern": ScopeBuilder._pattern,
    "class_pattern": ScopeBuilder._pattern,
    "keyword_pattern": ScopeBuilder._pattern,
    "splat_pattern": ScopeBuilder._pattern,
}
