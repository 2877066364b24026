"""C sources in which there is nothing to find."""

from __future__ import annotations

import pytest
from in_memory import extract, findings, table

_QUIET = {
    "a text that is set where a pointer is null": """
        #include <stdio.h>
        int first(void) {
            FILE *f = fopen("a", "r");
            char *error = NULL;
            if (f == NULL)
                error = "no";
            if (error != NULL)
                return 1;
            return fgetc(f);
        }
    """,
    "a structure of a header that is copied": """
        #include "pair.h"
        void set(pair *p, int n) { *p = (pair){n, 2}; }
    """,
    "an assertion that is a macro of a header": """
        #include "assertions.h"
        int get(int *p) { int v = *p; XXH_ASSERT(p != NULL); return v; }
    """,
    "an array of the file whose text has its name in it": """
        static const char name[] = "a.name";
        int first(void) { return name[0]; }
    """,
}


@pytest.mark.parametrize("name", _QUIET)
def test_nothing_is_told(name: str) -> None:
    assert findings({"file.c": _QUIET[name]}, frozenset()) == []


def test_an_integer_is_no_instruction() -> None:
    """A call reads the sum, also where the sum's instruction has the number of the integer that is set."""
    for number in range(12):
        facts = extract("file.c", f"void f(void) {{ int n = get(); use(n + 1); n = {number}; use(n); }}")
        assert [call for call, how in table(facts, "unread") if how == "stored"] == []
