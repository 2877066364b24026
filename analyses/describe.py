"""From rows of an output relation to findings: what is wrong, the path from the origin to the use, and what changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pliant.analyses.causes import Causes
from pliant.analyses.features import Practice, features
from pliant.analyses.findings import Confidence, Finding, Place, Severity, Status, Step, Suppressed, Verdict, Witness
from pliant.analyses.identity import Group
from pliant.analyses.paths import Locate, NullPath, null_path, place_of, signature, walk
from pliant.analyses.ranking import Features, confidence_of
from pliant.analyses.registry import kinds_of
from pliant.analyses.treatment import Treatment
from pliant.analyses.witness.route import Frame
from pliant.analyses.witness.ways import Way
from pliant.analyses.wording import function_of, null_word, shown_function, stable_name, use, value_name, what_of
from pliant.engine import Evaluation, Proof

_USES = ("dereference", "needs_inside")  # each with a value that is used
_EXPLAINED = ("new", "fixed")  # statuses of findings that changed lines bring about


class Judge(Protocol):
    """As `Court.witness`."""

    def __call__(self, site: str, origin: str, *, explained: bool, way: Frame | None = None) -> Witness | None: ...


@dataclass(slots=True)
class Told:
    """A group that becomes a finding. evaluation: the state to prove it in, if not the whole one. lines: of the head,
    that bring it about or take it away; found by its proofs if there are none. way: the one that came or went, where
    both sides have the finding."""

    group: Group
    status: Status
    suppressed: Suppressed | None = None
    matched: str = ""
    evaluation: Evaluation | None = None
    lines: tuple[Place, ...] = ()
    way: Way | None = None


@dataclass(slots=True)
class _Said:
    """What is said of a group. proof: of its path. rests_on: the features of its probability."""

    message: str
    path: list[Step]
    severity: Severity
    confidence: Confidence
    proof: Proof | None = None
    arrival: str = ""
    witness: Witness | None = None
    rests_on: Features = field(default_factory=dict)
    probability: float | None = None
    unlikely: bool = False


@dataclass(frozen=True, slots=True)
class Explained:
    """What is told in full: the findings whose fingerprint begins so, with their paths and why they are refuted;
    refuted: why each of the new and the fixed ones is refuted that is. unchanged: whether those are told like new ones.
    proofs: of those with that fingerprint, by fingerprint and status: that of the path first. It is filled when they
    are told."""

    fingerprint: str = ""
    refuted: bool = False
    unchanged: bool = False
    proofs: dict[tuple[str, Status], Sequence[Proof]] = field(default_factory=dict)

    def names(self, fingerprint: str) -> bool:
        return bool(self.fingerprint) and fingerprint.startswith(self.fingerprint)


NOTHING = Explained()


class Describer:
    """Makes findings of one side. causes: None where nothing is to be explained. judge: says of a site and an origin
    whether an execution exists; None where nobody can. known: by its site in the head, what both sides have."""

    def __init__(
        self,
        evaluation: Evaluation,
        locate: Locate,
        causes: Causes | None,
        treatment: Treatment,
        judge: Judge | None = None,
        known: Mapping[str, Finding] | None = None,
    ) -> None:
        self.judge = judge
        self.known = known or {}
        self.evaluation = evaluation
        self.locate = locate
        self.causes = causes
        self.treatment = treatment
        self.kinds = kinds_of(evaluation.program)
        self.names: dict[int, str] = {}
        self.uses: dict[str, tuple[str, str]] = {}
        self.handled: set[str] = set()
        self.ignored: set[str] = set()
        self.practice = Practice(evaluation)
        self.virtual: frozenset[int] | None = None  # virtual calls of several methods, once they are asked for

    def all(self, wanted: Iterable[Told], explained: Explained = NOTHING) -> list[Finding]:
        told = sorted(wanted, key=lambda each: (each.group.relation, each.group.site))
        self._read_uses([each.group.site for each in told])
        names = [fingerprint(self._rule(each.group), each.group, each.way) for each in told]
        ordinals: dict[str, int] = {}
        for number, name in enumerate(names):
            ordinals[name] = ordinal = ordinals.get(name, 0) + 1
            if ordinal > 1:
                names[number] = digest(f"{name}#{ordinal}")
        chosen = [explained.names(name) for name in names]
        proved = [
            number for number, each in enumerate(chosen) if each or self.causes is not None or explained.unchanged
        ]
        proofs = dict(zip(proved, self.proofs([told[number] for number in proved]), strict=True))
        self.practice.ask([proof for of_group in proofs.values() for proof in of_group])
        found = []
        for number, (each, name) in enumerate(zip(told, names, strict=True)):
            every = proofs.get(number, [])
            finding, shown = self._finding(each, name, every, explained=chosen[number] or explained.refuted)
            found.append(finding)
            if chosen[number]:
                others = [proof for proof in every if proof is not shown]
                explained.proofs[name, each.status] = [*([shown] if shown is not None else []), *others]
        unique: dict[tuple[object, ...], Finding] = {}
        for finding in found:
            # Code that is lowered twice, as a `finally` is, has two sites at one place.
            way = [(step.file, step.line) for step in finding.path] if finding.further else []
            place = (finding.file, finding.line, finding.column)
            unique.setdefault((finding.rule, place, finding.message, *way), finding)
        return list(unique.values())

    # Reading the state.

    def _read_uses(self, sites: Sequence[str]) -> None:
        """The value and the kind of each dereference, which of them are handled, and which of these are ignored."""
        ids = self.evaluation.symbol_ids(list(sites))
        rows = self.evaluation.rows("dereference")
        rows = rows[np.isin(rows[:, 0], ids)]
        texts = self.evaluation.strings(rows[:, :3].reshape(-1))
        of_calls = self.evaluation.rows("needs_inside")
        names = self.evaluation.strings(of_calls[np.isin(of_calls[:, 0], ids)].reshape(-1))
        self.uses = {names[index]: (names[index + 1], "argument") for index in range(0, len(names), 2)}
        self.uses |= {texts[index]: (texts[index + 1], texts[index + 2]) for index in range(0, len(texts), 3)}
        if "freed_null" in self.kinds:
            freed = self.evaluation.rows("freed_value")
            names = self.evaluation.strings(freed[np.isin(freed[:, 0], ids)].reshape(-1))
            self.uses |= {names[index]: (names[index + 1], "free") for index in range(0, len(names), 2)}
        self.handled, self.ignored = (self._among(ids, name) for name in ("handled", "ignored"))

    def _among(self, ids: np.ndarray, relation: str) -> set[str]:
        """Those of some sites that a relation has."""
        found = self.evaluation.rows(relation)[:, 0]
        return set(self.evaluation.strings(found[np.isin(found, ids)]))

    def proofs(self, told: Sequence[Told]) -> list[list[Proof]]:
        """A proof for each origin of each group."""
        result: list[list[Proof]] = [[] for _ in told]
        states = {id(each.evaluation): each.evaluation for each in told}
        for number, state in states.items():
            asked = [(place, each) for place, each in enumerate(told) if id(each.evaluation) == number]
            rows = [(place, *row) for place, each in asked for row in each.group.rows]
            ids = self.evaluation.symbol_ids([name for row in rows for name in row[2:]]).reshape(-1, 2).tolist()
            proved = (state or self.evaluation).prove_many(
                [(row[1], tuple(pair)) for row, pair in zip(rows, ids, strict=True)]
            )
            for row, proof in zip(rows, proved, strict=True):
                if proof is not None:
                    result[row[0]].append(proof)
        every = {entry for of_group in result for proof in of_group for part in walk(proof) for entry in part.row}
        known = np.array(sorted(entry for entry in every if 0 <= entry < len(self.evaluation.symbols)), np.int64)
        self.names |= dict(zip(known.tolist(), self.evaluation.strings(known), strict=True))
        return result

    def signatures(self, groups: Sequence[Group]) -> list[frozenset[str]]:
        """What the proofs of groups say apart from names of files, functions and variables."""
        proofs = self.proofs([Told(group, "unchanged") for group in groups])
        return [frozenset(signature(proof, self.text) for proof in of_group) for of_group in proofs]

    def _one_of_several(self, call: int) -> bool:
        """Whether a virtual call may run several methods."""
        if self.virtual is None:
            calls = np.unique(self.evaluation.rows("dispatches")[:, 0])
            targets = self.evaluation.rows("calls")[:, 0]
            found, counts = np.unique(targets[np.isin(targets, calls)], return_counts=True)
            self.virtual = frozenset(found[counts > 1].tolist())
        return call in self.virtual

    def text(self, entry: int) -> str:
        return self.names.get(entry, "")

    # Saying it.

    def _rule(self, group: Group) -> str:
        return self.kinds[group.relation].rule or f"null.{self._use(group)[1]}"

    def _use(self, group: Group) -> tuple[str, str]:
        """The value that is used and the kind of its use."""
        return self.uses.get(group.site, ("", "attribute"))

    def _finding(
        self, told: Told, name: str, proofs: Sequence[Proof], *, explained: bool
    ) -> tuple[Finding, Proof | None]:
        """With the proof of its path. name: its fingerprint."""
        group, rule = told.group, self._rule(told.group)
        file, line, column = place_of(group.site, self.locate)
        if self.kinds[group.relation].rule:
            said = self._of_a_rule(told, rule, proofs)
        else:
            said = self._of_a_null(told, proofs, explained=explained)
        cause = self._cause(told, said.proof, file)
        kept, removed = self.causes.removed(cause) if self.causes is not None and cause else (cause, [])
        finding = Finding(
            rule=rule,
            status=told.status,
            file=file,
            line=line,
            column=column,
            function=shown_function(group.site),
            message=said.message[0].upper() + said.message[1:],
            severity="note" if self.treatment.is_test(file) else said.severity,
            confidence=said.confidence,
            fingerprint=name,
            path=said.path,
            cause=kept,
            fixed_by=self._fixed_by(told, said.proof, file),
            matched=told.matched,
            suppressed=told.suppressed,
            arrival=said.arrival,
            ways=ways(rule, group) if told.way is None else (name,),
            further=told.way is not None,
            known=self._known(told.way),
            rows=tuple(group.rows),
            witness=said.witness,
            removed=removed,
            probability=said.probability,
            features=said.rests_on,
            unlikely=said.unlikely,
        )
        return finding, said.proof

    def _of_a_rule(self, told: Told, rule: str, proofs: Sequence[Proof]) -> _Said:
        group, kind = told.group, self.kinds[told.group.relation]
        probability = self.treatment.ranking.share(rule) if told.status in _EXPLAINED else None
        return _Said(
            kind.message,
            self._alias_path(group, kind.origin, kind.message),
            "warning",
            confidence_of(probability),
            proofs[0] if proofs else None,
            group.origins[0] if rule.startswith("alias.") else "",
            probability=probability,
        )

    def _of_a_null(self, told: Told, proofs: Sequence[Proof], *, explained: bool) -> _Said:
        group = told.group
        file, line, column = place_of(group.site, self.locate)
        value, kind = self._use(group)
        paths = [(null_path(proof, self.text, self.locate, self._one_of_several), proof) for proof in proofs]
        paths.sort(key=lambda pair: _rank(pair[0]))
        witness, (best, proof) = self._judged(told, paths, explained=explained)
        certain = best.origin == "literal" and best.certain and not best.guesses
        null, used = null_word(group.site), use(kind, group.site)
        of_use = [] if proof is None else [each.row[1] for each in proof.body if each.relation in _USES]
        value = self.text(of_use[0]) if of_use else value  # a call may use several
        name = value_name(value)
        name = "the value" if name.strip("`") == null else name  # which is written there
        message = f"{name} {'is' if certain else 'may be'} {null} {used}"
        if best.steps:
            message += f": {best.steps[0].note}"
        if told.way is not None:
            message += f" ({'by one more way' if told.status == 'new' else 'by one way fewer'})"
        last = f"{value_name(value)} is freed here" if kind == "free" else f"{name} is used {used}"
        path = [*best.steps, Step(file, line, last, shown_function(group.site), column)]
        made_elsewhere = best.field and len(best.steps) > 1
        origin = "" if made_elsewhere else group.origins[0]  # else each read of the field has its own
        said = _Said(message, path, "error" if certain else "warning", "medium", proof, witness=witness)
        said.arrival = f"{origin} {best.arrival}" if best.arrival else ""
        if proof is not None:
            said.rests_on = features(best, proof, len(group.origins), self.practice, file)
            said.probability = self.treatment.ranking.probability(said.rests_on)
        if (witness is not None and witness.verdict == "refuted") or group.site in self.ignored:
            said.unlikely, said.probability = True, 0.0
        said.confidence = confidence_of(said.probability)
        if said.probability is not None and said.probability < self.treatment.least(file):
            said.unlikely = True
        if kind == "free":
            # Nothing fails. Where it may be something else as well, cleaning up relies on that.
            said.unlikely, said.probability, said.severity = not certain or best.calls, None, "warning"
            said.confidence = "low" if said.unlikely else "high"
        if said.unlikely or group.site in self.handled:
            said.severity = "note"
        return said

    def _cause(self, told: Told, proof: Proof | None, file: str) -> list[Place]:
        if self.causes is None or told.status not in _EXPLAINED:
            return []
        if told.lines:
            return list(told.lines) if told.status == "new" else []
        return self.causes.lines(proof, file)

    def _known(self, way: Way | None) -> str:
        found = self.known.get(way.there) if way is not None else None
        return found.fingerprint if found is not None else ""

    def _fixed_by(self, told: Told, proof: Proof | None, file: str) -> list[Place]:
        if self.causes is None or told.status != "fixed":
            return []
        return list(told.lines) or self.causes.fix(proof, told.group.rows, file)

    def _judged(
        self, told: Told, paths: Sequence[tuple[NullPath, Proof]], *, explained: bool
    ) -> tuple[Witness | None, tuple[NullPath, Proof | None]]:
        """Whether an execution exists in which the null of one of the origins comes to the use, and the path that is
        shown: the first one that is witnessed, else the first that is not refuted. Later ones are not asked about."""
        shown: tuple[NullPath, Proof | None] = paths[0] if paths else (NullPath([]), None)
        if self.judge is None or told.group.relation != "null_dereference":
            return None, shown
        way = told.way.frame if told.way is not None else None
        found: dict[Verdict, tuple[Witness, tuple[NullPath, Proof | None]]] = {}
        for path, proof in paths:
            site, origin = (self.text(entry) for entry in proof.row)
            answer = self.judge(site, origin, explained=explained, way=way)
            if answer is None:
                return None, shown
            found.setdefault(answer.verdict, (answer, (path, proof)))
            if answer.verdict == "witnessed":
                break
        best = found.get("witnessed") or found.get("open") or found.get("refuted")
        return best or (None, shown)

    def _alias_path(self, group: Group, origin_note: str, message: str) -> list[Step]:
        steps = []
        places = {group.origins[0]: origin_note, group.site: message}  # one, where nothing else is behind it
        for symbol, note in places.items():
            file, line, column = place_of(symbol, self.locate)
            steps.append(Step(file, line, note, shown_function(symbol), column))
        return steps


def fingerprint(rule: str, group: Group, way: Way | None = None) -> str:
    """Of names that stay where a file is renamed, a function goes to another file, or a local gets another name."""
    names = [function_of(group.site), what_of(group.site), *sorted({stable_name(origin) for origin in group.origins})]
    names += [way.name] if way is not None else []
    return digest("|".join([rule, *names]))


def ways(rule: str, group: Group) -> tuple[str, ...]:
    """A fingerprint by each origin."""
    return tuple(sorted({fingerprint(rule, Group(group.relation, group.site, [origin])) for origin in group.origins}))


def _rank(path: NullPath) -> tuple[int, int, int]:
    """Paths that a reader should see first: few guesses, evidence before declarations, short."""
    return (path.guesses, path.origin in ("annotation", "parameter", "reset", "test", "import"), len(path.steps))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
