"""A file on its way to a unit: its functions one after the other, and which variable a name means in each."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS, TooMuch
from pliant.extractors.ir import ANY, Builder, Constant, Function, Unit
from pliant.extractors.ir.flow import Flow
from pliant.extractors.ir.operands import OTHER, Operand, Type
from pliant.extractors.ir.unit import MODULE, LeftOut, Span
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.literals import MOST_DIGITS
from pliant.extractors.lowering.source import WORDS, elements, span, text
from pliant.extractors.lowering.translated import TranslatedFile, registers
from pliant.extractors.python.scopes import Scope, ScopeBuilder

Expression = Callable[["Body", Node], Operand]
Statement = Callable[["Body", Node], None]
EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}
SKIPPED = frozenset(("comment", "line_continuation"))


expression, statement = registers(EXPRESSIONS), registers(STATEMENTS)


class File(TranslatedFile):
    """The unit of a Python file under construction. scopes: of the file, from an earlier attempt perhaps."""

    def __init__(
        self,
        root: Node,
        scopes: ScopeBuilder,
        left_out: isolation.LeftOut | None = None,
        emit: Callable[[File], None] = lambda file: None,
    ) -> None:
        super().__init__(root, Unit("python"), left_out, emit)
        self.scopes = scopes
        scopes.forget_names()
        self.overloads: dict[str, bool] = {}  # qualified name -> whether every overload may give None
        self._unknown: set[str] = set()  # names that were bound for what is left out, and where the last one was
        self._unknown_at = -1, -1

    def outside(self) -> Body:
        module = self.scopes.module
        module.qualname = MODULE
        return Body(self, Function(MODULE, span=span(self.root)), module)

    def lower_outside(self, body: Body) -> None:
        body.block(self.root)

    def variables(self, body: Body) -> dict[str, Type]:
        return dict.fromkeys(body.scope.bound, ANY)

    def stored(self) -> frozenset[str]:
        return self.scopes.stored

    def may_fail(self, body: Body, node: Node, handler: Statement) -> None:
        """Translate a statement outside of functions. One that fails costs that alone; what is around it may fail for
        that alone, and is tried again without it."""
        reason = self.left_out.get(_part(node))
        if reason is not None:
            self._leave_out_statement(body, node, reason)
            return
        state, within = vars(body).copy(), body.builder.within
        try:
            handler(body, node)
        except Exception as error:
            vars(body).update(state)
            body.builder.within = within
            last = next(reversed(self.failed), None)
            if last is None or not (node.start_byte <= last[0] and last[1] <= node.end_byte):
                self.failed[_part(node)] = isolation.reason_of(error)

    def _leave_out_statement(self, body: Body, node: Node, reason: str) -> None:
        """Of the names that a statement may bind, nothing is known."""
        builder = body.builder
        self.unit.left_out.append(LeftOut("", span(node), reason))
        names = body.scope.bound.keys() & set(WORDS.findall(text(node)))
        if self._unknown_at != (builder.current, builder.steps):  # something has been bound since then
            self._unknown.clear()
        names -= self._unknown
        self._unknown |= names
        builder.most_steps += 2 * NODE_STEPS * len(names)
        for name in sorted(names):
            body.bind(name, OTHER, span(node))
        self._unknown_at = builder.current, builder.steps

    def fails(self, where: Span | None, error: Exception) -> None:
        """Note that the passes fail over what is outside of functions, at `where`: over that statement and, if there is
        too much of it, those behind it."""
        if where is None:
            raise error
        row, column, end_row, end_column = where
        node: Node | None = None
        around = self.root.descendant_for_point_range((row - 1, column), (end_row - 1, end_column))
        while around is not None and not (
            around == self.root or (node is not None and around.type == "class_definition")
        ):
            # Too much is the whole of a statement, with what is inside it, but for classes.
            if around.type in STATEMENTS and (node is None or isinstance(error, TooMuch)):
                node = around
            around = around.parent
        if node is None or _part(node) in self.left_out:
            raise error
        self.failed[_part(node)] = isolation.reason_of(error)
        while isinstance(error, TooMuch) and node is not None:
            behind = node.next_named_sibling
            while behind is not None:
                if behind.type in STATEMENTS:
                    self.failed.setdefault(_part(behind), str(error))
                behind = behind.next_named_sibling
            node = node.parent


def _part(node: Node) -> isolation.Part:
    """What a statement outside of functions is for `isolation`."""
    return node.start_byte, node.end_byte, ""


class Body:
    """A function under construction, and the class whose body is being translated in it, if any."""

    def __init__(self, file: File, function: Function, scope: Scope) -> None:
        self.file = file
        self.builder = Builder(function)
        self.flow = Flow(self.builder)
        self.scope = scope
        self.class_name = ""
        self.class_value: Operand = OTHER
        self._known: dict[tuple[int, str], str] = {}  # number of a scope and a name of it -> variable
        self._read: dict[tuple[int, str], str] = {}  # number of a scope and a name that is read there -> variable

    # Dispatch.

    def expression(self, node: Node) -> Operand:
        """Translate an expression; what is not modelled gives an unknown value, when its parts have been evaluated."""
        handler = EXPRESSIONS.get(node.type)
        if handler is not None:
            return handler(self, node)
        if node.type not in SKIPPED and node.type != "ERROR":
            self.file.unmodelled[node.type] = self.file.unmodelled.get(node.type, 0) + 1
        for child in node.named_children:
            self.expression(child)
        return OTHER

    def statement(self, node: Node) -> None:
        if not self.builder.reachable:
            return
        handler = STATEMENTS.get(node.type)
        if handler is not None and self.builder.function.name == MODULE:
            self.file.may_fail(self, node, handler)
        elif handler is not None:
            handler(self, node)
        elif node.type == "ERROR":
            for child in node.named_children:
                if child.type in STATEMENTS or child.type == "ERROR":
                    self.statement(child)
        else:
            self.expression(node)

    def block(self, node: Node | None) -> None:
        for child in node.named_children if node is not None else ():
            if child.type not in SKIPPED:
                self.statement(child)

    def function_body(self, node: Node, *, stub: bool) -> None:
        """The body of a function or a lambda. stub: its end gives nothing that is known."""
        body = node.child_by_field_name("body")
        if node.type == "lambda":
            if body is not None:
                self.builder.do("exit", (self.expression(body),), span=span(body))
            return
        self.block(body)
        if self.builder.reachable:
            name = node.child_by_field_name("name") or node
            self.builder.do("exit", () if stub else (self.builder.give("nothing", span=span(name)),))

    # Names.

    def nested(self, name: str) -> str:
        """The qualified name of a definition made here."""
        outer = self.class_name or self.builder.function.name
        return name if outer == MODULE else f"{outer}.{name}"

    def variable(self, name: str, owner: Scope) -> str:
        """The variable that a name of `owner` is in this function."""
        known = self._known.get((owner.number, name))
        if known is not None:
            return known
        home, place = "local", ""
        if owner.kind == "module":
            home = "module"
        elif owner.function() is not self.scope.function():
            home, place = "captured", owner.function().qualname
        elif name in owner.captured and owner.kind == "function":
            home = "shared"
        variable = self.builder.variable(name, ANY, home, place)
        self._known[owner.number, name] = variable
        return variable

    def read(self, name: str, where: Span) -> Operand:
        """What a name holds here; of one that nothing binds, what the builtins call it."""
        place = self.scope.number, name
        variable = self._read.get(place)
        if variable is None:
            owner = self.scope.owner(name)
            if owner is None:
                return self.builder.give("import", "builtins", name, span=where)
            variable = self._read[place] = self.variable(name, owner)
        return self.builder.get(variable, where)

    def bind(self, name: str, value: Operand, where: Span, how: str = "") -> None:
        """Give a name a value."""
        scope = self.scope.around_comprehensions() if how == "walrus" else self.scope
        home = scope.function()
        owner: Scope | None = scope
        if name in home.globals:
            owner = home.module()
        elif name in home.nonlocals and scope.kind != "class":
            owner = home.parent.owner(name) if home.parent is not None else None
        self.builder.set(self.variable(name, owner or scope), value, where)
        if scope.kind == "class" and self.class_name:
            self.builder.do("store", self.class_value, name, value, span=where)

    def temporary(self, what: str) -> str:
        """A variable that the source does not name."""
        return self.builder.variable(f"{what}.")


def literal(node: Node) -> Constant:
    """The constant of a literal; `other` where its content is not kept."""
    kind = node.type
    if kind in ("true", "false"):
        return Constant("boolean", kind == "true")
    if kind == "integer":
        return integer(text(node))
    if kind == "float":
        return Constant("float", text(node))
    return OTHER


def integer(written: str) -> Constant:
    """The constant of an integer; `other` for one with too many digits, or of Python 2."""
    if len(written) > MOST_DIGITS:
        return OTHER
    try:
        return Constant("integer", int(written, 0))
    except ValueError:
        return OTHER


__all__ = ["Body", "File", "elements", "expression", "integer", "literal", "span", "statement", "text"]
