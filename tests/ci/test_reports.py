"""One report in every format, compared with what is in golden/; PLIANT_REWRITE=1 rewrites that."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from sample_report import FIXED, NEW, UNCHANGED, hostile, report
from sarif_pydantic import Sarif

from pliant.analyses.findings import Finding, Place, Step
from pliant.ci.report import FailOn, Remark
from pliant.ci.reports import FORMATS, Style, renderer

REWRITE = bool(os.environ.get("PLIANT_REWRITE"))
GOLDEN = Path(__file__).parent / "golden"


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
    assert text.endswith("\n") or (format == "rdjsonl" and text == "")


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


def test_what_is_said_of_many_places_of_a_file_is_one_line() -> None:
    made = report(NEW)
    made.remarks = [Remark("a.h", line, "not valid C here", "part", f"f{line % 10}") for line in range(10, 30)]
    made.remarks += [Remark("b.h", 3, "not valid C here", "part"), Remark("a.h", 7, "a binary file")]
    made.remarks += [Remark("c.h", 3, "it is long", "function", "f"), Remark("c.h", 9, "it is long", "function", "g")]
    told = [
        "a.h:10: parts of f0, f1, f2, f3, f4, f5, f6, f7 and 2 more are not analysed: not valid C here; the same on "
        "lines 11, 12, 13, 14, 15, 16, 17, 18 and 11 more",
        "b.h:3: a part of the file is not analysed: not valid C here",
        "a.h:7: not analysed: a binary file",
        "c.h:3: f, g are not analysed: it is long",
    ]
    assert [line for line in renderer("text")(made, Style()).splitlines() if ".h:" in line] == told
    assert renderer("text")(made, Style(verbose=True)).count("not valid C") == 21
    assert renderer("markdown")(made, Style()).count("not valid C") == 2
    assert renderer("json")(made, Style()).count("not valid C") == 21


def test_long_paths_and_lines_are_cut() -> None:
    steps = [Step("a.py", number, f"step {number}") for number in range(1, 200)]
    long = replace(NEW, path=steps, cause=[Place("a.py", number) for number in range(1, 50)])
    result = report(long)
    result.source = lambda side, file: ["x" * 10_000] * 300
    text = renderer("text")(result, Style())
    assert max(map(len, io.StringIO(text))) < 250
    assert "... 175 steps" in text and "and 41 more" in text


def test_other_places_are_told_as_what_the_rule_is_about() -> None:
    for rule, said in (("null.attribute", "null is also used"), ("alias.stored", "object is also changed")):
        text = renderer("text")(report(replace(NEW, rule=rule, also=[Place("a.py", 9)])), Style())
        assert f"  the same {said} on line 9\n" in text


def test_a_file_that_is_gone_is_told_as_its_deletion() -> None:
    whole = report(replace(FIXED, fixed_by=[Place("gone.py", 1), Place("gone.py", 7), Place("there.py", 3)]))
    whole.deleted = frozenset(("gone.py",))
    assert "  fixed by the deletion of gone.py, there.py:3\n" in renderer("text")(whole, Style())
