"""Java in the intermediate representation: the files of `java/` become the units beside them (PLIANT_REWRITE=1 writes
those anew), and the unit of every file is valid and reads back from its text."""

from __future__ import annotations

import ast
import os
from contextlib import suppress
from pathlib import Path

import corpus
import pathological
import pytest
import tree_sitter_java
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Language, Parser

from pliant.extractors.budget import TooMuch, translation_steps
from pliant.extractors.ir.reading import read
from pliant.extractors.ir.text import print_unit
from pliant.extractors.ir.unit import Unit
from pliant.extractors.ir.verify import verify_unit
from pliant.extractors.java.translation.file import File
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.source import deep as deep_frames

REWRITE = bool(os.environ.get("PLIANT_REWRITE"))
SOURCES = sorted((Path(__file__).parent / "java").glob("*.java"))
TRANSLATION = corpus.ROOT / "extractors/java/translation"


def translate(source: bytes) -> Unit:
    """A valid unit."""
    unit = LANGUAGES["java"].translate(source)
    verify_unit(unit)
    assert read(print_unit(unit)) == unit
    return unit


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_file_becomes_the_unit_beside_it(path: Path) -> None:
    text = print_unit(translate(path.read_bytes()))
    expected = path.with_suffix(".ir")
    if REWRITE:
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(corpus.java()))
def test_real_files(path: str) -> None:
    translate(corpus.java()[path].encode())


@given(source=st.binary(max_size=300))
@corpus.examples(100)
def test_any_bytes(source: bytes) -> None:
    translate(source)


@given(data=st.data())
@corpus.examples(100)
def test_any_part_of_a_file(data: st.DataObject) -> None:
    source = SOURCES[data.draw(st.integers(0, len(SOURCES) - 1))].read_bytes()
    first = data.draw(st.integers(0, len(source)))
    last = data.draw(st.integers(first, len(source)))
    translate(source[:first] + source[last:])


@pytest.mark.parametrize("name", sorted(pathological.table("java")))
@pytest.mark.one_in(4)
def test_what_costs_much_is_translated_or_refused(name: str) -> None:
    with suppress(RecursionError, TooMuch):
        translate(pathological.table("java")[name](3000))


def test_what_is_nested_too_deeply_costs_its_function_alone() -> None:
    deep = f"{'f(' * 4000}x{')' * 4000}"
    source = f"class A {{ Object x; Object one() {{ x = {deep}; return x; }} Object two() {{ return x; }} }}".encode()
    root = Parser(Language(tree_sitter_java.language())).parse(source).root_node
    files: list[File] = []

    def begin(writer: object, left_out: isolation.LeftOut) -> File:
        files.append(File(root, left_out))
        return files[-1]

    with deep_frames():
        isolation.lower(begin, translation_steps(len(source)))
    unit = files[-1].unit
    verify_unit(unit)
    assert [(each.function, each.reason) for each in unit.left_out] == [("A.one", "nested too deeply")]
    one, two = ("\n".join(map(str, each.instructions())) for each in unit.functions if each.name in ("A.one", "A.two"))
    assert "store" in one
    assert "load" in two


def test_translation_writes_no_facts_and_knows_no_rules() -> None:
    allowed = {
        "pliant.extractors": {"budget"},
        "pliant.extractors.writer": {"LONGEST_NAME", "shortened"},
        "pliant.extractors.lowering": {"isolation"},
    }
    shared = ("translated", "trees")  # held to the same
    folders = ("ir", "java.translation", "java.types", "lowering.source", "lowering.literals", "budget")
    folders += tuple(f"lowering.{each}" for each in shared)
    paths = [corpus.ROOT / f"extractors/lowering/{each}.py" for each in shared]
    for path in (*TRANSLATION.glob("*.py"), *paths):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = getattr(node, "module", "") if isinstance(node, ast.ImportFrom) else ""
            if not module.startswith("pliant"):
                continue
            names = {alias.name for alias in node.names}
            known = any(f"{module}.".startswith(f"pliant.extractors.{folder}.") for folder in folders)
            assert known or names <= allowed.get(module, set()), f"{path.name}: {module} {names}"
