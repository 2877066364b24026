"""Which candidates are refuted, since no execution makes them fail: held to runs by Python, and to what is known."""

from __future__ import annotations

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import verdicts
from python_runs import failures_by_python, sources

# What is refuted, and its twin that fails.
REFUTED = {
    "a flag that says the same": """
def f(sep):
    r = None if sep else [1]
    if sep:
        return 0
    return r[0]

def f_bad(sep):
    r = None if sep else [1]
    if not sep:
        return 0
    return r[0]
""",
    "one that is set along with the value": """
def f(items):
    found, known = None, False
    for item in items:
        if item.ok:
            found, known = item, True
    if known:
        return found.name

def f_bad(items):
    found, known = None, False
    for item in items:
        if item.ok:
            found = item
        known = True
    if known:
        return found.name
""",
    "a count that is not 0 where a loop runs": """
def f(count):
    rows = [0] if count > 0 else None
    i = 0
    while i < count:
        rows.append(i)
        i = i + 1

def f_bad(count):
    rows = [0] if count > 1 else None
    i = 0
    while i < count:
        rows.append(i)
        i = i + 1
""",
    "an argument that decides": """
def find(items, strict):
    for item in items:
        return item
    if strict:
        raise KeyError
    return None

def f(items):
    return find(items, True).name

def f_bad(items):
    return find(items, False).name
""",
    "a helper that tests": """
def find(items):
    for item in items:
        return item
    return None

def is_there(item):
    if item is None:
        return False
    return item.there

def f(items):
    item = find(items)
    if is_there(item):
        return item.name

def f_bad(items):
    item = find(items)
    if not is_there(item):
        return item.name
""",
    "one that raises": """
def find(items):
    for item in items:
        return item
    return None

def needed(item):
    if item is None:
        raise ValueError

def f(items):
    item = find(items)
    needed(item)
    return item.name

def f_bad(items):
    item = find(items)
    needed(items)
    return item.name
""",
    "items of a result that go together": """
def parsed(text):
    if text == "all":
        return "all", None
    return "some", text.split()

def f(text):
    mode, names = parsed(text)
    if mode == "all":
        return 0
    return names.count(1)

def f_bad(text):
    mode, names = parsed(text)
    if mode != "all":
        return 0
    return names.count(1)
""",
    "either is there": """
def f(a, b):
    if a is None and b is None:
        return 0
    if b is not None:
        return 1
    return a.name

def f_bad(a, b):
    if a is None or b is None:
        return a.name
    return 1
""",
    "a variable around a function inside": """
def f(text):
    result = {} if text else None
    def note(n):
        if text:
            result[n] = n
    note(1)

def f_bad(text):
    result = {} if text else None
    def note(n):
        if n:
            result[n] = n
    note(1)
""",
    "every caller tests": """
class Box:
    def __init__(self):
        self._lid = None

    def close(self):
        self._lid = None

    def open(self, lid):
        self._lid = lid

    def shown(self):
        if self._lid is None:
            return ""
        return self._name()

    def said(self):
        return self._name() if self._lid is not None else ""

    def _name(self):
        return self._lid.name

class Box_bad:
    def __init__(self):
        self._lid = None

    def close(self):
        self._lid = None

    def open(self, lid):
        self._lid = lid

    def shown(self):
        if self._lid is None:
            return ""
        return self._title()

    def said(self):
        return self._title() if self._lid is None else ""

    def _title(self):
        return self._lid.name
""",
}


@pytest.mark.parametrize("what", REFUTED)
def test_what_no_execution_reaches_is_refuted_and_its_twin_is_not(what: str) -> None:
    source = REFUTED[what]
    twin = source[: source.index("_bad")].count("\n") + 1
    found = verdicts({"a.py": source})
    of_twin = [said for (_, line), said in found.items() if line > twin]
    assert of_twin and all("witnessed" in said for said in of_twin), "the twin fails"
    assert all(said == {"refuted"} for (_, line), said in found.items() if line <= twin), found


@given(source=sources(uses=True), scripts=st.lists(st.lists(st.booleans(), max_size=12), min_size=6, max_size=6))
@corpus.examples(150)
def test_what_fails_in_a_run_is_not_refuted(source: str, scripts: list[list[bool]]) -> None:
    failed = set().union(*(failures_by_python(source, answers) for answers in scripts))
    if failed:
        found = verdicts({"a.py": source})
        refuted = {line for (_, line), said in found.items() if said == {"refuted"}}
        assert not failed & refuted, (source, failed & refuted)
