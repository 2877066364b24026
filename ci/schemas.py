"""JSON schemas of what Pliant reads and writes: `pliant.toml`, made from the table of settings, and the report as JSON,
made from the classes that it is written from."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pliant.analyses.findings import Finding
from pliant.ci.config_table import SETTINGS, Setting
from pliant.ci.report import Remark, Report, Revision, Size, Stratum
from pliant.ci.reports.json import SCHEMA, as_dict, finding_as_dict, remark_as_dict

Schema = dict[str, Any]

_DRAFT = "http://json-schema.org/draft-07/schema#"
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
_FINDING = Finding("", "new", "", 1, "", "", "note", "low", "")
_REPORT = Report("", "", Revision("", None), Revision("", None))


def configuration() -> Schema:
    """Of `pliant.toml`, and of `[tool.pliant]` in `pyproject.toml`."""
    keys = {setting.key: _setting(setting) for setting in SETTINGS}
    of_project = {"path": {"type": "string"}, "name": {"type": "string"}}
    of_project |= {setting.key: keys[setting.key] for setting in SETTINGS if setting.project}
    keys["projects"]["items"] = _object(of_project, ["path"], closed=True)
    return {"$schema": _DRAFT, "title": "Pliant's settings", **_object(keys, [], closed=True)}


def _setting(setting: Setting) -> Schema:
    choice: Schema = {"enum": list(setting.choices)}
    shapes: dict[str, Schema] = {
        "text": {"type": "string"},
        "texts": _TEXTS,
        "patterns": _TEXTS,
        "flag": {"type": "boolean"},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "choice": choice,
        "choices": {"type": "array", "items": choice},
        "levels": {"type": "object", "additionalProperties": choice},
        "projects": {"type": "array"},
    }
    return {**shapes[setting.kind], "description": setting.help, "default": _plain(setting.default)}


def report() -> Schema:
    """Of what `pliant check --format json` writes; later versions may add keys."""
    size, revision = _of(Size), _of(Revision)
    revision = _object({"revision": revision["properties"]["name"], "commit": revision["properties"]["commit"]})
    shapes = {"base": revision, "head": revision, "fact_diff": size, "derived_diff": size}
    shapes |= {"strata": {"type": "array", "items": _of(Stratum)}, "notes": _TEXTS}
    written = as_dict(_REPORT)
    summary = {key: shapes.get(key) or _of_value(value) for key, value in written["summary"].items()}
    finding = _of(Finding, finding_as_dict(_FINDING))
    findings: Schema = {"type": "array", "items": finding}
    remarks: Schema = {"type": "array", "items": _of(Remark, remark_as_dict(Remark("", 1, "")))}
    return {
        "$schema": _DRAFT,
        "title": "A report of Pliant",
        **_object(
            {
                "schema": {"const": SCHEMA},
                "version": {"type": "string"},
                "summary": _object(summary),
                "findings": findings,
                "suppressed": findings,
                "diagnostics": remarks,
            }
        ),
    }


def _object(properties: Schema, required: Sequence[str] | None = None, *, closed: bool = False) -> Schema:
    needed = list(properties) if required is None else list(required)
    return {
        "type": "object",
        "properties": properties,
        **({"required": needed} if needed else {}),
        **({"additionalProperties": False} if closed else {}),
    }


def _of(kind: Any, keys: Any = None) -> Schema:
    """Of values of a type. keys: of a dataclass, those that are written; None for all."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if kind is type(None):
        return {"type": "null"}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of(part) for part in parts]}
    if origin in (list, tuple):
        return {"type": "array", "items": _of(parts[0])}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _of(parts[1])}
    assert is_dataclass(kind), kind
    hints = get_type_hints(kind)
    written = hints if keys is None else keys
    return _object({key: _of(hints[key]) if key in hints else _of_value(written[key]) for key in written})


def _of_value(value: object) -> Schema:
    if isinstance(value, dict):
        return {"type": "object"}
    if isinstance(value, list):
        return {"type": "array"}
    return {"type": _TYPES[type(value)]}


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


__all__ = ["Schema", "configuration", "report"]
