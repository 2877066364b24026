"""Facts of a file with some functions as another version has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pliant.extractors.columns import SYMBOL_COLUMNS, columns_of
from pliant.extractors.facts import FileFacts
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.mixing import functions, mixed, owners
from pliant.extractors.workers import extract

CORPUS = Path(__file__).parents[1] / "analyses"
FILES = [
    (language, path)
    for language, suffix in (("python", "py"), ("java", "java"), ("c", "c"))
    for path in sorted((CORPUS / language).rglob(f"*.{suffix}"))[::8]
]


def rows(facts: FileFacts) -> set[tuple[object, ...]]:
    found = set()
    for name, flat in facts.rows.items():
        kinds = SYMBOL_COLUMNS[name].tolist()
        for start in range(0, len(flat), len(kinds)):
            row = zip(flat[start : start + len(kinds)], kinds, strict=True)
            found.add((name, *(facts.symbols[entry] if symbol else entry for entry, symbol in row)))
    return found


def places(facts: FileFacts) -> set[tuple[object, ...]]:
    flat = facts.places
    return {(facts.symbols[flat[at]], *flat[at + 1 : at + 5]) for at in range(0, len(flat), 5)}


@pytest.mark.parametrize(("language", "path"), FILES, ids=[path.name for _, path in FILES])
def test_a_file_mixed_with_itself_is_itself(language: str, path: Path) -> None:
    facts = extract(LANGUAGES[language], path.read_bytes())
    some = set(sorted(owners(facts))[::2])
    for wanted in (set(), some, owners(facts)):
        for refused in (set(), set(sorted(functions(facts))[::3])):
            made = mixed(facts, facts, wanted.__contains__, refused.__contains__)
            columns_of([made])  # every index is one
            assert rows(made) == rows(facts)
            assert places(made) == places(facts)


@pytest.mark.parametrize(("language", "path"), FILES, ids=[path.name for _, path in FILES])
def test_all_functions_of_another_version_are_the_other_version(language: str, path: Path) -> None:
    facts = extract(LANGUAGES[language], path.read_bytes())
    assert rows(mixed(FileFacts(), facts, lambda owner: True)) == rows(facts)
    shared = {row for row in rows(facts) if not names_own(row)}
    assert rows(mixed(facts, FileFacts(), lambda owner: True)) == shared
    assert rows(mixed(FileFacts(), facts, lambda owner: False)) == shared


def names_own(row: tuple[object, ...]) -> bool:
    return any(str(entry).startswith("|") for entry in row[1:])


def test_what_functions_share_comes_with_the_one_that_needs_it() -> None:
    """What stands for a type is of the file, and is there only if a function names it."""
    text = "class A {{\n static Object f(Object o) {{ return {}; }}\n}}\n"
    own, other = (extract(LANGUAGES["java"], text.format(value).encode()) for value in ("null", "(A) o"))
    made = mixed(own, other, lambda owner: owner == "A.f")
    assert ("holds", "|<module>|type A|1", "|A") in rows(made) - rows(own)
    assert rows(made) == rows(other)
