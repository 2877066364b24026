"""From rows of an output relation to findings: what is wrong, the path from the origin to the use, and what changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pliant.analyses.causes import Causes
from pliant.analyses.findings import Confidence, Finding, Severity, Status, Step, Suppressed, Witness
from pliant.analyses.identity import Group
from pliant.analyses.paths import Locate, NullPath, Proof, null_path, place_of, signature, walk
from pliant.analyses.registry import kinds_of
from pliant.analyses.wording import function_of, null_word, shown_function, stable_name, use, value_name, what_of
from pliant.engine import Evaluation

_EXPLAINED = ("new", "fixed")  # statuses of findings that changed lines bring about
_LONG = 6  # calls on a path past which it is less likely to be taken

Judge = Callable[[str, str], Witness | None]


@dataclass(slots=True)
class Told:
    """A group that becomes a finding. evaluation: the state to prove it in, if not the whole one."""

    group: Group
    status: Status
    suppressed: Suppressed | None = None
    matched: str = ""
    evaluation: Evaluation | None = None


class Describer:
    """Makes findings of one side. causes: None where nothing is to be explained. judge: says of a site and an origin
    whether an execution exists; None where nobody can."""

    def __init__(
        self,
        evaluation: Evaluation,
        locate: Locate,
        causes: Causes | None,
        is_test: Callable[[str], bool],
        judge: Judge | None = None,
    ) -> None:
        self.judge = judge
        self.evaluation = evaluation
        self.locate = locate
        self.causes = causes
        self.is_test = is_test
        self.kinds = kinds_of(evaluation.program)
        self.names: dict[int, str] = {}
        self.uses: dict[str, tuple[str, str]] = {}
        self.handled: set[str] = set()
        self.virtual: frozenset[int] | None = None  # virtual calls of several methods, once they are asked for

    def all(self, wanted: Iterable[Told], explained: str = "") -> list[Finding]:
        """explained: where nothing is to be explained, the beginning of the fingerprint of what is nevertheless."""
        told = sorted(wanted, key=lambda each: (each.group.relation, each.group.site))
        self._read_uses([each.group.site for each in told])
        proofs = self.proofs(told) if self.causes is not None else self._chosen_proofs(told, explained)
        found = [self._finding(each, of_group) for each, of_group in zip(told, proofs, strict=True)]
        ordinals: dict[str, int] = {}
        unique: dict[tuple[str, str, int, int, str], Finding] = {}
        for finding in found:
            ordinals[finding.fingerprint] = ordinal = ordinals.get(finding.fingerprint, 0) + 1
            if ordinal > 1:
                finding.fingerprint = digest(f"{finding.fingerprint}#{ordinal}")
            # Code that is lowered twice, as a `finally` is, has two sites at one place.
            unique.setdefault((finding.rule, finding.file, finding.line, finding.column, finding.message), finding)
        return list(unique.values())

    def _chosen_proofs(self, told: Sequence[Told], explained: str) -> list[list[Proof]]:
        nothing: list[list[Proof]] = [[] for _ in told]
        if not explained:
            return nothing
        first: dict[str, int] = {}
        for place, (each, proofs) in enumerate(zip(told, nothing, strict=True)):
            plain = self._finding(each, proofs).fingerprint
            first[plain] = ordinal = first.get(plain, 0) + 1
            if (plain if ordinal == 1 else digest(f"{plain}#{ordinal}")).startswith(explained):
                nothing[place] = self.proofs([each])[0]
        return nothing

    # Reading the state.

    def _read_uses(self, sites: Sequence[str]) -> None:
        """The value and the kind of each dereference, and which of them are handled."""
        ids = self.evaluation.symbol_ids(list(sites))
        rows = self.evaluation.rows("dereference")
        rows = rows[np.isin(rows[:, 0], ids)]
        texts = self.evaluation.strings(rows[:, :3].reshape(-1))
        of_macros = self.evaluation.rows("macro_needs")
        names = self.evaluation.strings(of_macros[np.isin(of_macros[:, 0], ids)].reshape(-1))
        self.uses = {names[index]: (names[index + 1], "argument") for index in range(0, len(names), 2)}
        self.uses |= {texts[index]: (texts[index + 1], texts[index + 2]) for index in range(0, len(texts), 3)}
        if "freed_null" in self.kinds:
            freed = self.evaluation.rows("freed_value")
            names = self.evaluation.strings(freed[np.isin(freed[:, 0], ids)].reshape(-1))
            self.uses |= {names[index]: (names[index + 1], "free") for index in range(0, len(names), 2)}
        handled = self.evaluation.rows("handled")[:, 0]
        self.handled = set(self.evaluation.strings(handled[np.isin(handled, ids)]))

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

    def _finding(self, told: Told, proofs: Sequence[Proof]) -> Finding:
        group = told.group
        witness: Witness | None = None
        kind = self.kinds[group.relation]
        file, line, column = place_of(group.site, self.locate)
        if kind.rule:
            rule, message = kind.rule, kind.message
            path = self._alias_path(group, kind.origin, kind.message)
            message = message[0].upper() + message[1:]
            confidence: Confidence = "high"
            severity: Severity = "warning"
            proof = proofs[0] if proofs else None
            arrival = group.origins[0] if rule.startswith("alias.") else ""
        else:
            value, kind_of_use = self.uses.get(group.site, ("", "attribute"))
            rule = f"null.{kind_of_use}"
            used, freed = use(kind_of_use, group.site), kind_of_use == "free"
            witness, proofs = self._judged(group, proofs)
            paths = [(null_path(proof, self.text, self.locate, self._one_of_several), proof) for proof in proofs]
            paths.sort(key=lambda pair: _rank(pair[0]))
            best, proof = paths[0] if paths else (NullPath([]), None)
            certain = best.origin == "literal" and not best.choices and not best.guesses
            message = f"{value_name(value)} {'is' if certain else 'may be'} {null_word(group.site)} {used}"
            message = message[0].upper() + message[1:] if not message.startswith("`") else message
            if best.steps:
                message += f": {best.steps[0].note}"
            path = [
                *best.steps,
                Step(
                    file,
                    line,
                    f"{value_name(value)} is freed here" if freed else f"{value_name(value)} is used {used}",
                    shown_function(group.site),
                    column,
                ),
            ]
            arrival = f"{group.origins[0]} {path[-2]}" if len(path) > 1 else ""
            confidence = "low" if witness and witness.verdict == "refuted" else _confidence(best)
            severity = "error" if certain else "warning"
            if freed:
                # Nothing fails. Where it may be something else as well, cleaning up relies on that.
                confidence = "high" if certain and not best.calls else "low"
                severity = "warning"
            if confidence == "low" or group.site in self.handled:
                severity = "note"
        if self.is_test(file):
            severity = "note"
        return Finding(
            rule=rule,
            status=told.status,
            file=file,
            line=line,
            column=column,
            function=shown_function(group.site),
            message=message,
            severity=severity,
            confidence=confidence,
            fingerprint=fingerprint(rule, group),
            path=path,
            cause=self.causes.lines(proof, file) if self.causes is not None and told.status in _EXPLAINED else [],
            fixed_by=self.causes.fix(proof, group.rows, file) if self.causes and told.status == "fixed" else [],
            matched=told.matched,
            suppressed=told.suppressed,
            arrival=arrival,
            ways=ways(rule, group),
            rows=tuple(group.rows),
            witness=witness,
        )

    def _judged(self, group: Group, proofs: Sequence[Proof]) -> tuple[Witness | None, Sequence[Proof]]:
        """Whether an execution exists in which the null of one of the origins comes to the use, and the proofs for the
        origins of which that is not refuted; for all of them where it is refuted of all."""
        if self.judge is None or group.relation != "null_dereference" or not proofs:
            return None, proofs
        left, answers = [], []
        for proof in proofs:
            site, origin = (self.text(entry) for entry in proof.row)
            answer = self.judge(site, origin)
            if answer is None:
                return None, proofs
            answers.append(answer)
            if answer.verdict != "refuted":
                left.append(proof)
        of_left = [each for each in answers if each.verdict != "refuted"]
        best = next((each for each in of_left if each.verdict == "witnessed"), (of_left or answers)[0])
        return best, left or proofs

    def _alias_path(self, group: Group, origin_note: str, message: str) -> list[Step]:
        steps = []
        places = {group.origins[0]: origin_note, group.site: message}  # one, where nothing else is behind it
        for symbol, note in places.items():
            file, line, column = place_of(symbol, self.locate)
            steps.append(Step(file, line, note, shown_function(symbol), column))
        return steps


def fingerprint(rule: str, group: Group) -> str:
    """Of names that stay where a file is renamed, a function goes to another file, or a local gets another name."""
    names = [function_of(group.site), what_of(group.site), *sorted({stable_name(origin) for origin in group.origins})]
    return digest("|".join([rule, *names]))


def ways(rule: str, group: Group) -> tuple[str, ...]:
    """A fingerprint by each origin."""
    return tuple(sorted({fingerprint(rule, Group(group.relation, group.site, [origin])) for origin in group.origins}))


_MEDIUM = frozenset(("annotation", "parameter", "end", "reset", "test", "tested", "import"))


def _rank(path: NullPath) -> tuple[int, int, int]:
    """Paths that a reader should see first: few guesses, evidence before declarations, short."""
    return (path.guesses, path.origin in ("annotation", "parameter", "reset", "test", "import"), len(path.steps))


def _confidence(path: NullPath) -> Confidence:
    """What a proof rests on. High: a null that is written, or that a model of the library tells, by few calls, all of
    them resolved. Low: by guesses or a long way."""
    if path.guesses > 1 or path.calls > _LONG or (path.guesses and path.heap):
        return "low"
    if path.guesses or path.heap or path.calls > 2 or path.origin in _MEDIUM:
        return "medium"
    return "high"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
