"""Facts of a commit as a whole: which files are tests, and what each language has to say of all its files together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from pliant.extractors import languages, model_names
from pliant.extractors.facts import OWN, FileFacts, escape_path
from pliant.extractors.languages import LANGUAGES, ContextPart, Summary, language_of
from pliant.extractors.model_files import ModelFile
from pliant.extractors.seal import NoKey, own
from pliant.extractors.user_folders import user_cache
from pliant.extractors.writer import FactWriter


def version() -> str:
    """Changes with anything that the facts depend on besides the files."""
    return " ".join(["2", model_names.version(), *(each.context_version() for each in LANGUAGES.values())])


def context_facts(
    summaries: Mapping[str, Summary],
    is_test: Callable[[str], bool] = languages.is_test,
    models: Sequence[ModelFile] = (),
) -> FileFacts:
    """Facts that depend on the set of files; `summaries` is by path, `is_test` says which paths are test code."""
    writer = FactWriter()
    for _, write in context_parts(summaries, is_test, models):
        write(writer)
    return writer.finish()


def context_parts(
    summaries: Mapping[str, Summary],
    is_test: Callable[[str], bool] = languages.is_test,
    models: Sequence[ModelFile] = (),
) -> list[ContextPart]:
    """The same in parts that differ in few commits of a repository: parts of equal keys have equal facts."""
    of_language: dict[str, dict[str, Summary]] = {}
    tests = []
    for path, summary in summaries.items():
        language = language_of(path)
        if language is None:
            continue
        of_language.setdefault(language.name, {})[path] = summary
        if is_test(path):
            tests.append(path)

    def write_tests(writer: FactWriter) -> None:
        for path in tests:
            writer.row("test_file", writer.symbol(f"{escape_path(path)}{OWN}"))

    parts: list[ContextPart] = [(("tests", frozenset(tests)), write_tests)]
    for name, files in of_language.items():
        parts += [((name, key), write) for key, write in LANGUAGES[name].context_parts(files, models)]
        mine = tuple(model for model in models if model.language == name)
        parts.append(((name, "names", mine), partial(_write_names, name, mine)))
    return parts


def _write_names(language: str, models: tuple[ModelFile, ...], writer: FactWriter) -> None:
    semantics = LANGUAGES[language].semantics
    model_names.write(writer, language, semantics.linkage, semantics.arity, models)


def own_cache() -> Path | None:
    """Where what does not depend on a repository is kept for this user on this machine; None where that is nowhere.

    The folder's name is made from the machine's own key: what a build restores from elsewhere is never found in it.
    """
    try:
        return user_cache() / f"own-{own().of('cache')[:16]}"
    except NoKey:
        return None
