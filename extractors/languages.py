"""The languages, a line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pliant.extractors.facts import FileFacts


@dataclass(frozen=True, slots=True)
class Language:
    """name: as users write it; suffixes: of the files it claims; version: part of every cache key; extract: the
    facts of a file's bytes, never raising on bad source."""

    name: str
    suffixes: tuple[str, ...]
    version: str
    extract: Callable[[bytes], FileFacts]


def _python(source: bytes) -> FileFacts:
    from pliant.extractors.python.extract import extract  # noqa: PLC0415 - a grammar is loaded when it is needed

    return extract(source)


LANGUAGES: dict[str, Language] = {
    language.name: language for language in (Language("python", (".py", ".pyi"), "python-1", _python),)
}

_BY_SUFFIX = {suffix: language for language in LANGUAGES.values() for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """The language of a file, by its name."""
    dot = path.rfind(".")
    return _BY_SUFFIX.get(path[dot:]) if dot > path.rfind("/") else None
