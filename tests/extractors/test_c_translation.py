"""C in the intermediate representation: the files of `c/` become the units beside them (PLIANT_REWRITE=1 writes
those anew), and the unit of every file is valid and reads back from its text."""

from __future__ import annotations

import ast
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

import corpus
import pathological
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.extractors import budget
from pliant.extractors.budget import TooMuch, translation_steps
from pliant.extractors.c.parser import parser
from pliant.extractors.c.repair import parse
from pliant.extractors.c.translation.file import File
from pliant.extractors.ir.reading import read
from pliant.extractors.ir.text import print_unit
from pliant.extractors.ir.unit import Unit
from pliant.extractors.ir.verify import verify_unit
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.lowering import isolation, parsing
from pliant.extractors.lowering.source import deep as deep_frames

REWRITE = bool(os.environ.get("PLIANT_REWRITE"))
SOURCES = sorted((Path(__file__).parent / "c").glob("*.c"))
TRANSLATION = corpus.ROOT / "extractors/c/translation"


def translate(source: bytes) -> Unit:
    """A valid unit."""
    unit = LANGUAGES["c"].translate(source)
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


@pytest.mark.parametrize("path", sorted(corpus.c()))
def test_real_files(path: str) -> None:
    translate(corpus.c()[path].encode())


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


@pytest.mark.parametrize("name", sorted(pathological.table("c")))
@pytest.mark.one_in(4)
def test_what_costs_much_is_translated_or_refused(name: str) -> None:
    with suppress(RecursionError, TooMuch):
        translate(pathological.table("c")[name](3000))


def test_a_whole_file_has_no_more_steps_than_its_parts_together() -> None:
    with pytest.raises(TooMuch, match=r"it takes more than [\d,]+ steps"):
        translate(pathological.table("c")["macros of each other"](3000))


def isolated(source: bytes) -> Unit:
    """The unit of a file without the parts that fail."""
    parsed = parse(source, parser())
    files: list[File] = []

    def begin(writer: object, left_out: isolation.LeftOut) -> File:
        files.append(File(parsed, parser(), left_out))
        return files[-1]

    with deep_frames():
        isolation.lower(begin, translation_steps(len(source)))
    return files[-1].unit


def test_what_is_nested_too_deeply_costs_its_function_alone() -> None:
    deep = f"{'f(' * 4000}x{')' * 4000}"
    source = f"int y = {deep}; void one(struct s *p) {{ p->q = {deep}; }} void *two(struct s *p) {{ return p->q; }}"
    unit = isolated(source.encode())
    verify_unit(unit)
    assert [(each.function, each.reason) for each in unit.left_out] == [
        ("", "nested too deeply"),
        ("one", "nested too deeply"),
    ]
    one, two = ("\n".join(map(str, each.instructions())) for each in unit.functions if each.name in ("one", "two"))
    assert "store" in one
    assert "load" in two


def test_macros_that_multiply_cost_the_function_that_uses_them_alone() -> None:
    levels = "".join(f"#define M{n}(x) {' + '.join([f'M{n - 1}(x)'] * 10)}\n" for n in range(1, 7))
    source = f"#define M0(x) f(x)\n{levels}int one(int x) {{ return M6(x); }} int two(int x) {{ return M1(x); }}"
    unit = isolated(source.encode())
    verify_unit(unit)
    assert "one" in {each.function for each in unit.left_out if "more than" in each.reason}
    [two] = [each for each in unit.functions if each.name == "two"]
    assert sum(each.op == "call" for each in two.instructions()) == 10


def work(source: bytes) -> tuple[int, bool]:
    """How many functions are called to translate a source, and whether something of it is past a bound."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        unit = isolated(source)
    except TooMuch:
        return count, True
    finally:
        sys.setprofile(None)
    return count, any("more than" in each.reason for each in unit.left_out)


@pytest.mark.parametrize("name", sorted(pathological.table("c")))
@pytest.mark.one_in(4)
def test_double_the_size_costs_little_more_than_double(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for bound in ("FUNCTION_STEPS", "FILE_STEPS"):
        monkeypatch.setattr(budget, bound, getattr(budget, bound) // 100)
    monkeypatch.setattr(parsing, "PARSER_STEPS", parsing.PARSER_STEPS // 100)
    generate = pathological.table("c")[name]
    work(b"")  # what is read once for all files
    (one, less), (two, past) = (work(generate(size)) for size in (5_000, 10_000))
    assert two <= 2.5 * one * (2 if past and not less else 1) + 1000, f"{one:,} calls, and {two:,} for double the size"


def test_translation_writes_no_facts_and_knows_no_rules() -> None:
    allowed = {
        "pliant.extractors": {"budget"},
        "pliant.extractors.writer": {"LONGEST_NAME", "shortened"},
        "pliant.extractors.lowering": {"isolation"},
        "pliant.extractors.c.models": {"models"},  # numbers and loops that the standard headers name
    }
    shared = ("translated", "trees")  # held to the same
    parsing = ("assertions", "bare_macros", "declarations", "directives", "errors", "integers", "linkage", "macros")
    parsing += ("repair", "loop_macros", "attributes", "blanks", "conditionals")
    folders = ("ir", "c.translation", "lowering.parsing", "lowering.source", "budget")
    folders += tuple(f"c.{each}" for each in parsing)
    folders += tuple(f"lowering.{each}" for each in shared)
    paths = [corpus.ROOT / f"extractors/lowering/{each}.py" for each in shared]
    paths += [corpus.ROOT / f"extractors/c/{each}.py" for each in parsing]
    for path in (*TRANSLATION.glob("*.py"), *paths):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = getattr(node, "module", "") if isinstance(node, ast.ImportFrom) else ""
            if not module.startswith("pliant"):
                continue
            names = {alias.name for alias in node.names}
            known = any(f"{module}.".startswith(f"pliant.extractors.{folder}.") for folder in folders)
            assert known or names <= allowed.get(module, set()), f"{path.name}: {module} {names}"


NUMBERS = {
    "a guarded header": (
        "#ifndef A_H\n/* a */\n#define A_H\n#define ONE 1\nenum { P, Q = 5, R };\n#endif",
        {"ONE": 1, "P": 0, "Q": 5, "R": 6},
    ),
    "two macros": ("#ifdef X\n#define LIMIT 1\n#else\n#define LIMIT 2\n#endif", {}),
    "one that a build may set": ("#ifndef LIMIT\n#define LIMIT 1\n#endif", {}),
    "one that is defined again": ("#define LIMIT 1\n#undef LIMIT\n#define LIMIT 2", {}),
    "behind a conditional": (
        "enum { A,\n#ifdef X\nB, C = 7, D,\n#endif\nE, F = 9, G };",
        {"A": 0, "C": 7, "F": 9, "G": 10},
    ),
    "two enumerators": ("#ifdef X\nenum { A = 1, B = 3 };\n#else\nenum { A = 2, B = 3 };\n#endif", {"B": 3}),
}  # fmt: skip


@pytest.mark.parametrize("case", NUMBERS)
def test_names_stand_for_numbers_that_do_not_depend_on_the_build(case: str) -> None:
    source, numbers = NUMBERS[case]
    assert translate(source.encode()).numbers == numbers
