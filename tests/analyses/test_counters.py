"""Variables that only count in a loop do not get below, or above, what they were before it."""

from __future__ import annotations

import pytest
from in_memory import verdicts

from pliant.analyses.witness.bounds import Steps
from pliant.analyses.witness.run import MOST_BLOCKS
from pliant.analyses.witness.state import AnyRound, State
from pliant.analyses.witness.terms import Terms
from pliant.extractors.ir.operands import Constant

_ARRAY = """
#include <stddef.h>
struct array { int count; void **data; };
struct item { int kind; };
static int at(const struct array *a, int i)
{
    if (i >= a->count) return -1;
    if (i < 0) i += a->count;
    return i;
}
void *nth(const struct array *a, int i)
{
    i = at(a, i);
    if (i < 0) return NULL;
    return a->data[i];
}
int size(const struct array *a) { return a->count; }
int sum(struct array *a, int b)
{
    int i, n = 0;
    LOOP
}
"""
_USE = "{ struct item *it = nth(a, i); n += it->kind; }"


@pytest.mark.parametrize(
    ("loop", "verdict"),
    [
        (f"for (i = 0; i < size(a); i++) {_USE}", "refuted"),
        (f"for (i = 0; i <= size(a); i++) {_USE}", "witnessed"),
        (f"for (i = a->count - 1; i >= 0; i--) {_USE}", "refuted"),
        (f"for (i = a->count; i >= 0; i--) {_USE}", "witnessed"),
        (f"for (i = 2; i < a->count; i += b) {_USE}", "witnessed"),
        (f"for (i = 0; i < a->count; i += 2) {_USE}", "refuted"),
        (f"for (i = -1; i < a->count; i++) {_USE}", "witnessed"),
        (f"i = 0; while (i < a->count) {{ if (b) {{ i++; continue; }} {_USE} i += 3; }}", "refuted"),
        (f"i = 0; while (i < a->count) {{ if (b) {{ i--; continue; }} {_USE} i += 3; }}", "witnessed"),
        (f"i = 0; while (i < a->count) {{ {_USE} i += 3; if (b) i = n; }}", "witnessed"),
        ("for (i = 0; i < a->count; i++) { n += 1; } " + _USE, "witnessed"),
        ("for (i = 0; n < a->count; n++) { i++; } if (i < a->count) " + _USE, "refuted"),
        (f"for (int k = 0; k < b; k++) for (i = k; i < a->count; i++) {_USE}", "refuted"),
        (f"for (int k = b; k < 9; k++) for (i = k; i < a->count; i++) {_USE}", "witnessed"),
        (f"int *p = &i; for (i = 0; i < a->count; i++) {{ *p = *p - n; {_USE} }}", "witnessed"),
    ],
)
def test_an_index_within_its_bounds(loop: str, verdict: str) -> None:
    assert [*verdicts({"a.c": _ARRAY.replace("LOOP", loop + " return n;")}).values()] == [{verdict}]


@pytest.mark.parametrize(
    ("before", "step", "verdict"),
    [
        ("number = 0", "number += 1", "refuted"),
        ("number = 0", "number -= 1", "witnessed"),
        ("number = start", "number += 1", "witnessed"),
        ("number = 0", "number = next(items)", "witnessed"),
        ("number = 1 if start else 2", "number += 1", "refuted"),
    ],
)
def test_a_counter_of_a_language_with_objects(before: str, step: str, verdict: str) -> None:
    source = f"""
def find(number):
    if number < 0:
        return None
    return make(number)

def each(items, start):
    {before}
    while more(items):
        find(number).play()
        {step}
"""
    assert [*verdicts({"a.py": source}).values()] == [{verdict}]


def test_a_number_without_a_sign_wraps_around() -> None:
    source = """
#include <stddef.h>
struct item { int kind; };
struct item *pick(unsigned n);
static struct item *small(unsigned n) { return n > 100 ? NULL : pick(n); }
int f(int b) { int k = 0; for (unsigned n = 9; k != b; n--) k += small(n)->kind; return k; }
int g(int b) { int k = 0; for (int n = 9; k != b; n--) { if (n < 0) break; k += small(n)->kind; } return k; }
"""
    lines = source.splitlines()
    said = {lines[line - 1][4]: each for (_, line), each in verdicts({"a.c": source}).items()}
    assert said == {"f": {"witnessed"}, "g": {"refuted"}}


def test_a_round_of_a_loop_is_run_alone_in_a_large_function() -> None:
    branches = "\n".join("    if next(flags): total = total + 1" for _ in range(MOST_BLOCKS))
    source = f"""
def at(rows, number):
    if number < 0:
        return None
    return rows[number]

def large(rows, flags, total, other):
{branches}
    number = 0
    while number < len(rows):
        at(rows, number).good()
        found = at(rows, number)
        if found is None:
            continue
        found.good()
        if other:
            at(rows, number - 1).bad()
        number += 1
    while next(flags):
        number += 2
    while number < len(rows):
        at(rows, number).good()
        number += 1
    below, start = 0, 0
    if other:
        start = -1
    while next(flags):
        start += 2
    while start < len(rows):
        at(rows, start).bad()
        start += 1
        below = below - 1 if other else below
    while below < len(rows):
        at(rows, below).bad()
        below += 1
    found = None
    for row in rows:
        if found is not None:
            found.good()
        if flags:
            found.bad()
        found = at(row, 0)
        found.good()
        found = at(row, total)
    return total
"""
    said = verdicts({"large.py": source})
    used = {line: text.rpartition(".")[2][:-2] for line, text in enumerate(source.splitlines(), 1)}
    assert {used[line] for _, line in said} == {"good", "bad"}
    assert all(each == ({"refuted"} if used[line] == "good" else {"open"}) for (_, line), each in said.items())


def test_any_round_may_find_what_a_round_before_has_kept() -> None:
    terms = Terms(Steps())
    before = State(terms, [])
    before.set(("variable", 1, "number"), terms.constant(Constant("integer", 0)))
    state = AnyRound(terms, [(terms.true, before)], lambda cell: True, {("variable", 1, "number"): "+"})
    assert before.get(("kept", "item")).op == "table before"
    assert state.get(("kept", "item")).op == state.get(("field", "item")).op == "table"
    assert state.get(("variable", 1, "number")).op == "arithmetic"
    assert terms.is_marked(state.get(("variable", 1, "last"))) is not terms.false
