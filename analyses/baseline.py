"""The baseline: findings that a team has decided to live with, kept in a file.

An entry belongs to a finding by what the finding is, and by its file where several are alike; so a finding keeps its
entry when it moves, or its file is renamed. An entry may have the state that a reviewer gave it, with a reason. Entries
without one are those that were there when the file was made: there can only be fewer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from pliant.analyses.findings import Finding, ReviewState, Suppressed

SCHEMA = "pliant-baseline/2"
STATES: tuple[ReviewState, ...] = get_args(ReviewState)
_SCHEMAS = ("pliant-baseline/1", SCHEMA)  # the first has no states
_KEYS = ("rule", "file", "function", "message", "ways")
_OF_REVIEW = ("state", "reason")


class BaselineError(ValueError):
    """A file is not a baseline; the message says what was found instead."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """ways: fingerprints of the ways by which the null, or the object, comes to its use. state, reason: of a review;
    entries that differ in nothing else are equal."""

    file: str
    function: str
    rule: str
    message: str
    ways: tuple[str, ...]
    state: ReviewState | Literal[""] = field(default="", compare=False)
    reason: str = field(default="", compare=False)

    @classmethod
    def of(cls, finding: Finding) -> Entry:
        return cls(finding.file, finding.function, finding.rule, finding.message, tuple(sorted(finding.ways)))


@dataclass(frozen=True, slots=True)
class Baseline:
    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Baseline:
        return cls(tuple(sorted(Entry.of(finding) for finding in findings if finding.ways)))

    @classmethod
    def read(cls, text: str) -> Baseline:
        """Raises BaselineError."""
        try:
            read = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"it is not JSON: {error}") from None
        if not isinstance(read, dict) or read.get("schema") not in _SCHEMAS:
            raise BaselineError(f'expected an object with "schema": "{SCHEMA}"')
        entries = read.get("findings")
        if not isinstance(entries, list):
            raise BaselineError('expected a list as "findings"')
        return cls(tuple(_entry(number, entry) for number, entry in enumerate(entries)))

    def text(self) -> str:
        """Sorted, a finding a line, so that a difference of two reads well."""
        lines = [
            json.dumps({key: list(value) if key == "ways" else value for key, value in _fields(entry)})
            for entry in sorted(self.entries)
        ]
        body = "".join(f"\n    {line}," for line in lines).removesuffix(",")
        return f'{{\n  "schema": "{SCHEMA}",\n  "findings": [{body}\n  ]\n}}\n'

    def reviewed(self, findings: Sequence[Finding], state: ReviewState, reason: str) -> Baseline:
        """With the state of findings of the head, which may have been in it or not."""
        before = [replace(finding, suppressed=None) for finding in findings]
        left = Counter(self.entries) - Counter(self.silence(before))
        marked = [replace(entry, state=state, reason=reason) for entry in left.elements()]
        marked += [replace(Entry.of(each), state=state, reason=reason) for each in before if each.suppressed is None]
        return Baseline(tuple(sorted([*(Counter(self.entries) - left).elements(), *marked])))

    def silence(self, findings: Sequence[Finding]) -> list[Entry]:
        """Marks the findings of the head that are in the baseline; gives the entries that belong to none."""
        left = Counter(self.entries)
        told = [finding for finding in findings if finding.ways and finding.status != "fixed"]
        told.sort(key=lambda finding: finding.of_base)  # those that the head may have, after those that it has
        for same_file in (True, False):
            for finding in told:
                if finding.suppressed is not None:
                    continue
                entry = _fitting(finding, left, same_file)
                if entry is not None:
                    finding.suppressed = Suppressed("baseline", entry.reason, state=entry.state)
                    left[entry] -= 1
        return sorted(left.elements())


def _fitting(finding: Finding, entries: Counter[Entry], same_file: bool) -> Entry | None:
    """An entry that has every way of a finding: a way that was not there is new."""
    for entry, count in entries.items():
        in_place = entry.file == finding.file or not same_file
        if count > 0 and in_place and entry.rule == finding.rule and set(finding.ways) <= set(entry.ways):
            return entry
    return None


def _fields(entry: Entry) -> list[tuple[str, Any]]:
    return [(key, getattr(entry, key)) for key in (*_KEYS, *(_OF_REVIEW if entry.state else ()))]


def _entry(number: int, read: Any) -> Entry:
    where = f"findings[{number}]"
    if not isinstance(read, dict) or set(read) - set(_OF_REVIEW) != set(_KEYS):
        raise BaselineError(f"{where}: expected an object with {', '.join(_KEYS)}")
    ways = read["ways"]
    if not isinstance(ways, list) or not ways or not all(isinstance(way, str) for way in ways):
        raise BaselineError(f"{where}.ways: expected a list of strings")
    for key in _KEYS[:-1]:
        if not isinstance(read[key], str):
            raise BaselineError(f"{where}.{key}: expected a string")
    state, reason = read.get("state", ""), read.get("reason", "")
    if state not in ("", *STATES):
        raise BaselineError(f"{where}.state: expected one of {', '.join(STATES)}")
    if not isinstance(reason, str):
        raise BaselineError(f"{where}.reason: expected a string")
    return Entry(read["file"], read["function"], read["rule"], read["message"], tuple(ways), state, reason)
