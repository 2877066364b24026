"""Which findings of the head are the findings of the base: new, fixed, unchanged.

The engine's difference says which rows came and went. A row's symbols are stable names with ordinals, so a row may come
and go although the finding only moved: the second of two like sites becomes the third, a file, a function or a local is
renamed. Such pairs are matched here: by the line they stand on, by what they are, by their proofs, and by the hunk that
replaces one by the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pliant.analyses.wording import callable_name, file_of, function_of, shown_function, what_of

Key = tuple[str, str]  # relation, site
Proofs = Callable[[Sequence["Group"]], Sequence[frozenset[str]]]  # what the proofs of groups say apart from names


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
    def key(self) -> Key:
        return self.relation, self.site

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        return [(self.relation, self.site, origin) for origin in self.origins]

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


@dataclass(frozen=True, slots=True)
class Pair:
    """One finding on both sides; `reason`: why it is the same although its names differ."""

    base: Group
    head: Group
    reason: str = ""


@dataclass(slots=True)
class Matched:
    """grown: of a new group, the base's group at the same site, which has some of its origins."""

    new: list[Group]
    fixed: list[Group]
    unchanged: list[Pair]
    grown: dict[Key, Group]


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


@dataclass(slots=True)
class Sides:
    """What is known of base and head besides their rows.

    base_line, head_line: the line of a site. hunks: by the path in the head. renames: old path -> new path.
    functions_of_head: whether the head has a function of that name in that file. base_proofs, head_proofs: asked only
    for what nothing else matches.
    """

    base_line: Callable[[str], int]
    head_line: Callable[[str], int]
    hunks: Mapping[str, Sequence[Hunk]]
    renames: Mapping[str, str]
    functions_of_head: Callable[[str, str], bool]
    base_proofs: Proofs
    head_proofs: Proofs


def match(base: Mapping[Key, Group], head: Mapping[Key, Group], sides: Sides) -> Matched:
    """Pair the findings of both sides."""
    return _Matching(base, head, sides).run()


class _Matching:
    def __init__(self, base: Mapping[Key, Group], head: Mapping[Key, Group], sides: Sides):
        self.base, self.head, self.sides = base, head, sides
        self.old, self.new = dict(base), dict(head)
        self.pairs: list[Pair] = []
        self.grown: dict[Key, Group] = {}

    def run(self) -> Matched:
        # Families whose sites did not all stay: by line first, since ordinals shift.
        moved = {group.family for key, group in self.old.items() if key not in self.new}
        moved |= {group.family for key, group in self.new.items() if key not in self.old}
        for key in list(self.old):
            if key in self.new and self.old[key].family not in moved and _same_or_fewer(self.old[key], self.new[key]):
                same = set(self.old[key].origins) == set(self.new[key].origins)
                why = "" if same else "it is the same operation at the same place, on a null of another name"
                self._pair(key, key, why)
        self._by_line()
        described = {key: str(group.described()) for key, group in (*self.old.items(), *self.new.items())}
        self._by_likeness(
            lambda group: str(group.described()), lambda group: described.get(group.key) or str(group.described())
        )
        if self.old and self.new:
            old, new = list(self.old.values()), list(self.new.values())
            before = dict(zip(map(id, old), self.sides.base_proofs(old), strict=True))
            after = dict(zip(map(id, new), self.sides.head_proofs(new), strict=True))
            self._by_likeness(lambda group: before[id(group)], lambda group: after[id(group)], proof=True)
        self._by_hunk()
        # A site that is still found, for the same reason and another one, or for a better one, is not fixed.
        for key, there in self.new.items():
            if key in self.old and set(self.old[key].origins) & set(there.origins):
                self.grown[key] = self.old.pop(key)
            elif key in self.old and _reads(self.old[key].origins) == len(self.old[key].origins):
                del self.old[key]
        return Matched(list(self.new.values()), list(self.old.values()), self.pairs, self.grown)

    def _pair(self, old_key: Key, new_key: Key, reason: str) -> None:
        self.pairs.append(Pair(self.old.pop(old_key), self.new.pop(new_key), reason))

    def _path(self, site: str) -> str:
        """The path in the head of a site of the base."""
        return self.sides.renames.get(file_of(site), file_of(site))

    def _by_line(self) -> None:
        for key in list(self.old):
            site = self.old[key]
            path = self._path(site.site)
            line = head_line(self.sides.hunks.get(path, ()), self.sides.base_line(site.site))
            if line is None:
                continue
            for other in [
                candidate
                for candidate, there in self.new.items()
                if there.relation == site.relation
                and file_of(there.site) == path
                and what_of(there.site) == what_of(site.site)
                and self.sides.head_line(there.site) == line
            ]:
                if _same_or_fewer(site, self.new[other]):
                    self._pair(key, other, self._reason(site, self.new[other], "it stands on the same line"))
                    break
                if _like(site) & _like(self.new[other]):
                    self.grown[other] = self.old.pop(key)
                    break

    def _by_hunk(self) -> None:
        """A use that the diff replaces by another use of the same null, in one hunk and one function."""
        waiting: dict[tuple[str, str, str], list[Key]] = {}
        for key, there in self.new.items():
            if key not in self.base:
                waiting.setdefault((there.relation, file_of(key[1]), function_of(key[1])), []).append(key)
        for key in list(self.old):
            old = self.old[key]
            path = self._path(old.site)
            for other in waiting.get((old.relation, path, function_of(old.site)), ()):
                if other not in self.new or not set(self.new[other].origins) <= set(old.origins):
                    continue
                lines = self.sides.base_line(old.site), self.sides.head_line(other[1])
                if any(_replaces(hunk, *lines) for hunk in self.sides.hunks.get(path, ())):
                    self._pair(key, other, self._reason(old, self.new[other], "the changed line uses the same null"))
                    break

    def _by_likeness(
        self,
        likeness_of_old: Callable[[Group], object],
        likeness_of_new: Callable[[Group], object],
        *,
        proof: bool = False,
    ) -> None:
        """In the same function; then in one that was renamed or moved."""
        candidates: dict[object, list[Key]] = {}
        for key, group in self.new.items():
            if key not in self.base and (likeness := likeness_of_new(group)):
                candidates.setdefault(likeness, []).append(key)
        why = "its proof is the same but for names" if proof else "it is the same operation on the same kind of null"
        for same_function in (True, False):
            for key in list(self.old):
                site = self.old[key]
                like = [each for each in candidates.get(likeness_of_old(site), ()) if each in self.new]
                for other in self._in_place(site, like, same_function):
                    self._pair(key, other, self._reason(site, self.new[other], why))
                    break

    def _in_place(self, site: Group, candidates: Sequence[Key], same_function: bool) -> Iterator[Key]:
        path, function = self._path(site.site), function_of(site.site)
        if not same_function and self.sides.functions_of_head(path, function):
            return
        last = function.rpartition(".")[2]
        # Of several functions that it may have moved to, one of the same name is meant.
        for key in sorted(candidates, key=lambda key: function_of(key[1]).rpartition(".")[2] != last):
            if ((file_of(key[1]), function_of(key[1])) == (path, function)) == same_function:
                yield key

    def _reason(self, old: Group, new: Group, why: str) -> str:
        """Why a finding of other names is the same: what was renamed or moved, and what stayed."""
        changed = []
        if file_of(old.site) != file_of(new.site):
            renamed = self.sides.renames.get(file_of(old.site)) == file_of(new.site)
            changed.append(f"it {'was' if renamed else 'moved here from'} {file_of(old.site)}")
            if renamed:
                changed[-1] = f"{file_of(old.site)} was renamed"
        if function_of(old.site) != function_of(new.site):
            was = callable_name(old.site) if shown_function(old.site) else "the module"
            changed.append(f"{was} is {callable_name(new.site) if shown_function(new.site) else 'the module'} now")
        return "; ".join([*changed, why])


def _replaces(hunk: Hunk, old: int, new: int) -> bool:
    """Whether a hunk takes away one line of the base and brings one of the head."""
    return 0 <= old - hunk.old_start < hunk.old_count and 0 <= new - hunk.new_start < hunk.new_count


def _like(group: Group) -> set[str]:
    return {what_of(origin) for origin in group.origins}


def _same_or_fewer(old: Group, new: Group) -> bool:
    """Whether the head's finding has no origin that the base's has not, but for one that replaces another. A null that
    is made somewhere does not replace one that an attribute is only expected to hold."""
    came, went = set(new.origins) - set(old.origins), set(old.origins) - set(new.origins)
    return len(came) <= len(went) and len(came) - _reads(came) <= len(went) - _reads(went)


def _reads(origins: Collection[str]) -> int:
    """How many of them are reads of attributes."""
    return sum(what_of(origin).startswith(".") for origin in origins)
