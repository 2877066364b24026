"""What one side of a comparison left out of a file that the other side could read, and how a report says it.

A diagnostic of one side counts only if the change brought it: a part is known if the other side has one with the same
reason on the lines that it had there, a function if the other side leaves it out as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pliant.analyses.wording import function_of, shown_function
from pliant.ci.git import Change, Entry
from pliant.ci.hunks import Hunk, Touched, moved
from pliant.ci.report import Remark, Side
from pliant.ci.snapshot import Snapshot, folders
from pliant.extractors.facts import Diagnostic

Hunks = Callable[[str], Sequence[Hunk]]  # by the path in the head, from base to head


@dataclass(frozen=True, slots=True)
class Gap:
    """What one side left out of a file: all of it (`whole`), or `functions`.

    side: the one that left it out. path: of the file there, or where it would be. other: its path on the other side.
    at: where `diagnostics` stand: at the file, or at what stands in the place of its folder.
    """

    side: Side
    path: str
    other: str
    at: str
    whole: bool
    functions: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]


def gaps(base: Snapshot, head: Snapshot, changes: Iterable[Change], hunks: Hunks) -> list[Gap]:
    """What the head left out of what the base has, and what the base left out of what the head has."""
    found = []
    for change in changes:
        old, new = _path(change.old), _path(change.new)
        here, back = partial(hunks, new), partial(_inverted, hunks, new)
        if old in base.sources:
            at = new or _folder_left_out(old, head) or old
            found.append(_gap("head", head, new or old, at, base, old, here))
        if new in head.sources and old:
            found.append(_gap("base", base, old, old, head, new, back))
    return sorted((gap for gap in found if gap), key=lambda gap: (gap.side, gap.path))


def _inverted(hunks: Hunks, path: str) -> list[Hunk]:
    return [hunk.inverted for hunk in hunks(path)]


def _path(entry: Entry | None) -> str:
    return entry.path if entry else ""


def _folder_left_out(path: str, side: Snapshot) -> str:
    """What is not analysed and stands in the place of a folder of `path`; empty where nothing does."""
    return next((folder for folder in folders(path) if folder in side.skipped), "")


def _gap(
    side: Side, mine: Snapshot, path: str, at: str, others: Snapshot, other: str, hunks: Callable[[], Sequence[Hunk]]
) -> Gap | None:
    known = others.of_file(other)
    if is_left_out(known):
        return None
    diagnostics = mine.of_file(at)
    if is_left_out(diagnostics):
        why = tuple(each for each in diagnostics if each.scope == "file")
        return Gap(side, path, other, at, whole=True, functions=frozenset(), diagnostics=why)
    fresh = brought(diagnostics, known, hunks)
    if not fresh:
        return None
    functions = frozenset(function_of(each.function) for each in fresh)
    return Gap(side, path, other, at, "" in functions, functions, tuple(fresh))


Key = tuple[str, str]  # a file, and the function that was left out, or that a part was left out of; `*`: the whole file


def regained(base: Snapshot, head: Snapshot, changes: Iterable[Change]) -> list[Key]:
    """What the base left out and the head did not, also because there is no such file any more."""
    found: set[Key] = set()
    for change in changes:
        if change.old:
            path = change.old.path
            found |= _keys(path, base.of_file(path)) - _keys(path, head.of_file(_path(change.new)))
    return sorted(found)


def _keys(path: str, diagnostics: Iterable[Diagnostic]) -> set[Key]:
    left_out = (each for each in diagnostics if each.scope != "remark")
    return {(path, key_of(each.scope, shown_function(each.function))) for each in left_out}


def key_of(scope: str, function: str) -> str:
    return "*" if scope == "file" else function


def is_left_out(diagnostics: Sequence[Diagnostic]) -> bool:
    """Whether they say that a file is left out as a whole."""
    return any(each.scope == "file" for each in diagnostics)


def brought(
    diagnostics: Iterable[Diagnostic], known: Iterable[Diagnostic], hunks: Callable[[], Sequence[Hunk]]
) -> list[Diagnostic]:
    """The functions and parts that are left out and are not among the `known` ones of the other side."""
    left_out = [each for each in diagnostics if each.scope in ("function", "part")]
    known = [each for each in known if each.scope in ("function", "part")] if left_out else []
    if not known:
        return left_out
    ends = {line: line for each in [*left_out, *known] for line in (each.line, each.last_line)}
    now = moved(ends, hunks())
    there = {_named(each, now) for each in known}
    return [each for each in left_out if _named(each, ends) not in there]


def _named(diagnostic: Diagnostic, line_of: Mapping[int, int | None]) -> tuple[object, ...]:
    if diagnostic.scope == "function":
        return ("function", function_of(diagnostic.function))
    return ("part", diagnostic.reason, line_of[diagnostic.line], line_of[diagnostic.last_line])


def remarks(
    base: Snapshot, head: Snapshot, changes: Sequence[Change], found: Iterable[Gap], hunks: Hunks
) -> list[Remark]:
    """What the head did not analyse of the files that differ. A warning is what the change brought, or touches; a link
    or a submodule only where the base has source files in its place."""
    lost = {gap.at for gap in found if gap.side == "head"}
    told = []
    for change in changes:
        new = change.new
        if new is None:
            continue
        diagnostics, known = head.of_file(new.path), base.of_file(_path(change.old))
        fresh = set(brought(diagnostics, known, partial(hunks, new.path)))
        in_functions = any(each.scope == "function" for each in diagnostics)
        touched = Touched(hunks(new.path) if in_functions else ())
        for each in diagnostics:
            if each.scope == "file":
                is_loud = new.is_file or new.path in lost
            else:
                is_loud = each in fresh or (
                    each.scope == "function" and touched.within(each.line, max(each.line, each.last_line))
                )
            told.append(Remark.of(new.path, each, "warning" if is_loud else "note"))
    return sorted(told, key=lambda remark: (remark.file, remark.line))
