"""A finding stays the same through edits that change no meaning, and a change may come in any number of steps."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Files, compared

from pliant.analyses.findings import Finding

FUNCTIONS = {
    "match": "def first(line):\n    found = re.match('a', line)\n    return found.group()\n",
    "environ": "def home():\n    value = os.environ.get('HOME')\n    return value.upper()\n",
    "helper": """def pick(key):
    if key:
        return None
    return [key]


def top(key):
    return pick(key)[0]
""",
    "default": "def put(item, items=[]):\n    items.append(item)\n",
    "formal": "def show(name: str | None, width):\n    return name.center(width)\n",
    "method": """class Shelf:
    def label(self, text):
        mark = re.search('b', text)
        return mark.start()
""",
    "guarded": "def safe(line):\n    sure = re.match('a', line)\n    return sure.group() if sure else ''\n",
}
HEAD = "import os\nimport re\n"
PART = "\n\n# part\n\n"


def module(parts: list[str]) -> str:
    return PART.join([HEAD, *parts])


Edit = Callable[[Files], tuple[Files, dict[str, str]]]


def line_above(files: Files) -> tuple[Files, dict[str, str]]:
    return {path: f"# a comment\n\nLIMIT = 3\n{text}" for path, text in files.items()}, {}


def reformatted(files: Files) -> tuple[Files, dict[str, str]]:
    return {
        path: text.replace("(", "(\n        ").replace("    return ", "    return   ") for path, text in files.items()
    }, {}


def file_renamed(files: Files) -> tuple[Files, dict[str, str]]:
    renames = {path: f"new_{path}" for path in files}
    return {renames[path]: text for path, text in files.items()}, renames


def locals_renamed(files: Files) -> tuple[Files, dict[str, str]]:
    names = re.compile(r"\b(found|value|mark|sure|name|width|item|items|key|line|text)\b")
    return {path: names.sub(r"other_\1", text) for path, text in files.items()}, {}


def functions_moved(files: Files) -> tuple[Files, dict[str, str]]:
    """Each file's last part goes to a file of its own."""
    moved = {}
    for path, text in files.items():
        kept, mark, last = text.rpartition(PART)
        moved[path] = kept
        moved[f"moved_{path}"] = HEAD + mark + last
    return moved, {}


EDITS: dict[str, Edit] = {
    edit.__name__: edit for edit in (line_above, reformatted, file_renamed, locals_renamed, functions_moved)
}


def told(findings: list[Finding], *statuses: str) -> list[str]:
    return sorted(finding.fingerprint for finding in findings if finding.status in statuses)


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_without_meaning_changes_no_finding_and_no_fingerprint(name: str) -> None:
    base = {"shop.py": module(list(FUNCTIONS.values()))}
    head, renames = EDITS[name](base)
    found = compared(base, head, renames)
    assert told(found, "new", "fixed") == []
    assert len(told(found, "unchanged")) == 6
    assert told(found, "unchanged") == told(compared(base, base), "unchanged")


@pytest.mark.parametrize("name", ["file_renamed", "locals_renamed", "functions_moved"])
def test_why_a_finding_of_other_names_is_the_same_is_told(name: str) -> None:
    base = {"shop.py": module([FUNCTIONS["formal"]])}
    head, renames = EDITS[name](base)
    [finding] = compared(base, head, renames)
    why = {
        "file_renamed": "shop.py was renamed; it stands on the same line",
        "locals_renamed": "it is the same operation at the same place, on a null of another name",
        "functions_moved": "it moved here from shop.py; it is the same operation on the same kind of null",
    }
    assert finding.matched == why[name]


USED = """import re


def pick(key):
    return None if key else [key]


def top(key, other):
    found = pick(key)
    first = found[0]
    print(key)
    %s
"""


@pytest.mark.parametrize(
    ("before", "after", "statuses"),
    [
        ("return found.copy()", "return found.count(1)", ["unchanged"]),
        ("return found.copy()", "return len(found)", ["unchanged"]),
        # Another null, and what the change tests.
        ("return found.copy()", "return re.match('a', key).group()", ["fixed", "new"]),
        ("return found.copy()", "return found.count(1) if found else 0", ["fixed"]),
    ],
)
def test_a_use_that_the_change_replaces_by_another_use_of_the_null_is_the_same(
    before: str, after: str, statuses: list[str]
) -> None:
    base, head = USED.replace("first = found[0]\n    ", "") % before, USED.replace("first = found[0]\n    ", "") % after
    found = compared({"shop.py": base}, {"shop.py": head})
    assert sorted(each.status for each in found) == statuses
    if statuses == ["unchanged"]:
        assert found[0].matched == "the changed line uses the same null"


def test_a_use_elsewhere_is_not_the_one_that_the_change_takes_away() -> None:
    base = USED.replace("first = found[0]", "first = 1") % "return found.copy()"
    head = USED.replace("first = found[0]", "first = found[0]") % "return first"
    found = compared({"shop.py": base}, {"shop.py": head})
    assert sorted(each.status for each in found) == ["fixed", "new"]


@settings(max_examples=share(6))
@given(st.lists(st.sampled_from(sorted(FUNCTIONS)), min_size=1, unique=True), st.permutations(sorted(EDITS)), st.data())
def test_edits_without_meaning_in_any_order(parts: list[str], order: list[str], data: st.DataObject) -> None:
    base: Files = {"shop.py": module([FUNCTIONS[part] for part in parts])}
    count = data.draw(st.integers(1, 3))
    first = told(compared(base, base), "unchanged")
    for name in order[:count]:
        head, renames = EDITS[name](base)
        found = compared(base, head, renames)
        assert told(found, "new", "fixed") == []
        assert told(found, "unchanged") == first
        base = head


@settings(max_examples=share(8))
@given(st.lists(st.sets(st.sampled_from(sorted(FUNCTIONS)), min_size=1), min_size=3, max_size=4), st.booleans())
def test_a_change_in_steps_has_the_findings_of_the_whole(versions: list[set[str]], lines: bool) -> None:
    """What steps bring and take adds up to what the whole change brings and takes."""
    files: list[Files] = []
    for number, version in enumerate(versions):
        one = {"shop.py": module([FUNCTIONS[part] for part in sorted(version)])}
        files.append(line_above(one)[0] if lines and number % 2 else one)

    def balance(found: list[Finding]) -> Counter[str]:
        counts = Counter(told(found, "new"))
        counts.subtract(told(found, "fixed"))
        return counts

    steps: Counter[str] = Counter()
    for base, head in itertools.pairwise(files):
        steps.update(balance(compared(base, head)))
    whole = balance(compared(files[0], files[-1]))
    assert +steps == +whole and -steps == -whole


def test_fingerprints_of_both_sides_agree() -> None:
    """A finding that is new has the fingerprint that it has as an old one in the next comparison."""
    base: Files = {"shop.py": module([FUNCTIONS["match"]])}
    head: Files = {"shop.py": module(list(FUNCTIONS.values()))}
    new = told(compared(base, head), "new", "unchanged")
    assert new == told(compared(head, head), "unchanged")
    assert new == sorted([*told(compared(head, base), "fixed"), *told(compared(base, base), "unchanged")])
