"""The fact cache: facts and instructions of blobs by (blob id, language version), and the facts of many files put
together."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pliant.extractors.columns import (
    BLOB_SCHEMA,
    PLACE_WIDTH,
    SYMBOL_COLUMNS,
    Ints,
    batch_of,
    instructions_of,
    lengths_of,
)
from pliant.extractors.facts import (
    FOLDER,
    OWN,
    Diagnostic,
    FileFacts,
    Suppression,
    escape_path,
    folder_of,
    in_path,
)
from pliant.extractors.ir.instructions import INSTRUCTIONS as OPCODES
from pliant.extractors.ir.stored import Packed
from pliant.extractors.packs import BATCH_BLOBS, FACTS, INSTRUCTIONS, Kind, Store
from pliant.extractors.schema import RELATIONS
from pliant.extractors.seal import Seal
from pliant.extractors.tables import FactTable, assemble
from pliant.extractors.workers import Content, Extractor, extract_all

Read = Callable[[list[str]], Iterator[tuple[str, Content]]]
Key = tuple[str, str]  # language name, blob id


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a commit: where it is, its blob, and the language that reads it."""

    path: str
    oid: str
    language: Extractor

    @property
    def key(self) -> Key:
        return self.language.name, self.oid


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of a blob without its facts."""

    library: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    lines: int
    unmodelled: Mapping[str, int]
    suppressions: tuple[Suppression, ...] = ()


class Location(NamedTuple):
    """Where an entity stands: lines from 1, columns from 0 in bytes."""

    file: str
    line: int
    column: int
    last_line: int
    last_column: int


class Places(Mapping[str, Location]):
    """Where the entities of a file stand, by symbol, the path in front. Files have thousands, of which few are asked
    for, so each is made then. symbols: without the path; rows: what a Location has besides the file."""

    def __init__(self, path: str, symbols: Sequence[str], rows: NDArray[np.integer]) -> None:
        self._path, self._rows = path, rows
        self._file = escape_path(path)
        self._folder = folder_of(self._file)
        self._numbers = dict(zip(symbols, range(len(symbols)), strict=True))

    def __getitem__(self, symbol: str) -> Location:
        own = symbol
        if symbol.startswith(f"{self._file}{OWN}"):
            own = symbol[len(self._file) :]
        elif symbol.startswith(f"{self._folder}{OWN}"):
            own = f"{FOLDER}{symbol[len(self._folder) + len(OWN) :]}"
        elif symbol.startswith((OWN, FOLDER)):
            raise KeyError(symbol)
        return Location(self._path, *self._rows[self._numbers[own]].tolist())

    def __iter__(self) -> Iterator[str]:
        return (in_path(symbol, self._file) for symbol in self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def version_of(language: Extractor) -> str:
    """A digest of all that the facts and the instructions of a blob depend on besides the blob."""
    formats = [kind.magic.decode() for kind in (FACTS, INSTRUCTIONS)]
    relations = [(name, relation.columns) for name, relation in sorted(RELATIONS.items())]
    opcodes = [(name, opcode.operands) for name, opcode in sorted(OPCODES.items())]
    text = json.dumps([formats, language.name, language.version, relations, opcodes])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class FactCache:
    """The facts and instructions of blobs, kept in `folder`; with no folder, for the life of the process."""

    def __init__(
        self, folder: Path | None, say: Callable[[str], None] = lambda message: None, seal: Seal | None = None
    ):
        self._folder = folder
        self._say = say
        self._seal = seal
        self._stores: dict[tuple[str, Kind], Store] = {}

    def ensure(
        self,
        sources: Iterable[Source],
        read: Read,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> int:
        """Has the facts of all `sources` at hand; says how many blobs were extracted for it."""
        missing: dict[Key, Extractor] = {}
        for source in sources:
            if source.key not in missing and not self._store(source.language).usable(source.oid):
                missing[source.key] = source.language
        if not missing:
            return 0
        by_oid: dict[str, list[Extractor]] = {}
        for (_, oid), language in missing.items():
            by_oid.setdefault(oid, []).append(language)
        contents = (
            ((language.name, oid), language, content) for oid, content in read(list(by_oid)) for language in by_oid[oid]
        )
        fresh: dict[str, list[tuple[str, FileFacts]]] = {}
        for done, ((name, oid), facts) in enumerate(extract_all(contents, len(missing)), 1):
            batch = fresh.setdefault(name, [])
            batch.append((oid, facts))
            if len(batch) == BATCH_BLOBS:
                self._add(missing[name, oid], batch)
                fresh[name] = []
            progress(done, len(missing))
        languages = {language.name: language for language in missing.values()}
        for name, batch in fresh.items():
            if batch:
                self._add(languages[name], batch)
        return len(missing)

    def _add(self, language: Extractor, extracted: Sequence[tuple[str, FileFacts]]) -> None:
        self._store(language).adopt([oid for oid, _ in extracted], batch_of([facts for _, facts in extracted]))
        packed = {oid: facts.instructions for oid, facts in extracted if facts.instructions is not None}
        if packed:
            self._store(language, INSTRUCTIONS).adopt(list(packed), instructions_of(list(packed.values())))

    def missing(self, sources: Iterable[Source]) -> list[Source]:
        """Of each blob that is not at hand, one of its sources."""
        found = {source.key: source for source in sources if not self._store(source.language).usable(source.oid)}
        return list(found.values())

    def adopt(self, language: Extractor, oids: list[str], columns: pa.RecordBatch) -> None:
        """Has facts at hand that were extracted elsewhere: a row of BLOB_SCHEMA for each blob, checked here."""
        self._store(language).adopt(oids, columns)

    def hold(self, source: Source, facts: FileFacts) -> None:
        """Has facts at hand that are of no blob, under an id that no blob has; they are never written."""
        self._store(source.language).hold(source.oid, batch_of([facts]))

    def facts(self, source: Source) -> FileFacts:
        """The facts of one source, without its diagnostics."""
        batch, row = self._at(source)
        [summary] = summaries(batch.slice(row, 1))
        found = FileFacts(
            batch["symbols"][row].as_py(), library=list(summary.library), lines=summary.lines,
            suppressions=list(summary.suppressions),
        )  # fmt: skip
        for name in RELATIONS:
            if len(rows := batch[f"rows/{name}"][row].values):
                found.rows[name] = array("i", rows.to_numpy())
        found.places = array("i", batch["places"][row].values.to_numpy())
        return found

    def instructions(self, source: Source) -> Packed | None:
        """The instructions of a source in their stored form; None where they are not at hand."""
        store = self._store(source.language, INSTRUCTIONS)
        if not store.usable(source.oid):
            return None
        batch, row = store.at(source.oid)
        return batch["outline"][row].as_py(), batch["functions"][row].as_py()

    def has(self, source: Source) -> bool:
        """Whether the facts of a blob are here and sound."""
        return self._store(source.language).usable(source.oid)

    def flush(self) -> None:
        """Writes what was extracted since the last time; a cache that cannot be written is a message, not an error."""
        for store in self._stores.values():
            try:
                store.flush()
            except OSError as error:
                self._say(f"the fact cache in {self._folder} cannot be written: {error.strerror}")

    def summaries(self, sources: Sequence[Source]) -> list[Summary]:
        """The summaries of `sources`, which `ensure` has seen."""
        by_batch: dict[int, list[Summary]] = {}
        found = []
        for source in sources:
            batch, row = self._at(source)
            if id(batch) not in by_batch:
                by_batch[id(batch)] = summaries(batch)
            found.append(by_batch[id(batch)][row])
        return found

    def places(self, source: Source) -> Places:
        """The places of a file by symbol, the path in front."""
        batch, row = self._at(source)
        places = batch["places"][row].values.to_numpy().reshape(-1, PLACE_WIDTH)
        symbols = batch["symbols"][row].values.take(pa.array(places[:, 0])).to_pylist()
        return Places(source.path, symbols, places[:, 1:])

    def table(self, sources: Sequence[Source]) -> FactTable:
        """The facts of `sources`, which `ensure` has seen."""
        return self.table_by_source(sources)[0]

    def table_by_source(self, sources: Sequence[Source]) -> tuple[FactTable, dict[str, Ints]]:
        """The facts of `sources`, and for each row of a relation which of the sources has it."""
        rows_of: dict[int, tuple[pa.RecordBatch, list[int], list[int]]] = {}
        for number, source in enumerate(sources):
            batch, row = self._at(source)
            _, rows, numbers = rows_of.setdefault(id(batch), (batch, [], []))
            rows.append(row)
            numbers.append(number)
        parts, order = [], []
        for batch, rows, numbers in rows_of.values():
            whole = rows == list(range(batch.num_rows))
            parts.append(batch if whole else batch.take(pa.array(rows, pa.int32())))
            order += numbers
        columns = pa.Table.from_batches(parts, schema=BLOB_SCHEMA)
        table = assemble(columns, [escape_path(sources[number].path) for number in order])
        numbers_of = np.array(order, np.int64)
        rows_in = {name: lengths_of(columns[f"rows/{name}"].combine_chunks()) for name in table.rows}
        return table, {
            name: np.repeat(numbers_of, lengths // len(SYMBOL_COLUMNS[name])) for name, lengths in rows_in.items()
        }

    def _at(self, source: Source) -> tuple[pa.RecordBatch, int]:
        return self._store(source.language).at(source.oid)

    def _store(self, language: Extractor, kind: Kind = FACTS) -> Store:
        store = self._stores.get((language.name, kind))
        if store is None:
            folder = self._folder / f"{language.name}-{version_of(language)}" if self._folder else None
            store = self._stores[language.name, kind] = Store(folder, kind, self._say, self._seal)
        return store


SUMMARY_COLUMNS = (
    "library", "lines", "unmodelled", "unmodelled_counts",
    "diagnostic_lines", "diagnostic_reasons", "diagnostic_scopes", "diagnostic_functions", "diagnostic_last_lines",
    "suppression_lines", "suppression_rules", "suppression_reasons", "suppression_tools",
)  # fmt: skip


def summaries(batch: pa.RecordBatch) -> list[Summary]:
    """The summaries of blobs; `batch`: the columns SUMMARY_COLUMNS of BLOB_SCHEMA."""
    names = ("library", "lines", "unmodelled", "unmodelled_counts")
    telling = ("lines", "reasons", "scopes", "functions", "last_lines")
    silencing = ("lines", "rules", "reasons", "tools")
    columns = [batch[name].to_pylist() for name in names]
    told = zip(*(batch[f"diagnostic_{name}"].to_pylist() for name in telling), strict=True)
    silenced = zip(*(batch[f"suppression_{name}"].to_pylist() for name in silencing), strict=True)
    return [
        Summary(
            tuple(library),
            tuple(map(Diagnostic, *diagnostics)),
            lines,
            dict(zip(constructs, counts, strict=True)),
            tuple(
                Suppression(line, covers, tuple(rules.split(",") if rules else ()), reason, tool)
                for line, covers, rules, reason, tool in zip(
                    places[::2], places[1::2], of_rules, reasons, tools, strict=True
                )
            ),
        )
        for library, lines, constructs, counts, diagnostics, (places, of_rules, reasons, tools) in zip(
            *columns, told, silenced, strict=True
        )
    ]
