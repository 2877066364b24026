"""Facts and findings of source texts, without git and without a cache."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.analyses import registry, report
from pliant.analyses.findings import Finding
from pliant.analyses.report import Side
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.judge import Court
from pliant.analyses.witness.programs import Programs
from pliant.engine import Batch, Difference, Evaluation
from pliant.extractors import repository
from pliant.extractors.blobs import Location
from pliant.extractors.facts import FileFacts, in_path
from pliant.extractors.languages import language_of
from pliant.extractors.schema import RELATIONS

Sources = Mapping[str, str | bytes]
Files = dict[str, str]


@dataclass(frozen=True)
class Mentions:
    library: tuple[str, ...]


def extract(path: str, source: str | bytes) -> FileFacts:
    language = language_of(path)
    assert language is not None, path
    return language.extract(source.encode() if isinstance(source, str) else source)


def table(facts: FileFacts, relation: str) -> list[tuple[str | int, ...]]:
    """The rows of a relation, its symbols as texts."""
    symbol = [kind == "symbol" for _, kind in RELATIONS[relation].columns]
    flat = facts.rows.get(relation, ())
    return [
        tuple(
            facts.symbols[entry] if is_symbol else entry
            for entry, is_symbol in zip(flat[start : start + len(symbol)], symbol, strict=True)
        )
        for start in range(0, len(flat), len(symbol))
    ]


def every_row(facts: FileFacts) -> set[tuple[str | int, ...]]:
    """All rows, each with its relation in front: what two files with the same facts have in common."""
    return {(relation, *row) for relation in facts.rows for row in table(facts, relation)}


def batch(of_files: Mapping[str, FileFacts]) -> Batch:
    """The facts of a program: of its files and of the library that they mention."""
    context = repository.context_facts({path: Mentions(tuple(facts.library)) for path, facts in of_files.items()})
    ids: dict[str, int] = {}
    parts: dict[str, list[np.ndarray]] = {}
    for path, facts in [*of_files.items(), ("", context)]:
        own = np.array([ids.setdefault(in_path(symbol, path), len(ids)) for symbol in facts.symbols], np.int64)
        for relation, flat in facts.rows.items():
            kinds = [kind for _, kind in RELATIONS[relation].columns]
            rows = np.array(flat, np.int64).reshape(-1, len(kinds))
            for column, kind in enumerate(kinds):
                if kind == "symbol":
                    rows[:, column] = own[rows[:, column]]
            parts.setdefault(relation, []).append(rows)
    return Batch(symbols=list(ids), rows={relation: np.concatenate(rows) for relation, rows in parts.items()})


def evaluate(
    files: Sources, rules: registry.Files = (), on: registry.Rules = frozenset()
) -> tuple[Evaluation, dict[str, Location]]:
    """The analyses over a program, and the places of its entities. rules: of a user's own. on: what is switched on."""
    of_files = {path: extract(path, source) for path, source in files.items()}
    return bootstrap(of_files, rules, on), places_of(of_files)


def bootstrap(
    of_files: Mapping[str, FileFacts], rules: registry.Files = (), on: registry.Rules = frozenset()
) -> Evaluation:
    return of_facts(batch(of_files), rules, on)


def of_facts(facts: Batch, rules: registry.Files = (), on: registry.Rules = frozenset()) -> Evaluation:
    return Evaluation.bootstrap(registry.program(rules, on), facts)


def places_of(of_files: Mapping[str, FileFacts]) -> dict[str, Location]:
    """By entity, where it is."""
    places = {}
    for path, facts in of_files.items():
        for start in range(0, len(facts.places), 5):
            symbol, *span = facts.places[start : start + 5]
            places[in_path(facts.symbols[symbol], path)] = Location(path, *span)
    return places


def programs(files: Sources, places: Mapping[str, Location], *, stored: bool = False) -> Programs:
    """The instructions of a program. stored: in the form that the cache has, as far as they have one."""
    of_file: dict[str, dict[str, Location]] = {path: {} for path in files}
    for symbol, place in places.items():
        of_file[place.file][symbol] = place
    contents = {path: source.encode() if isinstance(source, str) else source for path, source in files.items()}
    if not stored:
        return Programs(contents.__getitem__, of_file.__getitem__)
    packed = {path: extract(path, source).instructions for path, source in files.items()}
    return Programs(contents.__getitem__, of_file.__getitem__, packed.get)


def court(files: Sources, evaluation: Evaluation, places: Mapping[str, Location], *, stored: bool = False) -> Court:
    """Who says whether a program's candidates can fail. stored: as of `programs`."""
    return Court(programs(files, places, stored=stored), Derived(evaluation))


def verdicts(files: Sources, on: registry.Rules = frozenset()) -> dict[tuple[str, int], set[str]]:
    """By file and line, what is said of the null dereferences that the rules derive there."""
    evaluation, places = evaluate(files, on=on)
    judge, found = court(files, evaluation, places), dict[tuple[str, int], set[str]]()
    for row in evaluation.rows("null_dereference"):
        site, origin = evaluation.strings(row)
        if site in places:
            place = places[site]
            found.setdefault((place.file, place.line), set()).add(judge.answer(site, origin).verdict)
    return found


@dataclass(frozen=True)
class Hunk:
    old_start: int
    old_count: int
    new_start: int
    new_count: int


def hunks(old: str, new: str) -> list[Hunk]:
    """Where two texts differ, as `git diff --unified=0` counts."""
    matcher = difflib.SequenceMatcher(a=old.split("\n"), b=new.split("\n"), autojunk=False)
    return [
        Hunk(a + (a != b), b - a, c + (c != d), d - c) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"
    ]


def compared(
    base: Files, head: Files, renames: Mapping[str, str] | None = None, on: registry.Rules = frozenset()
) -> list[Finding]:
    """What a pull request from `base` to `head` changes; renames: old path -> new path. on: rules as for `evaluate`."""
    renames = renames or {}
    old = {path: extract(path, source) for path, source in base.items()}
    new = {path: extract(path, source) for path, source in head.items()}
    facts = batch(old)
    before, places_before, places_after = of_facts(facts, on=on), places_of(old), places_of(new)
    after = before.copy()
    difference = after.update(insert=batch(new), delete=facts)
    changed = {}
    for path, text in head.items():
        was = next((old_path for old_path, new_path in renames.items() if new_path == path), path)
        if base.get(was) != text:
            changed[path] = hunks(base.get(was, ""), text)
    changed |= {path: hunks(text, "") for path, text in base.items() if renames.get(path, path) not in head}
    return report.findings(
        Side(before, places_before.get, programs=programs(base, places_before, stored=True)),
        Side(after, places_after.get, programs=programs(head, places_after, stored=True)),
        difference,
        changed,
        renames,
    )


def findings(files: Sources, on: registry.Rules = frozenset()) -> list[Finding]:
    """What is found in a program. on: of the rules that are off by default, those that are switched on."""
    return findings_of(*evaluate(files, on=on))


def findings_of(evaluation: Evaluation, places: Mapping[str, Location]) -> list[Finding]:
    """What is found in an evaluated program."""
    side = Side(evaluation, places.get)
    return report.findings(side, side, Difference(), {}, {})
