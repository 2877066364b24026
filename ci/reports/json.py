"""The report as one JSON object, `pliant-report/1`; docs/report.md describes every key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pliant.analyses.findings import Finding, Place, Removed
from pliant.ci.report import Remark, Report, Revision
from pliant.ci.reports import Style

SCHEMA = "pliant-report/1"


def render(report: Report, style: Style) -> str:
    # ASCII: a file name of undecodable bytes stays readable as lone surrogates, whatever encoding the output has.
    return json.dumps(as_dict(report, verbose=style.verbose), indent=2, ensure_ascii=True) + "\n"


def as_dict(report: Report, *, verbose: bool = False) -> dict[str, Any]:
    """verbose: with the strata, which are most of the bytes of a small report."""
    strata = report.strata if verbose else []
    return {
        "schema": SCHEMA,
        "version": report.version,
        "summary": {
            "repository": report.repository,
            "base": _revision(report.base),
            "head": _revision(report.head),
            "scope": report.scope,
            **report.counts(),
            "suppressed": len(report.suppressed),
            "unlikely": report.unlikely,
            "uncompared": report.uncompared,
            "new_by_severity": report.new_by_severity(),
            "files": report.files,
            "changed_files": report.changed_files,
            "deleted_files": len(report.deleted),
            "extracted_files": report.extracted_files,
            "start": report.start,
            "fact_diff": asdict(report.facts),
            "derived_diff": asdict(report.derived),
            "strata": [{**asdict(stratum), "relations": list(stratum.relations)} for stratum in strata],
            "seconds": {phase: round(seconds, 4) for phase, seconds in report.seconds.items()},
            "notes": report.notes,
        },
        "findings": [finding_as_dict(finding) for finding in report.findings],
        "suppressed": [finding_as_dict(finding) for finding in report.suppressed],
        "diagnostics": [remark_as_dict(remark) for remark in report.remarks],
    }


def _revision(revision: Revision) -> dict[str, str | None]:
    return {"revision": revision.name, "commit": revision.commit}


def remark_as_dict(remark: Remark) -> dict[str, Any]:
    return {
        "file": remark.file,
        "line": remark.line,
        "message": remark.message,
        "scope": remark.scope,
        "function": remark.function,
        "level": remark.level,
    }


def _places(places: Sequence[Place | Removed]) -> list[dict[str, Any]]:
    return [{"file": place.file, "line": place.line} for place in places]


def finding_as_dict(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "status": finding.status,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "function": finding.function,
        "message": finding.message,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "fingerprint": finding.fingerprint,
        "path": [
            {"file": step.file, "line": step.line, "column": step.column, "function": step.function, "note": step.note}
            for step in finding.path
        ],
        "cause": _places(finding.cause),
        "removed": _places(finding.removed),
        "also": _places(finding.also),
        "fixed_by": _places(finding.fixed_by),
        "matched": finding.matched,
        "known": finding.known,
        "group": finding.group,
        "suppressed": asdict(finding.suppressed) if finding.suppressed else None,
        "unread": [asdict(each) for each in finding.unread],
        "witness": asdict(finding.witness) if finding.witness else None,
        "probability": None if finding.probability is None else round(finding.probability, 3),
        "unlikely": finding.unlikely,
        "features": {name: round(value, 3) for name, value in sorted(finding.features.items())},
    }
