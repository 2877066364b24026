"""Values and conditions as nodes, each kept once: what follows from constants and from what is new is decided when a
node is made, and most questions are. `solve` asks the solver about the rest.

Values: what is written, what is new, what was given, what may be anything, one of two by a condition, what a table
holds for a value, and what a function gives that always gives the same for the same arguments. A table is what a field
holds by object. Conditions are what programs ask, joined by `and`, `or` and `not`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from pliant.analyses.witness.bounds import LOOKED_UP, Steps
from pliant.analyses.witness.kinds import Kinds
from pliant.extractors.ir.operands import Constant

NOT_NULL = frozenset(("constant", "new", "not null", "boolean", "arithmetic", "pure", "part"))
_APART = frozenset(("constant", "new", "null", "the null"))  # of which two are never the same
_MOST_BITS = 16  # of a mask, that are told apart
_UNKNOWN = frozenset(("some", "other", "given", "held", "applied", "answered", "not null"))


class Node:
    """op: what it is; args: nodes and what else it is made of."""

    __slots__ = ("args", "op")

    def __init__(self, op: str, args: tuple[object, ...]) -> None:
        self.op, self.args = op, args

    def __repr__(self) -> str:
        """Of the nodes below, only what they are: there may be many."""
        below = ", ".join(each.op if isinstance(each, Node) else repr(each) for each in self.args)
        return f"{self.op}({below})" if self.args else self.op

    @property
    def first(self) -> Node:
        assert isinstance(self.args[0], Node)
        return self.args[0]

    def nodes(self) -> list[Node]:
        """What it is made of, as far as that is nodes."""
        return [each for each in self.args if isinstance(each, Node)]


class Terms:
    """The nodes of one run. steps: that are left for them. relations: what is known of kinds. pointers: whether 0 is
    null. kinds: of values of which little else is known. natural: values that are not negative as numbers. private: new
    objects to which nothing leads but what the run shows. zeroed: new objects that hold zeros. empty: new containers
    that stay empty."""

    def __init__(self, steps: Steps, relations: Kinds | None = None, *, pointers: bool = False) -> None:
        self.steps, self.relations, self.pointers = steps, relations, pointers
        self.private: set[Node] = set()
        self.zeroed: set[Node] = set()
        self.empty: set[Node] = set()
        self.made_at: dict[Node, tuple[int, tuple[str, str | int]]] = {}  # the runs and sources of objects (`lending`)
        self._born: dict[Node, int] = {}
        self._spread: dict[tuple[object, Node], Node] = {}
        self.kinds: dict[Node, dict[str, None]] = {}
        self.natural: set[Node] = set()
        self._ages: dict[Node, int] = {}
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._count = 0
        self._numbers: dict[tuple[object, ...], int] = {}
        self._computed: dict[Node, Node] = {}
        self._read: dict[Node, bool] = {}
        self.found: list[tuple[Node, Node]] = []  # what was marked that was read of tables, and under which condition
        self._truths: dict[Node, Node | None] = {}
        self._asked: dict[tuple[str, Node], Node] = {}
        self.null = self._node("null")
        self.the_null = self._node("the null")
        self._lost: set[Node] = set()  # tables of what code has written of which nobody knows
        self.zero = self._node("zero") if pointers else self.constant(Constant("integer", 0))
        self.true, self.false = self._node("true"), self._node("false")

    def _node(self, op: str, *args: object) -> Node:
        self.steps.spend(1)
        key = (op, *args)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Node(op, args)
        return found

    def _new(self, op: str, name: str) -> Node:
        self._count += 1
        return Node(op, (f"{name}!{self._count}", self._count))

    def number(self, cell: tuple[object, ...]) -> int:
        """The number of a cell of a state: it is looked up in less time than what it stands for."""
        return self._numbers.setdefault(cell, len(self._numbers))

    # Values.

    def some(self, name: str) -> Node:
        """A value of which nothing is known."""
        return self._new("some", name)

    def other(self, name: str) -> Node:
        """A value of which nothing is known but that it is not the null that has been marked."""
        return self._new("other", name)

    def not_null(self, name: str) -> Node:
        """A value of which nothing is known but that it is not null."""
        return self._new("not null", name)

    def new(self, name: str) -> Node:
        """A new object: none that was there before, and none that comes after."""
        return self._new("new", name)

    def given(self, name: str) -> Node:
        """A value that is passed, and was there before all new objects."""
        return self._new("given", name)

    def constant(self, constant: Constant) -> Node:
        if constant.kind == "null":
            return self.null
        if constant.kind in ("other", "float", "bytes"):
            return self.not_null(constant.kind)
        if self.pointers and constant.content in (0, False) and constant.kind != "string":
            return self.zero
        return self._node("constant", constant)

    def boolean(self, holds: Node) -> Node:
        """A condition as a value."""
        return self._node("boolean", holds)

    def applied(self, name: str, arguments: Sequence[Node]) -> Node:
        """What a function gives that always gives the same for the same arguments."""
        return self._node("applied", name, *arguments)

    def pure(self, name: str, arguments: Sequence[Node]) -> Node:
        """The same of a function that never gives null."""
        return self._node("pure", name, *arguments)

    def answered(self, name: str, arguments: Sequence[Node]) -> Node:
        """The same of a function that does not give the null that has been marked."""
        return self._node("answered", name, *arguments)

    def pending(self, value: Callable[[], Node]) -> Node:
        """A value that is computed when it is asked for."""
        self._count += 1
        return Node("pending", (value, self._count))

    def computed(self, pending: Node) -> Node:
        """What a value is that is computed when it is asked for."""
        found = self._computed.get(pending)
        if found is None:
            value: Node = pending.args[0]()  # type: ignore[operator]
            found = self._computed[pending] = value
        return found

    def arithmetic(self, operator: str, operands: Sequence[Node]) -> Node:
        """The result of an operation; of additions and subtractions of numbers, the number is known."""
        plain = operator.removesuffix("=")
        if (len(operands) == 2 and plain in ("+", "-")) or (len(operands) == 1 and plain == "-"):
            known = [self.is_a_number(each) for each in operands]
            if all(known) or (any(known) and plain == "-"):
                return self._node("arithmetic", plain, *operands)
        return self.connected(plain, operands) or self.not_null("result")

    def connected(self, operator: str, operands: Sequence[Node]) -> Node | None:
        """What `&` and `|` give of truth values; None of others."""
        truths = [self._truth(each) for each in operands] if operator in ("&", "|") else []
        known = [each for each in truths if each is not None]
        if not known or len(known) < len(operands):
            return None
        return self.boolean(self.both(*known) if operator == "&" else self.any_of(*known))

    def _truth(self, value: Node) -> Node | None:
        """Whether a truth value holds; None of other values."""
        if value.op == "either":
            if value not in self._truths:
                self.steps.spend(1)
                holds, yes, no = value.nodes()
                first, second = self._truth(yes), self._truth(no)
                one = None if first is None or second is None else self.chosen(holds, first, second)
                self._truths[value] = one
            return self._truths[value]
        if value.op == "constant" and isinstance(value.args[0].content, bool):  # type: ignore[attr-defined]
            return self.true if value.args[0].content else self.false  # type: ignore[attr-defined]
        return value.first if value.op == "boolean" else None

    def natural_number(self, name: str) -> Node:
        """A number of which nothing else is known than that it is not negative."""
        found = self.some(name)
        self.natural.add(found)
        return found

    def is_a_number(self, value: Node) -> bool:
        """Whether a value is one of some numbers, whatever decides which."""
        todo = [value]
        while todo:
            each = todo.pop()
            self.steps.spend(1)
            if each.op == "either":
                todo += each.nodes()[1:]
            elif not is_number(each):
                return False
        return True

    def sum(self, operator: str, operands: Sequence[Node]) -> Node:
        """The sum or the difference of what are numbers."""
        return self._node("arithmetic", operator, *operands)

    def bits(self, operator: str, operands: Sequence[Node]) -> Node | None:
        """What `&` and `|` give of a number and a constant, where more is known than that it is the same for the
        same."""
        if operator not in ("&", "|") or len(operands) != 2:
            return None
        known = [content_of(each) for each in operands]
        if known[0] is not None and known[1] is None:
            known.reverse()
            operands = operands[::-1]
        mask = known[1]
        if mask is None:
            return None
        return self._each((operator, mask), operands[0], lambda each: self._masked(operator, each, mask))

    def _masked(self, operator: str, value: Node, mask: int) -> Node:
        known = content_of(value)
        if known is not None:
            return self.constant(Constant("integer", known & mask if operator == "&" else known | mask))
        if value.op == "pending":
            return self.pending(lambda: self.bits(operator, [self.computed(value), self._number(mask)]) or value)
        if operator == "&" and value.op == "applied" and value.args[0] in ("&", "|"):
            before, other = value.nodes()[0], content_of(value.nodes()[1])
            if other is not None and value.args[0] == "&":
                return self._masked("&", before, mask & other)
            if other is not None and not mask & other:
                return self._masked("&", before, mask)
            if other is not None and not mask & ~other:
                return self.constant(Constant("integer", mask))
        if not mask:
            return self.zero if operator == "&" else value
        return self.applied(operator, [value, self._number(mask)])

    def _number(self, content: int) -> Node:
        return self.constant(Constant("integer", content))

    def joined(self, ways: Sequence[tuple[Node, Node]]) -> Node:
        """What a value or a table is, by the ways on which it may have come."""
        result = ways[-1][1]
        for holds, value in reversed(ways[:-1]):
            result = self.either(holds, value, result)
        return result

    def either(self, holds: Node, yes: Node, no: Node) -> Node:
        if yes is no or holds is self.true:
            return yes
        if holds is self.false:
            return no
        return self._node("either", holds, yes, no)

    # Tables.

    def table(self, name: str, *, before: bool = False, born: int | None = None) -> Node:
        """What a field holds, by object: nothing is known of it but, with `before`, that it was so before the run.
        born: the age of what was made last when it began to be so."""
        made = self._new("table before" if before else "table", name)
        if born is not None:
            self._born[made] = 0 if before else born
        return made

    def now(self) -> int:
        """What has been made until now has at most this age."""
        return self._count

    def renewed(self, table: Node, now: int) -> Node:
        """A table of what objects keep for good, behind a place where others may have been made."""
        return self._node("table renewed", table, now)

    def _age(self, value: Node) -> int:
        """When the object of a value was there at the latest."""
        found = self._ages.get(value)
        if found is None:
            self.steps.spend(1)
            if value.op in ("constant", "null", "the null", "table before"):
                found = 0
            elif value.op in ("held", "either"):
                found = max(map(self._age, value.nodes()[-2:]))
            else:
                found = value.args[1] if len(value.args) == 2 and isinstance(value.args[1], int) else self._count + 1
            self._ages[value] = found
        return found

    def stored(self, table: Node, base: Node, value: Node) -> Node:
        return self._node("stored", table, base, value)

    def held(self, table: Node, base: Node) -> Node:
        """What a table holds for a value."""
        while table.op in ("stored", "pending", "table renewed", "copied", "kept", "lost"):
            self.steps.spend(1)
            if table.op in ("copied", "kept", "lost"):
                if base.op == "either":
                    return self._each(("held", table), base, partial(self.held, table))
                if base.op == "pending":
                    break
                if table.op == "lost" and root_of(base).op == "new" and root_of(base) not in self.private:
                    left, (before, after) = table.args[2], table.nodes()[:2]
                    return self.either(left, self.held(before, base), self.held(after, base))  # type: ignore[arg-type]
                table, base = self._passed(table, base)
                continue
            if table.op == "table renewed":
                if self._age(base) > table.args[1]:  # type: ignore[operator]
                    break
                table = table.first
                continue
            if table.op == "pending":
                table = self.computed(table)
                continue
            under, key, value = table.nodes()
            if key is base:
                return value
            if not self.apart(key, base):
                break
            table = under
        return self.zero if self._is_zeroed(table, base) else self._node("held", table, base)

    def _is_zeroed(self, table: Node, base: Node) -> bool:
        """Whether an object was made, with zeros in it, after the last unknown change of a table."""
        root = root_of(base)
        return root in self.zeroed and table in self._born and self._born[table] < root.args[1]  # type: ignore[operator]

    def with_key(self, content: Node, key: Node) -> Node:
        """What a container holds where something has been put into it. content: what it held."""
        self._count += 1
        return Node("with key", (content, key, self._count))

    def copied(self, table: Node, target: Node, source: Node, *, fields: bool) -> Node:
        """What a field holds where an object has become a copy of another one. fields: a structure, not an array: the
        elements behind it are others."""
        return self._node("copied", table, target, source, self.table("copied", born=self._count), fields)

    def kept(self, before: Node, after: Node, changed: frozenset[object]) -> Node:
        """What a field holds where anything may have been written but in private objects that are not `changed`: those,
        or where they were made."""
        return self._node("kept", before, after, changed)

    def lost(self, before: Node) -> Node:
        """What a field holds where anything may have been written in new objects that others may lead to: anything but
        the null that is marked."""
        after = self.table("lost", born=self._count)
        self._lost.add(after)
        return self._node("lost", before, after, self.open("left"))

    def _passed(self, table: Node, base: Node) -> tuple[Node, Node]:
        """Where the content of an object is found that a table of a copy, or one that keeps some, has."""
        root = root_of(base)
        if table.op == "lost":
            return table.first, base
        if table.op == "kept":
            before, after = table.nodes()
            changed: frozenset[object] = table.args[2]  # type: ignore[assignment]
            keeps = root in self.private and root not in changed and self.made_at.get(root) not in changed
            return (before, base) if keeps else (after, base)
        under, target, source, unknown = table.nodes()
        steps = _steps_from(target, base)
        if steps is not None and not (table.args[4] and steps and not isinstance(steps[0], str)):
            for step in steps:
                source = self.part(source, step, sure=True)
            return under, source
        if root is root_of(target):
            others = steps[:1] if steps is not None else _step_between(base, target) or ()
            return (unknown if any(map(_is_unclear, others)) else under), base
        return (under if self.apart(base, target) else unknown), base

    def part(self, base: Node, step: object, *, sure: bool = False) -> Node:
        """A pointer into an object: to a field, or to the element that is a value, or a number, further; null of
        null. sure: whether the base is not null."""
        while base.op == "pending":
            base = self.computed(base)
        return self._each(("part", step, sure), base, partial(self._part, step=step, sure=sure))

    def is_new(self, value: Node) -> bool:
        """Whether a value can be nothing but an object that the run has made."""
        while value.op == "pending":
            value = self.computed(value)
        if value.op != "either":
            return value.op == "new"
        self.steps.spend(1)
        return all(self.is_new(each) for each in value.nodes()[1:])

    def chosen_by(self, value: Node, made: Callable[[Node], Node]) -> Node:
        """What `made` makes of a value; of one that is joined, of each that it may be."""
        if value.op == "pending":
            return self.chosen_by(self.computed(value), made)
        if value.op != "either":
            return made(value)
        self.steps.spend(1)
        holds, yes, no = value.nodes()
        return self.either(holds, self.chosen_by(yes, made), self.chosen_by(no, made))

    def _each(self, question: object, value: Node, made: Callable[[Node], Node]) -> Node:
        """What `made` makes of a value; of one that is joined, of each that it may be."""
        if value.op != "either":
            return made(value)
        self.steps.spend(1)
        found = self._spread.get((question, value))
        if found is None:
            holds, yes, no = value.nodes()
            one, other = (self._each(question, each, made) for each in (yes, no))
            found = self._spread[question, value] = self.either(holds, one, other)
        return found

    def _part(self, base: Node, step: object, *, sure: bool) -> Node:
        if base.op in ("null", "the null", "zero") or step == 0 or (isinstance(step, Row) and step.by == 0):
            return base
        if base.op == "pending":
            return self.part(base, step, sure=sure)
        if isinstance(step, int) and base.op == "part" and isinstance(base.args[1], int):
            return self._part(base.first, base.args[1] + step, sure=True)
        if isinstance(step, Row) and base.op == "part" and (both := step.behind(base.args[1])) is not None:
            return self._part(base.first, both, sure=True)
        made = self._node("part", base, step)
        null = self.false if sure else self.is_null(base)
        return made if null is self.false else self.either(null, base, made)

    def apart(self, one: Node, other: Node) -> bool:
        """Whether two values are known not to be the same object."""
        first, second = root_of(one), root_of(other)
        if first is second:
            steps = _step_between(one, other)
            return steps is not None and _are_apart(*steps)
        if first.op in _APART and second.op in _APART:
            return True
        if {first.op, second.op} == {"given", "new"}:
            return True
        return any(
            each in self.private and another.op in _UNKNOWN for each, another in ((first, second), (second, first))
        )

    # Conditions.

    def same(self, one: Node, other: Node) -> Node:
        """Whether two values are the same object."""
        if one is other:
            return self.true
        return self.false if self.apart(one, other) else self._node("same?", one, other)

    def both(self, *parts: Node) -> Node:
        return self._connected("and", parts, self.true, self.false)

    def any_of(self, *parts: Node) -> Node:
        return self._connected("or", parts, self.false, self.true)

    def _connected(self, op: str, parts: Sequence[Node], neutral: Node, deciding: Node) -> Node:
        kept: dict[Node, None] = {}
        self.steps.spend(len(parts))
        for part in parts:
            if part is deciding or self.opposite(part) in kept:
                return deciding
            if part is not neutral:
                kept[part] = None
        if not kept:
            return neutral
        return next(iter(kept)) if len(kept) == 1 else self._node(op, *kept)

    def opposite(self, holds: Node) -> Node:
        if holds.op == "not":
            return holds.first
        if holds is self.true or holds is self.false:
            return self.false if holds is self.true else self.true
        return self._node("not", holds)

    def open(self, name: str) -> Node:
        """A condition of which nothing is known."""
        return self._new("open", name)

    def survives(self, holds: Node, value: Node) -> Node:
        """`holds`, and `value` is not null, since something that would have failed has not. Where the question depends
        on nothing that the value does, it is as good as `holds`."""
        null = self.is_null(value)
        if null is self.false:
            return holds
        return self.false if null is self.true else self._node("survives", holds, value)

    def returns(self, holds: Node, returned: Callable[[], Node]) -> Node:
        """`holds`, and a call has come back: `returned` gives under which condition it does, as far as that has been
        computed."""
        self._count += 1
        return Node("returns", (holds, returned, self._count))

    def marked(self, value: Node, holds: Node) -> Node:
        """A value that is known again where it is null. holds: when it is marked. What a table held before stays in it
        as it was: who reads it again finds the same null."""
        if value.op in ("held", "pending"):
            self.found.append((value, holds))
        return self.either(self.is_null(value), self.the_null, value)

    def carried(self, holds: Node, value: Node) -> Node:
        """A value that is the null that is marked under a condition."""
        return self.either(holds, self.the_null, value)

    def read(self, value: Node, *, marked: bool) -> None:
        """Note of what a table holds whether it may be the null that is marked, as far as is known where it is read."""
        self._read[value] = marked or self._read.get(value, False)

    def may_be_marked(self, value: Node) -> bool:
        """The same, of all places where it is read."""
        return self._read.get(value, True)

    def is_marked(self, value: Node) -> Node:
        """Whether a value is the null that has been marked."""
        return self._of("marked?", value, self._is_marked)

    def _is_marked(self, value: Node) -> Node:
        """What is not modelled may give the null as well, unless it was there before."""
        if value.op == "held" and value.first in self._lost:
            return self.false
        if value.op in ("pending", "held"):
            return self._node("marked?", value)
        if value is self.the_null:
            return self.true
        return self.is_null(value) if value.op in ("some", "applied", "zero") else self.false

    def is_null(self, value: Node) -> Node:
        return self._of("null?", value, self._null)

    def _null(self, value: Node) -> Node:
        if value in (self.null, self.the_null, self.zero) and value.op != "constant":
            return self.true
        if self.pointers and (without := self._without_bits(value)) is not None:
            return without
        return self.false if value.op in NOT_NULL else self._node("null?", value)

    def is_true(self, value: Node) -> Node:
        """Whether a value counts as true."""
        return self._of("true?", value, self._true)

    def _true(self, value: Node) -> Node:
        if value.op in ("null", "the null", "zero"):
            return self.false
        if value.op == "boolean":
            return value.first
        if value.op == "constant":
            content = value.args[0].content  # type: ignore[attr-defined]
            return self.true if content else self.false
        return self._node("true?", value)

    def _of(self, question: str, value: Node, decided: Callable[[Node], Node]) -> Node:
        """A question of one value; of one that is joined, it is asked of each that it may be."""
        if value.op != "either":
            return decided(value)
        self.steps.spend(1)
        key = (question, value)
        found = self._asked.get(key)
        if found is None:
            holds, yes, no = value.nodes()
            first, second = self._of(question, yes, decided), self._of(question, no, decided)
            found = self._asked[key] = self.chosen(holds, first, second)
        return found

    def chosen(self, holds: Node, yes: Node, no: Node) -> Node:
        """One of two conditions."""
        if yes is no:
            return yes
        return self.any_of(self.both(holds, yes), self.both(self.opposite(holds), no))

    def declare(self, value: Node, kind: str) -> None:
        """Note that a value of which little is known is of a kind, unless it is null."""
        if kind and value.op in ("given", "some", "other", "not null", "new", "held", "applied"):
            self.kinds.setdefault(value, {})[kind] = None

    def is_empty(self, value: Node) -> Node:
        """Whether a value is a container or a string that is known to be empty."""
        return self._of("empty?", value, self._empty)

    def _empty(self, value: Node) -> Node:
        is_string = value.op == "constant" and value.args[0].content == ""  # type: ignore[attr-defined]
        return self.true if is_string or value in self.empty else self.false

    def is_of(self, value: Node, kind: str) -> Node:
        """Whether a value is of a kind: null is of none."""
        return self._of(f"of {kind}", value, lambda each: self._is_of(each, kind))

    def _is_of(self, value: Node, kind: str) -> Node:
        if value in (self.null, self.the_null):
            return self.false
        if self.relations is not None:
            for known in self.kinds.get(value, ()):
                self.steps.spend(LOOKED_UP)
                if self.relations.apart(known, kind):
                    return self.false
                if self.relations.implies(known, kind):
                    return self.opposite(self.is_null(value))
        return self._node("of type?", value, kind)

    def is_in(self, value: Node, container: Node, content: Node) -> Node:
        """Whether a container has a value. content: a value that is another one when the container has changed."""
        return self._node("in?", value, container, content)

    def is_key(self, value: Node, mapping: Node, content: Node) -> Node:
        """Whether a mapping has a key."""
        return self._node("key?", value, mapping, content)

    def had_key(self, value: Node, mapping: Node, content: Node) -> Node:
        """The same, where it is known what the mapping has got last: a key that it has stays."""
        if content.op == "either":
            holds, yes, no = content.nodes()
            return self.chosen(holds, self.is_key(value, mapping, yes), self.is_key(value, mapping, no))
        found = self.is_in(value, mapping, content)
        if content.op != "with key":
            return found
        before, key = content.nodes()
        return self.any_of(found, self.is_equal(key, value), self.is_key(value, mapping, before))

    def is_equal(self, left: Node, right: Node) -> Node:
        """Whether values are equal, which objects can be that are not the same."""
        if left is right and left.op != "not null":
            return self.true
        for one, other in ((left, right), (right, left)):
            if one in (self.null, self.the_null):
                return self.is_null(other)
            if one.op == "zero":
                return self.is_zero(other)
        if self.pointers and "constant" not in (left.op, right.op) and self.apart(left, right):
            return self.false
        if right.op == "constant" and left.op != "constant":
            left, right = right, left
        if left.op != "constant":
            return self._node("equal?", left, right)
        return self._of(f"= {left.args[0]}", right, lambda value: self._equal(left, value))

    def is_zero(self, value: Node) -> Node:
        """Whether a value is 0, as a number or as a pointer."""
        zero = self._node("constant", Constant("integer", 0))
        number = self._of("= 0", value, partial(self._equal, zero))
        return self.any_of(self.is_null(value), number)

    def _equal(self, constant: Node, value: Node) -> Node:
        if value.op == "boolean" and self.pointers:
            content = constant.args[0].content  # type: ignore[attr-defined]
            return self.opposite(value.first) if content == 0 else value.first if content == 1 else self.false
        if value.op == "constant":
            one, other = constant.args[0], value.args[0]
            return self.true if one.content == other.content else self.false  # type: ignore[attr-defined]
        is_zero = self.pointers and constant.args[0].content == 0  # type: ignore[attr-defined]
        if is_zero and (without := self._without_bits(value)) is not None:
            return without
        return self.false if value.op in ("null", "the null", "zero") else self._node("equal?", constant, value)

    def _without_bits(self, value: Node) -> Node | None:
        """Whether what `&` or `|` give is 0, by what they are applied to and by single bits; None of other values."""
        if value.op != "applied" or value.args[0] not in ("&", "|"):
            return None
        key = ("without bits", value)
        if key not in self._asked:
            parts = self._parts_without_bits(str(value.args[0]), *value.nodes())
            self._asked[key] = value if parts is None else self.both(*map(self.is_zero, parts))
        found = self._asked[key]
        return None if found is value else found

    def _parts_without_bits(self, operator: str, one: Node, other: Node) -> Sequence[Node] | None:
        """What is 0 where `&` or `|` of two values are; None where that is not told."""
        if operator == "|":
            return one, other
        mask = content_of(other) or 0
        bits = [1 << at for at in range(mask.bit_length()) if mask > 0 and mask >> at & 1]
        if len(bits) == 1 and one.op == "applied" and one.args[0] == "|":
            return [self._each(("&", mask), each, lambda part: self._masked("&", part, mask)) for each in one.nodes()]
        return [self._masked("&", one, bit) for bit in bits] if 1 < len(bits) <= _MOST_BITS else None

    def is_less(self, left: Node, right: Node, *, or_equal: bool) -> Node:
        if self.pointers:
            zero = self._node("constant", Constant("integer", 0))
            left, right = (zero if each.op == "zero" else each for each in (left, right))
        numbers = [each.args[0].content for each in (left, right) if each.op == "constant"]  # type: ignore[attr-defined]
        if len(numbers) == 2 and all(isinstance(each, int) for each in numbers):
            holds = numbers[0] <= numbers[1] if or_equal else numbers[0] < numbers[1]
            return self.true if holds else self.false
        return self._node("<=?" if or_equal else "<?", left, right)


@dataclass(frozen=True, slots=True)
class Row:
    """A step in an array of arrays, over as many of these as `by` is. depth: how many dimensions they have."""

    depth: int
    by: object

    def behind(self, step: object) -> Row | None:
        """The two steps in one, where they are of one kind and known."""
        if not isinstance(step, Row) or step.depth != self.depth:
            return None
        return Row(self.depth, step.by + self.by) if isinstance(step.by, int) and isinstance(self.by, int) else None


def _are_apart(one: object, other: object) -> bool:
    """Whether different steps from one place lead to different elements."""
    if isinstance(one, Row) and isinstance(other, Row) and one.depth == other.depth:
        one, other = one.by, other.by
    return isinstance(one, int) and isinstance(other, int)


def _is_unclear(step: object) -> bool:
    """Whether it is not known where a step leads."""
    return isinstance(step.by if isinstance(step, Row) else step, Node)


def _steps_from(target: Node, base: Node) -> list[object] | None:
    """How a pointer is reached from another one; None where it does not lead into the same."""
    steps: list[object] = []
    while base is not target:
        if base.op != "part":
            return None
        steps.append(base.args[1])
        base = base.first
    return steps[::-1]


def root_of(value: Node) -> Node:
    """The pointer to the object that a pointer leads into."""
    while value.op == "part":
        value = value.first
    return value


def _step_between(one: Node, other: Node) -> tuple[object, object] | None:
    """The first steps by which two pointers into one object part; None where they do not show any."""
    steps: list[list[object]] = []
    for value in (one, other):
        steps.append([])
        while value.op == "part":
            steps[-1].append(value.args[1])
            value = value.first
    for first, second in zip(reversed(steps[0]), reversed(steps[1]), strict=False):
        if first != second:
            return first, second
    return None


def content_of(value: Node) -> int | None:
    """The number that a value is, if that is known."""
    if value.op == "zero":
        return 0
    content = value.args[0].content if value.op == "constant" else None  # type: ignore[attr-defined]
    return content if type(content) is int else None


def is_number(value: Node) -> bool:
    """Whether a value is known to be a number."""
    if value.op == "constant":
        return isinstance(value.args[0].content, int)  # type: ignore[attr-defined]
    return value.op in ("arithmetic", "boolean", "zero")
