"""An opened state: layers that are checked when they are used, relations that are loaded when they are asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..backends.embedded.arrangement import Arrangement, Run, merge_runs
from ..backends.embedded.keys import EXACT_WIDTH
from ..backends.embedded.relation import NUMBERS, SETTLED, Number, Relation
from ..backends.embedded.widths import WIDTHS
from ..datalog.program import Program
from ..errors import StateError
from ..symbols import SymbolTable
from .arrays import TEXT, DataFile, code_of
from .delta import apply
from .files import Descriptor
from .manifest import LIMIT, MANIFEST, MAX_LAYERS, Entry, Refused, base_name, base_of, data_of, unseal
from .whole import key_name, room

_TRIES: Final = 3  # readings of a manifest whose files another process replaces meanwhile
_MOST: Final = 2**31
_NUMBERS: Final = tuple(code_of(each) for each in WIDTHS)


@dataclass(frozen=True, slots=True)
class Layer:
    """`name` and `data_name`: the files in the state's folder. `below`: the id of the layer below."""

    id: str
    below: str | None
    entry: Entry
    name: str
    manifest: Descriptor
    data_name: str
    data: DataFile

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.manifest.size + self.data.descriptor.size


class SavedState:
    """The state of a folder, as it was when it was opened: what happens to the folder later does not matter."""

    def __init__(self, directory: Path, program: Program):
        self.directory, self.program = directory, program
        with self.refusing():
            self.folder, self.layers = _open(directory, program)
            counts = [layer.entry.natural("symbols") for layer in self.layers]
            if counts != sorted(counts):
                raise Refused("its layers have fewer and fewer symbols")
        self.symbol_counts = counts

    def again(self, layers: int | None = None) -> SavedState:
        """The same state with private pages of its own; of its first `layers` layers only, if given."""
        other = object.__new__(SavedState)
        other.directory, other.program, other.folder = self.directory, self.program, self.folder
        other.layers = [
            Layer(each.id, each.below, each.entry, each.name, each.manifest, each.data_name, each.data.again())
            for each in self.layers[:layers]
        ]
        other.symbol_counts = self.symbol_counts[:layers]
        return other

    @property
    def id(self) -> str:
        return self.layers[-1].id

    @property
    def symbol_count(self) -> int:
        return self.symbol_counts[-1]

    def bootstrap_work(self) -> dict[int, int]:
        with self.refusing():
            work = self.layers[-1].entry.get("bootstrap_work", dict)
            try:
                return {int(stratum): int(rows) for stratum, rows in work.items()}
            except (TypeError, ValueError):
                raise Refused("the manifest's bootstrap work is malformed") from None

    def symbols(self) -> SymbolTable:
        texts: list[Any] = []
        runs: list[Run] = []
        with self.refusing():
            for layer, before, count in zip(self.layers, [0, *self.symbol_counts], self.symbol_counts, strict=False):
                if count > before:
                    part, run = _symbols(layer, before, count)
                    texts.append(part)
                    runs.append(run)
        # What deltas added is one chunk: most lookups are in the first.
        for run in runs[2:]:
            runs[1] = merge_runs(runs[1], run)
        return SymbolTable([*texts[:1], pa.concat_arrays(texts[1:])] if len(texts) > 1 else texts, runs[:2])

    def relation(self, name: str, *, to_compare: bool = False) -> Relation:
        """Load a relation: check its arrays and map them, then bring it up to date by the deltas on it.

        `to_compare`: without arrangements, and with no check but the digests'.
        """
        with self.refusing():
            entries = [layer.entry.entry("relations") for layer in self.layers]
            whole = entries[0].entry(name)
            relation = self._whole(name, whole, checked=not to_compare)
            if not to_compare:
                for columns in whole.get("arrangements", list):
                    _load_arrangement(relation, self.layers[0].data, whole.entry("arrays"), columns)
            for number, entry in enumerate(entries):
                if number and name in entry:
                    self._bring(number, relation, entry.entry(name))
            return relation

    def fanout(self, name: str, key: tuple[int, ...]) -> float | None:
        """What was estimated of a relation when it was saved; no more than a hint."""
        with self.refusing():
            entry = self.layers[0].entry.entry("relations").entry(name)
            found = entry.entry("fanouts").fields.get(key_name(key))
            return float(found) if isinstance(found, (int, float)) else None

    def size_of(self, name: str) -> int:
        """Bytes on disk of a relation's arrays, in all layers."""
        total = 0
        for layer in self.layers:
            relations = layer.entry.entry("relations")
            if name in relations:
                for code, _, length, *_ in relations.entry(name).get("arrays", dict).values():
                    total += int(code[1]) * int(length)
        return total

    def changed_since(self, layers: int) -> set[str]:
        """The relations that a layer above the first `layers` has."""
        return {name for layer in self.layers[layers:] for name in layer.entry.entry("relations")}

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """Whatever does not fit is a StateError that names the state."""
        try:
            yield
        except Refused as refused:
            raise StateError(f"the state in {self.directory} cannot be used: {refused}") from None

    def _whole(self, name: str, entry: Entry, checked: bool) -> Relation:
        schema, data, arrays = self.program.stored[name], self.layers[0].data, entry.entry("arrays")
        size = entry.natural("size")
        most = size + room(size)
        relation = Relation(name, schema.arity, levelled=entry.get("levelled", bool))
        relation.columns = [
            data.array(name, arrays, f"column{index}", ("i4",), most, size) for index in range(schema.arity)
        ]
        relation.state = data.array(name, arrays, "state", ("u1",), most, size)
        if checked:
            self._check_ids(relation.columns, size, 0, name)
        if checked and not (relation.state[:size] == SETTLED).all():
            raise Refused(f"{name} was saved in the middle of an update")
        lengths = {len(relation.state), *map(len, relation.columns)}
        if relation.level is not None:
            for what in NUMBERS:
                values = data.array(name, arrays, what, _NUMBERS, most, size)
                if checked:
                    _check_numbers(values[:size], what, name)
                setattr(relation, what, values)
                lengths.add(len(values))
        if len(lengths) > 1:
            raise Refused(f"the columns of {name} differ in length")
        relation.size = relation.stable = size
        return relation

    def _bring(self, number: int, relation: Relation, entry: Entry) -> None:
        name, data, arrays = relation.name, self.layers[number].data, entry.entry("arrays")
        before, added = entry.natural("before"), entry.natural("added")
        if before != relation.size or before + added >= _MOST:
            raise Refused(f"its delta of {name} belongs to another state")
        rows = data.array(name, arrays, "rows", ("i4",), before)
        _check_range(rows, 0, before, f"a row of {name}")
        if (np.diff(rows) <= 0).any():
            raise Refused(f"the rows of {name} are out of order")
        state = data.array(name, arrays, "state", ("u1",), len(rows), len(rows))
        if not ((state == 0) | (state == SETTLED)).all():
            raise Refused(f"{name} was saved in the middle of an update")
        columns = [data.array(name, arrays, f"column{at}", ("i4",), added, added) for at in range(relation.arity)]
        self._check_ids(columns, added, number, name)
        numbers: dict[Number, NDArray[Any]] = {}
        if relation.level is not None:
            living = np.concatenate([state != 0, np.ones(added, np.bool_)])
            for what in NUMBERS:
                numbers[what] = data.array(name, arrays, what, _NUMBERS, len(living), len(living))
                _check_numbers(numbers[what][living], what, name)
                if numbers[what][~living].any():
                    raise Refused(f"a {what} of {name} is out of range")
        apply(relation, rows, state, columns, added, numbers)

    def _check_ids(self, columns: list[NDArray[Any]], size: int, number: int, name: str) -> None:
        for column, kind in zip(columns, self.program.stored[name].kinds, strict=True):
            if kind == "symbol":
                _check_range(column[:size], 0, self.symbol_counts[number], f"a symbol of {name}")


def _open(directory: Path, program: Program) -> tuple[Descriptor, list[Layer]]:
    """The folder and its layers, the whole one first."""
    for attempt in range(_TRIES):
        try:
            folder = Descriptor.of_folder(directory)
            manifest = Descriptor.of_file(folder, MANIFEST)
        except FileNotFoundError:
            raise StateError(f"there is no state in {directory}") from None
        except OSError as error:
            raise Refused(error.strerror or str(error)) from None
        try:
            return folder, list(reversed(list(_layers(folder, manifest, program))))
        except FileNotFoundError as error:
            if attempt == _TRIES - 1:
                raise Refused(f"it lacks its file {error.filename}") from None
        except (OSError, ValueError) as error:
            raise Refused(str(error)) from None
    raise AssertionError


def _layers(folder: Descriptor, manifest: Descriptor, program: Program) -> Iterator[Layer]:
    """From the newest down."""
    name, expected = MANIFEST, None
    for _ in range(MAX_LAYERS):
        entry, found = unseal(manifest.read(LIMIT))
        if expected is not None and found != expected:
            raise Refused("what stands in place of the state that it is a delta on is another one")
        if entry.get("program", str) != program.hash:
            raise Refused("it belongs to another program")
        data_name, size = data_of(entry)
        data = Descriptor.of_file(folder, data_name)
        if data.size != size:
            raise Refused(f"{data_name} has {data.size} bytes where {size} were saved")
        below = base_of(entry)
        yield Layer(found, below, entry, name, manifest, data_name, DataFile(data, entry.entry("packed"), set()))
        if below is None:
            return
        name, expected = base_name(below), below
        manifest = Descriptor.of_file(folder, name)
    raise Refused(f"it has more than {MAX_LAYERS} layers")


def layers_of(directory: Path) -> tuple[tuple[str, ...], str]:
    """The ids of a state's layers, the newest first, and the hash of its program, whatever program that is."""
    try:
        folder = Descriptor.of_folder(directory)
        name: str | None = MANIFEST
        ids: list[str] = []
        program = ""
        while name is not None and len(ids) < MAX_LAYERS:
            entry, found = unseal(Descriptor.of_file(folder, name).read(LIMIT))
            program = program or entry.get("program", str)
            ids.append(found)
            below = base_of(entry)
            name = None if below is None else base_name(below)
        return tuple(ids), program
    except (OSError, Refused) as error:
        raise StateError(f"the state in {directory} cannot be used: {error}") from None


def _symbols(layer: Layer, before: int, count: int) -> tuple[Any, Run]:
    """The strings with ids from `before` to `count`, and their index. The mapping is their own: Arrow trusts offsets
    that were checked, so nothing may write to them afterwards."""
    data, arrays, size = layer.data.again(), layer.entry.entry("symbol_arrays"), count - before
    offsets = data.array("symbols", arrays, f"{TEXT}.offsets", ("i8",), size + 1, size + 1)
    text = data.array("symbols", arrays, f"{TEXT}.bytes", ("u1",), data.descriptor.size)
    keys = data.array("symbols", arrays, "hash", ("u8",), size, size)
    ids = data.array("symbols", arrays, "id", ("i4",), size, size)
    if offsets[0] < 0 or offsets[-1] > len(text) or (np.diff(offsets) < 0).any():
        raise Refused("the symbol table points outside its text")
    _check_range(ids, before, count, "the symbol index")
    texts = pa.LargeStringArray.from_buffers(size, pa.py_buffer(offsets), pa.py_buffer(text))
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid as error:
        raise Refused(f"the symbol table is not valid text ({error})") from None
    return texts, Run(keys, ids)


def _load_arrangement(relation: Relation, data: DataFile, arrays: Entry, columns: Any) -> None:
    known = isinstance(columns, list) and all(type(each) is int and 0 <= each < relation.arity for each in columns)
    if not known or len(set(columns)) != len(columns):
        raise Refused(f"an arrangement of {relation.name} has columns {str(columns)[:80]}")
    name, size = key_name(columns), relation.size
    kind = "u8" if len(columns) <= EXACT_WIDTH else "u4"
    keys = data.array(relation.name, arrays, f"keys{name}", (kind,), size, size)
    rows = data.array(relation.name, arrays, f"rows{name}", ("i4",), size, size)
    _check_range(rows, 0, size, f"an arrangement of {relation.name}")
    relation.arrangements[tuple(columns)] = Arrangement(tuple(columns), [Run(keys, rows)] if size else [], size)


def _check_range(array: NDArray[Any], low: int, high: int, what: str) -> None:
    if len(array) and not (low <= int(array.min()) and int(array.max()) < high):
        raise Refused(f"{what} is out of range")


def _check_numbers(array: NDArray[Any], what: str, name: str) -> None:
    low, high = (0, _MOST) if what == "level" else (0 if what == "above" else 1, 2**63)
    _check_range(array, low, high, f"a {what} of {name}")


class LazyRelations(dict[str, Relation]):
    """Relations by name; one that was not used yet is loaded from the saved state."""

    def __init__(self, saved: SavedState | None = None, loaded: Mapping[str, Relation] = {}):
        super().__init__(loaded)
        self.saved = saved

    def __missing__(self, name: str) -> Relation:
        if self.saved is None:
            raise KeyError(name)
        relation = self[name] = self.saved.relation(name)
        return relation

    def fanout(self, name: str, key: tuple[int, ...]) -> float | None:
        """Of a relation that is not loaded, if it is known."""
        return None if self.saved is None else self.saved.fanout(name, key)

    def copy(self) -> LazyRelations:
        copies = {name: relation.copy() for name, relation in self.items()}
        return LazyRelations(None if self.saved is None else self.saved.again(), copies)
