"""Which findings of the head are the findings of the base: new, fixed, unchanged.

The engine's difference says which rows came and went. A row's symbols are stable names with ordinals, so a row may come
and go although the finding only moved: the second of two like sites becomes the third, a file, a function or a local is
renamed. Such pairs are matched here, by the line they stand on and by what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pliant.analyses.wording import file_of, function_of, what_of


class Hunk(Protocol):
    @property
    def old_start(self) -> int: ...
    @property
    def old_count(self) -> int: ...
    @property
    def new_start(self) -> int: ...
    @property
    def new_count(self) -> int: ...


@dataclass(slots=True)
class Group:
    """The rows of one relation at one site."""

    relation: str
    site: str
    origins: list[str] = field(default_factory=list)

    @property
    def family(self) -> tuple[str, str, str, str]:
        """What the site has in common with others of its kind in the same function."""
        return (self.relation, file_of(self.site), function_of(self.site), what_of(self.site))

    def described(self) -> tuple[str, str, frozenset[str]]:
        return (self.relation, what_of(self.site), frozenset(what_of(origin) for origin in self.origins))


def group(rows: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], Group]:
    """Rows (relation, site, origin) by site."""
    groups: dict[tuple[str, str], Group] = {}
    for relation, site, origin in rows:
        groups.setdefault((relation, site), Group(relation, site)).origins.append(origin)
    return groups


@dataclass(slots=True)
class Matched:
    new: list[Group]
    fixed: list[Group]
    unchanged: list[Group]  # as they are in the head


def head_line(hunks: Sequence[Hunk], line: int) -> int | None:
    """The line of the head that a line of the base has become; None if the diff touches it."""
    shift = 0
    for hunk in hunks:
        first = hunk.old_start if hunk.old_count else hunk.old_start + 1
        if line < first:
            break
        if line < first + hunk.old_count:
            return None
        shift += hunk.new_count - hunk.old_count
    return line + shift


def match(
    base: Mapping[tuple[str, str], Group],
    head: Mapping[tuple[str, str], Group],
    base_line: Callable[[str], int],
    head_line_of: Callable[[str], int],
    hunks: Mapping[str, Sequence[Hunk]],
    renames: Mapping[str, str],
    functions_of_head: Callable[[str, str], bool],
) -> Matched:
    """Pair the findings of both sides.

    base_line, head_line_of: the line of a site. hunks: by the path in the head. renames: old path -> new path.
    functions_of_head: whether the head has a function of that name in that file.
    """
    old, new = dict(base), dict(head)
    unchanged: list[Group] = []

    def pair(old_key: tuple[str, str], new_key: tuple[str, str]) -> None:
        old.pop(old_key)
        unchanged.append(new.pop(new_key))

    # Families whose sites did not all stay: by line first, since ordinals shift.
    moved = {group.family for key, group in old.items() if key not in new}
    moved |= {group.family for key, group in new.items() if key not in old}
    for key in list(old):
        if key in new and old[key].family not in moved and _same_or_fewer(old[key], new[key]):
            pair(key, key)
    for key in list(old):
        site = old[key]
        path = renames.get(file_of(site.site), file_of(site.site))
        line = head_line(hunks.get(path, ()), base_line(site.site))
        if line is None:
            continue
        for other in [
            candidate
            for candidate, there in new.items()
            if there.relation == site.relation
            and file_of(there.site) == path
            and what_of(there.site) == what_of(site.site)
            and head_line_of(there.site) == line
            and _same_or_fewer(site, there)
        ][:1]:
            pair(key, other)
    # Then by what they are: in the same function; in a function that was renamed or moved.
    for same_function in (True, False):
        for key in list(old):
            site = old[key]
            path = renames.get(file_of(site.site), file_of(site.site))
            function = function_of(site.site)
            if not same_function and functions_of_head(path, function):
                continue
            for other in [
                candidate
                for candidate, there in new.items()
                if there.described() == site.described()
                and candidate not in base
                and ((file_of(there.site), function_of(there.site)) == (path, function)) == same_function
            ][:1]:
                pair(key, other)
    # A site that is still found, for the same reason and another one, is not fixed.
    for key, there in new.items():
        if key in old and set(old[key].origins) & set(there.origins):
            del old[key]
    return Matched(list(new.values()), list(old.values()), unchanged)


def _same_or_fewer(old: Group, new: Group) -> bool:
    """Whether the head's finding has no origin that the base's has not, but for one that replaces another."""
    return len(set(new.origins) - set(old.origins)) <= len(set(old.origins) - set(new.origins))
