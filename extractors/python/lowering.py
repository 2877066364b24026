"""A Python file to facts: the state that the parts of the lowering share.

`expressions`, `conditions`, `statements` and `definitions` each add handlers by the node types of tree-sitter-python;
a type that none of them knows is counted as not modelled and its children are lowered for their effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tree_sitter import Node

from pliant.extractors.python.scopes import Scope, ScopeBuilder
from pliant.extractors.ssa import LIVE, UNDEFINED, Block, Function, Key, Refinement, Value
from pliant.extractors.writer import FactWriter, Span

Expression = Callable[["Lowering", Node], Value]
Statement = Callable[["Lowering", Node], None]

ConditionKey = tuple[Value, str]  # the root of what is tested, what for

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}


@dataclass(slots=True)
class Handler:
    """What happens to exceptions: `catches` names the exceptions caught, `everything` if all are."""

    block: Block | None
    catches: frozenset[str] = frozenset()
    everything: bool = False
    final: bool = False


@dataclass(slots=True)
class Joined:
    """An `if` that has been lowered: where its sides ended, where they meet, what they wrote."""

    function: Function
    block: Block
    yes: Block
    no: Block
    keys: frozenset[Key]


@dataclass(slots=True)
class Pending:
    """A function whose body is lowered when the one around it is done."""

    node: Node
    scope: Scope
    symbol: str
    owner: str | None  # the class it is a method of
    kinds: frozenset[str] = field(default_factory=frozenset)  # decorators that change what it is


class Lowering:
    def __init__(self, root: Node, writer: FactWriter) -> None:
        self.root = root
        self.writer = writer
        self.scopes = ScopeBuilder(root)
        self.tracked = frozenset(self.scopes.stored_fields)
        self.cleared = frozenset(self.scopes.cleared_fields)
        self.scope = self.scopes.module
        self.symbol = "|<module>"
        self.fn = Function(writer, self.symbol, self.tracked, self.cleared)
        self.handlers: list[Handler] = []
        self.loops: list[tuple[Block, Block]] = []  # where `break` and `continue` go
        self.pending: list[Pending] = []
        self.qualnames: dict[str, int] = {}
        self.class_symbol: str | None = None  # the class whose body is being lowered
        self.defining: str | None = None  # the function whose defaults and annotations are being lowered
        self.method_of: str | None = None  # the class of the method that is being lowered
        self.written_fields: set[str] = set()
        self.write_log: list[Key] = []
        self.joins: dict[ConditionKey, Joined] = {}
        self.finally_depth = 0
        self.call_results: set[Value] = set()
        self.siblings: dict[Value, list[tuple[int, Key, Value]]] = {}  # of an unpacked item: number, variable, value
        self.truths: dict[Value, str] = {}  # values of the function that stand for the truth of a parameter
        self.tokens: set[Value] = set()  # values of the function that stand for the tests made so far
        self.anonymous = False  # in the arguments of a call
        self.in_annotation = False  # annotations may never be evaluated
        self.overloads: dict[str, bool] = {}  # qualified name -> whether every overload may give null
        self.builtins: set[str] = set()  # names of builtins that have been declared
        self.constants: set[str] = set()  # module-level names bound once, to something that is not null
        self.stars: list[str] = []  # modules whose names are all imported

    # Naming.

    @property
    def qualname(self) -> str:
        """The definition that names made here belong to."""
        return (self.defining or self.class_symbol or self.symbol)[1:]

    def unique(self, qualname: str) -> str:
        """The symbol of a definition; the second of the same name gets an ordinal."""
        count = self.qualnames.get(qualname, 0) + 1
        self.qualnames[qualname] = count
        return f"|{qualname}" if count == 1 else f"|{qualname}#{count}"

    def nested(self, name: str) -> str:
        """The qualified name of a definition made here."""
        outer = self.class_symbol or self.symbol
        return name if outer == "|<module>" else f"{outer[1:]}.{name}"

    # Values.

    def value(self, what: str, node: Node | None = None) -> Value:
        return self.fn.value(self.writer.name(self.qualname, what), span(node) if node is not None else None)

    def opaque(self) -> Value:
        """The value that is not null and of which nothing else is known."""
        return self.fn.opaque

    def emit(self, relation: str, *entries: int | str) -> None:
        self.fn.emit(relation, *entries)

    def container(self, value: Value, kind: str) -> None:
        """`value` is a new container of class `kind`. Those that are written as arguments of calls have no name by
        which their maker could change them: the file has one object for them all."""
        self.fn.nonnull.add(value)
        if self.anonymous:
            self.emit("new", value, f"|<module>|{kind} argument|object", kind)
            return
        self.emit("new", value, value, kind)
        self.emit("made_in", value, self.symbol)

    def null(self, what: str, node: Node, kind: str) -> Value:
        value = self.value(what, node)
        self.emit("null", value, kind)
        return value

    def live(self) -> Value:
        return self.fn.read(LIVE)

    # Variables.

    def key(self, name: str, owner: Scope) -> str:
        """The variable's key in the function being lowered; what follows `#` does not go into names."""
        if owner.kind not in ("class", "comprehension") and owner.function() is self.scope.function():
            return name
        return f"{name}#{owner.number}"

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

    def assign(self, key: Key, value: Value) -> None:
        self.fn.write(key, value)
        self.write_log.append(key)

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

    def enter(self, pending: Pending) -> None:
        """Make `pending` the function that is being lowered."""
        self.symbol, self.scope = pending.symbol, pending.scope
        self.handlers, self.loops, self.finally_depth = [], [], 0
        self.class_symbol, self.method_of = None, pending.owner
        self.written_fields, self.write_log, self.joins, self.tokens = set(), [], {}, set()
        self.call_results, self.truths, self.siblings = set(), {}, {}

    def is_literal_null(self, value: Value) -> bool:
        name = self.fn.names[self.fn.resolve(value)]
        return name is not None and name.rsplit("|", 2)[-2:-1] == ["None"]

    # Guards and uses.

    def refine(self, refinements: Iterable[Refinement]) -> None:
        """Make the variables what a test has shown them to be."""
        fn = self.fn
        for key, root, nonnull in refinements:
            current = fn.read(key)
            if current == UNDEFINED or current in fn.nonnull or fn.root(current) != root:
                continue
            if current == fn.unknown:
                if nonnull:
                    fn.write(key, fn.unnamed())
                continue
            what = key.split("#")[0] if isinstance(key, str) else f"{key[1]} of {fn.what(key[0])}"
            guarded = fn.value(
                self.writer.name(self.qualname, f"{what} {'not None' if nonnull else 'None'}"), root=fn.root(current)
            )
            if nonnull:
                self.emit("assign_object", guarded, current)
                fn.nonnull.add(guarded)
                fn.write((root, SHOWN), guarded)
            else:
                self.emit("assign_null", guarded, current)
            fn.write(key, guarded)

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> None:
        """Note that `node` fails if `value` is null, and that it is not null afterwards."""
        fn = self.fn
        value = fn.resolve(value)
        if value == UNDEFINED or value in fn.nonnull or self.in_annotation or not fn.reachable():
            return
        wanted = ATTRIBUTE_ERROR if kind in ("attribute", "context") else TYPE_ERROR
        if not any(handler.catches & wanted for handler in self.handlers):
            site = self.value(what, node)
            self.emit("dereference", site, value, kind, self.live())
            for index, key, sibling in self.siblings.get(value, ()):
                current = fn.read(key)
                if current in fn.nonnull and fn.root(current) == fn.root(sibling):
                    self.emit("beside", site, value, index)
            if any(handler.everything for handler in self.handlers):
                self.emit("handled", site)
        root = fn.root(value)
        self.refine([(key, root, True) for key in keys])

    def store_field(self, base: Value, name: str, value: Value, node: Node) -> None:
        self.emit("store", base, name, value)
        self.emit("write", self.value(f".{name} =", node), base, "attribute")
        if name not in self.written_fields:
            self.written_fields.add(name)
            self.emit("field_write", self.symbol, name)
        path = self.fn.path(base, name)
        if path is not None:
            self.assign(path, value)

    # Tests by helpers: `if x.ready: x.connection...`, where what `ready` looks at is in another function.

    def note_tests(self, value: Value, base: Value) -> None:
        """Note which tests of `base` have succeeded where its attribute `value` is read."""
        path = self.fn.path(base, TESTS)
        token = self.fn.content(path) if path is not None else UNDEFINED
        if token in self.tokens:
            self.emit("under_test", value, token)

    def test(self, value: Value, base: Value, outcome: bool) -> None:
        """Note that here `value`, an attribute or a call of a method of `base`, is known to be true (or false)."""
        path = self.fn.path(base, TESTS)
        if path is None:
            return
        before = self.fn.content(path)
        token = self.value("test")
        self.emit("test", token, value, "true" if outcome else "false")
        if before in self.tokens:
            self.emit("test_after", token, before)
        self.tokens.add(token)
        self.fn.write(path, token)

    # Flags: `if required: raise`, after which null is returned only where `required` is false.

    def note_truth(self, value: Value, outcome: bool) -> None:
        """Note that here `value` is known to be true (or false), if it is a parameter."""
        root = self.fn.root(value)
        if root in self.fn.formals:
            token = self.fn.unnamed()
            self.truths[token] = "true" if outcome else "false"
            self.fn.write((root, TRUTH), token)

    def requirements(self, null: Value) -> None:
        """Note which parameters must be true or false for `null` to be returned here."""
        for formal in self.fn.formals:
            truth = self.truths.get(self.fn.content((formal, TRUTH)))
            if truth is not None:
                self.emit("requires", null, formal, truth)

    # Dispatch.

    def expression(self, node: Node) -> Value:
        handler = EXPRESSIONS.get(node.type)
        if handler is not None:
            return handler(self, node)
        if node.type not in ("ERROR", "comment"):
            self.writer.unmodelled(node.type)
        for child in node.named_children:
            self.expression(child)
        return self.opaque()

    def statement(self, node: Node) -> None:
        if not self.fn.reachable():
            return
        handler = STATEMENTS.get(node.type)
        if handler is None:
            if node.type == "ERROR":
                self._error(node)
            elif node.type in EXPRESSIONS:
                EXPRESSIONS[node.type](self, node)
            elif node.type not in ("comment", "line_continuation"):
                self.writer.unmodelled(node.type)
            return
        if self.handlers:
            self.may_raise()
        try:
            handler(self, node)
        except RecursionError:
            self.writer.diagnostic(node.start_point[0] + 1, "nested too deeply: this statement is not analysed")

    def block(self, node: Node | None) -> None:
        if node is not None:
            for child in node.named_children:
                self.statement(child)

    def _error(self, node: Node) -> None:
        for child in node.named_children:
            if child.type in STATEMENTS or child.type == "ERROR":
                self.statement(child)

    def may_raise(self) -> None:
        """Control may go from here to the innermost handler."""
        for handler in reversed(self.handlers):
            if handler.block is not None:
                self.fn.edge(self.fn.split(), handler.block)
                return


MANY = 64  # definitions of a name, past which functions that read it are not told what it holds
SHOWN = "$shown"  # the field under which it is followed that a value was shown not to be null
TRUTH = "$truth"  # the field under which the truth of a parameter is followed
TESTS = "$tests"  # the field under which the tests of an object are followed
ATTRIBUTE_ERROR = frozenset(("AttributeError",))
TYPE_ERROR = frozenset(("TypeError",))


def span(node: Node) -> Span:
    start, end = node.start_point, node.end_point
    return (start[0] + 1, start[1], end[0] + 1, end[1])
