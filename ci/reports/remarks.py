"""What was not analysed, said once for all places of a file that it is said of for one reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pliant.ci.report import Remark, Report
from pliant.ci.wording import counted
from pliant.extractors.facts import SCOPES

_MAX_NAMED = 8  # lines and functions that are told one by one


@dataclass(frozen=True, slots=True)
class Told:
    """Remarks of one file with one reason, at the first of their lines."""

    first: Remark
    message: str

    @property
    def file(self) -> str:
        return self.first.file

    @property
    def line(self) -> int:
        return max(self.first.line, 1)


def together(remarks: Iterable[Remark]) -> list[Told]:
    """The remarks, in their order; those of one file with one reason as one."""
    groups: dict[tuple[str, ...], list[Remark]] = {}
    for remark in remarks:
        groups.setdefault((remark.file, remark.level, remark.scope, remark.reason), []).append(remark)
    return [Told(group[0], _said(group)) for group in groups.values()]


def _said(group: Sequence[Remark]) -> str:
    first, *others = group
    functions = list(dict.fromkeys(remark.function for remark in group))
    message = first.said_of(functions[:_MAX_NAMED], more=len(functions[_MAX_NAMED:]))
    lines = list(dict.fromkeys(remark.line for remark in others if remark.line != first.line))
    if not lines or first.scope == "function":
        return message
    told = ", ".join(map(str, lines[:_MAX_NAMED]))
    more = f" and {len(lines) - _MAX_NAMED} more" if len(lines) > _MAX_NAMED else ""
    return f"{message}; the same on line{'s' * (len(lines) > 1)} {told}{more}"


def left_out(report: Report) -> list[Told]:
    """What the head left out of what it changes; of each file the first with how many findings are unknown for it."""
    unknown: dict[str, set[int]] = {}
    for finding in report.findings:
        for unread in finding.unread:
            if unread.side == "head":
                unknown.setdefault(unread.file, set()).add(id(finding))
    found = []
    for told in together(report.left_out):
        count = len(unknown.pop(told.file, ()))
        because = f" ({counted(count, 'finding')} of the base {'is' if count == 1 else 'are'} unknown)" if count else ""
        found.append(Told(told.first, f"{told.message}{because}"))
    return found


def notes(report: Report) -> list[Told]:
    """What was not analysed, and does not concern the change."""
    return together(remark for remark in report.remarks if remark.level == "note")


def counts(remarks: Sequence[Remark]) -> str:
    """What was left out, in a few words: the one thing by its name, or how many of each kind."""
    if len(remarks) == 1:
        [remark] = remarks
        return {"function": f"{remark.function} in ", "part": "a part of "}.get(remark.scope, "") + remark.file
    things = {(each.scope, each.file, each.function if each.scope == "function" else each.line) for each in remarks}
    of_scope = Counter(scope for scope, _, _ in things)
    *said, last = [counted(of_scope[scope], scope) for scope in SCOPES if of_scope[scope]]
    return f"{', '.join(said)} and {last}" if said else last
