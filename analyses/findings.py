"""What a reviewer is told: a finding, its path and its cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["note", "warning", "error"]
Status = Literal["new", "fixed", "unchanged", "unknown"]
OfSide = Literal["base", "head"]
Confidence = Literal["low", "medium", "high"]
Verdict = Literal["witnessed", "refuted", "open"]
_MOST_CONDITIONS = 3  # of a sentence
SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the way from the origin to the use; `line` counts from 1, `note` is a sentence."""

    file: str
    line: int
    note: str
    function: str = ""
    column: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the head (of the base for a fixed finding)."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Removed:
    """A line of the base that the head has no more. beside: the line of the head that stands behind its place."""

    file: str
    line: int
    beside: Place


ReviewState = Literal["false-positive", "intentional", "will-fix"]


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What silences a finding: a comment of the source, at `file` and `line`, or the baseline file. state: what a
    reviewer called it there."""

    by: Literal["comment", "baseline"]
    reason: str = ""
    file: str = ""
    line: int = 0
    state: ReviewState | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """What a side of the comparison left out, and why. scope: `file`, `function` or `part`. function: the qualified
    name as in the source, if it is one or in one."""

    side: OfSide
    file: str
    line: int
    message: str
    scope: str = "file"
    function: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """What holds where a use fails: an expression as it is written at a place, and what it is there (`true`, `None`,
    `of type Path`)."""

    file: str
    line: int
    function: str
    text: str
    value: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why a null cannot come to its use in one way. condition: what holds where the null comes; otherwise: what that
    expression is where the use runs. reason: a sentence, where there is no such expression."""

    reason: str = ""
    condition: Condition | None = None
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """Whether an execution exists in which a null comes to its use (docs/witnesses.md). reason: why that is open, as
    the end of a sentence. conditions: under which it fails, in the order in which they are asked; none where nobody
    knows a few. contradictions: why it is refuted, for each way, where that was asked for."""

    verdict: Verdict
    reason: str = ""
    conditions: tuple[Condition, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


@dataclass(slots=True)
class Finding:
    """A null dereference or an alias. `file`, `line` and `function` name the place that fails, `path` leads to it
    from the origin, `cause` holds the changed lines that bring it about, and `removed` those that the change took away
    (both are empty for an unchanged finding).

    also: other uses of the same null in the same function, other changes of the same object in the same file.
    fixed_by: of a fixed finding, the lines of the head that took it away. matched: of an unchanged one whose names
    differ, why it is the one of the base. arrival: the null as it comes to the function of the use, or where an object
    got its second name; findings that agree in it have one cause. ways: fingerprints of the finding by each of its
    origins. rows: what it is made from, as (relation, site, origin). unread: of an unknown finding, what would have to
    be read to know. witness: None where nobody asked. features: what a null dereference rests on
    (analyses/features.py); probability: that it is true by them, None where nothing is known. unlikely: whether it is
    less likely than what a report shows by default. further: whether both sides have the finding, and the change adds
    or takes away one of the ways on which the null comes; known: the fingerprint of that finding. uncompared: whether
    an unchanged one has too many ways to say which of them came or went. group: of a new one in a report, the
    fingerprint of an earlier one there that has the same cause.
    """

    rule: str
    status: Status
    file: str
    line: int
    function: str
    message: str
    severity: Severity
    confidence: Confidence
    fingerprint: str
    path: list[Step] = field(default_factory=list)
    cause: list[Place] = field(default_factory=list)
    column: int = 0
    also: list[Place] = field(default_factory=list)
    fixed_by: list[Place] = field(default_factory=list)
    matched: str = ""
    suppressed: Suppressed | None = None
    arrival: str = ""
    ways: tuple[str, ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()
    unread: list[Unread] = field(default_factory=list)
    witness: Witness | None = None
    removed: list[Removed] = field(default_factory=list)
    probability: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    unlikely: bool = False
    further: bool = False
    known: str = ""
    uncompared: bool = False
    group: str = ""

    @property
    def fails_when(self) -> str:
        """A sentence that names the conditions of the witness; empty where there are none."""
        conditions = self.witness.conditions if self.witness is not None else ()
        parts = [
            f"`{each.text}`{f' in `{each.function}`' if each.function != self.function else ''} is {each.value}"
            for each in conditions[:_MOST_CONDITIONS]
        ]
        if (more := len(conditions) - len(parts)) > 0:
            parts.append(f"{more} more condition{'s hold' if more > 1 else ' holds'}")
        return f"Fails when {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}." if parts else ""

    @property
    def is_unlikely(self) -> bool:
        return is_unlikely(self.status, unlikely=self.unlikely)

    @property
    def of_base(self) -> bool:
        """Whether its places are those of the base: where the head has it not, or could not be read."""
        return self.status == "fixed" or any(each.side == "head" for each in self.unread)


def is_unlikely(status: str, *, unlikely: bool) -> bool:
    """Whether a finding is listed only where all are asked for: an unlikely one that comes or goes."""
    return unlikely and status in ("new", "fixed")
