"""Names of libraries whose meaning is the same in all languages: tables of model files that become facts as they are.

A relation of the schema whose first columns are `module` and `member` is filled from the tables of its name, without
`lib_`: those of models/names.toml, by language, and those of a user's own model files. Rules read the facts; a pass
that looks for names asks `names`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pliant.extractors import toml
from pliant.extractors.model_files import ModelError, ModelFile
from pliant.extractors.schema import RELATIONS
from pliant.extractors.writer import FactWriter

FILE = Path(__file__).parent / "models" / "names.toml"
_ARITIES = range(6)  # numbers of arguments, where methods are found by name and number
_OWNER = "lib_owner"
_READ_BY_LANGUAGE = ("python", "java")  # that have tables of their own in such files

# Table -> its relation.
TABLES = {
    name.removeprefix("lib_"): name
    for name, relation in RELATIONS.items()
    if [column for column, _ in relation.columns[:2]] == ["module", "member"] and name != _OWNER
}
Row = tuple[str, str, tuple[str, ...]]  # table, dotted name of the member, what is said of it


@cache
def version() -> str:
    return hashlib.sha256(FILE.read_bytes()).hexdigest()[:16]


@cache
def _built_in() -> dict[str, dict[str, Any]]:
    return toml.loads(FILE.read_text(encoding="utf-8"))


def rest(tables: dict[str, Any]) -> dict[str, Any]:
    """What is left of a model file for the reader of its language."""
    return {name: table for name, table in tables.items() if name not in TABLES}


def rows(language: str, files: Iterable[ModelFile] = ()) -> Iterator[Row]:
    """What models say, the built-in ones first. Raises ModelError."""
    yield from _rows(FILE.name, _built_in().get(language, {}))
    for file in files:
        if file.language == language:
            try:
                tables = toml.loads(file.text)
            except toml.TomlError as error:
                raise ModelError(f"{file.name}: {error}") from error
            other = next(iter(rest(tables)), None)
            if other is not None and language not in _READ_BY_LANGUAGE:
                raise ModelError(f"{file.name}: unknown table {other!r}; expected one of {', '.join(sorted(TABLES))}")
            yield from _rows(file.name, {name: table for name, table in tables.items() if name in TABLES})


def _rows(where: str, tables: dict[str, Any]) -> Iterator[Row]:
    for table, content in tables.items():
        said = len(RELATIONS[TABLES[table]].columns) > 2
        expected = "a table of names and lists of names" if said else "a list of names"
        if not isinstance(content, dict if said else list):
            raise ModelError(f"{where}: {table}: expected {expected}, found {content!r}")
        for name in content:
            values = content[name] if said else []
            if not isinstance(name, str) or not isinstance(values, list) or not all(isinstance(v, str) for v in values):
                raise ModelError(f"{where}: {table}: expected {expected}, found {name!r} = {values!r}")
            yield table, name, tuple(values)


@cache
def names(language: str, table: str) -> tuple[frozenset[str], frozenset[str]]:
    """The last parts of the names in a built-in table, and of what it says of them."""
    found = [(name, values) for key, name, values in rows(language) if key == table]
    last = frozenset(name.rpartition(".")[2] for name, _ in found)
    return last, frozenset(value for _, values in found for value in values)


def write(writer: FactWriter, language: str, linkage: str, arity: bool, files: Iterable[ModelFile] = ()) -> None:
    """Write the facts of a language. linkage: the module of names without one. arity: whether methods are found by
    name and number of arguments. Raises ModelError."""
    said: set[tuple[str, ...]] = set()

    def once(relation: str, *entries: str) -> None:
        if (relation, *entries) not in said:
            said.add((relation, *entries))
            writer.row(relation, *(writer.symbol(entry) for entry in entries))

    def written(name: str) -> list[str]:
        return [name, *(f"{name}/{count}" for count in _ARITIES)] if arity else [name]

    for table, name, values in rows(language, files):
        module, _, member = name.rpartition(".")
        module = module or linkage
        outer, _, inner = module.rpartition(".")
        if outer:
            once(_OWNER, outer, inner, module)
        for each in written(member):
            if values:
                for value in values:
                    for said_of in written(value):
                        once(TABLES[table], module, each, said_of)
            else:
                once(TABLES[table], module, each)
