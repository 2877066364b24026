"""Lines that hunks move and touch, against the obvious way to tell."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pliant.analyses.identity import head_line
from pliant.ci.hunks import Hunk, Touched, hunks, moved

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


def of(old: list[str], new: list[str]) -> list[Hunk]:
    [found] = hunks([("".join(f"{line}\n" for line in old).encode(), "".join(f"{line}\n" for line in new).encode())])
    return found


@given(TEXTS, TEXTS)
def test_a_line_that_moves_is_the_same_line(old: list[str], new: list[str]) -> None:
    found = of(old, new)
    lines = moved(range(1, len(old) + 1), found)
    assert lines == {line: head_line(found, line) for line in range(1, len(old) + 1)}
    for line, there in lines.items():
        assert there is None or old[line - 1] == new[there - 1]
    back = moved(range(1, len(new) + 1), [hunk.inverted for hunk in found])
    assert {there: line for line, there in lines.items() if there} == {line: old for line, old in back.items() if old}


@given(TEXTS, TEXTS)
def test_what_is_touched_within_lines(old: list[str], new: list[str]) -> None:
    found = of(old, new)
    touched = Touched(found)
    kept = {there: line for line, there in moved(range(1, len(old) + 1), found).items() if there}
    for first in range(1, len(new) + 1):
        for last in range(first, len(new) + 1):
            within = range(first, last + 1)
            same = all(line in kept for line in within)
            together = same and all(kept[line] - kept[first] == line - first for line in within)
            assert touched.within(first, last) is not together
