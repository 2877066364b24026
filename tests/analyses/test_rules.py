"""Rules: every one that can be told is documented, its examples are right, and its page is what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_memory import compared, extract, findings, table

from pliant.analyses.registry import KINDS, OPT_IN
from pliant.analyses.rules import SUFFIXES, index, rules
from pliant.analyses.wording import use

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_the_examples_of_a_rule_are_right(rule) -> None:  # type: ignore[no-untyped-def]
    path = f"Example.{SUFFIXES[rule.language]}"
    if rule.id == "suppression.unused":
        assert extract(path, rule.bad).suppressions and not extract(path, rule.fixed).suppressions
        return
    on = frozenset((rule.id,) if rule.opt_in else ())
    assert rule.id in {finding.rule for finding in findings({path: rule.bad}, on)}
    assert [finding.rule for finding in findings({path: rule.fixed}, on)] == []
    if on:
        assert rule.id not in {finding.rule for finding in findings({path: rule.bad})}


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_the_page_of_a_rule_is_what_the_table_says(rule) -> None:  # type: ignore[no-untyped-def]
    assert (PAGES / f"{rule.id}.md").read_text() == rule.page(), "run: python -m pliant.analyses.rules docs/rules"


def test_there_is_a_page_for_each_rule_and_no_other() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {*rules(), "README"}
    assert (PAGES / "README.md").read_text() == index()


def test_the_rules_that_are_off_by_default_are_those_that_no_default_program_tells() -> None:
    assert {rule.id for rule in rules().values() if rule.opt_in} == OPT_IN


def test_every_rule_that_can_be_told_is_documented() -> None:
    assert {kind.rule for kind in KINDS.values() if kind.rule} <= set(rules())
    for kind in ("attribute", "method", "call", "subscript", "iteration", "operator", "context", "await"):
        assert f"null.{kind}" in rules()
        assert use(kind, "a.py|f|x|1")


@pytest.mark.parametrize("folder", ["python", "java", "c", "go"])
def test_no_extractor_emits_another_kind(folder: str) -> None:
    kinds = set()
    for path in sorted((Path(__file__).parent / folder).rglob(f"*.{SUFFIXES[folder]}")):
        kinds |= {row[2] for row in table(extract(path.name, path.read_text()), "dereference")}
    assert {f"null.{kind}" for kind in kinds} <= set(rules())


FREES = {
    "high": ("void f(void) { char *p = NULL; free(p); }", "`NULL`"),
    "low": ("void f(int n) { char *p = NULL; if (n) p = malloc(n); free(p); }", "`p`"),
}


@pytest.mark.parametrize("confidence", FREES)
def test_null_that_may_be_an_object_is_freed_with_low_confidence(confidence: str) -> None:
    source, freed = FREES[confidence]
    [found] = compared({"a.c": "\n"}, {"a.c": source}, on=frozenset(("null.free",)))
    assert (found.rule, found.confidence) == ("null.free", confidence)
    assert found.severity == ("warning" if confidence == "high" else "note")
    assert [step.note for step in found.path] == ["NULL here", f"{freed} is freed here"]
