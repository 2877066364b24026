"""Type expressions of stubs: aliases expanded, generics substituted."""

from __future__ import annotations

import ast

from .dependencies import Dependencies
from .library_names import TRANSPARENT, Entity, Names, last_name
from .library_types import ANY, NEVER, NONE, SELF, TUPLE, Type, instance, substitute, union, variables


class Annotations(Names):
    def __init__(self, extra: dict[str, str] | None = None, dependencies: Dependencies | None = None) -> None:
        super().__init__(extra, dependencies)
        self._expanding: set[str] = set()

    def qualified(self, text: str) -> Type:
        """The type that a model file spells with fully qualified names."""
        scope = self.module("")
        assert scope is not None
        return self.evaluate(ast.parse(text.strip(), mode="eval").body, scope)

    def evaluate(self, node: ast.expr | None, scope: Entity) -> Type:
        if node is None:
            return ANY
        if isinstance(node, ast.Constant):
            if node.value is None:
                return NONE
            if isinstance(node.value, str):
                try:
                    return self.evaluate(ast.parse(node.value, mode="eval").body, scope)
                except SyntaxError:
                    return ANY
            return ANY
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return union((self.evaluate(node.left, scope), self.evaluate(node.right, scope)))
        if isinstance(node, ast.Subscript):
            entity = self.lookup(node.value, scope)
            arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return ANY if entity is None else self._applied(entity, arguments, scope)
        if isinstance(node, (ast.Name, ast.Attribute)):
            entity = self.lookup(node, scope)
            return ANY if entity is None else self._applied(entity, None, scope)
        return ANY

    def _applied(self, entity: Entity, arguments: list[ast.expr] | None, scope: Entity) -> Type:
        if entity.kind == "special":
            return self._special(entity.name, arguments or [], scope)
        if entity.kind == "variable":
            return self._variable(entity)
        if entity.kind == "alias":
            expanded = self._alias(entity)
            given = [self.evaluate(argument, scope) for argument in arguments or ()]
            free = variables(expanded)
            return substitute(expanded, dict(zip(free, given + [ANY] * len(free), strict=False))) if free else expanded
        if entity.kind != "class":
            return ANY
        if entity.name == "builtins.type":
            return ANY
        if entity.name == TUPLE and arguments is not None:
            return self._tuple(arguments, scope)
        if arguments is None:
            return instance(entity.name)
        return instance(entity.name, *(self.evaluate(argument, scope) for argument in arguments))

    def _tuple(self, arguments: list[ast.expr], scope: Entity) -> Type:
        if len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is ...:
            return instance(TUPLE, self.evaluate(arguments[0], scope))
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            return instance(TUPLE)
        return Type("tuple", TUPLE, tuple(self.evaluate(argument, scope) for argument in arguments))

    def _special(self, name: str, arguments: list[ast.expr], scope: Entity) -> Type:
        if name in TRANSPARENT:
            return self.evaluate(arguments[0], scope) if arguments else ANY
        if name == "Optional":
            return union((self.evaluate(arguments[0], scope), NONE))
        if name == "Union":
            return union(self.evaluate(argument, scope) for argument in arguments)
        if name == "Tuple":
            return self._tuple(arguments, scope) if arguments else instance(TUPLE)
        if name in ("NoReturn", "Never"):
            return NEVER
        if name == "Self":
            return SELF
        if name == "LiteralString":
            return instance("builtins.str")
        if name in ("TypeGuard", "TypeIs"):
            return instance("builtins.bool")
        if name == "Literal":
            return union(self._literal(argument, scope) for argument in arguments)
        return ANY

    def _literal(self, node: ast.expr, scope: Entity) -> Type:
        if isinstance(node, ast.Constant):
            return NONE if node.value is None else instance(f"builtins.{type(node.value).__name__}")
        if isinstance(node, ast.Attribute):
            owner = self.lookup(node.value, scope)
            return instance(owner.name) if owner is not None and owner.kind == "class" else ANY
        return ANY

    def _variable(self, entity: Entity) -> Type:
        """A type variable; one that is constrained to a list of types (AnyStr) counts as the first of them."""
        node = entity.nodes[0]
        call = node.value if isinstance(node, ast.Assign) else None
        if isinstance(call, ast.Call) and last_name(call) == "TypeVar" and len(call.args) > 1:
            return self.evaluate(call.args[1], self.scope_of(entity))
        return Type("variable", entity.name)

    def _alias(self, entity: Entity) -> Type:
        if entity.name in self._expanding:
            return ANY
        node = entity.nodes[0]
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Call):  # NewType("Name", base)
            value = value.args[1]
        self._expanding.add(entity.name)
        try:
            return self.evaluate(value, self.scope_of(entity))
        finally:
            self._expanding.discard(entity.name)

    def scope_of(self, entity: Entity) -> Entity:
        found = entity.owner or self.module(entity.module)
        assert found is not None, entity.name
        return found
