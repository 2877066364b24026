"""Mutated source files: their instructions and facts, and the analyses over a few of them together."""

from __future__ import annotations

import hashlib
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from in_memory import batch, court
from well_formed import check_facts, check_same

from fuzz import originals
from fuzz.campaign import Fuzzer
from fuzz.mutations import mutated
from fuzz.processes import Failed, raised_inside
from fuzz.reduction import Fails, Pass, ddmin, first
from fuzz.trees import LANGUAGES, Tree, window, without
from pliant.analyses import registry, report
from pliant.engine import Difference, Evaluation
from pliant.extractors.blobs import Location
from pliant.extractors.budget import TooMuch
from pliant.extractors.facts import FileFacts, in_path
from pliant.extractors.ir.text import print_unit
from pliant.extractors.ir.verify import InvalidFunction, verify_unit
from pliant.extractors.languages import language_of
from pliant.extractors.workers import extract

_EVALUATED = 10  # one in so many inputs is a program of several files, in two versions, that the analyses run over
_ASKED = 20  # null dereferences of a program
_REPEATED = 4  # one in so many files is extracted twice by the same process; each one is by two processes
_NAMES_AN_EXCEPTION = re.compile(r"extractor fail\w*(?: here with|:) (\w+)")
_BYTES = (300, 1500, 4000, 4000, 12_000)  # of the part of a file that is mutated


@dataclass(frozen=True)
class Sources:
    """Files by path. base: the same program before, where the analyses are to run."""

    files: tuple[tuple[str, bytes], ...]
    base: tuple[tuple[str, bytes], ...] = ()


def fuzzer(language: str) -> Fuzzer[Sources]:
    return Fuzzer(
        f"sources-{language}", partial(_draw, language), check, _PASSES, _write, _read, _counts, seconds=5.0
    )  # fmt: skip


def _draw(language: str, chance: random.Random) -> Sources:
    suffix = LANGUAGES[language].suffixes
    if chance.randrange(_EVALUATED):
        return Sources(((f"a{suffix[0]}", _mutant(language, chance)),))
    files, base = [], []
    for number in range(chance.choice([1, 2, 2, 3])):
        path = f"{chance.choice(['', 'p/', 'tests/'])}f{number}{chance.choice([suffix[0], suffix[0], suffix[-1]])}"
        before, after = _mutant(language, chance), _mutant(language, chance)
        if chance.random() < 0.6:
            after = mutated(before, language, chance, originals.pieces(language))
        if chance.random() < 0.9:
            files.append((path, after))
        if chance.random() < 0.9:
            base.append((path, before))
    return Sources(tuple(files), tuple(base))


def _mutant(language: str, chance: random.Random) -> bytes:
    source = chance.choice(originals.files(language))
    source = window(Tree(source, language), chance.choice(_BYTES), chance)
    return mutated(source, language, chance, originals.pieces(language))


def check(case: Sources) -> str:
    """A digest of the instructions, the facts and of what is derived."""
    facts = {path: _facts(path, source) for path, source in case.files}
    digest = [_digest(each) for each in facts.values()]
    digest += [_instructions(path, source) for path, source in case.files]
    if case.base:
        digest.append(_derived(case, facts))
    return hashlib.sha256("".join(digest).encode("utf-8", "backslashreplace")).hexdigest()


def _facts(path: str, source: bytes) -> FileFacts:
    language = language_of(path)
    assert language is not None
    facts = extract(language, source)
    for diagnostic in facts.diagnostics:
        if found := _NAMES_AN_EXCEPTION.search(diagnostic.reason):
            where = raised_inside(lambda: extract(language, source), found.group(1))
            told = re.sub(r"[^\x20-\x7e]|\d+", "?", diagnostic.reason)
            raise Failed(
                "no function is left out by an exception", f"{found.group(1)} {where or told[:80]}", diagnostic.reason
            )
    _holds("facts fit the schema", lambda: check_facts(facts))
    if zlib.crc32(source) % _REPEATED == 0:
        _holds("the same bytes give the same facts", lambda: check_same(facts, extract(language, source)))
    return facts


def _instructions(path: str, source: bytes) -> str:
    """The text of a file's unit, if it can be translated as a whole."""
    language = language_of(path)
    assert language is not None
    try:
        unit = language.translate(source)
    except (RecursionError, TooMuch):
        return ""
    try:
        verify_unit(unit)
    except InvalidFunction as error:
        raise Failed("what is translated is valid", re.sub(r"\d+", "?", str(error))[:80], str(error)) from None
    return print_unit(unit)


def _holds(property: str, checked: Callable[[], None]) -> None:
    try:
        checked()
    except AssertionError as error:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        line = last.tb_lineno if last is not None else 0
        raise Failed(property, f"line {line} of well_formed.py", str(error)[:2000]) from None


def _digest(facts: FileFacts) -> str:
    rows = {relation: list(flat) for relation, flat in facts.rows.items()}
    told = (facts.symbols, rows, list(facts.places), facts.library, facts.diagnostics, facts.unmodelled)
    told = (*told, facts.suppressions)
    return hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()


def _derived(case: Sources, head: dict[str, FileFacts]) -> str:
    """Update equals Bootstrap, files come in any order, and findings can be told; the digest of the state."""
    base = {path: _facts(path, source) for path, source in case.base}
    program = registry.program((), frozenset())
    before = Evaluation.bootstrap(program, batch(base))
    after = before.copy()
    difference = after.update(insert=batch(head), delete=batch(base), strategy="update")
    built = Evaluation.bootstrap(program, batch(dict(reversed(head.items()))))
    ordered = Evaluation.bootstrap(program, batch(head))
    if ordered.digest() != built.digest():
        raise Failed("the order of files changes nothing", "another digest")
    if after.digest() != built.digest():
        raise Failed("Update equals Bootstrap", "another digest")
    places, old_places = _places(head), _places(base)
    report.findings(report.Side(before, old_places.get), report.Side(after, places.get), difference, {}, {})
    same = report.Side(built, places.get)
    report.findings(same, same, Difference(), {}, {})
    return built.digest() + _answers(case, built, places)


def _answers(case: Sources, evaluation: Evaluation, places: Mapping[str, Location]) -> str:
    """What is said of the null dereferences: nothing fails, and the same whatever the order of sets."""
    asked, answers = court(dict(case.files), evaluation, places), []
    for site, origin in sorted(map(evaluation.strings, evaluation.rows("null_dereference")))[:_ASKED]:
        answer = asked.answer(site, origin)
        answers.append((site, origin, answer.verdict, answer.reason, answer.why()))
    return repr(answers)


def _places(of_files: dict[str, FileFacts]) -> dict[str, Location]:
    places = {}
    for path, facts in of_files.items():
        for start in range(0, len(facts.places), 5):
            symbol, *span = facts.places[start : start + 5]
            places[in_path(facts.symbols[symbol], path)] = Location(path, *span)
    return places


def _counts(case: Sources, answer: object) -> Mapping[str, int]:
    return {"programs in two versions" if case.base else "files": 1}


# Smaller ones


def _fewer_files(case: Sources, fails: Fails[Sources]) -> Sources:
    def of(parts: Sequence[tuple[int, tuple[str, bytes]]]) -> Sources:
        return Sources(*(tuple(file for side, file in parts if side == which) for which in (0, 1)))

    parts = [(side, file) for side, files in enumerate((case.files, case.base)) for file in files]
    if len(parts) == 1:
        return case
    return of(ddmin(parts, lambda some: bool(some) and fails(of(some))))


def _each_text(shrink: Callable[[bytes, str, Callable[[bytes], bool]], bytes]) -> Pass[Sources]:
    """A pass over each file's text."""

    def shrunk(case: Sources, fails: Fails[Sources]) -> Sources:
        for side in ("files", "base"):
            for index in range(len(getattr(case, side))):

                def put(text: bytes, case: Sources = case, side: str = side, index: int = index) -> Sources:
                    files = list(getattr(case, side))
                    files[index] = (files[index][0], text)
                    return replace(case, **{side: tuple(files)})

                path, text = getattr(case, side)[index]
                language = language_of(path)
                assert language is not None
                case = put(shrink(text, language.name, lambda some, put=put: fails(put(some))))  # type: ignore[misc]
        return case

    return shrunk


def _subtrees(source: bytes, language: str, fails: Callable[[bytes], bool]) -> bytes:
    """Level by level, the nodes that are not needed go."""
    depth = 0
    while True:
        levels = Tree(source, language).levels()
        level = next((each for number, each in enumerate(levels) if number == depth), None)
        if level is None or depth > 60:
            return source

        def keeping(some: list[tuple[int, int]], level: list[tuple[int, int]] = level, text: bytes = source) -> bytes:
            return without(text, sorted(set(level) - set(some)))

        source = keeping(ddmin(level, lambda some, keeping=keeping: fails(keeping(some))))  # type: ignore[misc]
        depth += 1


def _hoisted(source: bytes, language: str, fails: Callable[[bytes], bool]) -> bytes:
    """Nodes in the place of those of the same kind around them."""

    def candidates(text: bytes) -> Iterator[bytes]:
        nodes = Tree(text, language).named()
        for outer in nodes[:300]:
            for inner in nodes:
                if inner.kind == outer.kind and outer.start <= inner.start and inner.end <= outer.end:
                    yield text[: outer.start] + text[inner.start : inner.end] + text[outer.end :]

    return first(source, candidates, fails)


def _lines(source: bytes, language: str, fails: Callable[[bytes], bool]) -> bytes:
    return b"".join(ddmin(source.splitlines(keepends=True), lambda some: fails(b"".join(some))))


def _bytes(source: bytes, language: str, fails: Callable[[bytes], bool]) -> bytes:
    if len(source) > 2000:
        return source
    return bytes(ddmin(source, lambda some: fails(bytes(some))))


_PASSES = [_fewer_files, *map(_each_text, (_subtrees, _hoisted, _lines, _bytes))]


# On disk: a file alone as it is, several as JSON


def _write(case: Sources) -> tuple[bytes, str]:
    if not case.base and len(case.files) == 1:
        [(path, source)] = case.files
        return source, path[path.rfind(".") :]
    sides = [
        [[path, source.decode("utf-8", "surrogateescape")] for path, source in side] for side in (case.files, case.base)
    ]
    return json.dumps(sides, indent=1).encode(), ".json"


def _read(content: bytes, suffix: str) -> Sources:
    if suffix != ".json":
        return Sources(((f"a{suffix}", content),))
    sides = json.loads(content)
    return Sources(
        *(tuple((path, text.encode("utf-8", "surrogateescape")) for path, text in side) for side in sides)
    )  # fmt: skip
