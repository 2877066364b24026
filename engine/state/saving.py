"""Saving: a delta where one is small beside what it is a delta on, else everything.

The data file is written under a fresh name and flushed; what the state needs of its base is linked; then the manifest
takes its place by renaming: a crash at any point leaves the old state or the new one. Writers of one directory take
turns; readers never wait. What a crash leaves behind goes with the next save.

Compaction: a delta goes on top of the newest layer while there are less than MAX_LAYERS and the deltas together have at
most a quarter of the whole layer's bytes. Past the number, one delta on the whole layer takes the place of all; past
the share, or where there is nothing to build on, the state is written whole, without tombstones and unused symbols.
"""

from __future__ import annotations

import contextlib
import errno
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ..datalog.program import Program
from ..errors import StateError
from ..symbols import SymbolTable
from . import files
from .arrays import TEXT, Arrays, write_arrays
from .delta import difference, new_symbols
from .files import Descriptor
from .manifest import FORMAT, MANIFEST, MAX_LAYERS, base_name, seal
from .saved import LazyRelations, SavedState
from .whole import describe, describe_symbols, symbols_in_use

Lookups = Callable[[Program], Iterable[tuple[str, tuple[int, ...]]]]
Form = Literal["any", "delta", "whole"]
SHARE: Final = 4  # deltas have at most this part of the whole layer's bytes
_FRAME: Final = 4096  # bytes of a layer beside its arrays, about
_OURS: Final = re.compile(r"(data|symbols|relations)-[0-9a-f]+\.arrow|base-[0-9a-f]+\.json|manifest\.json\..*\.tmp")


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save wrote, in bytes, and the number of layers that the state has. `state`: a whole state, opened, if
    symbols have the same ids in it as in the evaluation."""

    size: int
    layers: int
    state: SavedState | None


@dataclass(slots=True)
class _Content:
    """A layer before it is written."""

    base: SavedState | None
    symbols: int
    texts: Any
    symbol_arrays: Arrays
    relations: dict[str, tuple[dict[str, Any], Arrays]]
    renumbered: bool = False

    @property
    def size(self) -> int:
        """Bytes that it will take, about."""
        arrays = [
            *self.symbol_arrays.values(),
            *(array for _, own in self.relations.values() for array in own.values()),
        ]
        return _FRAME + sum(array.nbytes + 32 for array in arrays) + int(self.texts.nbytes)


@dataclass(frozen=True, slots=True)
class State:
    """What is saved. `lookups`: what arrangements a whole state is to have. `constants`: ids of the symbols in rules.
    `work`: of a Bootstrap, by stratum."""

    program: Program
    symbols: SymbolTable
    relations: LazyRelations
    lookups: Lookups
    constants: Sequence[int]
    work: Mapping[int, int]


def save(
    directory: Path, state: State, origin: SavedState | None, touched: Set[str], form: Form, limit: int | None
) -> Saved | None:
    """Write a state to `directory`, in place of the one that may be there.

    `origin`: a state with the same symbol ids, to write a delta on; `touched` has every relation that changed since.
    `form`: "delta" writes a delta, of about `limit` bytes at most, or nothing, and then gives None.
    Raises StateError if the directory cannot be written; what was there stays.
    """
    content = None if origin is None or form == "whole" else _delta(state, origin, touched)
    if form == "delta" and (content is None or (limit is not None and content.size > limit)):
        return None
    try:
        directory.mkdir(parents=True, exist_ok=True)
        folder = Descriptor.of_folder(directory)
        with files.locked(folder) as alone:
            if content is not None and content.base is not None and not _link(content.base, folder):
                content = None
                if form == "delta":
                    return None
            if content is None:
                content = _whole(state)
            size = _write(folder, state.program, content, state.work, tidy=alone)
            layers = 1 + (len(content.base.layers) if content.base else 0)
            fresh = None
            if layers == 1 and alone and not content.renumbered:
                with contextlib.suppress(StateError):
                    fresh = SavedState(directory, state.program)
            return Saved(size, layers, fresh)
    except OSError as error:
        told = error.strerror or str(error)
        raise StateError(f"the state cannot be written to {directory}: {told}") from None


def _whole(state: State) -> _Content:
    symbols, relations, stored = state.symbols, state.relations, state.program.stored
    keys: dict[str, list[tuple[int, ...]]] = {}
    for name, key in state.lookups(state.program):
        keys.setdefault(name, []).append(key)
    used = symbols_in_use(((relations[name], stored[name].kinds) for name in stored), len(symbols), state.constants)
    texts, index, ids = describe_symbols(symbols, used)
    described = {
        name: describe(relations[name], schema.kinds, keys.get(name, ()), ids) for name, schema in stored.items()
    }
    return _Content(None, len(texts), texts, index, described, ids is not None)


def _delta(state: State, origin: SavedState, touched: Set[str]) -> _Content | None:
    """What changed since the newest layer that the rule of compaction allows to build on."""
    program, symbols, relations = state.program, state.symbols, state.relations
    for layers in dict.fromkeys((len(origin.layers), 1)):
        if layers == MAX_LAYERS:
            continue
        base = origin.again(layers)
        candidates = origin.changed_since(layers) | touched
        changed = {}
        for name in (name for name in program.stored if name in candidates):
            found = difference(relations[name], base.relation(name, to_compare=True))
            if found is not None:
                changed[name] = found
        texts, index = new_symbols(symbols, base.symbol_count)
        content = _Content(base, len(symbols), texts, index, changed)
        deltas = content.size + sum(layer.size for layer in base.layers[1:])
        if SHARE * deltas <= base.layers[0].size:
            return content
    return None


def _link(base: SavedState, folder: Descriptor) -> bool:
    """Gives the folder the files of all layers of `base`; False if that cannot be done."""
    try:
        for layer in base.layers:
            files.link(base.folder, layer.data_name, layer.data.descriptor, folder, layer.data_name)
            files.link(base.folder, layer.name, layer.manifest, folder, base_name(layer.id))
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        return False
    return True


def _write(folder: Descriptor, program: Program, content: _Content, work: Mapping[int, int], *, tidy: bool) -> int:
    token = secrets.token_hex(8)
    data, temporary = f"data-{token}.arrow", f"{MANIFEST}.{token}.tmp"
    try:
        arrays = dict(content.symbol_arrays)
        for relation, (_, own) in content.relations.items():
            arrays.update((f"{relation}/{name}", array) for name, array in own.items())
        placed, packed, size = write_arrays(folder, data, arrays, content.texts)
        entries = {
            relation: {**entry, "arrays": {name: placed[f"{relation}/{name}"] for name in own}}
            for relation, (entry, own) in content.relations.items()
        }
        manifest, _ = seal(
            {
                "format": FORMAT,
                "program": program.hash,
                "base": content.base.id if content.base else None,
                "data": data,
                "size": size,
                "symbols": content.symbols,
                "symbol_arrays": {
                    name: placed[name] for name in (*content.symbol_arrays, f"{TEXT}.offsets", f"{TEXT}.bytes")
                },
                "packed": packed,
                "relations": entries,
                "bootstrap_work": {str(stratum): rows for stratum, rows in work.items()},
            }
        )
        files.write(folder, temporary, manifest)
        files.flush(folder)
        files.replace(folder, temporary, MANIFEST)
    except OSError:
        for name in (temporary, data):
            files.remove(folder, name)
        raise
    files.flush(folder)
    layers = content.base.layers if content.base else []
    if tidy:
        kept = {data, *(layer.data_name for layer in layers), *(base_name(layer.id) for layer in layers)}
        for name in files.names(folder):
            if _OURS.fullmatch(name) and name not in kept:
                files.remove(folder, name)
    return size + len(manifest)
