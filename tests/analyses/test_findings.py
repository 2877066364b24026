"""Findings in the files of `python/`, `java/`, `c/` and `go/`: one file a construct, a folder where several make a
program. In those of `off_by_default/`, the rules are switched on that are off by default.

A comment at the end of a line names the rules of which a finding is expected there, and lines without one have none:

    return found.pattern  # null.attribute

What the search for a witness refutes is no finding.

A function's name says what is right: `*_bad` has findings, `*_ok` has none. Where the analyses are known to be wrong
the name says so, too: `fp_*` has a finding that it should not have, `fn_*` misses one, at the line with `# missed:
rule`. (In Java and Go: `somethingBad`, `somethingOk`, `fpSomething`, `fnSomething`.) Both are gaps, not intentions:
when one closes, its test fails, and the function gets the name that it deserves.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest
import tree_sitter_c
import tree_sitter_go
import tree_sitter_java
from in_memory import court, evaluate, extract, findings_of
from tree_sitter import Language, Node, Parser

from pliant.analyses.findings import Witness
from pliant.analyses.registry import OPT_IN, Rules
from pliant.engine import Evaluation
from pliant.extractors import languages
from pliant.extractors.blobs import Location

SUFFIXES = {"python": (".py",), "java": (".java",), "c": (".c", ".h"), "go": (".go",)}
SWITCHED_ON = "off_by_default"
PROGRAMS = sorted(
    path
    for name in (*SUFFIXES, SWITCHED_ON)
    for path in (Path(__file__).parent / name).iterdir()
    if path.name != "__pycache__"
)
_EXPECTED = re.compile(r"(?:#|//)\s*(missed:)?\s*([a-z]+\.[a-z-]+(?:,\s*[a-z]+\.[a-z-]+)*)\s*$")
_SUFFIXES = frozenset(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
_VERDICT = re.compile(r"^(fn|fp)_|_(bad|ok)$")
_JAVA_VERDICT = re.compile(r"^(fn|fp)[A-Z]|(Bad|Ok)$")


def _files(program: Path) -> dict[str, str]:
    paths = [program] if program.is_file() else sorted(path for path in program.rglob("*") if path.suffix in _SUFFIXES)
    root = program.parent if program.is_file() else program
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def _switched_on(program: Path) -> Rules:
    return OPT_IN if program.parent.name == SWITCHED_ON else frozenset()


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def program(request: pytest.FixtureRequest) -> Path:
    """All tests of one program come after each other, so that it is evaluated once."""
    path: Path = request.param
    return path


@lru_cache(maxsize=1)
def _evaluated(program: Path) -> tuple[Evaluation, dict[str, Location]]:
    return evaluate(_files(program), on=_switched_on(program))


@lru_cache(maxsize=1)
def _witnesses(program: Path) -> dict[tuple[str, ...], Witness | None]:
    """By site and origin, what the search says of null dereferences."""
    evaluation, places = _evaluated(program)
    read = court(_files(program), evaluation, places)
    asked = [tuple(evaluation.strings(row)) for row in evaluation.rows("null_dereference")]
    return {each: read.witness(*each, explained=True) for each in asked}


def _answers(program: Path) -> Mapping[tuple[str, int], set[str]]:
    """By file and line, what the search says of null dereferences there."""
    found: dict[tuple[str, int], set[str]] = {}
    places = _evaluated(program)[1]
    for (site, _), witness in _witnesses(program).items():
        if site in places and witness is not None:
            found.setdefault((places[site].file, places[site].line), set()).add(witness.verdict)
    return found


def _comments(files: dict[str, str], *, missed: bool) -> set[tuple[str, int, str]]:
    """The (file, line, rule) that comments name."""
    return {
        (file, number, rule.strip())
        for file, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (comment := _EXPECTED.search(line)) and bool(comment[1]) == missed
        for rule in comment[2].split(",")
    }


Judged = tuple[str, str, int, int]  # name, verdict, first line, last line


def _judged(file: str, text: str) -> list[Judged]:
    """The outermost functions of a file that have a verdict."""
    if file.endswith(".py"):
        return list(_python_functions(ast.parse(text)))
    if file.endswith(SUFFIXES["c"]):
        return list(_c_functions(Parser(Language(tree_sitter_c.language())).parse(text.encode()).root_node))
    grammar = tree_sitter_go if file.endswith(".go") else tree_sitter_java
    return list(_declared_functions(Parser(Language(grammar.language())).parse(text.encode()).root_node))


def _python_functions(node: ast.AST) -> Iterator[Judged]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and (match := _VERDICT.search(child.name)):
            yield child.name, match[1] or match[2], child.lineno, child.end_lineno or 0
        else:
            yield from _python_functions(child)


def _declared_functions(node: Node) -> Iterator[Judged]:
    for child in node.named_children:
        name_node = child.child_by_field_name("name") if "_declaration" in child.type else None
        name = name_node.text.decode() if name_node is not None and name_node.text is not None else ""
        if match := _JAVA_VERDICT.search(name):
            yield name, (match[1] or match[2]).lower(), child.start_point[0] + 1, child.end_point[0] + 1
        else:
            yield from _declared_functions(child)


_IN_HEAD = re.compile(r"\w+_(bad|ok)\b")


def _c_functions(node: Node) -> Iterator[Judged]:
    for before, child in pairwise((node, *node.named_children)):
        head = before if child.type == "compound_statement" and before.type == "expression_statement" else None
        if child.type == "function_definition" and (declared := child.child_by_field_name("declarator")):
            head = declared if declared.type == "parenthesized_declarator" else None
        if head is not None and head.text and (match := _IN_HEAD.search(head.text.decode())):
            yield match[0], match[1], head.start_point[0] + 1, child.end_point[0] + 1
            continue
        name: Node | None = child if child.type == "function_definition" else None
        while name is not None and name.type != "identifier":
            name = name.child_by_field_name("declarator")
        text = name.text.decode() if name is not None and name.text is not None else ""
        if match := _VERDICT.search(text):
            yield text, match[1] or match[2], child.start_point[0] + 1, child.end_point[0] + 1
        elif child.type != "function_definition":
            yield from _c_functions(child)


def test_findings_are_those_that_comments_name(program: Path) -> None:
    files = _files(program)
    refuted = {place for place, said in _answers(program).items() if said == {"refuted"}}
    found = {
        (finding.file, finding.line, finding.rule)
        for finding in findings_of(*_evaluated(program))
        if (finding.file, finding.line) not in refuted or not finding.rule.startswith("null.")
    }
    expected = _comments(files, missed=False)
    closed = found & _comments(files, missed=True)
    assert not closed, f"no longer missed, so rename the function and drop `missed:`: {sorted(closed)}"
    assert not (found - expected), f"found, but no comment names them: {sorted(found - expected)}"
    assert sorted(expected - found) == [], "named by comments, but not found"
    assert not [
        each for path, text in files.items() for each in extract(path, text).diagnostics if each.scope == "function"
    ]


def test_names_say_the_verdict(program: Path) -> None:
    files = _files(program)
    expected = {(file, line) for file, line, _ in _comments(files, missed=False)}
    missed = {(file, line) for file, line, _ in _comments(files, missed=True)}
    wrong, told = [], set()
    for file, text in files.items():
        try:
            judged = _judged(file, text)
        except SyntaxError:
            pytest.skip("this Python cannot read the file")
        for name, verdict, first, last in judged:
            lines = {(file, line) for line in range(first, last + 1)}
            told |= lines
            has_finding, has_miss = bool(lines & expected), bool(lines & missed)
            right = {
                "bad": has_finding and not has_miss,
                "ok": not has_finding and not has_miss,
                "fp": has_finding and not has_miss,
                "fn": has_miss,
            }
            if not right[verdict]:
                wrong.append(f"{file}:{first} {name}")
    assert wrong == [], "the name says otherwise than the comments"
    assert sorted((expected | missed) - told) == [], "in no function whose name says a verdict"


def test_what_comments_name_is_not_refuted(program: Path) -> None:
    files = _files(program)
    try:
        judged = [(path, *each) for path, text in files.items() for each in _judged(path, text)]
    except SyntaxError:
        pytest.skip("this Python cannot read the file")
    wrong = {
        (path, line) for path, _, verdict, first, last in judged if verdict == "fp" for line in range(first, last + 1)
    }
    found = _answers(program)
    named = {(file, line) for file, line, _ in _comments(files, missed=False)} - wrong
    assert [place for place in sorted(named & found.keys()) if found[place] == {"refuted"}] == []


@pytest.mark.one_in(6)
def test_stored_instructions_give_the_answers_that_the_source_gives(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluation, places = _evaluated(program)
    answers = _witnesses(program)
    stored = court(_files(program), evaluation, places, stored=True)
    monkeypatch.setattr(languages.Language, "translate", None)
    assert {each: stored.witness(*each, explained=True) for each in answers} == answers
