"""Which functions differ between two sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pliant.analyses.findings import Place
from pliant.analyses.identity import Hunk
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.programs import Programs
from pliant.extractors.facts import escape_path, in_path
from pliant.extractors.ir.unit import Span
from pliant.extractors.passes.names import function_symbol as own_symbol


@dataclass(frozen=True, slots=True)
class Changed:
    """Symbols of functions. gone: of the base, those that the head has not, or otherwise. came: of the head, those that
    the base has not, or otherwise, with their changed lines."""

    gone: set[str] = field(default_factory=set)
    came: dict[str, list[Place]] = field(default_factory=dict)


def changed(
    before: Programs, after: Programs, hunks: Mapping[str, Sequence[Hunk]], renames: Mapping[str, str]
) -> Changed:
    """hunks, renames: as of `report.findings`."""
    found = Changed()
    old_path = {new: old for old, new in renames.items()}
    for path, of_file in hunks.items():
        old, new = before.digests(old_path.get(path, path)), after.digests(path)
        differing = {name for name in old.keys() | new.keys() if not old.get(name) or old[name] != new.get(name)}
        found.gone.update(_symbol(old_path.get(path, path), name) for name in differing & old.keys())
        for name in differing & new.keys():
            found.came[_symbol(path, name)] = list(_lines(after.extent(path, name), path, of_file))
    return found


def changed_effects(before: Derived, after: Derived, functions: Changed) -> dict[str, str]:
    """The functions that write something else than on the other side, with all that they run: by each, one that has
    changed and that it runs."""
    found: dict[str, str] = {}
    todo = [(each, each) for each in sorted(functions.gone | functions.came.keys())]
    seen = {function for function, _ in todo}
    for function, because in todo:
        if before.effects(function) == after.effects(function):
            continue
        found[function] = because
        callers = {*before.run_by(function), *after.run_by(function)} - seen
        seen |= callers
        todo += [(each, because) for each in sorted(callers)]
    return found


def _symbol(path: str, function: str) -> str:
    return in_path(own_symbol(function), escape_path(path))


def _lines(extent: Span | None, path: str, hunks: Sequence[Hunk]) -> Iterator[Place]:
    """The changed lines of a function; where lines were only taken away, the one before them."""
    if extent is None:
        return
    first, _, last, _ = extent
    for hunk in hunks:
        for line in range(hunk.new_start, hunk.new_start + max(hunk.new_count, 1)):
            if first <= line <= last:
                yield Place(path, line)
