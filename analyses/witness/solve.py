"""Whether a condition can hold: what is left of it, as a formula for the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pliant.analyses.witness.reach import Reach
from pliant.analyses.witness.terms import NOT_NULL, Node, Terms, is_number
from pliant.analyses.witness.z3_terms import Solver, Term

_NODE_STEPS = 4  # of a node that the solver is given


class Formula:
    """A condition in the solver's terms, with what holds of the values in it.

    Numbers are real numbers, without bounds: so nothing is refuted by a number being whole, and a sum that wraps around
    is not told apart. Strings and floats have numbers of which nothing is known.
    """

    def __init__(self, terms: Terms, solver: Solver) -> None:
        self._steps, self._z3, self._reach = terms.steps, solver, Reach(terms)
        self._natural = terms.natural
        self._made: dict[Node, Term] = {}
        self._constants = 0
        self._relations = terms.relations
        self._kinds: dict[Node, dict[str, None]] = {}  # that values are asked for
        self._related: dict[Node, int] = {}  # how many of those of a value the solver knows
        self._asked_kinds: list[tuple[Node, str]] = []  # of which nothing has been said yet
        self._alike: set[Node] = set()  # what is asked to be the same as another value
        self._null = solver.constant(solver.value)
        self._zero, self._one = (solver.number(each, solver.real) for each in (0, 1))
        solver.add(solver.equal(self._identity(self._null), solver.number(0, solver.whole)))
        solver.add(solver.opposite(self._true(self._null)))
        if terms.pointers:
            solver.add(solver.equal(self._number(self._null), self._zero))

    def plain(self, node: Node) -> Node:
        """A node without what is computed when it is asked for."""
        return self._reach.plain(node)

    def condition(self, holds: Node) -> Term:
        """A condition; the solver is told what holds of the values in it."""
        nodes = self._reach.of(holds)
        self._steps.spend(_NODE_STEPS * len(nodes))
        for node in nodes:
            self._made[node] = made = self._make(node)
            if node in self._natural:
                self._z3.add(self._z3.at_most(self._zero, self._number(made)))
        self._relate_kinds()
        return self._made[holds]

    def has(self, node: Node) -> bool:
        """Whether a condition that was asked for depends on a node."""
        return node in self._made

    def atoms(self) -> list[Node]:
        """What the conditions that were asked for consist of: conditions that are not joined of others."""
        return [node for node in self._made if node.op in _ATOMS]

    def _make(self, node: Node) -> Term:
        plain = self._reach.plain(node)
        if plain is not node:
            return self._made[plain]
        return _MAKES.get(node.op, Formula._value)(self, node)

    def _of(self, node: object) -> Term:
        assert isinstance(node, Node)
        return self._made[node]

    # What is asked of a value.

    def _identity(self, value: Term) -> Term:
        return self._z3.applied("identity", self._z3.whole, value)

    def _number(self, value: Term) -> Term:
        return self._z3.applied("number", self._z3.real, value)

    def _true(self, value: Term) -> Term:
        return self._z3.applied("true", self._z3.condition, value)

    def _is_null(self, value: Term) -> Term:
        return self._z3.equal(value, self._null)

    # Values.

    def _value(self, node: Node) -> Term:
        """A value of which little is known."""
        z3 = self._z3
        value = z3.constant(z3.value)
        if node.op in NOT_NULL:
            z3.add(z3.opposite(self._is_null(value)))
        if node.op == "new":
            z3.add(z3.equal(self._identity(value), self._whole(node.args[1])))
        elif node.op == "given":
            z3.add(z3.at_most(self._identity(value), self._whole(0)))
        return value

    def _whole(self, number: object) -> Term:
        assert isinstance(number, int)
        return self._z3.number(number, self._z3.whole)

    def _of_null(self, node: Node) -> Term:
        return self._null

    def _constant(self, node: Node) -> Term:
        z3 = self._z3
        self._constants += 1
        value = z3.constant(z3.value)
        content = node.args[0].content  # type: ignore[attr-defined]
        z3.add(z3.equal(self._identity(value), self._whole(-self._constants)))
        z3.add(z3.equal(self._true(value), z3.true if content else z3.false))
        if isinstance(content, int):
            z3.add(z3.equal(self._number(value), z3.number(int(content), z3.real)))
        return value

    def _boolean(self, node: Node) -> Term:
        z3 = self._z3
        value, holds = z3.constant(z3.value), self._of(node.first)
        z3.add(z3.opposite(self._is_null(value)))
        z3.add(z3.equal(self._true(value), holds))
        z3.add(z3.equal(self._number(value), z3.either(holds, self._one, self._zero)))
        return value

    def _arithmetic(self, node: Node) -> Term:
        z3 = self._z3
        value = z3.constant(z3.value)
        operator, *operands = node.args
        numbers = [self._number(self._of(each)) for each in operands]
        total = (
            z3.negative(numbers[0])
            if len(numbers) == 1
            else z3.sum(*numbers)
            if operator == "+"
            else z3.difference(*numbers)
        )
        z3.add(z3.opposite(self._is_null(value)))
        z3.add(z3.equal(self._number(value), total))
        z3.add(z3.equal(self._true(value), z3.opposite(z3.equal(total, self._zero))))
        return value

    def _applied(self, node: Node) -> Term:
        name, *arguments = node.args
        value = self._z3.applied(("applied", name, len(arguments)), self._z3.value, *map(self._of, arguments))
        if node.op == "pure":
            self._z3.add(self._z3.opposite(self._is_null(value)))
        return value

    def _held(self, node: Node) -> Term:
        table, *keys = node.nodes()
        while table.op == "held":
            table, key = table.nodes()
            keys.append(key)
        return self._z3.applied((table, len(keys)), self._z3.value, *map(self._of, reversed(keys)))

    def _part(self, node: Node) -> Term:
        z3, base, *index = self._z3, *map(self._of, node.nodes())
        step = None if index else node.args[1]
        value = z3.applied(("part", step), z3.value, base, *index)
        z3.add(z3.opposite(self._is_null(value)))
        z3.add(z3.equal(self._identity(value), self._identity(base)))
        return value

    def _either(self, node: Node) -> Term:
        return self._z3.either(*map(self._of, node.args))

    # Conditions.

    def _is_true(self, node: Node) -> Term:
        return self._z3.true

    def _is_false(self, node: Node) -> Term:
        return self._z3.false

    def _and(self, node: Node) -> Term:
        return self._z3.both(*map(self._of, node.args))

    def _or(self, node: Node) -> Term:
        return self._z3.any_of(*map(self._of, node.args))

    def _not(self, node: Node) -> Term:
        return self._z3.opposite(self._of(node.first))

    def _open(self, node: Node) -> Term:
        return self._z3.constant(self._z3.condition)

    def _survives(self, node: Node) -> Term:
        holds, asked = self._of(node.first), self._reach.survivor(node)
        return holds if asked is None else self._z3.both(holds, self._z3.opposite(self._of(asked)))

    def _asks_null(self, node: Node) -> Term:
        return self._is_null(self._of(node.first))

    def _asks_true(self, node: Node) -> Term:
        return self._true(self._of(node.first))

    def _of_type(self, node: Node) -> Term:
        z3, value = self._z3, self._of(node.first)
        asked = z3.applied(("is", node.args[1]), z3.condition, value)
        z3.add(z3.implies(asked, z3.opposite(self._is_null(value))))
        self._asked_kinds.append((node.first, str(node.args[1])))
        return asked

    def _relate_kinds(self) -> None:
        """Say which kinds go together, of those that one value is asked for. Where values may be the same, what any of
        them is asked for counts for each."""
        if self._relations is None:
            return
        for value, kind in self._asked_kinds:
            self._kinds.setdefault(value, {})[kind] = None
        self._asked_kinds.clear()
        if self._alike:
            shared = [value for value in self._kinds if value in self._alike or value.op in _OF_OTHERS]
            of_all = dict.fromkeys(kind for value in shared for kind in self._kinds[value])
            self._steps.spend(len(shared) * len(of_all))
            for value in shared:
                self._kinds[value] |= of_all
        for value, kinds in self._kinds.items():
            for number in range(self._related.get(value, 0), len(kinds)):
                self._relate(self._made[value], list(kinds)[: number + 1])
            self._related[value] = len(kinds)

    def _relate(self, value: Term, kinds: Sequence[str]) -> None:
        """Say how the last of the kinds goes together with the ones before."""
        assert self._relations is not None
        z3, last = self._z3, kinds[-1]
        self._steps.spend(len(kinds))
        for other in kinds[:-1]:
            first, second = (z3.applied(("is", each), z3.condition, value) for each in (last, other))
            if self._relations.apart(last, other):
                z3.add(z3.opposite(z3.both(first, second)))
            if self._relations.implies(last, other):
                z3.add(z3.implies(first, second))
            if self._relations.implies(other, last):
                z3.add(z3.implies(second, first))

    def _in(self, node: Node) -> Term:
        return self._z3.applied("in", self._z3.condition, *map(self._of, node.args))

    def _same(self, node: Node) -> Term:
        todo = node.nodes()
        while todo:
            value = todo.pop()
            plain = self._reach.plain(value)
            if value not in self._alike:
                self._alike.add(value)
                todo += plain.nodes()[1:] if plain.op == "either" else [plain]
        return self._z3.equal(*map(self._of, node.args))

    def _equal(self, node: Node) -> Term:
        z3 = self._z3
        left, right = map(self._of, node.args)
        of_null = self._is_null(left), self._is_null(right)
        alike = z3.equal(self._number(left), self._number(right))
        if any(isinstance(each, Node) and is_number(each) for each in node.args):
            return z3.both(alike, *map(z3.opposite, of_null))
        equal, turned = (z3.applied("equal", z3.condition, one, other) for one, other in ((left, right), (right, left)))
        truth = z3.equal(self._true(left), self._true(right))
        z3.add(z3.implies(equal, z3.both(z3.equal(*of_null), alike, truth, turned)))
        z3.add(z3.implies(z3.equal(left, right), equal))
        return equal

    def _less(self, node: Node) -> Term:
        left, right = (self._number(self._of(each)) for each in node.args)
        return self._z3.less(left, right) if node.op == "<?" else self._z3.at_most(left, right)


_OF_OTHERS = frozenset(("held", "applied", "answered", "pure", "part"))  # the same for arguments that are the same
_ATOMS = frozenset(("null?", "true?", "of type?", "in?", "same?", "equal?", "<?", "<=?", "open"))
_MAKES: dict[str, Callable[[Formula, Node], Term]] = {
    "null": Formula._of_null,
    "the null": Formula._of_null,
    "zero": Formula._of_null,
    "part": Formula._part,
    "true": Formula._is_true,
    "false": Formula._is_false,
    "constant": Formula._constant,
    "boolean": Formula._boolean,
    "arithmetic": Formula._arithmetic,
    "applied": Formula._applied,
    "answered": Formula._applied,
    "pure": Formula._applied,
    "held": Formula._held,
    "either": Formula._either,
    "and": Formula._and,
    "or": Formula._or,
    "not": Formula._not,
    "open": Formula._open,
    "survives": Formula._survives,
    "null?": Formula._asks_null,
    "true?": Formula._asks_true,
    "of type?": Formula._of_type,
    "in?": Formula._in,
    "same?": Formula._same,
    "equal?": Formula._equal,
    "<?": Formula._less,
    "<=?": Formula._less,
}


def can_hold(
    terms: Terms, condition: Node, excluded: Callable[[], Sequence[Node]] = tuple
) -> bool | Literal["excluded"] | None:
    """Whether a condition can hold; None where the solver cannot say within its bound. excluded: conditions that it
    depends on; `excluded` where it can hold only with one of them."""
    with Solver() as solver:
        formula = Formula(terms, solver)
        plain = formula.plain(condition)
        if plain is terms.false:
            return False
        solver.add(formula.condition(plain))
        without = [solver.opposite(formula.condition(each)) for each in excluded() if formula.has(each)]
        found = solver.can_hold(*without)
        if found is not False or not without:
            return found
        found = solver.can_hold()
        return "excluded" if found else found
