"""Which nulls are told as what fails at a place."""

from __future__ import annotations

from in_memory import evaluate, verdicts

SHARED = """
#include <stdlib.h>
static char *line;
static void make(int wide)
{
    %s
        line = malloc(240);  // made
}
char first(int wide)
{
    make(wide);
    return line[0];
}
void clear(void)
{
    free(line);
    line = NULL;  // cleared
}
"""


def _origins(source: str) -> set[str]:
    """The comments of the lines on which nulls begin."""
    evaluation, places = evaluate({"a.c": source})
    symbols = evaluation.strings(evaluation.rows("null_dereference")[:, 1])
    lines = source.splitlines()
    return {lines[places[symbol].line - 1].rpartition("// ")[2] for symbol in symbols}


def test_what_a_call_always_writes_is_all_that_is_there_behind_it() -> None:
    assert _origins(SHARED % "line = NULL;  // at first") == {"made"}
    assert _origins(SHARED % "line = NULL;  // at first\n    if (wide)") == {"at first", "made"}


def test_a_call_that_sometimes_writes_leaves_what_was_there() -> None:
    assert _origins(SHARED % "if (wide)") == {"made", "cleared"}


def test_a_declared_null_that_stands_for_a_default_is_none_where_another_one_is_passed() -> None:
    source = """
from typing import Optional

class Headers:
    def __init__(self):
        self.data: dict[str, list[str]] = {}

    def all(self, name: str) -> list[str]:
        return self.data.get(name, [])

    def get(self, name: str, default: Optional[str] = None, last: bool = True) -> Optional[str]:
        values = self.all(name)
        return values[-1] if values else default

def with_another_default(headers: Headers):
    return "a" in headers.get("server", "")

def with_its_own(headers: Headers):
    return "a" in headers.get("server")

def with_none(headers: Headers):
    return "a" in headers.get("server", None)

def with_something_else(headers: Headers):
    return "a" in headers.get("server", last=False)
"""
    assert verdicts({"a.py": source}) == {
        ("a.py", 16): {"refuted"},
        ("a.py", 19): {"witnessed"},
        ("a.py", 22): {"witnessed"},
        ("a.py", 25): {"witnessed"},
    }
