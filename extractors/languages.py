"""The languages, a line each."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from pliant.extractors.encodings import Nulls
from pliant.extractors.facts import FileFacts
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Unit
from pliant.extractors.model_files import ModelFile
from pliant.extractors.writer import FactWriter


class Summary(Protocol):
    """What is known of a file without its facts: the modules that it mentions."""

    @property
    def library(self) -> tuple[str, ...]: ...


ContextPart = tuple[Hashable, Callable[[FactWriter], None]]  # what the facts depend on, and what writes them


@dataclass(frozen=True, slots=True)
class Language:
    """A folder of this package, with modules `extract` and `context` that are imported when they are needed.

    name: as users write it, and of the folder; suffixes: of the files it claims; version: part of every cache key;
    null: how its null is written; tests: matches the paths of test code; nulls: which NUL bytes its sources may have.
    """

    name: str
    suffixes: tuple[str, ...]
    version: str
    null: str
    tests: str
    nulls: Nulls

    def extract(self, source: bytes) -> FileFacts:
        """The facts of a file's bytes, never raising on bad source."""
        facts: FileFacts = import_module(f"{__package__}.{self.name}.extract").extract(source)
        return facts

    @property
    def translates(self) -> bool:
        """Whether files of the language are translated into the intermediate representation."""
        return hasattr(import_module(f"{__package__}.{self.name}.extract"), "translate")

    def translate(self, source: bytes) -> Unit:
        """The instructions of a file's bytes, of a language that `translates`."""
        unit: Unit = import_module(f"{__package__}.{self.name}.extract").translate(source)
        return unit

    @property
    def semantics(self) -> Semantics:
        """What a language that `translates` says of itself."""
        described: Semantics = import_module(f"{__package__}.{self.name}.semantics").SEMANTICS
        return described

    def context(self, writer: FactWriter, summaries: Mapping[str, Summary], models: Sequence[ModelFile] = ()) -> None:
        """Write the facts that depend on the set of files of the language, by path. `models`: of a user's own, of any
        language. Raises ModelError."""
        mine = tuple(model for model in models if model.language == self.name)
        import_module(f"{__package__}.{self.name}.context").context_facts(writer, summaries, mine)

    def context_parts(self, summaries: Mapping[str, Summary], models: Sequence[ModelFile] = ()) -> list[ContextPart]:
        """The facts of `context` in parts that are the same wherever their keys are."""
        mine = tuple(model for model in models if model.language == self.name)
        module = import_module(f"{__package__}.{self.name}.context")
        if hasattr(module, "context_parts"):
            parts: list[ContextPart] = module.context_parts(summaries, mine)
            return parts
        key = frozenset((path, tuple(summary.library)) for path, summary in summaries.items())
        return [((key, mine), lambda writer: self.context(writer, summaries, mine))]

    def context_version(self) -> str:
        """Of the facts of `context`; changes with what they depend on besides the files."""
        version: str = import_module(f"{__package__}.{self.name}.context").version()
        return version

    def is_test(self, path: str) -> bool:
        """Whether a file is test code, by the usual names."""
        return re.search(self.tests, path) is not None


_TEST_FOLDERS = r"(?:^|/)(?:tests?|testing|testsuite)/"
_JAVA_TESTS = r"(?:^|/)(?:Test[A-Z][^/]*|[^/]*(?:Tests?|TestCase|IT))\.java$|(?:^|/)(?:androidTest|javatests)/"
_C_TESTS = r"(?:^|/)(?:tests?\.c$|test[-_][^/]*|[^/]*[-_]tests?\.[ch])$"
_PYTHON_TESTS = r"(?:^|/)(?:test_[^/]*|conftest\.py)$"
_GO_TESTS = r"_test\.go$"
_ALL = (
    Language("python", (".py", ".pyi"), "39", "None", rf"{_TEST_FOLDERS}|{_PYTHON_TESTS}", "nowhere"),
    Language("java", (".java",), "55", "null", rf"{_TEST_FOLDERS}|{_JAVA_TESTS}", "quoted"),
    Language("c", (".c", ".h"), "63", "NULL", rf"{_TEST_FOLDERS}|{_C_TESTS}", "anywhere"),
    Language("go", (".go",), "23", "nil", rf"{_TEST_FOLDERS}|{_GO_TESTS}", "nowhere"),
)

LANGUAGES: dict[str, Language] = {language.name: language for language in _ALL}

_BY_SUFFIX = {suffix: language for language in LANGUAGES.values() for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """The language of a file, by its name."""
    dot = path.rfind(".")
    return _BY_SUFFIX.get(path[dot:]) if dot > path.rfind("/") else None


def is_test(path: str) -> bool:
    """Whether a source file is test code."""
    language = language_of(path)
    return language is not None and language.is_test(path)
