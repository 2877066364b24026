"""Whether a condition can hold: what is left of it, as a formula for the solver."""

from __future__ import annotations

from collections.abc import Iterable

import z3

from pliant.analyses.witness.terms import NOT_NULL, Node, Terms, is_number

STEPS = 3_000_000  # of the solver's own counter (`rlimit`), the same on each machine


class Formula:
    """A condition in the solver's terms, with what holds of the values in it.

    Numbers are real numbers, without bounds: so nothing is refuted by a number being whole, and a sum that wraps around
    is not told apart. Strings and floats have numbers of which nothing is known.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.context = context = z3.Context()  # of its own: what the solver finds depends on what is in one
        self._sort = z3.DeclareSort("value", context)
        self.facts: list[z3.BoolRef] = []
        self._null = z3.Const("null", self._sort)
        self._number = z3.Function("number", self._sort, z3.RealSort(context))
        self._true = z3.Function("true", self._sort, z3.BoolSort(context))
        self._identity = z3.Function("identity", self._sort, z3.IntSort(context))
        self._equal = z3.Function("equal", self._sort, self._sort, z3.BoolSort(context))
        self._in = z3.Function("in", self._sort, self._sort, self._sort, z3.BoolSort(context))
        self._made: dict[Node, z3.ExprRef] = {}
        self._expanded: dict[Node, Node] = {}
        self._constants = 0
        self._reached: set[Node] = set()
        self.facts += [self._identity(self._null) == 0, z3.Not(self._true(self._null))]

    def condition(self, holds: Node) -> z3.BoolRef:
        """A condition, and everything below it."""
        self._reach(holds)
        order: list[Node] = []
        todo: list[tuple[Node, bool]] = [(holds, False)]
        while todo:
            node, done = todo.pop()
            if node in self._made:
                continue
            if done:
                self._made[node] = self._make(node)
                continue
            todo.append((node, True))
            todo += [(part, False) for part in self._parts(node) if part not in self._made]
            order.append(node)
        return self._made[holds]

    def solver(self) -> z3.Solver:
        """A solver that knows the facts of what was asked for until now."""
        solver = z3.SimpleSolver(ctx=self.context)
        solver.set("rlimit", STEPS)
        solver.add(*self.facts)
        return solver

    def has(self, node: Node) -> bool:
        """Whether a condition that was asked for depends on a node."""
        return node in self._made

    def atoms(self) -> list[Node]:
        """What the conditions that were asked for consist of: conditions that are not joined of others."""
        return [node for node in self._made if node.op in _ATOMS]

    # What a node consists of, as far as it is asked about.

    def _reach(self, holds: Node) -> None:
        """Find what the condition depends on. That something did not fail counts where its value does."""
        survivals: list[Node] = []
        todo = [holds]
        while todo:
            while todo:
                node = todo.pop()
                if node in self._reached:
                    continue
                self._reached.add(node)
                if node.op == "survives":
                    survivals.append(node)
                    todo.append(node.first)
                else:
                    todo += self._parts(node)
            for node in survivals:
                value = node.args[1]
                assert isinstance(value, Node)
                asked = self._terms.is_null(self.plain(value))
                if asked not in self._reached and self._matters(self.plain(value)):
                    todo.append(asked)

    def _matters(self, value: Node) -> bool:
        return value in self._reached or (
            value.op == "either" and any(isinstance(each, Node) and self._matters(each) for each in value.args[1:])
        )

    def plain(self, node: Node) -> Node:
        """A node without what is computed when it is asked for."""
        while True:
            found = self._expanded.get(node)
            if found is None:
                found = self._expanded[node] = self._expand(node)
            if found is node:
                return node
            node = found

    def _expand(self, node: Node) -> Node:
        terms = self._terms
        if node.op == "pending":
            value: Node = node.args[0]()  # type: ignore[operator]
            return value
        if node.op == "returns":
            condition: Node = node.args[1]()  # type: ignore[operator]
            return condition
        if node.op in ("null?", "true?", "marked?"):
            plain = self.plain(node.first)
            if node.op == "marked?" and plain.op == "held":
                table = plain.first
                while table.op == "held":
                    table = table.first
                return terms.is_null(plain) if table.op == "table" else terms.false
            if node.op == "marked?":
                return terms.is_marked(plain)
            if plain is not node.first:
                return terms.is_null(plain) if node.op == "null?" else terms.is_true(plain)
        if node.op == "equal?":
            left, right = node.nodes()
            plain_left, plain_right = self.plain(left), self.plain(right)
            if plain_left is not left or plain_right is not right:
                return terms.is_equal(plain_left, plain_right)
        if node.op == "held":
            table, base = map(self.plain, node.nodes())
            if table.op == "stored":
                under, key, value = table.nodes()
                key = self.plain(key)
                if key is base:
                    return value
                return terms.either(terms.same(key, base), value, terms.held(under, base))
            if table.op == "either":
                holds, yes, no = table.nodes()
                return terms.either(holds, terms.held(yes, base), terms.held(no, base))
            return terms.held(table, base)
        return node

    def _parts(self, node: Node) -> Iterable[Node]:
        plain = self.plain(node)
        if plain is not node:
            return (plain,)
        if node.op == "survives":
            value = node.args[1]
            assert isinstance(value, Node)
            asked = self._terms.is_null(self.plain(value))
            return (node.first, asked) if asked in self._reached else (node.first,)
        return tuple(each for each in node.args if isinstance(each, Node) and not each.op.startswith("table"))

    # Formulas.

    def _make(self, node: Node) -> z3.ExprRef:
        plain = self.plain(node)
        if plain is not node:
            return self._made[plain]
        make = getattr(self, f"_{_NAMES.get(node.op, node.op)}_", None)
        if make is not None:
            made: z3.ExprRef = make(node)
            return made
        return self._value(node)

    def _of(self, node: object) -> z3.ExprRef:
        assert isinstance(node, Node)
        return self._made[node]

    def _value(self, node: Node) -> z3.ExprRef:
        """A value of which little is known."""
        value = z3.Const(str(node.args[0]), self._sort)
        if node.op in NOT_NULL:
            self.facts.append(value != self._null)
        if node.op == "new":
            self.facts.append(self._identity(value) == node.args[1])
        elif node.op == "given":
            self.facts.append(self._identity(value) <= 0)
        return value

    def _null_(self, node: Node) -> z3.ExprRef:
        return self._null

    def _true_(self, node: Node) -> z3.ExprRef:
        return z3.BoolVal(node.op == "true", self.context)

    _false_ = _true_

    def _constant_(self, node: Node) -> z3.ExprRef:
        self._constants += 1
        value = z3.Const(f"constant {self._constants}", self._sort)
        content = node.args[0].content  # type: ignore[attr-defined]
        self.facts += [self._identity(value) == -self._constants, self._true(value) == bool(content)]
        if isinstance(content, int):
            self.facts.append(self._number(value) == int(content))
        return value

    def _boolean_(self, node: Node) -> z3.ExprRef:
        self._constants += 1
        value = z3.Const(f"boolean {self._constants}", self._sort)
        holds = self._of(node.first)
        self.facts += [value != self._null, self._true(value) == holds, self._number(value) == z3.If(holds, 1, 0)]
        return value

    def _arithmetic_(self, node: Node) -> z3.ExprRef:
        self._constants += 1
        value = z3.Const(f"number {self._constants}", self._sort)
        operator, *operands = node.args
        numbers = [self._number(self._of(each)) for each in operands]
        total = (
            -numbers[0]
            if len(numbers) == 1
            else numbers[0] + numbers[1]
            if operator == "+"
            else numbers[0] - numbers[1]
        )
        self.facts += [value != self._null, self._number(value) == total, self._true(value) == (total != 0)]
        return value

    def _applied_(self, node: Node) -> z3.ExprRef:
        name, *arguments = node.args
        function = z3.Function(f"{name}/{len(arguments)}", *[self._sort] * len(arguments), self._sort)
        return function(*map(self._of, arguments))

    def _held_(self, node: Node) -> z3.ExprRef:
        table, *keys = node.nodes()
        while table.op == "held":
            table, key = table.nodes()
            keys.append(key)
        function = z3.Function(str(table.args[0]), *[self._sort] * len(keys), self._sort)
        return function(*map(self._of, reversed(keys)))

    def _either_(self, node: Node) -> z3.ExprRef:
        return z3.If(*map(self._of, node.args))

    def _and_(self, node: Node) -> z3.ExprRef:
        return z3.And(*map(self._of, node.args))

    def _or_(self, node: Node) -> z3.ExprRef:
        return z3.Or(*map(self._of, node.args))

    def _not_(self, node: Node) -> z3.ExprRef:
        return z3.Not(self._of(node.first))

    def _open_(self, node: Node) -> z3.ExprRef:
        return z3.Bool(str(node.args[0]), self.context)

    def _survives_(self, node: Node) -> z3.ExprRef:
        value = node.args[1]
        assert isinstance(value, Node)
        asked = self._terms.is_null(self.plain(value))
        holds = self._of(node.first)
        return z3.And(holds, z3.Not(self._of(asked))) if asked in self._made else holds

    def _asks_null_(self, node: Node) -> z3.ExprRef:
        return self._of(node.first) == self._null

    def _asks_true_(self, node: Node) -> z3.ExprRef:
        return self._true(self._of(node.first))

    def _of_type_(self, node: Node) -> z3.ExprRef:
        kind = z3.Function(f"is {node.args[1]}", self._sort, z3.BoolSort(self.context))
        value = self._of(node.first)
        self.facts.append(z3.Implies(kind(value), value != self._null))
        return kind(value)

    def _in_(self, node: Node) -> z3.ExprRef:
        return self._in(*map(self._of, node.args))

    def _same_(self, node: Node) -> z3.ExprRef:
        left, right = map(self._of, node.args)
        return left == right

    def _equal_(self, node: Node) -> z3.ExprRef:
        left, right = map(self._of, node.args)
        if any(isinstance(each, Node) and is_number(each) for each in node.args):
            return z3.And(self._number(left) == self._number(right), left != self._null, right != self._null)
        equal = self._equal(left, right)
        alike = z3.And(
            (left == self._null) == (right == self._null),
            self._number(left) == self._number(right),
            self._true(left) == self._true(right),
            self._equal(right, left),
        )
        self.facts += [z3.Implies(equal, alike), z3.Implies(left == right, equal)]
        return equal

    def _less_(self, node: Node) -> z3.ExprRef:
        left, right = (self._number(self._of(each)) for each in node.args)
        return left < right if node.op == "<?" else left <= right


_ATOMS = frozenset(("null?", "true?", "of type?", "in?", "same?", "equal?", "<?", "<=?", "open"))
_NAMES = {
    "the null": "null",
    "null?": "asks_null",
    "true?": "asks_true",
    "of type?": "of_type",
    "in?": "in",
    "same?": "same",
    "equal?": "equal",
    "<?": "less",
    "<=?": "less",
}


def can_hold(terms: Terms, condition: Node) -> bool | None:
    """Whether a condition can hold; None where the solver cannot say within its bound."""
    formula = Formula(terms)
    plain = formula.plain(condition)
    if plain is terms.false:
        return False
    asked = formula.condition(plain)
    solver = formula.solver()
    solver.add(asked)
    found = solver.check()
    return None if found == z3.unknown else bool(found == z3.sat)
