"""The schemas take what Pliant takes and writes, and nothing that it refuses."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from typing import Any

import pytest
from command_line import run
from jsonschema import Draft7Validator
from sample_report import FIXED, NEW, UNCHANGED, report

from pliant.analyses.findings import Condition, Place, Suppressed, Unread, Witness
from pliant.ci import schemas
from pliant.ci.config_table import SETTINGS, checked
from pliant.ci.errors import UserError
from pliant.ci.report import Remark, Stratum
from pliant.ci.reports import Style, renderer

CONFIGURATION = Draft7Validator(schemas.configuration())
REPORT = Draft7Validator(schemas.report())
WITNESS = Witness("witnessed", "", (Condition("a.py", 1, "f", "x", "true"),))


def test_both_are_schemas_and_are_printed() -> None:
    for of, made in (("config", schemas.configuration()), ("report", schemas.report())):
        Draft7Validator.check_schema(made)
        assert json.loads(run("schema", of).stdout) == made


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_the_example_of_each_setting_is_valid(setting: Any) -> None:
    CONFIGURATION.validate(tomllib.loads(f"{setting.key} = {setting.example}"))


@pytest.mark.parametrize(
    "text",
    [
        'fail-on = "warn"', "tests = 1", 'exclude = "a"', 'languages = ["cobol"]', 'rules = { "null.*" = "on" }',
        "fail-on-skipped = 1", "exlcude = []", "projects = [{}]", 'projects = [{ path = "a", models = [] }]',
    ],
)  # fmt: skip
def test_what_is_refused_is_not_valid(text: str) -> None:
    table = tomllib.loads(text)
    with pytest.raises(UserError):
        checked(table, "pliant.toml", named=True)
    assert not CONFIGURATION.is_valid(table)


def test_every_key_of_a_report_is_in_its_schema() -> None:
    found = replace(
        NEW,
        witness=WITNESS,
        also=[Place("a.py", 1)],
        suppressed=Suppressed("comment", "it is there", "a.py", 3),
        unread=[Unread("head", "a.py", 1, "a binary file")],
    )
    whole = report(NEW, FIXED, UNCHANGED, found)
    whole.suppressed = [found]
    whole.strata = [Stratum(("points_to",), "update", "small", 1, 2, 3, 0.5)]
    whole.remarks.append(Remark("a.py", 7, "too long", "function", "f", "warning"))
    told = json.loads(renderer("json")(whole, Style(verbose=True)))
    REPORT.validate(told)

    def compare(value: Any, schema: dict[str, Any]) -> None:
        if isinstance(value, dict) and "properties" in schema:
            assert set(value) == set(schema["properties"])
            for key, part in value.items():
                compare(part, schema["properties"][key])
        for part in value if isinstance(value, list) else ():
            compare(part, schema.get("items", {}))

    compare(told, schemas.report())
    for key, wrong in (("schema", "other"), ("findings", {}), ("version", 1)):
        assert not REPORT.is_valid({**told, key: wrong})
    del told["summary"]["new"]
    assert not REPORT.is_valid(told)
