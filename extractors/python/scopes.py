"""Which variable a name means: the scopes of a module, built before it is lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tree_sitter import Node

from pliant.extractors.budget import FILE_FUNCTIONS, TooMuch
from pliant.extractors.lowering.source import elements, text

Kind = Literal["module", "function", "class", "comprehension"]

_COMPREHENSIONS = frozenset(
    ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
)
_ASSIGNING = frozenset(("assignment", "augmented_assignment", "for_statement", "for_in_clause"))
_PLAIN_STRING = 4  # nodes of a string in which nothing is interpolated: with its quotes and what stands between
_DEPTH = 200  # scopes in each other; Python accepts no more than 100 blocks and 200 parentheses


@dataclass(eq=False, slots=True)
class Scope:
    """bound: names that are bound here, in their order; captured: those that functions inside read or write."""

    kind: Kind
    parent: Scope | None
    number: int
    depth: int
    bound: dict[str, None] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    references: set[str] = field(default_factory=set)
    qualname: str = ""
    yields: bool = False

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

    def around_comprehensions(self) -> Scope:
        """Where `:=` binds a name."""
        scope: Scope = self
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        return scope

    def module(self) -> Scope:
        scope: Scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


def targets(node: Node, kind: str = "identifier") -> Iterator[Node]:
    """The nodes of a type that a target binds: identifiers, or attributes."""
    todo = [node]
    while todo:
        node = todo.pop()
        if node.type == kind:
            yield node
        elif node.type not in ("attribute", "subscript", "call"):
            todo.extend(reversed(node.named_children))


def stored_fields(root: Node) -> set[str]:
    """The names of the attributes that are assigned to in a file."""
    found: set[str] = set()
    todo = [root]
    while todo:
        node = todo.pop()
        todo.extend(node.named_children)
        left = node.child_by_field_name("left") if node.type in _ASSIGNING else None
        for target in targets(left, "attribute") if left is not None else ():
            found.update(text(name) for name in target.children_by_field_name("attribute"))
    return found


class _Scopes(dict[int, Scope]):
    """Scopes by the ids of the nodes that open them."""

    def __missing__(self, node: int) -> Scope:
        raise RecursionError  # nested too deeply


class ScopeBuilder:
    """Builds the scopes of a file. `of` maps the id of a node that opens a scope to its scope."""

    def __init__(self, root: Node) -> None:
        self.of = _Scopes()
        self._root = root
        self._all: list[Scope] = []
        self._functions = 0
        self._todo: list[tuple[Scope, list[Node]]] = []  # nodes, the first one last
        self.module = self._scope("module", None, root)
        self._visit(root)
        self._resolve()

    @cached_property
    def stored(self) -> frozenset[str]:
        """The names of the attributes that are assigned to."""
        return frozenset(stored_fields(self._root))

    def forget_names(self) -> None:
        """Scopes get their names while the file is translated; this begins anew."""
        for scope in self._all:
            scope.qualname = ""

    def _open(self, kind: Kind, parent: Scope, node: Node) -> Scope | None:
        """None for one that is nested deeper than Python accepts."""
        if parent.depth == _DEPTH:
            return None
        return self._scope(kind, parent, node)

    def _scope(self, kind: Kind, parent: Scope | None, node: Node) -> Scope:
        scope = Scope(kind, parent, len(self._all), parent.depth + 1 if parent is not None else 0)
        self._all.append(scope)
        self.of[node.id] = scope
        return scope

    def _visit(self, root: Node) -> None:
        """Go through the nodes, scope by scope; how deep they nest does not matter."""
        self._todo.append((self.module, [root]))
        while self._todo:
            scope, nodes = self._todo.pop()
            while nodes:
                node = nodes.pop()
                kind = node.type
                if kind == "identifier":
                    scope.references.add(text(node))
                else:
                    handler = _VISITORS.get(kind)
                    nodes += reversed(handler(self, node, scope) if handler is not None else node.named_children)

    def _later(self, scope: Scope, nodes: list[Node]) -> None:
        """Go through nodes of another scope."""
        self._todo.append((scope, nodes[::-1]))

    @staticmethod
    def _fields_of(node: Node, *names: str) -> list[Node]:
        """What stands in the fields of a node."""
        return [part for name in names if (part := node.child_by_field_name(name)) is not None]

    def _attribute(self, node: Node, scope: Scope) -> list[Node]:
        return self._fields_of(node, "object")

    def _keyword_argument(self, node: Node, scope: Scope) -> list[Node]:
        return self._fields_of(node, "value")

    def _string(self, node: Node, scope: Scope) -> list[Node]:
        return node.named_children if node.descendant_count > _PLAIN_STRING else []

    @staticmethod
    def _bind_targets(node: Node, scope: Scope) -> None:
        for name in targets(node):
            scope.bound[text(name)] = None

    def _assignment(self, node: Node, scope: Scope) -> list[Node]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and (right is not None or node.type != "assignment" or scope.kind == "class"):
            self._bind_targets(left, scope)
        return node.named_children

    def _walrus(self, node: Node, scope: Scope) -> list[Node]:
        name = node.child_by_field_name("name")
        if name is not None:
            scope.around_comprehensions().bound[text(name)] = None
        return node.named_children

    def _for(self, node: Node, scope: Scope) -> list[Node]:
        left = node.child_by_field_name("left")
        if left is not None:
            self._bind_targets(left, scope)
        return node.named_children

    def _with_or_except(self, node: Node, scope: Scope) -> list[Node]:
        self._bind_targets(node, scope)
        return node.named_children

    def _import(self, node: Node, scope: Scope) -> list[Node]:
        for child in node.children_by_field_name("name"):
            alias = child.child_by_field_name("alias")
            name = text(alias if alias is not None else child)
            scope.bound[name.split(".")[0].strip() if node.type == "import_statement" else name] = None
        return []

    def _global(self, node: Node, scope: Scope) -> list[Node]:
        owner = scope.function()
        for child in node.named_children:
            (owner.globals if node.type == "global_statement" else owner.nonlocals).add(text(child))
        return []

    def _function(self, node: Node, scope: Scope) -> list[Node]:
        self._functions += 1
        if self._functions > FILE_FUNCTIONS:
            raise TooMuch(f"the file defines more than {FILE_FUNCTIONS:,} functions")
        name = node.child_by_field_name("name")
        if name is not None:
            scope.bound[text(name)] = None
        inner = self._open("function", scope, node)
        if inner is None:
            return []
        self._later(inner, self._fields_of(node, "body"))
        rest: list[Node] = []
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            for child in parameters.named_children:
                bound = child.child_by_field_name("name") or child
                if child.type == "typed_parameter":
                    bound = next(iter(elements(child)), child)
                self._bind_targets(bound, inner)
                rest += self._fields_of(child, "value", "type")
        return rest + self._fields_of(node, "return_type", "type_parameters")

    def _class(self, node: Node, scope: Scope) -> list[Node]:
        name = node.child_by_field_name("name")
        if name is not None:
            scope.bound[text(name)] = None
        inner = self._open("class", scope, node)
        if inner is not None:
            self._later(inner, self._fields_of(node, "body"))
        return self._fields_of(node, "superclasses")

    def _comprehension(self, node: Node, scope: Scope) -> list[Node]:
        inner = self._open("comprehension", scope, node)
        if inner is None:
            return []
        first: list[Node] = []  # what is evaluated outside
        rest: list[Node] = []
        clauses = 0
        for child in node.named_children:
            if child.type != "for_in_clause":
                rest.append(child)
                continue
            left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
            if left is not None:
                self._bind_targets(left, inner)
            for part in child.named_children:
                (first if not clauses and right is not None and part.id == right.id else rest).append(part)
            clauses += 1
        self._later(inner, rest)
        return first

    def _yield(self, node: Node, scope: Scope) -> list[Node]:
        scope.function().yields = True
        return node.named_children

    def _pattern(self, node: Node, scope: Scope) -> list[Node]:
        """A case pattern: a name without a dot captures, except in a value or class position."""
        if node.child_by_field_name("alias") is not None:  # `as` of a with or except
            return node.named_children
        rest: list[Node] = []
        for child in node.named_children:
            if child.type == "dotted_name":
                if child.named_child_count == 1 and node.type != "class_pattern":
                    if text(child) != "_":
                        scope.bound[text(child)] = None
                elif child.named_children:
                    scope.references.add(text(child.named_children[0]))
            elif child.type == "identifier":
                if node.type != "keyword_pattern":
                    scope.bound[text(child)] = None
            else:
                rest.append(child)
        return rest

    def _resolve(self) -> None:
        """Find which names of a scope are used by functions inside it."""
        for scope in self._all:
            home = scope.function()
            for name in scope.references | scope.nonlocals | scope.globals:
                owner = scope.owner(name) if name not in scope.nonlocals else self._nonlocal_owner(scope, name)
                if owner is not None and owner.function() is not home:
                    owner.captured.add(name)
            if home.kind == "function":
                home.module().bound.update(dict.fromkeys(name for name in scope.bound if name in home.globals))

    @staticmethod
    def _nonlocal_owner(scope: Scope, name: str) -> Scope | None:
        parent = scope.parent
        return parent.owner(name) if parent is not None else None


_VISITORS: dict[str, Callable[[ScopeBuilder, Node, Scope], list[Node]]] = {
    **dict.fromkeys(_COMPREHENSIONS, ScopeBuilder._comprehension),
    "attribute": ScopeBuilder._attribute,
    "keyword_argument": ScopeBuilder._keyword_argument,
    "assignment": ScopeBuilder._assignment,
    "augmented_assignment": ScopeBuilder._assignment,
    "named_expression": ScopeBuilder._walrus,
    "for_statement": ScopeBuilder._for,
    "as_pattern_target": ScopeBuilder._with_or_except,
    "import_statement": ScopeBuilder._import,
    "import_from_statement": ScopeBuilder._import,
    "future_import_statement": lambda self, node, scope: [],
    "global_statement": ScopeBuilder._global,
    "nonlocal_statement": ScopeBuilder._global,
    "function_definition": ScopeBuilder._function,
    "lambda": ScopeBuilder._function,
    "class_definition": ScopeBuilder._class,
    "string": ScopeBuilder._string,
    "yield": ScopeBuilder._yield,
    "case_pattern": ScopeBuilder._pattern,
    "as_pattern": ScopeBuilder._pattern,
    "class_pattern": ScopeBuilder._pattern,
    "keyword_pattern": ScopeBuilder._pattern,
    "splat_pattern": ScopeBuilder._pattern,
}
