"""The facts of Python, held to runs by Python: what fails for None there is a candidate."""

from __future__ import annotations

from functools import cache

import corpus
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import batch, extract, table
from python_runs import failures_by_python, sources

from pliant.analyses import registry
from pliant.engine import Evaluation, Program


@cache
def _program() -> Program:
    return registry.program((), frozenset())


def _candidates(source: str) -> set[int]:
    """The lines where a null is used, as the rules have it."""
    facts = extract("a.py", source)
    assert not facts.diagnostics
    lines = {facts.symbols[facts.places[at]]: facts.places[at + 1] for at in range(0, len(facts.places), 5)}
    evaluation = Evaluation.bootstrap(_program(), batch({"a.py": facts}))
    sites = evaluation.strings(np.asarray(evaluation.rows("null_dereference"))[:, 0])
    return {lines[site.removeprefix("a.py")] for site in sites if site.removeprefix("a.py") in lines}


@given(source=sources(uses=True), scripts=st.lists(st.lists(st.booleans(), max_size=12), min_size=6, max_size=6))
@corpus.examples(200)
def test_what_fails_in_a_run_is_a_candidate(source: str, scripts: list[list[bool]]) -> None:
    failed = set().union(*(failures_by_python(source, answers) for answers in scripts))
    if failed:
        candidates = _candidates(source)
        assert failed <= candidates, (source, failed - candidates)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("self.a = 1", ["a"]),
        ("if x:\n    self.a = 1", []),
        ("if x:\n    self.a = 1\nelse:\n    self.a = self.b = 2", ["a"]),
        ("if x:\n    return\nself.a = 1", []),
        ("if x:\n    raise x\nself.a = 1\nself.made()", ["a"]),
        ("while x:\n    self.a = x = x.next", []),
        ("try:\n    self.a = x.a\nexcept E:\n    pass", []),
        ("try:\n    self.a = x.a\nexcept E:\n    self.a = 1", ["a"]),
        ("try:\n    x.a()\nfinally:\n    self.a = 1", ["a"]),
        ("with x:\n    self.a = 1", []),
        ("self.c = 1", []),
        ("x.a = 1", []),
        ("self = x\nself.a = 1", []),
        ("raise x", []),
    ],
)
def test_what_a_method_always_assigns(body: str, fields: list[str]) -> None:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    source = f"class C:\n    a = b = None\n    c = 1\n\n    def __init__(self, x):\n{lines}\n"
    found = table(extract("m.py", source), "assigns_always")
    assert found == [("|C.__init__", name) for name in fields]
