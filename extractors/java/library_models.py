"""What is known of Java's library, by class: models that are written by hand (extractors/models/java.toml tells their
format), and what the sources of a library say of its members (contracts.py)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pliant.extractors import model_names, toml
from pliant.extractors.model_files import ModelError, ModelFile

MODELS = Path(__file__).parent.parent / "models" / "java.toml"
SOURCES = MODELS.parent / "jdk.json"
FROM_SOURCES = "from_sources"  # of a file: its tables are what the sources of a library say
_MEMBER = re.compile(r"[\w$.<>\[\]]+(?:/\d{1,3})?")
KEYS = {
    "bases": list,
    "mutable": bool,
    "nullable": list,
    "mutates": list,
    "replaces": list,
    "returns": dict,
    "new": dict,
    "receiver": list,
    "item": list,
    "stores": dict,
    "appends": dict,
    "puts": dict,
    "changes": dict,
    "picks": list,
    "asks": list,
    "argument": dict,
    "applied": dict,
    "members": list,
    "noreturn": list,
    "present": dict,
    "requires": dict,
}
CONSTRUCTOR = "<init>"  # in `requires`, of a class

Tables = dict[str, dict[str, Any]]


@dataclass(frozen=True, eq=False, slots=True)
class Models:
    """Class -> its model. written: by hand. sources: what sources say of members of which no model speaks."""

    written: Tables
    sources: Tables

    def above(self, name: str) -> dict[str, None]:
        """The classes that a class inherits from by either, each once."""
        found: dict[str, None] = {}
        todo = [name]
        while todo:
            each = todo.pop()
            for tables in (self.written, self.sources):
                new = [base for base in tables.get(each, {}).get("bases", ()) if base not in found]
                found.update(dict.fromkeys(new))
                todo += new
        return found


@cache
def version() -> str:
    return f"2-{hashlib.sha256(MODELS.read_bytes() + SOURCES.read_bytes()).hexdigest()[:16]}"


@cache
def load(files: tuple[ModelFile, ...] = ()) -> Models:
    """What is known with files of a user's own: those come on top of the built-in ones, and win, key by key. Raises
    ModelError."""
    found = Models(_tables(files, from_sources=False), _tables(files, from_sources=True))
    for name, table in found.written.items():
        for other in _classes(table):
            if other not in found.written and other not in found.sources and other != "java.lang.String":
                raise ModelError(f'["{name}"]: no table for the class {other}')
        if name in found.above(name):
            raise ModelError(f'["{name}"]: a class is no base of itself')
    return found


@cache
def built_in() -> Tables:
    """The models that are written by hand, without those of a user's own."""
    return _checked(str(MODELS), MODELS.read_text(encoding="utf-8"))[0]


def _tables(files: Iterable[ModelFile], *, from_sources: bool) -> Tables:
    tables = dict(_jdk() if from_sources else built_in())
    for file in files:
        told, are_sources = _checked(file.name, file.text)
        if are_sources == from_sources:
            tables |= {name: {**tables.get(name, {}), **table} for name, table in told.items()}
    return tables


@cache
def _jdk() -> Tables:
    tables: Tables = json.loads(SOURCES.read_text(encoding="utf-8"))["classes"]
    return tables


def _classes(table: dict[str, Any]) -> Iterator[Any]:
    """The classes that a model names."""
    yield from table.get("bases", ())
    yield from table.get("returns", {}).values()
    yield from table.get("new", {}).values()


@cache
def asserting() -> frozenset[str]:
    """Functions that are called so that they fail for null (models/java_calls.toml)."""
    calls = toml.loads((MODELS.parent / "java_calls.toml").read_text(encoding="utf-8"))
    return frozenset((*calls["requires"], *calls["fails"]))


def _checked(where: str, text: str) -> tuple[Tables, bool]:
    """The tables of a file, and whether they are what sources say."""
    try:
        tables = model_names.rest(toml.loads(text))
    except toml.TomlError as error:
        raise ModelError(f"{where}: {error}") from error
    are_sources = tables.pop(FROM_SOURCES, False)
    if not isinstance(are_sources, bool):
        raise ModelError(f"{where}: {FROM_SOURCES}: expected true or false, found {are_sources!r}")
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ModelError(f'{where}: expected a table such as ["package.Class"], found {name} = {table!r}')
        for key, value in table.items():
            if key not in KEYS:
                raise ModelError(f'{where}: ["{name}"]: unknown key {key!r}; expected one of {", ".join(KEYS)}')
            if not isinstance(value, KEYS[key]):
                raise ModelError(f'{where}: ["{name}"].{key}: expected a {KEYS[key].__name__}, found {value!r}')
            members = list(value) if isinstance(value, list | dict) else []
            if not all(isinstance(member, str) and _MEMBER.fullmatch(member) for member in members):
                raise ModelError(f'{where}: ["{name}"].{key}: expected names of members, such as "get/1"')
        for other in _classes(table):
            if not isinstance(other, str):
                raise ModelError(f'{where}: ["{name}"]: expected the name of a class, found {other!r}')
        for member, numbers in table.get("requires", {}).items():
            if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
                raise ModelError(f'{where}: ["{name}"].requires: expected numbers of arguments, found {numbers!r}')
            if "/" not in member:
                raise ModelError(f'{where}: ["{name}"].requires: expected a member such as "get/1", found {member}')
    return tables, are_sources
