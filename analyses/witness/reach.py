"""What a condition depends on: its nodes, with what is computed only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from pliant.analyses.witness.terms import Node, Terms


class Reach:
    """The nodes below a condition.

    That something did not fail (`survives`) counts where the condition depends on the value that did not, or that may
    be the null that is marked.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._expanded: dict[Node, Node] = {}
        self._reached: set[Node] = {terms.the_null}
        self._given: set[Node] = set()
        self._survived: dict[Node, Node] = {}  # value that did not fail -> whether it is null
        self._watched: set[Node] = set()  # those values, and what each may be
        self._around: dict[Node, list[Node]] = {}  # what may be -> of which values
        self._reaching: set[Node] = set()  # of the watched: that are reached, or may be what is

    def of(self, holds: Node) -> list[Node]:
        """The nodes below `holds`, each behind those that it consists of, without those that were given before."""
        self._reach(holds)
        order: list[Node] = []
        seen = self._given
        todo: list[tuple[Node, bool]] = [(holds, False)]
        while todo:
            node, done = todo.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(part, False) for part in self._parts(node) if part not in seen]
        return order

    def plain(self, node: Node) -> Node:
        """A node without what is computed when it is asked for."""
        while True:
            found = self._expanded.get(node)
            if found is None:
                self._terms.steps.spend(2)
                found = self._expanded[node] = self._expand(node)
            if found is node:
                return node
            node = found

    def survivor(self, node: Node) -> Node | None:
        """Whether the value of `survives` is null; None where the condition does not depend on it."""
        asked = self._survived.get(self._value(node))
        return asked if asked in self._reached else None

    def _value(self, node: Node) -> Node:
        value = node.args[1]
        assert isinstance(value, Node)
        return self.plain(value)

    def _reach(self, holds: Node) -> None:
        todo = [holds]
        while todo:
            node = todo.pop()
            if node in self._reached:
                continue
            self._terms.steps.spend(2)
            self._reached.add(node)
            if node.op == "survives":
                todo += (node.first, *self._watch(self._value(node)))
            else:
                todo += self._parts(node)
            if node in self._watched:
                todo += self._reaches([node])

    def _watch(self, value: Node) -> list[Node]:
        """Note a value that did not fail; gives what the condition depends on then."""
        if value in self._survived:
            return []
        self._survived[value] = self._terms.is_null(value)
        begins: list[Node] = []
        todo = [value]
        while todo:
            node = todo.pop()
            if node in self._watched:
                continue
            self._terms.steps.spend(1)
            self._watched.add(node)
            parts = node.nodes()[1:] if node.op == "either" else []
            for part in parts:
                self._around.setdefault(part, []).append(node)
            todo += parts
            if node in self._reached or not self._reaching.isdisjoint(parts):
                begins.append(node)
        return [self._survived[value]] if value in self._reaching else self._reaches(begins)

    def _reaches(self, todo: list[Node]) -> list[Node]:
        """The condition depends on values: on which others it depends then."""
        found: list[Node] = []
        while todo:
            node = todo.pop()
            if node not in self._reaching:
                self._reaching.add(node)
                if node in self._survived:
                    found.append(self._survived[node])
                todo += self._around.get(node, ())
        return found

    def _expand(self, node: Node) -> Node:
        terms = self._terms
        if node.op == "pending":
            return terms.computed(node)
        if node.op == "returns":
            condition: Node = node.args[1]()  # type: ignore[operator]
            return condition
        if node.op == "marked?":
            return self._is_marked(node.first)
        if node.op in ("null?", "true?"):
            plain = self.plain(node.first)
            if plain is not node.first:
                return terms.is_null(plain) if node.op == "null?" else terms.is_true(plain)
        if node.op == "of type?":
            plain = self.plain(node.first)
            if plain is not node.first:
                return terms.is_of(plain, str(node.args[1]))
        if node.op == "equal?":
            left, right = node.nodes()
            plain_left, plain_right = self.plain(left), self.plain(right)
            if plain_left is not left or plain_right is not right:
                return terms.is_equal(plain_left, plain_right)
        if node.op == "key?":
            return terms.had_key(*map(self.plain, node.nodes()))
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
        if node.op == "applied" and node.args[0] in ("&", "|"):
            operands = node.nodes()
            plain_operands = [self.plain(each) for each in operands]
            if plain_operands != operands:
                operator = str(node.args[0])
                return terms.bits(operator, plain_operands) or terms.applied(operator, plain_operands)
        if node.op == "part":
            plain = self.plain(node.first)
            if plain is not node.first:
                return terms.part(plain, node.args[1])
        return node

    def _is_marked(self, value: Node) -> Node:
        """Whether what was read of a table is the null that is marked: it was there where that was marked, or it was
        put there since."""
        terms, plain = self._terms, self.plain(value)
        terms.steps.spend(len(terms.found))
        again = [holds for read, holds in terms.found if self.plain(read) is plain]
        found = terms.both(terms.any_of(*again), terms.is_null(plain)) if again else terms.false
        if not terms.may_be_marked(value):
            return found
        if plain.op != "held":
            return terms.any_of(found, terms.is_marked(plain))
        table = plain.first
        while table.op == "held":
            table = table.first
        return found if table.op == "table before" else terms.is_null(plain)

    def _parts(self, node: Node) -> Iterable[Node]:
        plain = self.plain(node)
        if plain is not node:
            return (plain,)
        if node.op == "survives":
            asked = self.survivor(node)
            return (node.first,) if asked is None else (node.first, asked)
        return [each for each in node.nodes() if not each.op.startswith("table")]
