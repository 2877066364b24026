"""What the models say of the C library's functions; see models/c.toml."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Models:
    """Function -> what it does; arguments are numbered from 0. null: function -> numbers of arguments."""

    null: dict[str, tuple[int, ...]]
    finds_end: frozenset[str]  # of those that may give null
    reads: frozenset[str]
    frees: dict[str, int]
    takes_null: frozenset[str]  # of those that free
    moves: dict[str, int]
    allocates: frozenset[str]
    noreturn: frozenset[str]
    asserts: frozenset[str]
    identity: frozenset[str]
    loops: frozenset[bytes]  # macros that are their heads
    needs: dict[str, tuple[int, ...]]
    formats: dict[str, int]
    apart: dict[str, tuple[tuple[int, int], ...]]
    returns_argument: dict[str, int]
    touches_none: dict[str, int]  # which argument says so, if it is 0
    writes: dict[str, tuple[int, ...]]
    sizes: dict[str, tuple[int, ...]]  # arguments whose product an allocation asks for
    largest_allocation: int
    constants: dict[str, int]  # numbers that the standard headers name
    results: dict[str, str]  # why it gives its result: `needed`, `output`
    last_resort: frozenset[str]  # streams of which no failure can be told
    failures: frozenset[str]  # types of what tells why a function has failed
    runs: dict[str, tuple[int, ...]]  # which argument is called, and with which others
    names: frozenset[str]  # every function that is mentioned
    digest: str


@cache
def models() -> Models:
    data = resources.files("pliant.extractors").joinpath("models", "c.toml").read_bytes()
    table = tomllib.loads(data.decode("utf-8"))
    null: dict[str, tuple[int, ...]] = {}
    for entry in table["null"]:
        name, _, count = entry.partition("/")
        null[name] = (*null.get(name, ()), int(count))
    groups = {
        name: frozenset(table[name]["functions"])
        for name in ("finds_end", "reads", "takes_null", "allocates", "noreturn", "asserts", "identity")
    }
    lists = {name: {key: tuple(value) for key, value in table[name].items()} for name in ("needs", "writes", "runs")}
    apart = {key: tuple((first, second) for first, second in pairs) for key, pairs in table["apart"].items()}
    plain = {name: dict(table[name]) for name in ("frees", "moves", "formats", "returns_argument", "touches_none")}
    names = frozenset(null) | frozenset(apart)
    names = names.union(*groups.values(), *lists.values(), *plain.values())
    return Models(
        null=null,
        finds_end=groups["finds_end"],
        reads=groups["reads"],
        frees=plain["frees"],
        takes_null=groups["takes_null"],
        moves=plain["moves"],
        allocates=groups["allocates"],
        noreturn=groups["noreturn"],
        asserts=groups["asserts"],
        identity=groups["identity"],
        loops=frozenset(name.encode() for name in table["loops"]["macros"]),
        needs=lists["needs"],
        formats=plain["formats"],
        apart=apart,
        returns_argument=plain["returns_argument"],
        touches_none=plain["touches_none"],
        writes=lists["writes"],
        sizes={name: tuple(positions) for name, positions in table["sizes"].items()},
        largest_allocation=table["limits"]["allocation"],
        constants=dict(table["constants"]),
        results={name: group for group, listed in table["results"].items() for name in listed},
        last_resort=frozenset(table["last_resort"]["streams"]),
        failures=frozenset(table["failures"]["types"]),
        runs=lists["runs"],
        names=names,
        digest=hashlib.sha256(data).hexdigest()[:16],
    )
