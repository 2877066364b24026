"""From the engine's difference to findings: what is new, fixed, unchanged or unknown, and what comments silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from pliant.analyses import identity, idle_comments
from pliant.analyses.baseline import Baseline
from pliant.analyses.causes import Causes
from pliant.analyses.describe import NOTHING, Describer, Explained, Judge, Told
from pliant.analyses.evidence import as_if_known, as_if_tested
from pliant.analyses.findings import Finding, Place, Status, Suppressed
from pliant.analyses.identity import Group, Hunk, Key, Pair, head_line
from pliant.analyses.paths import Locate, place_of
from pliant.analyses.registry import kinds_of
from pliant.analyses.standing import Standing, unread_of
from pliant.analyses.suppression import Comments, Mark, Row, Silenced, new_callers, silence, without
from pliant.analyses.treatment import AS_USUAL, Treatment
from pliant.analyses.witness.changed import Changed, changed
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.programs import Programs
from pliant.analyses.witness.turned import Conditions, Turned, turned
from pliant.analyses.witness.ways import Compared, Way, further
from pliant.analyses.wording import file_of, what_of
from pliant.engine import Difference, Evaluation
from pliant.extractors.facts import OWN, escape_path

_NULL = "null_dereference"
_NO_COMMENTS = Comments({}, lambda path: {})
_MOST_CUT = 32  # ways of a side that get a path of their own; past that, one of any way is shown


@dataclass(frozen=True, slots=True)
class Asked:
    """How findings are told. explained: what is told in full; by_way: whether a way that comes or goes is told where
    both sides have the finding."""

    treatment: Treatment = AS_USUAL
    baseline: Baseline | None = None
    explained: Explained = NOTHING
    by_way: bool = True


AS_ALWAYS = Asked()


def findings(
    before: Side,
    after: Side,
    difference: Difference,
    changed_lines: Mapping[str, Sequence[Hunk]],
    renames: Mapping[str, str],
    asked: Asked = AS_ALWAYS,
) -> list[Finding]:
    """New, fixed, unchanged and unknown findings between two states; `difference` is what the update of the second
    said.

    changed_lines: hunks by the path in the head. renames: old path -> new path. What a comment silences is in the list
    and says so (`suppressed`), as does what is in the baseline.
    """
    comparison = _Comparison(before, after, difference, changed_lines, renames, asked)
    found = comparison.findings(asked.explained)
    if asked.baseline is not None:
        asked.baseline.silence(found)
    return one_per_cause(found)


def one_per_cause(findings: Sequence[Finding]) -> list[Finding]:
    """Of new findings in one function that one null brings about, and of those in one file that one shared object does,
    the first, with the places of the others. One that is listed only on request stands for others of its kind alone."""
    first: dict[tuple[str, str, str, Suppressed | None, bool], Finding] = {}
    told = []
    for finding in sorted(findings, key=lambda finding: (finding.file, finding.line, finding.column)):
        alias = finding.rule.startswith("alias.")
        where = finding.rule if alias else finding.function
        key = (where, finding.arrival, finding.file, finding.suppressed, finding.is_unlikely)
        if finding.status == "new" and finding.arrival and key in first:
            place = Place(finding.file, finding.line)
            if place not in first[key].also and place.line != first[key].line:
                first[key].also.append(place)
            first[key].cause = sorted({*first[key].cause, *finding.cause}, key=lambda each: (each.file, each.line))
        else:
            told.append(finding)
            if finding.status == "new":
                first[key] = finding
    return told


@dataclass
class Side:
    """A state that is compared. programs: its instructions, which say what of the findings that come or go is refuted.
    standing: as it would be with what it left out; None where it left nothing out."""

    evaluation: Evaluation
    locate: Locate
    comments: Comments = _NO_COMMENTS
    programs: Programs | None = None
    standing: Standing | None = None

    @cached_property
    def derived(self) -> Derived:
        return Derived(self.evaluation)

    @cached_property
    def judge(self) -> Judge | None:
        """Whether an execution exists; what looks for one is imported when it is asked."""
        if self.programs is None:
            return None
        from pliant.analyses.witness.judge import Court

        return Court(self.programs, self.derived).witness


class _Comparison:
    def __init__(
        self,
        base: Side,
        head: Side,
        difference: Difference,
        changed_lines: Mapping[str, Sequence[Hunk]],
        renames: Mapping[str, str],
        asked: Asked,
    ):
        self.base, self.head, self.difference = base, head, difference
        self.hunks, self.renames = changed_lines, renames
        self.treatment, self.by_way = asked.treatment, asked.by_way
        self.kinds = kinds_of(head.evaluation.program)
        self.rows = self._rows(head.evaluation)
        self.came = {row for name, rows in difference.inserted.items() for row in self._named(name, rows)}
        self.gone = {row for name, rows in difference.deleted.items() for row in self._named(name, rows)}
        self.silenced = Silenced()
        self.silenced_before = Silenced()

    def findings(self, explained: Explained) -> list[Finding]:
        after = [row for relation in self.rows.values() for row in relation]
        before = [row for row in after if row not in self.came] + sorted(self.gone)
        self.silenced = _silence(self.head, after)
        quiet = not self.came and not self.gone and self.base.comments.of_files == self.head.comments.of_files
        self.silenced_before = self.silenced if quiet else _silence(self.base, before)
        removed = self._tested_elsewhere(self.head, self.base, "new", self.silenced)
        added = self._tested_elsewhere(self.base, self.head, "fixed", self.silenced_before)
        unused = self._unused()
        if not self.came and not self.gone:
            groups = identity.group(after)
            matched = identity.Matched([], [], [Pair(group, group) for group in groups.values()], {})
        else:
            matched = self._match(identity.group(before), identity.group(after), self.base, self.head)
        not_new = self._not_new(matched, after, self.base.standing)
        not_gone = self._not_gone(matched, before, self.head.standing)
        # What only the tests of one side make a finding is in the code of both.
        asked = self._not_new(matched, after, _as_if_known(self.base, self.head)) if matched.new else set()
        unasked = self._not_gone(matched, before, _as_if_known(self.head, self.base)) if matched.fixed else set()
        of_code = [pair for pair in matched.unchanged if pair.head.relation == _NULL]
        conditions = self._conditions(of_code)
        turned = conditions.turned
        further = self._further([pair for pair in of_code if pair.head.site not in turned])
        told = self._told(matched, turned, asked, not_new)
        told += _by_way(self.head.evaluation, [way for way in further.found if way.status == "new"])
        told += removed
        fixed = self._gone(matched, turned, unasked, not_gone)
        fixed += _by_way(self.base.evaluation, [way for way in further.found if way.status == "fixed"])
        fixed += added
        causes = Causes(
            self.head.evaluation,
            self.head.locate,
            self.difference.inserted,
            self.hunks,
            new_side=True,
            renames=self.renames,
        )
        gone = Causes(
            self.base.evaluation,
            self.base.locate,
            self.difference.deleted,
            self.hunks,
            new_side=False,
            renames=self.renames,
            later=self.head.evaluation,
        )
        new = [each for each in told if each.status in ("new", "unknown")]
        unchanged = [each for each in told if each.status == "unchanged"]
        judge = self.head.judge if explained.fingerprint or explained.unchanged else None
        told_before = Describer(self.head.evaluation, self.head.locate, None, self.treatment, judge)
        both = told_before.all(unchanged, explained)
        known = {site: each for each in both for _, site, _ in each.rows}
        for site in (further.left_out | conditions.unknown) & known.keys():
            known[site].uncompared = True
        of_head = _described(self.head, causes, self.treatment, new, explained, known)
        of_base = _described(self.base, gone, self.treatment, fixed, explained, known)
        self._say_why(of_head, self.base.standing)
        self._say_why(of_base, self.head.standing)
        return [*of_head, *of_base, *both, *unused]

    def _told(
        self, matched: identity.Matched, turned: Mapping[str, Turned], asked: Set[Key], not_new: Set[Key]
    ) -> list[Told]:
        """What the head has. turned: by site, what a changed condition brings or takes away. asked: what is new for the
        tests of the head alone; not_new: what may have been there where the base was not read."""
        told = [each for pair in matched.unchanged if pair.head.site not in turned for each in self._unchanged(pair)]
        for pair in matched.unchanged:
            if (answer := turned.get(pair.head.site)) is not None and answer.status == "new":
                told += [replace(each, lines=answer.lines) for each in self._new(pair.head, None)]
        for group in matched.new:
            status: Status = "unchanged" if group.key in asked else "unknown" if group.key in not_new else "new"
            told += [replace(each, status=status) for each in self._new(group, matched.grown.get(group.key))]
        return told

    def _gone(
        self, matched: identity.Matched, turned: Mapping[str, Turned], unasked: Set[Key], not_gone: Set[Key]
    ) -> list[Told]:
        """What only the base has."""
        fixed = [
            replace(each, status="unknown") if group.key in not_gone else each
            for group in matched.fixed
            if group.key not in unasked
            for each in self._fixed(group)
        ]
        for pair in matched.unchanged:
            if (answer := turned.get(pair.head.site)) is not None and answer.status == "fixed":
                fixed += [replace(each, lines=answer.lines) for each in self._fixed(pair.base)]
        return fixed

    def _conditions(self, pairs: Sequence[Pair]) -> Conditions:
        """The findings that both sides derive, and of which a changed condition refutes one side's."""
        before, after = self.base.programs, self.head.programs
        if before is None or after is None or not pairs or not self.changed.gone | self.changed.came.keys():
            return Conditions()
        return turned((before, self.base.derived), (after, self.head.derived), pairs, self.changed)

    @cached_property
    def changed(self) -> Changed:
        if self.base.programs is None or self.head.programs is None or not self.hunks:
            return Changed()
        return changed(self.base.programs, self.head.programs, self.hunks, self.renames)

    def _further(self, pairs: Sequence[Pair]) -> Compared:
        """The ways that came, and those that went, of what both sides tell."""
        told = [
            pair
            for pair in pairs
            if self.silenced.rows.keys().isdisjoint(pair.head.rows)
            and self.silenced_before.rows.keys().isdisjoint(pair.base.rows)
        ]
        if not self.by_way or not told or not self.changed.gone | self.changed.came.keys():
            return Compared()
        base, head = (self.base.derived, self.base.locate), (self.head.derived, self.head.locate)
        return further(base, head, told, self.changed, self.hunks, self.renames)

    def _say_why(self, findings: Iterable[Finding], standing: Standing | None) -> None:
        for finding in findings:
            if finding.status == "unknown":
                finding.unread = unread_of(finding, standing)

    def _tested_elsewhere(self, side: Side, other: Side, status: Status, of_side: Silenced) -> list[Told]:
        """What a side uses untested, and the other one tests, in the same function. of_side: is told of the comments
        that silence one of these."""
        state = as_if_tested(side.evaluation, other.evaluation)
        if state is None:
            return []
        found = state.rows(_NULL)
        found = found[~side.evaluation.contains(_NULL, found)]
        rows = self._named(_NULL, found, state)
        here = _silence(replace(side, evaluation=state), rows)
        of_side.used.update(here.used)
        silenced = here.rows
        known = self._groups(side.evaluation).keys() if rows else frozenset[Key]()
        told = []
        for group in identity.group(rows).values():
            active, silent = _parted(group, silenced)
            if group.key in known:
                continue
            if active is not None:
                told.append(Told(active, status, evaluation=state))
            if silent is not None:
                told.append(Told(silent, status, _suppressed(silenced[silent.rows[0]]), evaluation=state))
        return told

    def _rows(self, evaluation: Evaluation) -> dict[str, list[Row]]:
        return {name: self._named(name, evaluation.rows(name), evaluation) for name in self.kinds}

    def _not_new(self, matched: identity.Matched, after: Sequence[Row], base: Side | Standing | None) -> set[Key]:
        """What is new, but not where the base is so."""
        if base is None or not matched.new:
            return set()
        known = self._match(self._groups(base.evaluation), identity.group(after), base, self.head)
        return {group.key for group in matched.new} - {group.key for group in known.new}

    def _not_gone(self, matched: identity.Matched, before: Sequence[Row], head: Side | Standing | None) -> set[Key]:
        """What is gone, but not where the head is so."""
        if head is None or not matched.fixed:
            return set()
        known = self._match(identity.group(before), self._groups(head.evaluation), self.base, head)
        return {group.key for group in matched.fixed} - {group.key for group in known.fixed}

    def _groups(self, evaluation: Evaluation) -> Mapping[Key, Group]:
        return identity.group(row for rows in self._rows(evaluation).values() for row in rows)

    def _named(self, name: str, rows: np.ndarray, evaluation: Evaluation | None = None) -> list[Row]:
        """Rows as (relation, site, origin). A test that uses a null fails by itself, and what it makes null is no
        evidence for the code under test, so those of tests are left out."""
        if name not in self.kinds:
            return []
        texts = (evaluation or self.head.evaluation).strings(rows.reshape(-1))
        named = [(name, texts[index], texts[index + 1]) for index in range(0, len(texts), 2)]
        if self.kinds[name].rule:
            return named
        files = {entity: file_of(entity) for _, *ends in named for entity in ends}
        test_files = {file for file in set(files.values()) if self.treatment.is_test(file)}
        return [row for row in named if test_files.isdisjoint((files[row[1]], files[row[2]]))]

    def _match(
        self, before: Mapping[Key, Group], after: Mapping[Key, Group], base: Side | Standing, head: Side | Standing
    ) -> identity.Matched:
        whole = {path for side in (base, head) if isinstance(side, Standing) for path in side.files}
        return identity.match(
            before,
            after,
            identity.Sides(
                lambda site: place_of(site, base.locate)[1],
                lambda site: place_of(site, head.locate)[1],
                {path: hunks for path, hunks in self.hunks.items() if path not in whole} if whole else self.hunks,
                self.renames,
                partial(_has_function, head.evaluation),
                Describer(base.evaluation, base.locate, None, self.treatment).signatures,
                Describer(head.evaluation, head.locate, None, self.treatment).signatures,
            ),
        )

    # What becomes of a group, and what comments say of it.

    def _unchanged(self, pair: Pair) -> list[Told]:
        was_told = not all(row in self.silenced_before.rows for row in pair.base.rows)
        active, silent = _parted(pair.head, self.silenced.rows)
        if silent and not active and not was_told and (more := self._more_callers(pair)) is not None:
            return [more, self._silent(silent, "unchanged", pair.reason)]
        told = [self._silent(silent, "unchanged", pair.reason)] if silent else []
        if active:
            # What no comment silences any more is new to the reader.
            told.append(self._active(active, "unchanged" if was_told else "new", pair.reason if was_told else ""))
        return told

    def _more_callers(self, pair: Pair) -> Told | None:
        """A finding that a comment at its use silences, where a call that the base does not have reaches it too."""
        if pair.head.relation != _NULL or self.base.evaluation is self.head.evaluation:
            return None
        rows = [row for row in pair.head.rows if row in pair.base.rows and self._is_old(self.silenced.rows[row])]
        if not rows or not self.difference.input_changes:
            return None
        again, state = new_callers(self.base.evaluation, self.head.evaluation, rows)
        if not again:
            return None
        return Told(Group(pair.head.relation, pair.head.site, [row[2] for row in again]), "new", evaluation=state)

    def _new(self, group: Group, grown: Group | None) -> list[Told]:
        group = self._what_came(group, grown)
        silenced = {row: mark for row, mark in self.silenced.rows.items() if row[:2] == group.key}
        if grown is not None and all(row in self.silenced_before.rows for row in grown.rows):
            # The comment was written for what was there before.
            silenced = {row: mark for row, mark in silenced.items() if not self._is_old(mark)}
        active, silent = _parted(group, silenced)
        told = [self._silent(silent, "new")] if silent else []
        return [*told, self._active(active, "new")] if active else told

    def _what_came(self, group: Group, grown: Group | None) -> Group:
        """Of a finding that was there with another origin: what came."""
        fresh = [origin for origin in group.origins if (*group.key, origin) in self.came]
        if grown is not None and len(fresh) == len(group.origins):
            known = Counter(what_of(origin) for origin in grown.origins)
            fresh = []
            for origin in group.origins:
                known[what_of(origin)] -= 1
                if known[what_of(origin)] < 0:
                    fresh.append(origin)
        return Group(group.relation, group.site, fresh or group.origins)

    def _fixed(self, group: Group) -> list[Told]:
        active, silent = _parted(group, self.silenced_before.rows)
        told = []
        if active:
            told.append(Told(active, "fixed"))
        elif silent:
            told.append(Told(silent, "fixed", _suppressed(self.silenced_before.rows[silent.rows[0]])))
        return told

    def _active(self, group: Group, status: Status, reason: str = "") -> Told:
        evaluation = None
        if not self.kinds[group.relation].rule and self.silenced.without:
            site = np.array([self.head.evaluation.symbol_ids([name for row in group.rows for name in row[1:]])])
            for state in self.silenced.without.values():
                if state.contains(group.relation, site.reshape(-1, 2)).all():
                    evaluation = state
        return Told(group, status, None, reason, evaluation)

    def _silent(self, group: Group, status: Status, reason: str = "") -> Told:
        return Told(group, status, _suppressed(self.silenced.rows[group.rows[0]]), reason)

    def _is_old(self, mark: Mark) -> bool:
        """Whether a comment at a use stands on a line that the diff does not touch. What it says to a checker of types
        it says of every null there."""
        if not mark.at_use or mark.comment.tool:
            return False
        old = next((old for old, new in self.renames.items() if new == mark.file), mark.file)
        hunks = self.hunks.get(mark.file, ())
        return any(
            head_line(hunks, comment.line) == mark.comment.line for comment in self.base.comments.of_files.get(old, ())
        )

    # Comments that silence nothing.

    def _unused(self) -> list[Finding]:
        told, gone = idle_comments.compared(
            (self.base.comments, self.silenced_before),
            (self.head.comments, self._silenced_if_all_were_read()),
            self.hunks,
            self.renames,
            self.treatment.is_test,
        )
        self._not_read(told, self.base.standing, {})
        self._not_read(gone, self.head.standing, self.renames)
        for findings in (told, gone):
            idle_comments.number(findings)
        return [*told, *gone]

    def _silenced_if_all_were_read(self) -> Silenced:
        """What comments of the head silence, in what was read and in what was left out."""
        head = self.head.standing
        if head is None:
            return self.silenced
        rows = [row for rows in self._rows(head.evaluation).values() for row in rows]
        also = _silence(Side(head.evaluation, head.locate, head.comments), rows)
        return replace(self.silenced, used=self.silenced.used | also.used)

    def _not_read(self, findings: Sequence[Finding], standing: Standing | None, renames: Mapping[str, str]) -> None:
        """Makes what is said of comments in files that a side left out unknown; `renames`: from the findings' side."""
        files = standing.files if standing else frozenset[str]()
        for finding in findings:
            if finding.status != "unchanged" and renames.get(finding.file, finding.file) in files:
                finding.status = "unknown"
        self._say_why(findings, standing)


def _as_if_known(side: Side, other: Side) -> Side | None:
    """A side with the evidence that the other one has besides; None if there is none."""
    state = as_if_known(side.evaluation, other.evaluation)
    return None if state is None else replace(side, evaluation=state)


def _silence(side: Side, rows: Sequence[Row]) -> Silenced:
    if not side.comments.of_files:
        return Silenced()
    rules = kinds_of(side.evaluation.program)
    kinds = _kinds(side.evaluation, {row[1] for row in rows if not rules[row[0]].rule})
    return silence(
        side.evaluation,
        rows,
        lambda relation, site: rules[relation].rule or f"null.{kinds.get(site, 'attribute')}",
        side.comments,
    )


def _kinds(evaluation: Evaluation, sites: Iterable[str]) -> dict[str, str]:
    """The kind of each dereference."""
    ids = evaluation.symbol_ids(sorted(sites))
    rows, of_calls = evaluation.rows("dereference"), evaluation.rows("needs_inside")
    rows = rows[np.isin(rows[:, 0], ids)]
    texts = evaluation.strings(rows[:, [0, 2]].reshape(-1))
    in_calls = evaluation.strings(of_calls[np.isin(of_calls[:, 0], ids), 0])
    kinds = dict.fromkeys(in_calls, "argument") | dict(zip(texts[::2], texts[1::2], strict=True))
    if "freed_null" in kinds_of(evaluation.program):
        freed = evaluation.rows("freed_value")[:, 0]
        kinds |= dict.fromkeys(evaluation.strings(freed[np.isin(freed, ids)]), "free")
    return kinds


def _parted(group: Group, silenced: Mapping[Row, Mark]) -> tuple[Group | None, Group | None]:
    """What is told of a group, and what is silenced."""
    parts = []
    for silent in (False, True):
        origins = [row[2] for row in group.rows if (row in silenced) == silent]
        parts.append(Group(group.relation, group.site, origins) if origins else None)
    return parts[0], parts[1]


def _suppressed(mark: Mark) -> Suppressed:
    comment = mark.comment
    return Suppressed(
        "comment", comment.reason or (f"said to {comment.tool}" if comment.tool else ""), mark.file, mark.comment.line
    )


def _by_way(evaluation: Evaluation, ways: Sequence[Way]) -> list[Told]:
    """What is told of ways: each is proved where no null comes by the others."""
    told = []
    cut: dict[frozenset[str], Evaluation] = {}
    for way in ways:
        group = Group(_NULL, way.site, [way.origin])
        alone = None
        if way.others and (way.others in cut or len(cut) < _MOST_CUT):
            alone = cut.get(way.others)
            if alone is None:
                alone = cut[way.others] = without(evaluation, sorted(way.others))
            row = alone.symbol_ids([way.site, way.origin]).reshape(1, 2)
            alone = alone if alone.contains(group.relation, row)[0] else None
        told.append(Told(group, way.status, evaluation=alone, way=way))
    return told


def _has_function(evaluation: Evaluation, path: str, function: str) -> bool:
    file = f"{escape_path(path)}{OWN}"
    rows = np.array([evaluation.symbol_ids([file + function, file])], np.int64)
    return bool((rows >= 0).all() and evaluation.contains("function", rows)[0])


def _described(
    side: Side,
    causes: Causes,
    treatment: Treatment,
    told: Sequence[Told],
    explained: Explained,
    known: Mapping[str, Finding],
) -> list[Finding]:
    judge = side.judge if told else None
    return Describer(side.evaluation, side.locate, causes, treatment, judge, known).all(told, explained)
