"""The cases of the benchmarks: a program, the facts it is run on, and the facts that updates take out and put back.

Facts come from the folder given as `--facts`, one folder a case (`cspa_psql/assign.facts.gz`); those of `galen` and
`closure` are generated. `prepare` writes them as `RELATION.facts` in one folder, tab-separated, which every engine then
reads.
"""

from __future__ import annotations

import fnmatch
import gzip
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import generate
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from pliant.engine import Batch, Program

PROGRAMS = Path(__file__).parent / "programs"
USUAL = ("cspa_psql", "cspa_janet", "cspa_astyle", "cspa_i3", "csda_gzip", "csda_namd", "csda_psql",
         "rhodfs", "doop", "crdt", "galen")  # fmt: skip
QUICK = ("cspa_namd", "cspa_psql", "csda_gzip", "rhodfs", "galen")
_CODE = ("AssignHeapAllocation", "AssignLocal", "AssignCast", "LoadInstanceField", "StoreInstanceField",
         "LoadStaticField", "StoreStaticField", "LoadArrayIndex", "StoreArrayIndex", "Return",
         "StaticMethodInvocation", "SpecialMethodInvocation", "VirtualMethodInvocation", "ActualParam",
         "AssignReturnValue")  # fmt: skip


@dataclass(frozen=True)
class Case:
    """`changed`: the relations whose facts updates draw from, all facts alike. `reached`: only from code that the
    analysis reaches."""

    name: str
    program: str
    folder: str
    changed: tuple[str, ...]
    reached: bool = False

    @property
    def path(self) -> Path:
        return PROGRAMS / f"{self.program}.dl"

    def text(self) -> str:
        return self.path.read_text()


def find_cases(facts: Path, patterns: list[str]) -> list[Case]:
    """The cases whose names match a pattern, those whose facts are there. Raises SystemExit if a pattern has none."""
    known = {case.name: case for case in _all_cases(facts)}
    chosen: dict[str, Case] = {}
    for pattern in patterns:
        names = fnmatch.filter(known, pattern)
        if not names:
            raise SystemExit(f"no case is called {pattern}, or {facts} lacks its facts; found: {', '.join(known)}")
        chosen.update((name, known[name]) for name in names)
    return list(chosen.values())


def _all_cases(facts: Path) -> Iterator[Case]:
    for folder in sorted(facts.iterdir()):
        if folder.name.startswith("cspa_"):
            yield Case(folder.name, "cspa", folder.name, ("assign",))
        elif folder.name.startswith("csda_"):
            yield Case(folder.name, "csda", folder.name, ("arc", "nullEdge"))
        elif folder.name == "rhodfs":
            yield Case("rhodfs", "rhodfs", "rhodfs", ("asserted",))
        elif folder.name == "crdt":
            yield Case("crdt", "crdt", "crdt", ("insert", "remove"))
        elif folder.name == "doop":
            yield Case("doop", "doop", "doop", _CODE)
            yield Case("doop_reached", "doop", "doop", _CODE, reached=True)
    yield Case("galen", "galen", "", tuple(generate.GALEN))
    yield Case("closure", "closure", "", ("edge",))


def prepare(case: Case, facts: Path, work: Path, scale: float) -> Path:
    """The folder with the case's facts as `RELATION.facts`; made once in `work`."""
    name = {"galen": f"galen-{scale}", "closure": "closure"}.get(case.program, case.folder)
    target = work / "facts" / name
    if target.is_dir():
        return target
    writing = target.with_name(f"{name}.part")
    shutil.rmtree(writing, ignore_errors=True)
    writing.mkdir(parents=True)
    if case.program == "galen":
        generate.galen(writing, scale)
    elif case.program == "closure":
        generate.closure(writing)
    else:
        for path in sorted((facts / case.folder).iterdir()):
            relation, line = _READERS.get(path.name, (path.name.split(".")[0].replace("-", "_"), None))
            with gzip.open(path, "rb") as source, (writing / f"{relation}.facts").open("wb") as into:
                if line is None:
                    shutil.copyfileobj(source, into)
                else:
                    into.writelines(line(each) for each in source)
    writing.rename(target)
    return target


def _triple(line: bytes) -> bytes:
    subject, predicate, rest = line.rstrip().removesuffix(b".").split(b" ", 2)
    return b"\t".join((subject, predicate, rest.rstrip())) + b"\n"


def _spaced(line: bytes) -> bytes:
    return b"\t".join(line.split()) + b"\n"


_READERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "lubm1.nt.gz": ("asserted", _triple),
    "insert.txt.gz": ("insert", _spaced),
    "remove.txt.gz": ("remove", _spaced),
}


def load_program(case: Case) -> Program:
    return Program.parse({case.path.name: case.text()})


def load_facts(program: Program, folder: Path) -> Batch:
    """All facts in one batch."""
    tables = {name: _table(folder / f"{name}.facts", kinds) for name, kinds in program.inputs.items()}
    texts = [table.column(index) for name, table in tables.items()
             for index, kind in enumerate(program.inputs[name]) if kind == "symbol"]  # fmt: skip
    chunks = [chunk for column in texts for chunk in column.chunks]
    encoded = pa.chunked_array(chunks, pa.string()).dictionary_encode().combine_chunks() if chunks else None
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    ids = encoded.indices.to_numpy() if encoded is not None else np.zeros(0, np.int32)
    rows, start = {}, 0
    for name, table in tables.items():
        columns = np.empty((table.num_rows, table.num_columns), np.int64)
        for index, kind in enumerate(program.inputs[name]):
            if kind == "symbol":
                columns[:, index] = ids[start : start + table.num_rows]
                start += table.num_rows
            else:
                columns[:, index] = table.column(index).to_numpy()
        rows[name] = columns
    return Batch(encoded.dictionary if encoded is not None else [], rows)


def _table(path: Path, kinds: tuple[str, ...]) -> pa.Table:
    names = [str(index) for index in range(len(kinds))]
    types = {name: pa.string() if kind == "symbol" else pa.int64() for name, kind in zip(names, kinds, strict=True)}
    return pyarrow.csv.read_csv(
        path,
        pyarrow.csv.ReadOptions(column_names=names, block_size=1 << 24),
        pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False, ignore_empty_lines=False),
        pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=False),
    )


class Changes:
    """Random sets of a case's facts, to be taken out and put back."""

    def __init__(self, case: Case, program: Program, batch: Batch, among: dict[str, NDArray[np.int64]]):
        """`among`: of each relation the rows that may be drawn. A fact that is there twice counts once."""
        self.symbols = batch.symbols
        self.kinds = program.inputs
        self.facts = {name: np.unique(batch.rows[name][among[name]], axis=0) for name in case.changed}
        self.total = sum(len(facts) for facts in self.facts.values())

    def draw(self, size: int, seed: int) -> Batch:
        """`size` facts, fewer if there are not as many; the same for the same seed."""
        return self.of(np.random.default_rng(seed).choice(self.total, min(size, self.total), replace=False))

    def of(self, drawn: NDArray[np.int64]) -> Batch:
        """The facts of these numbers, which go through all that may be drawn."""
        rows, start = {}, 0
        for name, facts in self.facts.items():
            mine = drawn[(drawn >= start) & (drawn < start + len(facts))] - start
            start += len(facts)
            if len(mine):
                rows[name] = facts[mine]
        return self._narrowed(rows)

    def _narrowed(self, rows: dict[str, NDArray[np.int64]]) -> Batch:
        """A batch of these rows with only the symbols that they use."""
        kinds = {name: np.array(self.kinds[name]) == "symbol" for name in rows}
        used = np.unique(np.concatenate([some[:, kinds[name]].ravel() for name, some in rows.items()]))
        for name, some in rows.items():
            some[:, kinds[name]] = np.searchsorted(used, some[:, kinds[name]])
        return Batch(self.symbols.take(pa.array(used)) if len(used) else [], rows)


def everything(case: Case, batch: Batch) -> dict[str, NDArray[np.int64]]:
    return {name: np.arange(len(batch.rows[name])) for name in case.changed}


def only_reached(program: Program, case: Case, batch: Batch, reachable: list[str]) -> dict[str, NDArray[np.int64]]:
    """The rows whose last symbol column, or whose instruction, lies in a reachable method."""
    methods = pc.index_in(pa.array(reachable), pa.array(batch.symbols)).to_numpy()
    known = np.zeros(len(batch.symbols), np.bool_)
    known[methods[methods >= 0]] = True
    among = {}
    instructions = np.zeros(len(batch.symbols), np.bool_)
    for name in case.changed:
        rows = batch.rows[name]
        declared = program.schemas[name]
        if name in ("ActualParam", "AssignReturnValue"):
            inside = instructions[rows[:, 1 if name == "ActualParam" else 0]]
        else:
            column = 4 if name == "AssignHeapAllocation" else len(declared.kinds) - 1
            inside = known[rows[:, column]]
            instructions[rows[inside, 0]] = True
        among[name] = np.flatnonzero(inside)
    return among
