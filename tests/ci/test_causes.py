"""Findings that one change brings about are told under the first of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from repos import Repo
from sample_report import FIXED, NEW, UNCHANGED, report

from pliant.analyses.findings import Condition, Finding, Place, Step, Witness
from pliant.ci.causes import grouped
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.reports import Style, renderer

SECOND = replace(
    NEW,
    line=30,
    function="Shop.other",
    fingerprint="second",
    severity="warning",
    path=[*NEW.path[:-1], Step("shop/checkout.py", 30, "the other use", "Shop.other")],
    witness=Witness("witnessed", "", (Condition("shop/checkout.py", 29, "Shop.other", "wanted", "false"),)),
)


def _told(format: str, *findings: Finding, style: Style | None = None) -> str:
    made = report(*findings or (NEW, SECOND))
    made.findings = grouped(made.findings)
    return renderer(format)(made, style or Style())


def test_what_has_the_same_cause_names_the_first() -> None:
    assert [each.group for each in grouped([NEW, SECOND, FIXED, UNCHANGED])] == ["", NEW.fingerprint, "", ""]


def test_another_origin_another_change_and_another_family_are_other_causes() -> None:
    first = NEW.path[0]
    for other in (
        replace(SECOND, path=[replace(first, line=first.line + 1), *SECOND.path[1:]]),
        replace(SECOND, cause=[Place("shop/checkout.py", 77)]),
        replace(SECOND, rule="alias.mutable_default"),
        replace(SECOND, path=[]),
        replace(SECOND, status="unchanged"),
    ):
        assert [each.group for each in grouped([NEW, other])] == ["", ""]


def test_the_text_tells_the_cause_once() -> None:
    text = _told("text")
    assert text.count(NEW.message) == 1
    assert text.count(NEW.path[0].note) == _told("text", NEW).count(NEW.path[0].note)
    tail = text[text.index("  1 more finding with the same cause:") :].splitlines()
    assert tail[1].startswith("    shop/checkout.py:30: warning null.attribute in Shop.other (confidence ")
    assert tail[2:5] == ["        the other use", "        Fails when `wanted` is false.", ""]
    assert "2 new" in text.splitlines()[-1]


def test_with_all_details_each_is_told_on_its_own() -> None:
    assert "with the same cause" not in _told("text", style=Style(verbose=True))


def test_a_comment_tells_the_cause_once() -> None:
    text = _told("markdown")
    assert text.count("how it comes about") == 1
    assert "1 more finding with the same cause:" in text
    [line] = [line for line in text.splitlines() if "the other use" in line]
    assert line.startswith("* 🟧 **warning** `shop/checkout.py:30` in `Shop.other`: the other use (`null.attribute`)")


def test_findings_that_a_comment_has_no_room_for_are_counted_with_their_groups() -> None:
    many = [replace(NEW, fingerprint=f"{n}", cause=[Place("shop/checkout.py", 100 + n)]) for n in range(300)]
    text = _told("markdown", NEW, SECOND, *many)
    told = sum("(`null.attribute`)" in line for line in text.splitlines())
    assert told > 100
    assert f"and {302 - told} more findings, too many for one comment" in text


def test_json_names_the_first() -> None:
    found = json.loads(_told("json"))["findings"]
    assert [each["group"] for each in found] == ["", found[0]["fingerprint"]]


def test_one_change_that_three_functions_use_is_told_once(repo: Repo, tmp_path: Path) -> None:
    uses = "".join(f"def f{n}(x):\n    return find(x).name\n" for n in range(3))
    repo.commit({"a.py": f"def find(x):\n    return x\n{uses}"})
    repo.commit({"a.py": f"def find(x):\n    if x:\n        return x\n    return None\n{uses}"})
    made = check(Request(repo.folder, "HEAD~1", "HEAD", tmp_path / "state"), [].append)
    found = made.of_status("new")
    assert [each.function for each in found] == ["f0", "f1", "f2"]
    assert [each.group for each in found] == ["", found[0].fingerprint, found[0].fingerprint]
    assert renderer("text")(made, Style()).count("`find()` returns None here") == 2  # in the message and in the path
