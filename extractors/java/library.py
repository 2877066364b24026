"""What is known of Java's library, as facts: of all models, and of the classes that can be reached from those that a
repository names, by what they inherit from and what their members return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pliant.extractors.java.library_models import CONSTRUCTOR, KEYS, Models, Tables, asserting, load
from pliant.extractors.model_files import ModelFile
from pliant.extractors.writer import FactWriter

_ARITIES = range(6)  # numbers of arguments that a member without one is known for
_OF_CLASSES = frozenset(("bases", "mutable"))
_GIVING = ("returns", "new", "receiver", "item", "argument", "applied", "picks")  # what tells the result of a member
_SAID = ("nullable", "returns", "members")  # what sources say of members, besides what they require
_UNKNOWN = "effects_unknown"  # in no model file: members of which nothing but that is known
_OF_ARGUMENTS = frozenset(("stores", "appends", "puts", "changes", "argument", "applied"))


def known(mentioned: Iterable[str], files: tuple[ModelFile, ...] = ()) -> frozenset[str]:
    """Those of the names that are classes whose sources were read."""
    sources = load(files).sources
    return frozenset(name for name in mentioned if name in sources)


def _reached(models: Models, classes: Iterable[str]) -> Tables:
    """All models, with what sources say of classes and of all that these inherit from or return."""
    found, todo = dict(models.written), list(classes)
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen and name in models.sources:
            seen.add(name)
            table = found[name] = _merged(models, name)
            todo += (*table["bases"], *table["returns"].values(), *table.get("new", {}).values())
    return found


def _merged(models: Models, name: str) -> dict[str, Any]:
    """The model of a class, with what its sources say besides: of the results of members whose results no model of it
    or of what it inherits from tells, and of null where none speaks of the member."""
    said, model = models.sources[name], models.written.get(name, {})
    bases = list(dict.fromkeys([*model.get("bases", ()), *said.get("bases", ())]))
    written = [models.written[each] for each in (name, *models.above(name)) if each in models.written]
    keys = KEYS.keys() - _OF_CLASSES
    spoken_of = {_plain(member) for each in written for key in keys for member in each.get(key, ())}
    given = {_plain(member) for each in written for key in _GIVING for member in each.get(key, ())}
    returns = {member: value for member, value in said.get("returns", {}).items() if _plain(member) not in given}
    told = {key: [each for each in said.get(key, ()) if _plain(each) not in spoken_of] for key in _SAID}
    rest = {key: [*model.get(key, ()), *told[key]] for key in ("nullable", "members")}
    needs = {member: value for member, value in said.get("requires", {}).items() if _plain(member) not in asserting()}
    return {
        **model,
        **rest,
        "bases": bases,
        "returns": model.get("returns", {}) | returns,
        "requires": needs | model.get("requires", {}),
        _UNKNOWN: [each for key in _SAID for each in told[key]],
    }


def _plain(member: str) -> str:
    return member.partition("/")[0]


def write(writer: FactWriter, mentioned: Iterable[str] = (), files: tuple[ModelFile, ...] = ()) -> None:
    """The facts of all models, and of the library as far as it can be reached from the classes that are mentioned."""
    models = load(files)
    tables = _reached(models, mentioned)

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
        ancestors = [each for each in models.above(name) if each in tables]
        for base in sorted({name, *ancestors}):
            once("lib_base", name, base)
        if model.get("mutable"):
            row("lib_mutable", name)
        own = {member.partition("/")[0] for key in ("replaces", "new") for member in model.get(key, ())}
        nearer: set[str] = set()  # members that a class says something of before it inherits them
        for of in (name, *ancestors):
            for member, key, value in _members(tables[of]):
                if member in nearer and member not in models.written.get(of, {}).get(key, ()):
                    continue
                plain, _, arity = member.partition("/")
                if plain == CONSTRUCTOR:
                    for argument in value if of == name else ():
                        once("lib_requires", name, int(arity), argument, "")
                    continue
                counts = [int(arity)] if arity else list(_ARITIES)
                # A class that says more of an inherited member has it as its own.
                entity = f"{name if plain in own else of}.{plain}"
                if key in _OF_ARGUMENTS and arity:  # which argument it is depends on how many there are
                    entity = f"{entity}/{arity}"
                _member(once, name, entity, plain, counts, key, value)
            nearer.update(member for key in _SAID for member in models.sources.get(of, {}).get(key, ()))


def _members(model: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    lists = ("nullable", "mutates", "replaces", "receiver", "item", "picks", "asks", "members", "noreturn", _UNKNOWN)
    for key in lists:
        for member in model.get(key, ()):
            yield member, key, None
    for key in ("returns", "requires", "new", "stores", "appends", "puts", "changes", "argument", "applied"):
        for member, value in model.get(key, {}).items():
            yield member, key, value


def _member(once: Any, name: str, entity: str, plain: str, counts: list[int], key: str, value: Any) -> None:
    once("lib_function", entity)
    for count in counts:
        once("lib_member", name, f"{plain}/{count}", entity)
        if key == "nullable":
            once("lib_nullable", entity, count)
    if key == "requires":
        for argument in value:
            once("lib_requires", entity, counts[0], argument, "")
    elif key == "returns" and value != "java.lang.String":
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
    elif key in ("picks", "asks", _UNKNOWN):
        once(f"lib_{key}", entity)
