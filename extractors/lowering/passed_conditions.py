"""Conditions that are passed: what they test is known behind a call that only comes back where they hold."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.lowering.base import Lowering
from pliant.extractors.ssa import UNDEFINED, Key, Value

_TESTS = frozenset(("binary_expression", "unary_expression", "instanceof_expression", "parenthesized_expression"))


def conditions_held(lo: Lowering, call: Value, given: Sequence[Node], passed: Sequence[Value]) -> None:
    """What arguments of `call` test is known behind it, if it only comes back where they are true, or false."""
    fn = lo.fn
    for number, (argument, value) in enumerate(zip(given, passed, strict=True)):
        tests = lo.tests_of(argument, value) if argument.type in _TESTS else ([], [])
        for truth, refinements in zip(("true", "false"), tests, strict=True):
            for key, root, nonnull in refinements:
                current = fn.resolve(fn.read(key) if isinstance(key, str) else fn.content(key))
                if (
                    not nonnull
                    or current in (UNDEFINED, fn.unknown)
                    or current in fn.nonnull
                    or fn.root(current) != root
                ):
                    continue
                after = after_calls(lo, key, current)
                fn.define(after, "shown_where", after, call, number, truth)
                fn.write(key, after)


def after_calls(lo: Lowering, key: Key, value: Value) -> Value:
    """What holds `value` before a call, which may show something of it."""
    fn = lo.fn
    after = fn.value(lo.writer.name(lo.qualname, f"{fn.key_name(key)} after calls"), root=fn.root(value))
    fn.define(after, "assign_object", after, value)
    fn.define(after, "assign_null", after, value)
    lo.guard_of[after] = value
    return after
