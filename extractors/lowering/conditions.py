"""Conditions over the SSA builder: where control goes by one, what that shows, and choices between values.

A language says with `Conditions` how it writes parentheses, negations and connectives. Parts are passed as functions
that lower them into the current block; a `Branch` lowers a condition and returns the blocks where it holds and where it
does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tree_sitter import Node

from pliant.extractors.lowering.base import Lowering, Test, Tests
from pliant.extractors.ssa import UNDEFINED, Block, Here, Key, Refinement, Value

Branch = Callable[[], tuple[Block, Block]]
Sides = tuple[Node, bool, Node]  # of `a and b`, true (of `a or b`, false); of `a == b`, true (of `a != b`, false)


# Comparisons that are taken for the opposite of another one, so that both ask the same.
OPPOSITES = {"!=": "==", ">=": "<", "<=": ">"}
CONNECTIVES = {"&&": True, "||": False}  # of C and Java, as in `Sides`
EQUALITIES = {"==": True, "!=": False, "^": False}


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a language writes conditions; each function but the last gives None for a node that is no such thing.

    inside: what stands in parentheses. negated: the operand of a negation. connected: of `and` and `or`. equated: of a
    comparison for being equal or different. asked: what a condition without any of these around it asks of a variable.
    tests: node types of conditions that ask something besides whether a variable is true. plain: lowers a condition
    that is none of these.
    """

    inside: Callable[[Node], Node | None]
    negated: Callable[[Node], Node | None]
    connected: Callable[[Node], Sides | None]
    equated: Callable[[Node], Sides | None]
    tests: frozenset[str]
    asked: Callable[[Any, Node], Test | None]
    plain: Callable[[Any, Node], tuple[Block, Block]]

    def branch(self, lo: Any, node: Node) -> tuple[Block, Block]:
        """Lower a condition; returns the blocks where it holds and where it does not."""
        if (inner := self.inside(node)) is not None:
            return self.branch(lo, inner)
        if (inner := self.negated(node)) is not None:
            yes, no = self.branch(lo, inner)
            return no, yes
        if (sides := self.connected(node)) is not None:
            left, conjunction, right = sides
            return short_circuit(
                lo, lambda: self.branch(lo, left), lambda: self.branch(lo, right), conjunction=conjunction
            )
        if (sides := self.equated(node)) is not None and self._is_test(lo, sides[0]) and self._is_test(lo, sides[2]):
            one, equal, other = sides
            return exclusive(lo, lambda: self.branch(lo, one), lambda: self.branch(lo, other), equal=equal)
        return self.plain(lo, node)

    def test(self, lo: Any, node: Node) -> Test | None:
        """What a condition tests, so that the same test is known when it comes again."""
        turned = False
        while True:
            if (inner := self.inside(node)) is not None:
                node = inner
            elif (inner := self.negated(node)) is not None:
                node, turned = inner, not turned
            else:
                break
        test = self.asked(lo, node)
        return test._replace(positive=not test.positive) if turned and test is not None else test

    def _is_test(self, lo: Any, node: Node) -> bool:
        """Whether a side of `(a is None) == (b is None)` is a test itself."""
        while (inner := self.inside(node)) is not None:
            node = inner
        return node.type in self.tests and self.test(lo, node) is not None

    def operands(self, node: Node) -> list[Node]:
        """The operands of `a and b and c`, which is parsed as `(a and b) and c`."""
        sides = self.connected(node)
        conjunction = sides is not None and sides[1]
        found: list[Node] = []
        while (sides := self.connected(node)) is not None and sides[1] == conjunction:
            node = sides[0]
            found.append(sides[2])
        return [node, *found[::-1]]


def equality(
    one: tuple[Node, Value],
    other: tuple[Node, Value],
    shown: Callable[[Node, Value, Node, Value], Tests | None],
    *,
    positive: bool,
) -> Tests:
    """What a comparison of two operands for being equal (or different, without `positive`) shows. shown: of an operand
    and what it is compared with, what it shows where they are equal and where they are not; None for nothing."""
    yes: list[Refinement] = []
    no: list[Refinement] = []
    for (subject, value), (against, compared) in ((one, other), (other, one)):
        told = shown(subject, value, against, compared)
        if told is not None:
            holds, fails = told if positive else told[::-1]
            yes += holds
            no += fails
    return yes, no


def branch_on(
    lo: Lowering,
    tests: Tests,
    constant: bool | None = None,
    test: Test | None = None,
    note: Callable[[bool], None] | None = None,
) -> tuple[Block, Block]:
    """Two blocks after the current one, where a value is true and where it is false. constant: its value where that is
    written. test: what it asks. note: called on each side that is reached, with the outcome."""
    fn = lo.fn
    here = [fn.block] if fn.reachable() else []
    blocks = []
    for outcome, shown in ((True, tests[0]), (False, tests[1])):
        taken = constant is None or constant is outcome
        block = fn.new_block(*(here if taken else []))
        fn.start(block)
        lo.refine(shown)
        if note is not None and taken:
            note(outcome)
        recall(lo, test, outcome)
        blocks.append(block)
    return blocks[0], blocks[1]


def recall(lo: Lowering, test: Test | None, outcome: bool) -> None:
    """Where an earlier `if` made the same test, variables hold what they got on that side of it."""
    fn = lo.fn
    joined = lo.joins.get((test.root, test.what)) if test is not None else None
    if test is None or joined is None or joined.function is not fn:
        return
    taken = joined.yes if outcome == test.positive else joined.no
    fn.spend(len(joined.keys))
    for key in joined.keys:
        current = fn.resolve(fn.read(key))
        operand = fn.operand(current, taken) if fn.homes[current] == joined.block else 0
        if operand:
            fn.write(key, operand)


def short_circuit(lo: Lowering, left: Branch, right: Branch, *, conjunction: bool) -> tuple[Block, Block]:
    """`left and right`, or `left or right`, as a condition."""
    fn, here = lo.fn, lo.fn.here()
    yes, no = left()
    fn.block = yes if conjunction else no
    second_yes, second_no = right()
    joined = [no, second_no] if conjunction else [yes, second_yes]
    merged = fn.new_block(*(block for block in joined if fn.reachable(block)))
    fn.seal(merged)
    fn.joins(merged, here)
    return (second_yes, merged) if conjunction else (merged, second_no)


def exclusive(lo: Lowering, left: Branch, right: Branch, *, equal: bool) -> tuple[Block, Block]:
    """Of two conditions without effects, whether they agree (or differ, without `equal`), as a condition: the right one
    is lowered on both ways of the left one, so that later tests tell the ways apart."""
    fn, here = lo.fn, lo.fn.here()
    agree, differ = [], []
    for block, holds in zip(left(), (True, False), strict=True):
        fn.block = block
        if fn.reachable():
            yes, no = right()
            agree.append(yes if holds else no)
            differ.append(no if holds else yes)
    merged = []
    for blocks in (agree, differ):
        merged.append(fn.new_block(*(block for block in blocks if fn.reachable(block))))
        fn.seal(merged[-1])
        fn.joins(merged[-1], here)
    return (merged[0], merged[1]) if equal else (merged[1], merged[0])


def choose(lo: Lowering, key: Key, arms: Iterable[tuple[Block, Callable[[], Value]]], since: Here) -> Value:
    """The value that one of several arms gives, each lowered from its block on. since: before what chooses."""
    fn = lo.fn
    end = fn.new_block()
    for block, arm in arms:
        fn.block = block
        if fn.reachable():
            value = arm()
            fn.write(key, value)
        fn.jump(end)
    fn.start(end)
    fn.joins(end, since)
    value = fn.read(key)
    return value if value != UNDEFINED else lo.opaque()


def conditional(
    lo: Lowering, key: Key, condition: Branch, one: Callable[[], Value], other: Callable[[], Value]
) -> Value:
    """`one if condition else other`."""
    here = lo.fn.here()
    yes, no = condition()
    return choose(lo, key, [(yes, one), (no, other)], here)
