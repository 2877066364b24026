"""Lines that a pull request removes, and that thereby cause a finding."""

from __future__ import annotations

import json

import pytest
from command_line import checked, run
from in_memory import compared
from repos import MakeRepo, Repo

from pliant.analyses.findings import Place, Removed

PYTHON = """import re


def f(x):
    m = re.match("a", x)
    if m is None:
        return 0
    return m.group()
"""
JAVA = """class A {
    String find(boolean b) { return b ? "a" : null; }
    int f(boolean b) {
        String s = find(b);
        if (s == null)
            return 0;
        return s.length();
    }
}
"""
C = """struct s { int n; };
struct s *find(int b) { static struct s one; return b ? &one : (struct s *)0; }
int f(int b) {
    struct s *s = find(b);
    if (!s)
        return 0;
    return s->n;
}
"""
FILES = {"a.py": (PYTHON, 6), "A.java": (JAVA, 5), "a.c": (C, 5)}


def without(source: str, first: int, count: int = 2) -> str:
    lines = source.splitlines(keepends=True)
    return "".join([*lines[: first - 1], *lines[first - 1 + count :]])


@pytest.mark.parametrize("path", FILES)
def test_a_removed_test_is_the_cause_and_no_line_that_did_not_change(path: str) -> None:
    source, line = FILES[path]
    [found] = compared({path: source}, {path: without(source, line)})
    beside = Place(path, line)
    assert (found.status, found.cause) == ("new", [])
    assert found.removed == [Removed(path, line, beside), Removed(path, line + 1, beside)]


def test_of_a_renamed_file_the_removed_lines_are_those_of_the_old_name() -> None:
    [found] = compared({"a.py": PYTHON}, {"b.py": without(PYTHON, 6)}, renames={"a.py": "b.py"})
    assert found.removed == [Removed("a.py", line, Place("b.py", 6)) for line in (6, 7)]


def test_where_another_line_replaces_the_test_that_line_is_the_cause() -> None:
    head = PYTHON.replace("    if m is None:\n        return 0\n", "    print(m)\n")
    [found] = compared({"a.py": PYTHON}, {"a.py": head})
    assert (found.cause, found.removed) == ([Place("a.py", 6)], [])


@pytest.fixture
def pull_request(make_repo: MakeRepo) -> Repo:
    repo = make_repo()
    repo.commit({"a.py": PYTHON})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": without(PYTHON, 6)})
    return repo


def test_every_report_says_what_was_removed(pull_request: Repo) -> None:
    [finding] = checked(pull_request, "--base", "main")["findings"]
    assert finding["cause"] == []
    assert finding["removed"] == [{"file": "a.py", "line": 6}, {"file": "a.py", "line": 7}]
    text = run("check", pull_request.folder, "--base", "main").stdout
    assert "  removed lines that cause it:\n    a.py:6 |     if m is None:\n    a.py:7 |         return 0\n" in text
    assert "changed lines" not in text

    def told(name: str) -> str:
        return run("check", pull_request.folder, "--base", "main", "--format", name).stdout

    assert "* `a.py:6` of the base is a removed line that causes it: `if m is None:`" in told("markdown")
    assert "a.py:6: a removed line that causes it" in told("junit")
    assert "Caused by what was removed before this line: a.py:6 of the base" in told("github")
    [result] = json.loads(told("sarif"))["runs"][0]["results"]
    notes = [
        (each["message"]["text"], each["physicalLocation"]["region"]["startLine"])
        for each in result["relatedLocations"]
    ]
    assert notes[0] == ("A line before this one was removed, which causes this: if m is None:", 6)
    explained = run("explain", finding["fingerprint"], pull_request.folder, "--base", "main").stdout
    assert "removed lines that cause it:\n  a.py:6 | if m is None:\n  a.py:7 | return 0\n" in explained
