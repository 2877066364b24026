"""Pull requests that change a condition alone: the rules derive the same, and yet a finding comes or goes."""

from __future__ import annotations

import pytest
from in_memory import compared

from pliant.analyses.witness import turned

_TESTED_BEHIND_A_CALL = """
static void first(int *p) {{ second(p); }}
int f(char *text)
{{
    int n = 0;
    if (text == 0)
        n = 1;
    first(&n);
    {then}
    if (n == 1)
        return 0;
    return *text;
}}
"""

# Files of a side, with what another one has instead of what is left out; the first is what never fails.
CHANGES: dict[str, tuple[str, str, tuple[str, str]]] = {
    "a bound": (
        "a.py",
        """
def f(count):
    rows = [0] if count > $ else None
    i = 0
    while i < count:
        rows.append(i)
        i = i + 1
""",
        ("0", "1"),
    ),
    "a test of what goes with it": (
        "a.py",
        """
def parsed(text):
    if text == "all":
        return "all", None
    return "some", text.split()

def f(text):
    mode, names = parsed(text)
    if mode == "$":
        return names.count(1)
""",
        ("some", "all"),
    ),
    "what a function gives with it": (
        "a.py",
        """
def parsed(text):
    if text == "all":
        return "$", None
    return "some", text.split()

def f(text):
    mode, names = parsed(text)
    if mode == "some":
        return names.count(1)
""",
        ("all", "some"),
    ),
    "what a larger function checks": (
        "a.py",
        """
class Command:
    def __init__(self):
        self.rows: list | None = None

def check(rows):
    $
    for each in rows or ():
"""
        + "        print(each[0], each[1])\n" * 30
        + """
def f(command: Command):
    check(command.rows)
    return [each for each in command.rows]
""",
        ("assert rows is not None", "print(rows)"),
    ),
    "what ends the program": (
        "a.py",
        """
import sys

def missing(names, optional=False):
    if optional:
        print(names)
    else:
        $
    return names

def find(key):
    return key if key else None

def f(key):
    found = find(key)
    if found is None:
        missing([key])
    return found.name
""",
        ("sys.exit(5)", "print(5)"),
    ),
    "a function that is asked": (
        "a.py",
        """
def is_ready(text):
    return $

def f(text):
    result = text.split() if text else None
    if is_ready(text):
        return result.count(1)
""",
        ("True if text else False", "text != 'a'"),
    ),
    "a function of another file that is asked": (
        "b.py",
        """
def is_ready(text):
    return $
---a.py
from b import is_ready

def f(text):
    result = text.split() if text else None
    if is_ready(text):
        return result.count(1)
""",
        ("True if text else False", "text != 'a'"),
    ),
    "a caller that asks first": (
        "a.py",
        """
class Box:
    def __init__(self):
        self._lid = None

    def close(self):
        self._lid = None

    def open(self, lid):
        self._lid = lid

    def shown(self):
        if $:
            return self._name()

    def said(self):
        return self._name() if self._lid is not None else ""

    def _name(self):
        self.told()
        if self._lid is None:
            print("none")
        return self._lid.name

    def told(self):
        return 1
""",
        ("self._lid is not None", "self.told()"),
    ),
    "a flag that is passed": (
        "a.py",
        """
import os

def finished(archive, dry):
    if not dry:
        archive.close()

def f(path, dry):
    archive = None if dry else path.open()
    finished(archive, $)
""",
        ("dry", "not dry"),
    ),
    "another variable that is tested": (
        "a.py",
        """
def f(kind, value, other):
    name = None if kind == "a" else value
    if $ == "a":
        return 0
    return name.size
""",
        ("kind", "other"),
    ),
    "a type that is tested": (
        "a.py",
        """
def f(value):
    name = None if isinstance(value, int) else value
    if not isinstance(value, $):
        return name.size
""",
        ("int", "str"),
    ),
    "an order": (
        "a.py",
        """
def f(one, other):
    found = None if one < other else one
    if one $ other:
        return found.size
""",
        (">=", "!="),
    ),
    "a test with another connective": (
        "a.py",
        """
def f(one, other):
    found = None if one else other
    if not one $ not other:
        return found.size
""",
        ("and", "or"),
    ),
    "a status in Go": (
        "a.go",
        """
package a

type T struct{ n int }

func find(k string) (*T, int) {
	if k == "" {
		return nil, 1
	}
	return &T{1}, 0
}

func f(k string) int {
	t, status := find(k)
	if status == $ {
		return t.n
	}
	return 0
}
""",
        ("0", "1"),
    ),
    "a kind in Java": (
        "A.java",
        """
class A {
    String f(int kind, int other, String text) {
        String name = kind == 1 ? null : text;
        if ($ != 1) {
            return name.trim();
        }
        return "";
    }
}
""",
        ("kind", "other"),
    ),
    "a number in Java": (
        "A.java",
        """
class A {
    static int f(int count) {
        int[] rows = count > 0 ? new int[1] : null;
        int sum = 0;
        for (int i = $; i < count; i++) {
            sum += rows.length;
        }
        return sum;
    }
}
""",
        ("0", "-1"),
    ),
    "what a caller passes that it has from a call": (
        "a.py",
        """
def wanted():
    return $

def _rows(count):
    rows = [0] if count > 0 else None
    return rows.index(1)

def f():
    return _rows(wanted())
""",
        ("1", "0"),
    ),
    "what calls in calls in calls write": (
        "a.py",
        """
class A:
    def __init__(self, n):
        self.n = n

    def first(self):
        self.second()

    def second(self):
        self.third()

    def third(self):
        self.fourth()

    def fourth(self):
        self.fifth()

    def fifth(self):
        self.$ = 0

def f(row):
    a = A(0)
    a.n = 1 if row is None else 0
    a.first()
    if a.n == 1:
        return 0
    return row.size
""",
        ("other", "n"),
    ),
    "what is written where a pointer leads to, far away": (
        "a.c",
        """
static void third(int *p) { $ = 0; }
static void second(int *p) { third(p); }
"""
        + _TESTED_BEHIND_A_CALL.format(then=""),
        ("p", "*p"),
    ),
    "what a function passes on to one that nobody knows": (
        "a.c",
        """
void unknown(int *);
static void second(int *p) { unknown($); }
"""
        + _TESTED_BEHIND_A_CALL.format(then=""),
        ("0", "p"),
    ),
    "what a function keeps": (
        "a.c",
        """
int *kept;
void unknown(void);
static void second(int *p) { kept = $; }
"""
        + _TESTED_BEHIND_A_CALL.format(then="unknown();"),
        ("0", "p"),
    ),
}


def sides(name: str, part: str) -> dict[str, str]:
    path, text, _ = CHANGES[name]
    first, *others = text.replace("$", part).split("---")
    return {path: first, **dict(each.split("\n", 1) for each in others)}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("direction", ["new", "fixed"])
@pytest.mark.one_in(2)
def test_a_condition_alone_brings_a_finding_and_takes_it_away(name: str, direction: str) -> None:
    never, sometimes = (sides(name, part) for part in CHANGES[name][2])
    base, head = (never, sometimes) if direction == "new" else (sometimes, never)
    path = CHANGES[name][0]
    changed = next(number for number, line in enumerate(CHANGES[name][1].split("\n"), 1) if "$" in line)
    found = [each for each in compared(base, head) if each.status in ("new", "fixed")]
    assert [each.status for each in found] == [direction]
    lines = found[0].cause if direction == "new" else found[0].fixed_by
    assert [(each.file, each.line) for each in lines] == [(path, changed)]
    assert found[0].witness is not None and found[0].witness.verdict == "witnessed"


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_no_answer_changes_no_finding(name: str) -> None:
    for part in CHANGES[name][2]:
        base = sides(name, part)
        head = {path: text.replace("def f(", "def g():\n    return 1\n\ndef f(") for path, text in base.items()}
        head = {path: text.replace("func f(", "func g() {}\n\nfunc f(") for path, text in head.items()}
        assert {each.status for each in compared(base, head)} <= {"unchanged"}


def test_a_finding_that_takes_more_than_the_bound_is_counted_as_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    never, sometimes = (sides("a bound", part) for part in CHANGES["a bound"][2])
    assert [each.uncompared for each in compared(never, sometimes)] == [False]
    monkeypatch.setattr(turned, "_MOST_OF_ONE", 10)
    assert [(each.status, each.uncompared) for each in compared(never, sometimes)] == [("unchanged", True)]


def test_a_caller_that_comes_brings_a_finding_and_one_that_goes_takes_it_away() -> None:
    safe = """
def _f(count):
    rows = [0] if count > 0 else None
    return rows.index(1)

def g():
    return _f(1)
"""
    base, head = {"a.py": safe}, {"a.py": f"{safe}\ndef h():\n    return _f(0)\n"}
    found = [(each.status, each.line) for each in (*compared(base, head), *compared(head, base))]
    assert found == [("new", 4), ("fixed", 4)]


@pytest.mark.parametrize("most", [0, 5, 10_000])
def test_where_nobody_looks_which_answers_a_change_may_turn_all_are_asked(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turned, "MOST_OF_LOOKING", most)
    never, sometimes = (sides("what a caller passes that it has from a call", part) for part in ("1", "0"))
    assert [each.status for each in compared(never, sometimes)] == ["new"]
