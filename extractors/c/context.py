"""What C files need of the commit as a whole: linkage, and the library's models."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.extractors.c.linkage import LINKAGE
from pliant.extractors.c.models import models
from pliant.extractors.facts import OWN, escape_path
from pliant.extractors.languages import Summary
from pliant.extractors.writer import FactWriter

_VERSION = "1"


def version() -> str:
    return f"{_VERSION}.{models().digest}"


def context_facts(writer: FactWriter, summaries: Mapping[str, Summary], models_of_users: tuple[()] = ()) -> None:
    """`module` rows by which names with external linkage are one; the library's functions that are called and that no
    file defines. A header's names are everywhere, also those that are static."""
    linkage = writer.symbol(LINKAGE)
    mentioned: set[str] = set()
    defined: set[str] = set()
    for path, summary in summaries.items():
        escaped = escape_path(path)
        writer.row("module", writer.symbol(f"{escaped}{OWN}"), linkage)
        if not path.endswith(".c"):
            writer.row("module", writer.symbol(f"{escaped}{OWN}static"), linkage)
        for entry in summary.library:
            (mentioned if entry.startswith("c:") else defined).add(entry[2:])
    known = models()
    for name in sorted(mentioned - defined):
        function = writer.symbol(name)
        writer.row("lib_member", linkage, function, function)
        writer.row("lib_function", function)
        for count in known.null.get(name, ()):
            writer.row("lib_nullable", function, count)
        if name in known.noreturn:
            writer.row("lib_noreturn", function)
        if name in known.returns_argument:
            given = known.returns_argument[name]
            writer.row("lib_returns_argument", function, given, writer.symbol("argument"))
            if given in known.needs.get(name, ()):
                writer.row("lib_needs", function, given)
        if name in known.frees:
            writer.row("lib_frees", function, known.frees[name])
        if name in known.takes_null:
            writer.row("lib_takes_null", function)
        if name in known.moves:
            writer.row("lib_moves", function, known.moves[name])
        for first, second in known.apart.get(name, ()):
            writer.row("lib_apart", function, first, second)
