"""Rules: every one that can be told is documented, its examples are right, and its page is what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_memory import extract, findings, table

from pliant.analyses.registry import KINDS
from pliant.analyses.rules import SUFFIXES, index, rules
from pliant.analyses.wording import use

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_the_examples_of_a_rule_are_right(rule) -> None:  # type: ignore[no-untyped-def]
    path = f"Example.{SUFFIXES[rule.language]}"
    if rule.id == "suppression.unused":
        assert extract(path, rule.bad).suppressions and not extract(path, rule.fixed).suppressions
        return
    assert rule.id in {finding.rule for finding in findings({path: rule.bad})}
    assert [finding.rule for finding in findings({path: rule.fixed})] == []


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_the_page_of_a_rule_is_what_the_table_says(rule) -> None:  # type: ignore[no-untyped-def]
    assert (PAGES / f"{rule.id}.md").read_text() == rule.page(), "run: python -m pliant.analyses.rules docs/rules"


def test_there_is_a_page_for_each_rule_and_no_other() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {*rules(), "README"}
    assert (PAGES / "README.md").read_text() == index()


def test_every_rule_that_can_be_told_is_documented() -> None:
    assert {kind.rule for kind in KINDS.values() if kind.rule} <= set(rules())
    for kind in ("attribute", "method", "call", "subscript", "iteration", "operator", "context", "await"):
        assert f"null.{kind}" in rules()
        assert use(kind, "a.py|f|x|1")


@pytest.mark.parametrize("folder", ["python", "java", "c"])
def test_no_extractor_emits_another_kind(folder: str) -> None:
    kinds = set()
    for path in sorted((Path(__file__).parent / folder).rglob(f"*.{SUFFIXES[folder]}")):
        kinds |= {row[2] for row in table(extract(path.name, path.read_text()), "dereference")}
    assert {f"null.{kind}" for kind in kinds} <= set(rules())
