"""One report in every format, compared with what is in golden/; PLIANT_REWRITE=1 rewrites that."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from sarif_pydantic import Sarif

from pliant.analyses.findings import Finding, Place, Step
from pliant.ci.report import FailOn, Remark, Report, Revision, Side, Size, Stratum, ordered
from pliant.ci.reports import FORMATS, Style, renderer

REWRITE = bool(os.environ.get("PLIANT_REWRITE"))
GOLDEN = Path(__file__).parent / "golden"
SOURCES = {
    ("head", "shop/catalogue.py"): ["def find(number):", "    if number not in known:", "        return None"],
    ("head", "shop/checkout.py"): ["article = find(number)", "\tprint(article.name)"],
    ("base", "shop/old name.py"): ["x = None", "x.y"],
}


def source(side: Side, file: str) -> list[str]:
    return SOURCES.get((side, file), [])


NEW = Finding(
    rule="null.attribute",
    status="new",
    file="shop/checkout.py",
    line=2,
    function="price_tag",
    message="`article` may be None where its attribute `name` is read",
    severity="error",
    confidence="high",
    fingerprint="0123456789abcdef",
    path=[
        Step("shop/catalogue.py", 3, "`find` returns None here", "find"),
        Step("shop/checkout.py", 1, "the call of `find` gives it to `article`", "price_tag"),
        Step("shop/checkout.py", 2, "its attribute `name` is read", "price_tag"),
    ],
    cause=[Place("shop/catalogue.py", 3)],
)
FIXED = replace(
    NEW, status="fixed", file="shop/old name.py", line=2, function="", path=[], cause=[], severity="warning"
)
UNCHANGED = replace(NEW, status="unchanged", rule="alias.mutable_default", severity="note", path=[], cause=[])


def report(*findings: Finding) -> Report:
    return Report(
        version="1.2.3",
        repository="shop",
        base=Revision("main", "a" * 40),
        head=Revision("pr", "b" * 40),
        findings=ordered(findings),
        unchanged=3,
        files=12,
        changed_files=1,
        extracted_files=1,
        start="stored",
        strata=[Stratum(("reach", "null_flow"), "update", "within its budget", 17, 5, 3, 0.0125)],
        facts=Size(4, 2),
        derived=Size(7, 1),
        seconds={"git": 0.01, "update": 0.02},
        remarks=[Remark("data/big.py", 1, "not analysed: a binary file")],
        notes=["one thing to know"],
        source=source,
    )


@pytest.mark.parametrize(
    ("name", "format", "style"),
    [
        ("report.txt", "text", Style()),
        ("colour.txt", "text", Style(colour=True)),
        ("verbose.txt", "text", Style(verbose=True)),
        ("quiet.txt", "text", Style(quiet=True)),
        ("report.json", "json", Style()),
        ("report.sarif", "sarif", Style()),
    ],
)
def test_a_report_reads_as_it_did(name: str, format: str, style: Style) -> None:
    text = renderer(format)(report(UNCHANGED, FIXED, NEW), style)
    if REWRITE:
        (GOLDEN / name).write_text(text)
    assert text == (GOLDEN / name).read_text()


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_with_no_finding(format: str) -> None:
    text = renderer(format)(report(), Style())
    assert text.endswith("\n")


def test_an_independent_reader_reads_the_sarif() -> None:
    text = renderer("sarif")(report(UNCHANGED, FIXED, NEW), Style())
    [run] = Sarif.model_validate_json(text).runs
    assert run.tool.driver.name == "pliant"
    results = run.results or []
    assert [result.rule_id for result in results] == ["null.attribute", "alias.mutable_default"]
    [flow] = results[0].code_flows or []
    assert len(flow.thread_flows[0].locations) == 3


@pytest.mark.parametrize(
    ("severity", "fail_on", "fails"),
    [
        ("error", "error", True),
        ("warning", "error", False),
        ("warning", "warning", True),
        ("note", "warning", False),
        ("note", "note", True),
        ("error", "never", False),
    ],
)
def test_what_fails_a_check(severity: str, fail_on: FailOn, fails: bool) -> None:
    found = Finding("null.x", "new", "a.py", 1, "", "", severity, "low", "")  # type: ignore[arg-type]
    every = report(found, replace(found, status="fixed"), replace(found, status="unchanged"))
    assert every.failing(fail_on) == ([found] if fails else [])
    assert not report(replace(found, status="fixed")).failing("note")


HOSTILE = "a\n\x1b[2J::error::\r\u202e\udcff.py"


def hostile() -> Report:
    step = Step(HOSTILE, 1, HOSTILE, HOSTILE)
    found = Finding(HOSTILE, "new", HOSTILE, 1, HOSTILE, HOSTILE, "error", "low", HOSTILE, [step], [Place(HOSTILE, 1)])
    result = report(found, replace(found, status="fixed"))
    result.source = lambda side, file: [HOSTILE]
    result.remarks = [Remark(HOSTILE, 1, HOSTILE)]
    result.notes = [HOSTILE]
    result.base = Revision(HOSTILE, "c" * 40)
    return result


def test_no_name_or_source_line_steers_a_terminal() -> None:
    text = renderer("text")(hostile(), Style(verbose=True))
    assert all(character.isprintable() or character == "\n" for character in text)
    assert not any(line.startswith("::") for line in text.split("\n"))
    text.encode("utf-8")


@pytest.mark.parametrize("format", ["json", "sarif"])
def test_hostile_text_is_valid_in_machine_formats(format: str) -> None:
    text = renderer(format)(hostile(), Style())
    assert text.isascii()
    json.loads(text)
    if format == "sarif":
        uri = json.loads(text)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == "a%0A%1B%5B2J%3A%3Aerror%3A%3A%0D%E2%80%AE%FF.py"


def test_long_paths_and_lines_are_cut() -> None:
    steps = [Step("a.py", number, f"step {number}") for number in range(1, 200)]
    long = replace(NEW, path=steps, cause=[Place("a.py", number) for number in range(1, 50)])
    result = report(long)
    result.source = lambda side, file: ["x" * 10_000] * 300
    text = renderer("text")(result, Style())
    assert max(map(len, io.StringIO(text))) < 250
    assert "... 175 steps" in text and "and 41 more" in text
