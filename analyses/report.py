"""From the engine's difference to findings: what is new, why, and which changed lines cause it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from pliant.analyses import identity
from pliant.analyses.findings import Confidence, Finding, Place, Severity, Status, Step
from pliant.analyses.identity import Group, Hunk
from pliant.analyses.paths import Locate, NullPath, Proof, null_path, place_of, walk
from pliant.analyses.registry import KINDS
from pliant.analyses.wording import file_of, function_of, null_word, shown_function, use, value_name, what_of
from pliant.engine import Difference, Evaluation
from pliant.extractors import languages
from pliant.extractors.facts import OWN

_LONG = 6  # calls on a path past which it is less likely to be taken


def findings(
    base: Evaluation,
    head: Evaluation,
    difference: Difference,
    locate_base: Locate,
    locate_head: Locate,
    changed_lines: Mapping[str, Sequence[Hunk]],
    renames: Mapping[str, str],
    is_test: Callable[[str], bool] = languages.is_test,
) -> list[Finding]:
    """New, fixed and unchanged findings between two states; `difference` is what the update of `head` said.

    changed_lines: hunks by the path in the head. renames: old path -> new path. is_test: whether a path is test code.
    """
    rows = {name: _rows(head, name, is_test) for name in KINDS}
    after = identity.group(row for relation in rows.values() for row in relation)
    came = {row for name in KINDS for row in _changed(head, difference.inserted, name, is_test)}
    gone = {row for name in KINDS for row in _changed(head, difference.deleted, name, is_test)}
    if not came and not gone:
        return _Describer(head, locate_head, None, changed_lines, is_test, new_side=True).all(
            after.values(), "unchanged"
        )
    before = identity.group([row for relation in rows.values() for row in relation if row not in came] + sorted(gone))
    matched = identity.match(
        before,
        after,
        lambda site: place_of(site, locate_base)[1],
        lambda site: place_of(site, locate_head)[1],
        changed_lines,
        renames,
        partial(_has_function, head),
    )
    new = _Describer(head, locate_head, difference.inserted, changed_lines, is_test, new_side=True)
    fixed = _Describer(base, locate_base, difference.deleted, changed_lines, is_test, new_side=False, renames=renames)
    unchanged = _Describer(head, locate_head, None, changed_lines, is_test, new_side=True)
    for group in matched.new:  # of a finding that was there with another origin, tell what came
        fresh = [origin for origin in group.origins if (group.relation, group.site, origin) in came]
        group.origins = fresh or group.origins
    return [
        *new.all(matched.new, "new"),
        *fixed.all(matched.fixed, "fixed"),
        *unchanged.all(matched.unchanged, "unchanged"),
    ]


def _rows(evaluation: Evaluation, name: str, is_test: Callable[[str], bool]) -> list[tuple[str, str, str]]:
    return _named(evaluation, name, evaluation.rows(name), is_test)


def _changed(
    evaluation: Evaluation, changes: Mapping[str, np.ndarray], name: str, is_test: Callable[[str], bool]
) -> list[tuple[str, str, str]]:
    return _named(evaluation, name, changes[name], is_test) if name in changes else []


def _named(
    evaluation: Evaluation, name: str, rows: np.ndarray, is_test: Callable[[str], bool]
) -> list[tuple[str, str, str]]:
    """Rows as (relation, site, origin). A test that uses a null fails by itself, so those of tests are left out."""
    texts = evaluation.strings(rows.reshape(-1))
    named = [(name, texts[index], texts[index + 1]) for index in range(0, len(texts), 2)]
    if KINDS[name].rule:
        return named
    test_files = {file for file in {file_of(site) for _, site, _ in named} if is_test(file)}
    return [row for row in named if file_of(row[1]) not in test_files]


def _has_function(evaluation: Evaluation, path: str, function: str) -> bool:
    rows = np.array([evaluation.symbol_ids([f"{path}{OWN}{function}", f"{path}{OWN}"])], np.int64)
    return bool((rows >= 0).all() and evaluation.contains("function", rows)[0])


class _Describer:
    """Makes findings of one side. changes: the facts that came (or went); None where nothing is to be explained."""

    def __init__(
        self,
        evaluation: Evaluation,
        locate: Locate,
        changes: Mapping[str, np.ndarray] | None,
        hunks: Mapping[str, Sequence[Hunk]],
        is_test: Callable[[str], bool],
        *,
        new_side: bool,
        renames: Mapping[str, str] | None = None,
    ) -> None:
        self.evaluation = evaluation
        self.locate = locate
        self.changes = changes
        self.hunks = hunks
        self.is_test = is_test
        self.new_side = new_side
        self.renames = renames or {}
        self.names: dict[int, str] = {}
        self.fact_sets: dict[str, set[tuple[int, ...]]] = {}
        self.uses: dict[str, tuple[str, str]] = {}
        self.handled: set[str] = set()

    def all(self, groups: Iterable[Group], status: Status) -> list[Finding]:
        groups = sorted(groups, key=lambda group: (group.relation, group.site))
        self._read_uses([group.site for group in groups])
        proofs = self._proofs(groups) if self.changes is not None else [[] for _ in groups]
        found = [self._finding(group, of_group, status) for group, of_group in zip(groups, proofs, strict=True)]
        ordinals: dict[str, int] = {}
        unique: dict[tuple[str, str, int, int, str], Finding] = {}
        for finding in found:
            ordinals[finding.fingerprint] = ordinal = ordinals.get(finding.fingerprint, 0) + 1
            if ordinal > 1:
                finding.fingerprint = _digest(f"{finding.fingerprint}#{ordinal}")
            # Code that is lowered twice, as a `finally` is, has two sites at one place.
            unique.setdefault((finding.rule, finding.file, finding.line, finding.column, finding.message), finding)
        return list(unique.values())

    # Reading the state.

    def _read_uses(self, sites: Sequence[str]) -> None:
        """The value and the kind of each dereference, and which of them are handled."""
        ids = self.evaluation.symbol_ids(list(sites))
        rows = self.evaluation.rows("dereference")
        rows = rows[np.isin(rows[:, 0], ids)]
        texts = self.evaluation.strings(rows[:, :3].reshape(-1))
        self.uses = {texts[index]: (texts[index + 1], texts[index + 2]) for index in range(0, len(texts), 3)}
        handled = self.evaluation.rows("handled")[:, 0]
        self.handled = set(self.evaluation.strings(handled[np.isin(handled, ids)]))

    def _proofs(self, groups: Sequence[Group]) -> list[list[Proof]]:
        """A proof for each origin of each group."""
        symbols = [symbol for group in groups for origin in group.origins for symbol in (group.site, origin)]
        ids = self.evaluation.symbol_ids(symbols).reshape(-1, 2)
        relations = [group.relation for group in groups for _ in group.origins]
        proved = self.evaluation.prove_many(
            [(relation, tuple(row)) for relation, row in zip(relations, ids.tolist(), strict=True)]
        )
        result: list[list[Proof]] = []
        position = 0
        for group in groups:
            mine = proved[position : position + len(group.origins)]
            position += len(group.origins)
            result.append([proof for proof in mine if proof is not None])
        every = {entry for of_group in result for proof in of_group for part in walk(proof) for entry in part.row}
        known = np.array(sorted(entry for entry in every if 0 <= entry < len(self.evaluation.symbols)), np.int64)
        self.names = dict(zip(known.tolist(), self.evaluation.strings(known), strict=True))
        return result

    def _text(self, entry: int) -> str:
        return self.names.get(entry, "")

    # Saying it.

    def _finding(self, group: Group, proofs: Sequence[Proof], status: Status) -> Finding:
        kind = KINDS[group.relation]
        file, line, column = place_of(group.site, self.locate)
        if kind.rule:
            rule, message = kind.rule, kind.message
            path = self._alias_path(group, kind.origin, kind.message)
            message = message[0].upper() + message[1:]
            confidence: Confidence = "high"
            severity: Severity = "warning"
            proof = proofs[0] if proofs else None
        else:
            value, kind_of_use = self.uses.get(group.site, ("", "attribute"))
            rule = f"null.{kind_of_use}"
            used = use(kind_of_use, group.site)
            told = [(null_path(proof, self._text, self.locate), proof) for proof in proofs]
            told.sort(key=lambda pair: _rank(pair[0]))
            best, proof = told[0] if told else (NullPath([]), None)
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
                    f"{value_name(value)} is used {used}",
                    shown_function(group.site),
                    column,
                ),
            ]
            confidence = _confidence(best)
            severity = "error" if certain else "warning"
            if confidence == "low" or group.site in self.handled:
                severity = "note"
        if self.is_test(file):
            severity = "note"
        return Finding(
            rule=rule,
            status=status,
            file=file,
            line=line,
            column=column,
            function=shown_function(group.site),
            message=message,
            severity=severity,
            confidence=confidence,
            fingerprint=_digest(
                "|".join(
                    [
                        rule,
                        file,
                        function_of(group.site),
                        what_of(group.site),
                        *sorted({what_of(o) for o in group.origins}),
                    ]
                )
            ),
            path=path,
            cause=self._cause(proof, file, line) if status != "unchanged" else [],
        )

    def _alias_path(self, group: Group, origin_note: str, message: str) -> list[Step]:
        steps = []
        for symbol, note in ((group.origins[0], origin_note), (group.site, message)):
            file, line, column = place_of(symbol, self.locate)
            steps.append(Step(file, line, note, shown_function(symbol), column))
        return steps

    # The changed lines behind it.

    def _cause(self, proof: Proof | None, file: str, line: int) -> list[Place]:
        """Changed lines that hold a changed fact of the proof; else those nearest to such facts.

        Facts are placed by the values in them; by the functions and classes in them only where no value is.
        """
        places: list[tuple[str, int, int]] = []
        definitions: list[tuple[str, int, int]] = []
        for part in walk(proof) if proof is not None else ():
            if part.is_input and part.row in self._facts(part.relation):
                for entry in part.row:
                    symbol = self._text(entry)
                    if OWN in symbol and (found := self.locate(symbol)) is not None:
                        known = places if what_of(symbol) != symbol else definitions
                        known.append((found.file, found.line, getattr(found, "last_line", found.line)))
        if not any(self._spans(place_file) for place_file, _, _ in places):
            places = definitions
        exact: set[Place] = set()
        near: set[Place] = set()
        for place_file, first, last in places:
            spans = self._spans(place_file)
            inside = [number for start, end in spans for number in range(max(start, first), min(end, last) + 1)]
            exact.update(Place(place_file, number) for number in inside[:3])
            if spans and not inside:
                near.add(Place(place_file, min((abs(first - edge), edge) for span in spans for edge in span)[1]))
        chosen = exact or near
        if not chosen:
            files = [file] if self._spans(file) else list(self.hunks)[:4]
            chosen = {
                Place(self._own_path(path), start)
                for path in files
                for start, _ in self._spans(self._own_path(path))[:3]
            }
        return sorted(chosen, key=lambda place: (place.file, place.line))

    def _facts(self, relation: str) -> set[tuple[int, ...]]:
        if relation not in self.fact_sets:
            rows = (self.changes or {}).get(relation)
            self.fact_sets[relation] = set(map(tuple, rows.tolist())) if rows is not None else set()
        return self.fact_sets[relation]

    def _own_path(self, head_path: str) -> str:
        if self.new_side:
            return head_path
        return next((old for old, new in self.renames.items() if new == head_path), head_path)

    def _spans(self, path: str) -> list[tuple[int, int]]:
        """First and last line of each hunk on this side; where lines were only taken away, the line after them."""
        hunks = self.hunks.get(path if self.new_side else self.renames.get(path, path), ())
        spans = []
        for hunk in hunks:
            start, count = (hunk.new_start, hunk.new_count) if self.new_side else (hunk.old_start, hunk.old_count)
            spans.append((start, start + count - 1) if count else (start + 1, start + 1))
        return spans


def _rank(path: NullPath) -> tuple[int, int, int]:
    """Paths that a reader should see first: few guesses, evidence before declarations, short."""
    return (path.guesses, path.origin in ("annotation", "parameter"), len(path.steps))


def _confidence(path: NullPath) -> Confidence:
    """High: from a call or a literal by few calls, all resolved. Low: by guesses or a long way."""
    if path.guesses > 1 or path.calls > _LONG:
        return "low"
    if path.guesses or path.origin in ("annotation", "parameter", "end") or path.calls > 2:
        return "medium"
    return "high"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
