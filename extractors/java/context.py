"""What Java's files need of the commit as a whole: the library's models. Packages are told by the files themselves."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.extractors.java import library
from pliant.extractors.languages import Summary
from pliant.extractors.model_files import ModelFile
from pliant.extractors.writer import FactWriter


def version() -> str:
    return library.version()


def context_facts(writer: FactWriter, summaries: Mapping[str, Summary], models: tuple[ModelFile, ...] = ()) -> None:
    library.write(writer, models)
