"""The ways of a null to its use that are asked about."""

from __future__ import annotations

from in_memory import compared, evaluate

from pliant.analyses.witness.bounds import Steps
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.route import Routes

COPIED = {
    "h.h": "#include <string.h>\n#define COPY(to, from, n) memcpy((to), (from), (n))\n",
    "a.c": """
#include "h.h"
struct buffer { char *data; char *other; };
int copied(struct buffer *b, int wanted)
{
    char *to = b->data;
    if (wanted == 1)
        to = 0;
    COPY(to, b->other, 1);
    return 0;
}
""",
}


def test_of_two_arguments_that_a_macro_uses_the_null_is_one() -> None:
    evaluation, _ = evaluate(COPIED)
    [(site, origin)] = map(evaluation.strings, evaluation.rows("null_dereference"))
    frames = list(Routes(Derived(evaluation), site, origin, Steps()).frames())
    assert [(frame.argument, frame.origin) for frame in frames] == [(0, origin)]
    before = {**COPIED, "a.c": COPIED["a.c"].replace("to = 0;", "to = b->other;")}
    [finding] = compared(before, COPIED)
    assert finding.message == "`to` may be NULL when it is passed to `COPY()`: NULL here"
