"""Nulls that come out of functions which call themselves."""

from __future__ import annotations

import pytest
from in_memory import verdicts

CASES = {
    "the last call cannot give it": (
        """
def find(node, key):
    if ready(node):
        return node
    if more(node):
        return find(node.next, key)

def more(node):
    if node.next:
        return True
    raise KeyError

def use(node):
    return find(node, 1).name
""",
        "refuted",
    ),
    "the last call gives it, whatever the first is passed": (
        "def count(n):\n    if n > 0:\n        return count(n - 1)\n\ndef use():\n    return count(5).name\n",
        "witnessed",
    ),
    "two that call each other": (
        """
def one(node):
    if node.stop:
        return None
    return other(node.next)

def other(node):
    return one(node.next)

def use(node):
    return other(node).name
""",
        "witnessed",
    ),
    "two that call each other, and neither ends without a result": (
        """
def one(node):
    if more(node):
        return other(node.next)

def other(node):
    return one(node.next)

def more(node):
    if node.next:
        return True
    raise KeyError

def use(node):
    return other(node).name
""",
        "refuted",
    ),
    "by an item": (
        """
def parse(text):
    if text.ends:
        return None, 1
    return parse(text.rest)

def use(text):
    found, _ = parse(text)
    return found.name
""",
        "witnessed",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_function_that_calls_itself(case: str) -> None:
    source, verdict = CASES[case]
    said = set().union(*verdicts({"a.py": source}).values())
    assert said == {verdict}
