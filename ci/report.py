"""What a check found, structured to the last: the renderers in `reports/` turn it into text, JSON or SARIF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pliant.analyses.findings import SEVERITIES, Finding, Removed, Severity
from pliant.analyses.wording import shown_function
from pliant.ci.config import Config, default
from pliant.ci.web import Pages
from pliant.extractors.facts import Diagnostic, Scope

FailOn = Literal["note", "warning", "error", "never"]
Side = Literal["base", "head"]
Level = Literal["note", "warning"]
NOWHERE = Pages()


@dataclass(frozen=True, slots=True)
class Revision:
    """A side of the comparison: what the user called it and the commit it is; no commit for a work tree."""

    name: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """What of a file was not analysed. scope, reason: of the extractor's diagnostic (extractors.facts); function: its
    function as in the source, if it has one. level: `warning` if it concerns what the head changes."""

    file: str
    line: int
    reason: str
    scope: Scope = "file"
    function: str = ""
    level: Level = "note"

    @classmethod
    def of(cls, file: str, diagnostic: Diagnostic, level: Level = "note") -> Remark:
        function = shown_function(diagnostic.function)
        return cls(file, diagnostic.line, diagnostic.reason, diagnostic.scope, function, level)

    @property
    def message(self) -> str:
        return self.said_of([self.function])

    def said_of(self, functions: Sequence[str], more: int = 0) -> str:
        """The message, if it is about all of these functions and some more."""
        names = ", ".join(function or "the file" for function in functions) + (f" and {more} more" if more else "")
        are = "is" if len(functions) == 1 else "are"
        match self.scope:
            case "file":
                return f"not analysed: {self.reason}"
            case "function":
                return f"{names} {are} not analysed: {self.reason}"
            case "part":
                return f"{'a part' if are == 'is' else 'parts'} of {names} {are} not analysed: {self.reason}"
        return self.reason


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


def always(file: str, function: str) -> bool:
    return True


def no_source(side: Side, file: str) -> Sequence[str]:
    return ()


@dataclass(slots=True)
class Report:
    """source: the lines of a file of base or head, without line ends; empty where it has none.

    unchanged: how many findings base and head share; `findings` holds them only if they were asked for.
    uncompared: how many of those take too much to say whether a way or a condition of theirs came or went.
    unlikely: how many new and fixed unlikely findings are left out of `findings`.
    files: source files of the head; changed_files: those that the base has not, or not so; deleted: of the base,
    those that the head has under no name.
    suppressed: findings that a comment or the baseline silences; they are in no other list and in no count.
    changed_lines: file of the head -> first and last of its lines that the diff adds or changes.
    pages: where a service shows the source.
    """

    version: str
    repository: str
    base: Revision
    head: Revision
    findings: list[Finding] = field(default_factory=list)
    unchanged: int = 0
    uncompared: int = 0
    unlikely: int = 0
    suppressed: list[Finding] = field(default_factory=list)
    files: int = 0
    changed_files: int = 0
    deleted: frozenset[str] = frozenset()
    extracted_files: int = 0
    start: str = ""  # where the state of the base came from
    strata: list[Stratum] = field(default_factory=list)
    facts: Size = field(default_factory=Size)
    derived: Size = field(default_factory=Size)
    seconds: dict[str, float] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    source: Callable[[Side, str], Sequence[str]] = no_source
    pages: Pages = NOWHERE
    fail_on: str | None = None  # what was asked for; it wins over the configuration
    fail_on_skipped: bool | None = None  # the same
    config: Config = field(default_factory=default)
    changed_lines: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    is_read: Callable[[str, str], bool] = always  # whether the head left out neither a file nor a function of it
    scope: str = ""  # what findings and remarks are limited to; empty for everything
    keep: Callable[[], None] = nothing  # stores the head's state for later runs: to be called once the report is out

    def of_status(self, status: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == status]

    def counts(self) -> dict[str, int]:
        """Findings by status."""
        return {
            "new": len(self.of_status("new")),
            "fixed": len(self.of_status("fixed")),
            "unchanged": self.unchanged,
            "unknown": len(self.of_status("unknown")),
        }

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

    @property
    def left_out(self) -> list[Remark]:
        """What the head left out of what it changes."""
        return [remark for remark in self.remarks if remark.level == "warning"]

    def failing_left_out(self) -> list[Remark]:
        """Of that what makes the check fail: as asked for, or as its sub-project says."""
        asked, project_of = self.fail_on_skipped, self.config.project_of
        return [
            remark
            for remark in self.left_out
            if (project_of(remark.file).settings.fail_on_skipped if asked is None else asked)
        ]

    @property
    def fails(self) -> bool:
        return bool(self.failing() or self.failing_left_out())

    def is_changed(self, file: str, line: int) -> bool:
        """Whether a line of the head is one that the diff adds or changes."""
        return any(first <= line <= last for first, last in self.changed_lines.get(file, ()))

    def page(self, side: Side, file: str, line: int) -> str:
        """The address of a source line; empty where no service has it."""
        return self.pages.line((self.base if side == "base" else self.head).commit, file, line)

    def line(self, finding: Finding, file: str, line: int) -> str | None:
        """A source line that a finding names: of the base where the head has it not, of the head else."""
        return self._line("base" if finding.of_base else "head", file, line)

    def removed_line(self, removed: Removed) -> str | None:
        """A line that a change took away, as the base has it."""
        return self._line("base", removed.file, removed.line)

    def _line(self, side: Side, file: str, line: int) -> str | None:
        lines = self.source(side, file)
        return lines[line - 1] if 0 < line <= len(lines) else None


def _is_loud(finding: Finding, fail_on: str) -> bool:
    return fail_on in SEVERITIES and SEVERITIES.index(finding.severity) >= [*SEVERITIES].index(fail_on)


def ordered(findings: Sequence[Finding]) -> list[Finding]:
    """New, unknown, fixed, then unchanged ones, the most severe first, then by place: the same on every machine."""
    statuses = ("new", "unknown", "fixed", "unchanged")
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
