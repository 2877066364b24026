"""What a check found, structured to the last: the renderers in `reports/` turn it into text, JSON or SARIF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pliant.analyses.findings import SEVERITIES, Finding, Severity
from pliant.analyses.wording import shown_function
from pliant.ci.config import Config, default
from pliant.extractors.facts import Diagnostic, Scope

FailOn = Literal["note", "warning", "error", "never"]
Side = Literal["base", "head"]


@dataclass(frozen=True, slots=True)
class Revision:
    """A side of the comparison: what the user called it and the commit it is; no commit for a work tree."""

    name: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something in a file that was not analysed. `scope` is that of the extractor's diagnostic (extractors.facts);
    `function` its function as in the source, if it has one."""

    file: str
    line: int
    message: str
    scope: Scope = "file"
    function: str = ""

    @classmethod
    def of(cls, file: str, diagnostic: Diagnostic) -> Remark:
        function = shown_function(diagnostic.function)
        message = {
            "file": "not analysed: {reason}",
            "function": "{function} is not analysed: {reason}",
            "part": "a part of {function} is not analysed: {reason}",
            "remark": "{reason}",
        }[diagnostic.scope].format(reason=diagnostic.reason, function=function or "the file")
        return cls(file, diagnostic.line, message, diagnostic.scope, function)


@dataclass(frozen=True, slots=True)
class Stratum:
    """How one stratum of the analyses was brought from base to head."""

    relations: tuple[str, ...]
    strategy: str
    reason: str
    instantiations: int
    tuples: int
    levels: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Size:
    """Facts or derived tuples that came and went."""

    inserted: int = 0
    deleted: int = 0


def nothing() -> None:
    pass


def no_source(side: Side, file: str) -> Sequence[str]:
    return ()


@dataclass(slots=True)
class Report:
    """source: the lines of a file of base or head, without line ends; empty where it has none.

    unchanged: how many findings base and head share; `findings` holds them only if they were asked for.
    unlikely: how many new findings of low confidence are left out of `findings`.
    files: source files of the head; changed_files: those that the base has not, or not so; deleted_files: of the base,
    those that the head has under no name.
    suppressed: findings that a comment or the baseline silences; they are in no other list and in no count.
    changed_lines: file of the head -> first and last of its lines that the diff adds or changes.
    """

    version: str
    repository: str
    base: Revision
    head: Revision
    findings: list[Finding] = field(default_factory=list)
    unchanged: int = 0
    unlikely: int = 0
    suppressed: list[Finding] = field(default_factory=list)
    files: int = 0
    changed_files: int = 0
    deleted_files: int = 0
    extracted_files: int = 0
    start: str = ""  # where the state of the base came from
    strata: list[Stratum] = field(default_factory=list)
    facts: Size = field(default_factory=Size)
    derived: Size = field(default_factory=Size)
    seconds: dict[str, float] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    source: Callable[[Side, str], Sequence[str]] = no_source
    fail_on: str | None = None  # what was asked for; it wins over the configuration
    config: Config = field(default_factory=default)
    changed_lines: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    keep: Callable[[], None] = nothing  # stores the head's state for later runs: to be called once the report is out

    def of_status(self, status: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == status]

    def counts(self) -> dict[str, int]:
        """Findings by status."""
        return {"new": len(self.of_status("new")), "fixed": len(self.of_status("fixed")), "unchanged": self.unchanged}

    def new_by_severity(self) -> dict[Severity, int]:
        counted = Counter(finding.severity for finding in self.of_status("new"))
        return {severity: counted[severity] for severity in reversed(SEVERITIES)}

    def failing(self, fail_on: str | None = None) -> list[Finding]:
        """What is new and at least as severe as `fail_on`; without it, as asked for, or as its sub-project says."""
        fail_on = fail_on or self.fail_on
        return [
            finding
            for finding in self.of_status("new")
            if _is_loud(finding, fail_on or self.config.project_of(finding.file).settings.fail_on)
        ]

    def is_changed(self, file: str, line: int) -> bool:
        """Whether a line of the head is one that the diff adds or changes."""
        return any(first <= line <= last for first, last in self.changed_lines.get(file, ()))

    def line(self, finding: Finding, file: str, line: int) -> str | None:
        """A source line that a finding names: of the base for a fixed one, of the head else."""
        lines = self.source("base" if finding.status == "fixed" else "head", file)
        return lines[line - 1] if 0 < line <= len(lines) else None


def _is_loud(finding: Finding, fail_on: str) -> bool:
    return fail_on in SEVERITIES and SEVERITIES.index(finding.severity) >= [*SEVERITIES].index(fail_on)


def ordered(findings: Sequence[Finding]) -> list[Finding]:
    """New before fixed before unchanged, the most severe first, then by place: the same on every machine."""
    statuses = ("new", "fixed", "unchanged")
    return sorted(
        findings,
        key=lambda found: (
            statuses.index(found.status),
            -SEVERITIES.index(found.severity),
            found.file,
            found.line,
            found.column,
            found.rule,
            found.fingerprint,
        ),
    )
