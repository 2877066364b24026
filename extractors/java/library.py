"""The models of Java's library as facts; their format is told at the top of extractors/models/java.toml."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pliant.extractors import model_names, toml
from pliant.extractors.model_files import ModelError, ModelFile
from pliant.extractors.writer import FactWriter

MODELS = Path(__file__).parent.parent / "models" / "java.toml"
_MEMBER = re.compile(r"[\w$.<>\[\]]+(?:/\d{1,3})?")
_ARITIES = range(6)  # numbers of arguments that a member without one is known for
_KEYS = {
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
}
_OF_ARGUMENTS = frozenset(("stores", "appends", "puts", "changes", "argument", "applied"))


@cache
def version() -> str:
    return f"1-{hashlib.sha256(MODELS.read_bytes()).hexdigest()[:16]}"


Tables = dict[str, dict[str, Any]]


@cache
def models(files: tuple[ModelFile, ...] = ()) -> Tables:
    """Class -> its model; those of `files` come on top of the built-in ones, and win, key by key."""
    tables: Tables = {}
    for where, text in [(str(MODELS), MODELS.read_text(encoding="utf-8")), *((file.name, file.text) for file in files)]:
        for name, table in _checked(where, text).items():
            tables[name] = {**tables.get(name, {}), **table}
            for other in [*table.get("bases", ()), *table.get("returns", {}).values(), *table.get("new", {}).values()]:
                if not isinstance(other, str):
                    raise ModelError(f'{where}: ["{name}"]: expected the name of a class, found {other!r}')
    for name, table in tables.items():
        for other in [*table.get("bases", ()), *table.get("returns", {}).values(), *table.get("new", {}).values()]:
            if other not in tables and other != "java.lang.String":
                raise ModelError(f'["{name}"]: no table for the class {other}')
        if name in _above(tables, name):
            raise ModelError(f'["{name}"]: a class is no base of itself')
    return tables


def _checked(where: str, text: str) -> Tables:
    try:
        tables = model_names.rest(toml.loads(text))
    except toml.TomlError as error:
        raise ModelError(f"{where}: {error}") from error
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ModelError(f'{where}: expected a table such as ["package.Class"], found {name} = {table!r}')
        for key, value in table.items():
            if key not in _KEYS:
                raise ModelError(f'{where}: ["{name}"]: unknown key {key!r}; expected one of {", ".join(_KEYS)}')
            if not isinstance(value, _KEYS[key]):
                raise ModelError(f'{where}: ["{name}"].{key}: expected a {_KEYS[key].__name__}, found {value!r}')
            members = list(value) if isinstance(value, list | dict) else []
            if not all(isinstance(member, str) and _MEMBER.fullmatch(member) for member in members):
                raise ModelError(f'{where}: ["{name}"].{key}: expected names of members, such as "get/1"')
    return tables


def _above(tables: Tables, name: str) -> dict[str, None]:
    """The classes that a class inherits from, each once."""
    found: dict[str, None] = {}
    left = [name]
    while left:
        for base in tables[left.pop()].get("bases", ()):
            if base in tables and base not in found:
                found[base] = None
                left.append(base)
    return found


@cache
def always_set(member: str) -> frozenset[str]:
    """The literal arguments with which no class's `member` gives null, although it may for others."""
    return frozenset(argument for table in models().values() for argument in table.get("present", {}).get(member, ()))


def ancestors(tables: Tables, name: str) -> Iterator[str]:
    """The class and those that it inherits from."""
    yield name
    yield from _above(tables, name)


def write(writer: FactWriter, files: tuple[ModelFile, ...] = ()) -> None:
    """The facts of the whole library."""
    tables = models(files)

    def row(relation: str, *entries: str | int) -> None:
        writer.row(relation, *(writer.symbol(entry) if isinstance(entry, str) else entry for entry in entries))

    said: set[tuple[str | int, ...]] = set()

    def once(relation: str, *entries: str | int) -> None:
        if (relation, *entries) not in said:
            said.add((relation, *entries))
            row(relation, *entries)

    for name, model in tables.items():
        owner, _, simple = name.rpartition(".")
        row("lib_class", name)
        row("lib_member", owner, simple, name)
        row("lib_instance", f"{name}()", name)
        row("lib_object", name, f"{name}()")
        for base in sorted(set(ancestors(tables, name))):
            once("lib_base", name, base)
        if model.get("mutable"):
            row("lib_mutable", name)
        own = {member.partition("/")[0] for key in ("replaces", "new") for member in model.get(key, ())}
        for of in ancestors(tables, name):
            for member, key, value in _members(tables[of]):
                plain, _, arity = member.partition("/")
                counts = [int(arity)] if arity else list(_ARITIES)
                # A class that says more of an inherited member has it as its own.
                entity = f"{name if plain in own else of}.{plain}"
                if key in _OF_ARGUMENTS and arity:  # which argument it is depends on how many there are
                    entity = f"{entity}/{arity}"
                _member(once, name, entity, plain, counts, key, value)


def _members(model: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for key in ("nullable", "mutates", "replaces", "receiver", "item", "picks", "asks", "members", "noreturn"):
        for member in model.get(key, ()):
            yield member, key, None
    for key in ("returns", "new", "stores", "appends", "puts", "changes", "argument", "applied"):
        for member, value in model.get(key, {}).items():
            yield member, key, value


def _member(once: Any, name: str, entity: str, plain: str, counts: list[int], key: str, value: Any) -> None:
    once("lib_function", entity)
    for count in counts:
        once("lib_member", name, f"{plain}/{count}", entity)
        if key == "nullable":
            once("lib_nullable", entity, count)
    if key == "returns" and value != "java.lang.String":
        once("lib_returns", entity, f"{value}()")
    elif key == "new":
        once("lib_new", entity, value)
    elif key in ("stores", "appends", "puts", "changes"):
        once(f"lib_{key}", entity, value)
    elif key == "argument":
        once("lib_returns_argument", entity, value, "")
    elif key == "applied":
        once("lib_returns_applied", entity, value)
    elif key == "noreturn":
        once("lib_noreturn", entity)
    elif key == "mutates":
        once("lib_mutates", entity)
    elif key == "replaces":
        once("lib_replaces", entity)
    elif key == "receiver":
        once("lib_returns_receiver", entity)
    elif key == "item":
        once("lib_returns_item", entity)
    elif key in ("picks", "asks"):
        once(f"lib_{key}", entity)
