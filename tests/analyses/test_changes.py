"""Small changes with known answers, many to a file of `changes/`: what each brings, takes away, and leaves alone.

    @@ name: the reason in a sentence
    --- path
      a line of both sides
    - a line of the base
    + a line of the head  # new: rule

Comments as in test_pull_requests.py (`new`, `fixed`, `unchanged`, `cause`): `fixed` speaks of the base's line, the
others of the head's. Names that begin with `quiet_` have nothing new and nothing fixed; what begins with `gap_` is
known to be wrong, and fails when it turns right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from in_memory import compared

from pliant.analyses import report
from pliant.analyses.witness import ways
from pliant.analyses.witness.derived import _Rows

_MARKS = re.compile(r"  # ((?:new|fixed|unchanged|cause)\b.*)$")
Mark = tuple[str, str, int, str]  # status, file, line, rule


@dataclass
class Change:
    name: str
    base: dict[str, str] = field(default_factory=dict)
    head: dict[str, str] = field(default_factory=dict)
    marks: set[Mark] = field(default_factory=set)
    causes: set[tuple[str, int]] = field(default_factory=set)


def read(path: Path) -> list[Change]:
    changes: list[Change] = []
    file = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("@@ "):
            changes.append(Change(f"{path.stem}/{line[3:].partition(':')[0]}"))
        elif line.startswith("--- "):
            file = line[4:]
        else:
            _add(changes[-1], file, line)
    return changes


def _add(change: Change, file: str, line: str) -> None:
    text = _MARKS.sub("", line)
    for sign, files in (("+", change.base), ("-", change.head)):
        if line[:1] != sign:
            files[file] = files.get(file, "") + text[2:] + "\n"
    found = _MARKS.search(line)
    for mark in found[1].split(";") if found else ():
        status, _, rule = mark.strip().partition(": ")
        side = change.base if status == "fixed" else change.head
        number = side[file].count("\n")
        if status == "cause":
            change.causes.add((file, number))
        else:
            change.marks.add((status, file, number, rule))


CHANGES = [change for path in sorted((Path(__file__).parent / "changes").glob("*.txt")) for change in read(path)]


PULL_REQUESTS = sorted((Path(__file__).parent / "pull_requests").glob("*.txt"))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
@pytest.mark.one_in(3)
def test_a_change_has_the_findings_that_its_comments_name(change: Change) -> None:
    findings = compared(change.base, change.head)
    found = {(finding.status, finding.file, finding.line, finding.rule) for finding in findings}
    name = change.name.partition("/")[2]
    if name.startswith("gap_"):
        assert found != change.marks, "no longer a gap"
        return
    assert sorted(found - change.marks) == [], "told, but no comment names them"
    assert sorted(change.marks - found) == [], "named by comments, but not told"
    if name.startswith("quiet_"):
        assert not [finding for finding in findings if finding.status != "unchanged"]
    causes = {(place.file, place.line) for finding in findings if finding.status == "new" for place in finding.cause}
    assert not change.causes or change.causes <= causes


@pytest.mark.parametrize("language", ["python", "java", "c"])
def test_there_are_many_changes_and_a_third_is_quiet(language: str) -> None:
    names = [change.name.partition("/")[2] for change in CHANGES if change.name.startswith(f"{language}/")]
    if language == "python":  # these are most of what runs on a repository
        names += [
            path.stem
            for path in PULL_REQUESTS
            if not path.stem.startswith(("java_", "c_", "go_", "quiet_java_", "quiet_c_", "quiet_go_"))
        ]
    quiet = [name for name in names if name.startswith("quiet_")]
    assert len(names) >= 60 and 3 * len(quiet) >= len(names)
    assert len(set(names)) == len(names)


def test_a_path_names_the_variable_that_a_call_leaves_null() -> None:
    source = """
        #include <stddef.h>
        static int find(const char *s, char **out) { *out = NULL; return *s ? 0 : -1; }
        int ask(const char *s) { char *p; return find(s, &p) < 0 ? 0 : *p; }
        struct table { char *name; };
        static void clear(struct table *t) { t->name = NULL; }
        int use(struct table *t) { clear(t); return *t->name; }
    """
    notes = [step.note for finding in compared({}, {"a.c": source}) for step in finding.path]
    assert "after this call `p` is NULL" in notes
    assert "after this call the attribute `name` is NULL" in notes


@pytest.mark.parametrize("most", [1_000, 4_000])
def test_rows_in_another_order_give_the_same_ways(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the bound on all of them is met."""
    together = [change for change in CHANGES if change.name.startswith("python_ways/another")]
    sides = [
        {f"{change.name}/{file}": text for change in together for file, text in getattr(change, side).items()}
        for side in ("base", "head")
    ]
    monkeypatch.setattr(ways, "_MOST_OF_ALL", most)

    def told() -> list[tuple[str, str, bool]]:
        return sorted((each.status, each.fingerprint, each.uncompared) for each in compared(*sides))

    expected = told()
    further = ways.further
    monkeypatch.setattr(report, "further", lambda base, head, pairs, *others: further(base, head, pairs[::-1], *others))
    monkeypatch.setattr(_Rows, "_at", lambda self, entry, at=_Rows._at: at(self, entry)[::-1])
    assert told() == expected
