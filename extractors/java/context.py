"""What Java's files need of the commit as a whole: the library's models. Packages are told by the files themselves."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.extractors.java import library, library_models
from pliant.extractors.languages import ContextPart, Summary
from pliant.extractors.model_files import ModelFile
from pliant.extractors.writer import FactWriter


def version() -> str:
    return library_models.version()


def context_facts(writer: FactWriter, summaries: Mapping[str, Summary], models: tuple[ModelFile, ...] = ()) -> None:
    for _, write in context_parts(summaries, models):
        write(writer)


def context_parts(summaries: Mapping[str, Summary], models: tuple[ModelFile, ...] = ()) -> list[ContextPart]:
    """The same, by the classes of the library that files name: the same for most commits of a repository."""
    mentioned = library.known((name for summary in summaries.values() for name in summary.library), models)
    return [((mentioned, models), lambda writer: library.write(writer, sorted(mentioned), models))]
