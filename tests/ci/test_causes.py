"""Findings that one change brings about are told under the first of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from repos import Repo
from sample_report import FIXED, NEW, UNCHANGED, report

from pliant.analyses.findings import Condition, Finding, Place, Step, Witness
from pliant.ci.causes import by_cause, grouped
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


def test_what_a_changed_line_makes_null_is_one_cause_whatever_else_has_changed() -> None:
    first = NEW.path[0]
    made, used = Place(first.file, first.line), Place("shop/checkout.py", 30)
    both, alone = replace(NEW, cause=[made]), replace(SECOND, cause=[made, used])
    assert [each.group for each in grouped([both, alone])] == ["", NEW.fingerprint]
    unmade = replace(SECOND, cause=[used])  # a new use of a null that was there
    assert [each.group for each in grouped([replace(NEW, cause=[Place("a.py", 1)]), unmade])] == ["", ""]


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


MORE = "1 more finding with the same cause: shop/checkout.py:30"


def _line(format: str, *findings: Finding) -> str:
    [line] = [line for line in _told(format, *findings).splitlines() if NEW.message in line]
    return line


@pytest.mark.parametrize("format", ["github", "azure", "teamcity"])
def test_a_service_log_tells_the_cause_once_at_the_highest_severity(format: str) -> None:
    assert MORE in _line(format)
    assert MORE not in _line(format, NEW)
    line = _line(format, replace(NEW, severity="warning"), replace(SECOND, severity="error"))
    assert "error" in line.lower()
    assert "warning" not in line.lower()


def test_an_annotation_names_a_few_of_many_and_counts_the_others() -> None:
    many = [replace(SECOND, line=line, fingerprint=str(line)) for line in range(30, 40)]
    named = ", ".join(f"shop/checkout.py:{line}" for line in range(30, 38))
    assert f" 10 more findings with the same cause: {named} and 2 more" in _line("azure", NEW, *many)


def test_annotations_that_are_left_out_are_counted_with_their_groups() -> None:
    others = [replace(NEW, fingerprint=f"{n}", cause=[Place("shop/checkout.py", 100 + n)]) for n in range(12)]
    last = [
        replace(SECOND, fingerprint=f"second of {n}", cause=[Place("shop/checkout.py", 100 + n)]) for n in range(12)
    ]
    assert "pliant: 4 more in the step summary" in _told("github", *others, *last)


def test_reviewdog_has_the_others_as_related_locations() -> None:
    [told] = [each for each in json.loads(_told("rdjson"))["diagnostics"] if each["code"]["value"] == NEW.rule]
    assert MORE in told["message"]
    [*path, other] = told["related_locations"]
    assert len(path) == len(NEW.path)
    assert other["message"] == f"With the same cause: {SECOND.message}"
    assert other["location"] == {"path": SECOND.file, "range": {"start": {"line": 30, "column": SECOND.column + 1}}}


@pytest.mark.parametrize("moved", [False, True])
def test_sarif_links_to_the_others(moved: bool) -> None:
    first = NEW if moved else replace(NEW, file="shop/catalogue.py", line=3)
    [result] = json.loads(_told("sarif", first, SECOND))["runs"][0]["results"]
    assert result["message"]["text"].endswith(f" 1 more finding with the same cause: [1]({1 + moved})")
    linked = result["relatedLocations"][0 + moved]
    assert linked["id"] == 1 + moved
    assert linked["physicalLocation"]["region"]["startLine"] == 30
    assert linked["message"]["text"] == f"With the same cause: {SECOND.message}"


def test_a_finding_whose_first_is_not_told_is_told_on_its_own() -> None:
    assert by_cause([SECOND, replace(SECOND, fingerprint="x", group="gone")]) == [
        (SECOND, []), (replace(SECOND, fingerprint="x", group="gone"), []),
    ]  # fmt: skip


@pytest.mark.parametrize("format", ["concise", "gitlab", "junit"])
def test_lists_have_each_of_them(format: str) -> None:
    assert _told(format).count(NEW.rule) > _told(format, NEW).count(NEW.rule)


def test_one_change_that_three_functions_use_is_told_once(repo: Repo, tmp_path: Path) -> None:
    uses = "".join(f"def f{n}(x):\n    return find(x).name\n" for n in range(3))
    repo.commit({"a.py": f"def find(x):\n    return x\n{uses}"})
    repo.commit({"a.py": f"def find(x):\n    if x:\n        return x\n    return None\n{uses}"})
    made = check(Request(repo.folder, "HEAD~1", "HEAD", tmp_path / "state"), [].append)
    found = made.of_status("new")
    assert [each.function for each in found] == ["f0", "f1", "f2"]
    assert [each.group for each in found] == ["", found[0].fingerprint, found[0].fingerprint]
    assert renderer("text")(made, Style()).count("`find()` returns None here") == 2  # in the message and in the path
