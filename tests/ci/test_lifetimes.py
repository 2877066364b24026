"""How long findings live, over random graphs of commits with merges, of whose findings only fingerprints count."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pliant.ci.history.lifetimes import Compared, Lifetimes
from pliant.ci.history.plan import Commit
from pliant.ci.history.versions import NOTHING

FINDINGS = st.frozensets(st.sampled_from("abcdef"))


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[list[int], frozenset[str]]]:
    """Of each commit its parents, by position, and its findings; all come together in the last one."""
    commits: list[tuple[list[int], frozenset[str]]] = []
    for position in range(draw(st.integers(1, 8))):
        chosen = (
            draw(st.lists(st.sampled_from(range(position)), min_size=1, max_size=3, unique=True)) if position else []
        )
        kept = [commits[each][1] for each in chosen]
        commits.append((chosen, draw(st.one_of(FINDINGS, *map(st.just, kept)) if kept else FINDINGS)))
    tips = set(range(len(commits))) - {each for parents, _ in commits for each in parents}
    if len(tips) > 1:
        commits.append((sorted(tips), draw(st.one_of(FINDINGS, *(st.just(commits[each][1]) for each in sorted(tips))))))
    return commits


def row(fingerprint: str, status: str) -> dict[str, Any]:
    return {
        **dict.fromkeys(("rule", "file", "function", "fingerprint"), fingerprint),
        **{"line": 1, "status": status, "suppressed": False, "unlikely": False, "unread": []},
    }


@given(graphs())
def test_what_is_open_at_the_end_is_what_the_last_commit_has(commits: list[tuple[list[int], frozenset[str]]]) -> None:
    lifetimes = Lifetimes(line=False)
    for position, (parents, findings) in enumerate(commits):
        edges: dict[str, Compared | None] = {}
        for parent in parents or [-1]:
            before = commits[parent][1] if parent >= 0 else frozenset()
            new, fixed, unchanged = (
                [row(each, status) for each in sorted(some)]
                for some, status in (
                    (findings - before, "new"), (before - findings, "fixed"), (findings & before, "unchanged")
                )
            )  # fmt: skip
            compared = Compared(new, fixed, unchanged, told=[*new, *fixed]) if new or fixed else None
            edges[str(parent) if parent >= 0 else NOTHING] = compared
        commit = Commit(str(position), "", tuple(map(str, parents)), 0, "")
        _, _, count = lifetimes.commit(commit, position, edges)
        assert count == len(findings)
    found = lifetimes.finish()
    last = commits[-1][1]
    assert sorted(each.row["fingerprint"] for each in found if each.ended == "open") == sorted(last)
    assert all((each.last is None) == (each.ended == "open") for each in found)
    assert all(each.last is None or each.last > each.first for each in found)
