#!/usr/bin/env python3
"""Fixes of null dereferences, found in histories by their message and by the structure of their change.

    mine.py LANGUAGE MIRRORS [--only REPOSITORY ...] [--most N] [--write]

MIRRORS has a clone of each repository of `repositories.toml` (`owner/name`, `owner+name` or `name`). A commit is taken
if its message speaks of null or of a crash, if it changes at most three files and thirty lines of the language outside
of tests, and if one function then tests for null what it did not test before, and what it dereferences both before and
after. In Python a test of truth (`if not rows`) may be about something empty: it counts if the message names null, or
if an attribute of the value is used. A fix that another branch got as well counts once. Fixes at the origin of a null
are not found this way. Of each repository at most `--most` fixes are kept, the newest first.

A fix is listed with what was tested (a parameter, an attribute, the result of a call, an element or another variable),
and with the commit that introduced the bug: the last that changed the first line that dereferences it before the fix.
`--write` writes the list, `LANGUAGE.toml` beside this file, which `benchmarks/fixes/run.py fixes` takes with
`--lists benchmarks/corpus`; without it, only the counts are printed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from pathlib import Path

import tree_sitter
import tree_sitter_c
import tree_sitter_java
import tree_sitter_python

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "fixes"))

from lists import LANGUAGES, git, is_read, mirror
from tables import table

from pliant.extractors.languages import LANGUAGES as LANGUAGES_BY_NAME

HERE = Path(__file__).parent
MOST_FILES, MOST_LINES = 3, 30
NAMES = r"\b(None|NoneType|AttributeError|NULL|[Nn]ull|[Nn]il|NPEs?|[Nn]ull ?[Pp]ointers?(Exception)?)\b|[Dd]ereferenc"
NAMES_NULL = re.compile(NAMES)
SPEAKS = re.compile(rf"{NAMES}|\b(SIGSEGV|SEGV)\b|[Ss]eg(mentation )?[Ff]ault|\b[Cc]rash(es|ed|ing)?\b")
WHAT = {
    "attribute": "attribute", "field_access": "attribute", "field_expression": "attribute",
    "call": "result", "method_invocation": "result", "call_expression": "result",
    "subscript": "element", "array_access": "element", "subscript_expression": "element",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grammar:
    """Node types of a language. Pairs are a node's type and the field that has the part which is meant."""

    language: tree_sitter.Language
    functions: frozenset[str]
    scopes: frozenset[str]  # whose names are part of a function's name
    null: frozenset[str]
    comparisons: frozenset[str]
    comparators: frozenset[str]
    conditions: frozenset[tuple[str, str]]  # what is asked for its truth; of Java none may be an object
    uses: frozenset[tuple[str, str]]  # what must not be null there
    emptiness: frozenset[tuple[str, str]] = frozenset()  # those of the uses that may be of something empty
    assignments: frozenset[str] = frozenset()  # of which these values give a default in place of null
    defaults: frozenset[str] = frozenset()


GRAMMARS = {
    "python": Grammar(
        tree_sitter.Language(tree_sitter_python.language()),
        frozenset({"function_definition"}),
        frozenset({"class_definition", "function_definition"}),
        frozenset({"none"}),
        frozenset({"comparison_operator"}),
        frozenset({"is", "is not", "==", "!="}),
        frozenset({("if_statement", "condition"), ("elif_clause", "condition"), ("while_statement", "condition"),
                   ("not_operator", "argument"), ("boolean_operator", "left"), ("boolean_operator", "right"),
                   ("conditional_expression", "1"), ("assert_statement", "0")}),
        frozenset({("attribute", "object"), ("subscript", "value"), ("call", "function"), ("for_statement", "right")}),
        frozenset({("subscript", "value"), ("for_statement", "right")}),
        frozenset({"assignment"}),
        frozenset({"boolean_operator", "conditional_expression"}),
    ),
    "java": Grammar(
        tree_sitter.Language(tree_sitter_java.language()),
        frozenset({"method_declaration", "constructor_declaration"}),
        frozenset({"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}),
        frozenset({"null_literal"}),
        frozenset({"binary_expression"}),
        frozenset({"==", "!="}),
        frozenset(),
        frozenset({("field_access", "object"), ("method_invocation", "object"), ("array_access", "array"),
                   ("enhanced_for_statement", "value")}),
    ),
    "c": Grammar(
        tree_sitter.Language(tree_sitter_c.language()),
        frozenset({"function_definition"}),
        frozenset(),
        frozenset({"null"}),
        frozenset({"binary_expression"}),
        frozenset({"==", "!="}),
        frozenset({("if_statement", "condition"), ("while_statement", "condition"), ("for_statement", "condition"),
                   ("unary_expression", "argument"), ("&&", "left"), ("&&", "right"), ("||", "left"), ("||", "right"),
                   ("conditional_expression", "condition")}),
        frozenset({("field_expression", "argument"), ("pointer_expression", "argument"),
                   ("subscript_expression", "argument")}),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Function:
    """The texts of what a function tests, with what each is, and of what it dereferences, with the first line (from
    1). asked: those that are tested for their truth alone. full: those with a use that nothing empty has."""

    tested: Mapping[str, str]
    asked: Set[str]
    used: Mapping[str, int]
    full: Set[str]


@dataclass(frozen=True, slots=True)
class Mined:
    """what: what was tested, a value of WHAT, `parameter` or `variable`. introduced: the commit that brought the bug,
    and the name that the file had there; empty if it is none (a first commit)."""

    commit: str
    file: str
    function: str
    what: str
    introduced: str = ""
    introduced_file: str = ""


@dataclass(frozen=True, slots=True)
class Guard:
    """A test that a commit adds: of what (its text, and what it is) in which function, and where it is used before."""

    function: str
    text: str
    what: str
    line: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--only", nargs="*", default=[""], metavar="START", help="only repositories so named")
    parser.add_argument("--most", type=int, default=40, metavar="N", help="fixes of a repository; %(default)s")
    parser.add_argument("--write", action="store_true", help="write the list")
    options = parser.parse_args()
    named = tomllib.loads((HERE / "repositories.toml").read_text())["repository"]
    rows, entries = [], []
    for each in named:
        if each["language"] != options.language or not each["name"].startswith(tuple(options.only)):
            continue
        found = [
            fix for fix, _ in zip(mined(mirror(options.mirrors, each["name"]), each["head"], options.language),
                                  range(options.most), strict=False)
        ]  # fmt: skip
        rows.append([each["name"], each["set"], str(len(found))])
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
        entries += [entry(each["name"], each["set"], fix) for fix in found]
    print(table(["repository", "set", "fixes"], rows))
    if options.write:
        head = f"# Written by `benchmarks/corpus/mine.py {options.language} MIRRORS --write`.\n"
        (HERE / f"{options.language}.toml").write_text(head + "".join(entries))


def entry(repository: str, part: str, fix: Mined) -> str:
    values = {"repository": repository, **asdict(fix), "set": part}
    lines = [f'{key} = "{value}"\n' for key, value in values.items() if value]
    return f"\n[[fix]]\n{''.join(lines)}"


def mined(repository: Path, head: str, language: str) -> Iterator[Mined]:
    """The fixes in the history of a commit, newest first: the first function of each that is one."""
    # Only sources are compared: a partial clone may be without large files of other kinds.
    sources = [f"*{suffix}" for suffix in LANGUAGES_BY_NAME[language].suffixes]
    shown = ("--no-merges", "--no-renames", "--numstat", "--format=%x00%H%x01%B%x01")
    log = git(repository, "log", *shown, head, "--", *sources)
    known = set()
    for text in log.split("\0")[1:]:
        commit, message, counts = text.split("\1", 2)
        changed = [line.split("\t", 2) for line in counts.strip().split("\n") if line]
        changed = [each for each in changed if is_read(each[2], language)]
        if SPEAKS.search(message) and _is_small(changed):
            found = ((file, _guard(repository, commit, file, language, message)) for _, _, file in changed)
            file, guard = next(((file, guard) for file, guard in found if guard), ("", None))
            if guard is not None and (file, guard.function, guard.text) not in known:
                known.add((file, guard.function, guard.text))
                yield Mined(commit, file, guard.function, guard.what, *_introduced(repository, commit, file, guard))


def _introduced(repository: Path, commit: str, file: str, guard: Guard) -> tuple[str, str]:
    """The commit that last changed the line of the use before the fix, and what the file was called there."""
    line = f"-L{guard.line},{guard.line}"
    try:
        said = git(repository, "blame", "--porcelain", line, f"{commit}^", "--", file).split("\n")
        introduced = said[0].split(" ", 1)[0]
        git(repository, "rev-parse", "--quiet", "--verify", f"{introduced}^")
    except SystemExit:  # a first commit, or a partial clone without some version of the file
        return "", ""
    return introduced, next(each.removeprefix("filename ") for each in said if each.startswith("filename "))


def _is_small(changed: Sequence[Sequence[str]]) -> bool:
    """changed: lines added and deleted, and the file; `-` where that is binary."""
    if not 0 < len(changed) <= MOST_FILES or any(added == "-" for added, *_ in changed):
        return False
    return sum(int(added) + int(deleted) for added, deleted, _ in changed) <= MOST_LINES


def _guard(repository: Path, commit: str, file: str, language: str, message: str) -> Guard | None:
    """The first test for null of something that its function dereferences, of those that the commit adds."""
    try:
        before, after = (git(repository, "show", f"{side}:{file}") for side in (f"{commit}^", commit))
    except SystemExit:  # a file that is new or gone, or a first commit
        return None
    old, new = functions(before, language), functions(after, language)
    for name, function in new.items():
        was = old.get(name)
        if was is not None:
            used = was.used.keys() & function.used.keys()
            for text, what in function.tested.items():
                is_null = text not in function.asked or text in function.full or NAMES_NULL.search(message)
                if text in used and text not in was.tested and is_null:
                    return Guard(name, text, what, was.used[text])
    return None


def functions(source: str, language: str) -> dict[str, Function]:
    """The functions of a source by their names; of several that have one name, the last."""
    grammar = GRAMMARS[language]
    found: dict[str, Function] = {}
    tree = tree_sitter.Parser(grammar.language).parse(source.encode())
    open_nodes: list[tuple[tree_sitter.Node, str]] = [(tree.root_node, "")]
    while open_nodes:
        node, outer = open_nodes.pop()
        name = _name(node)
        inner = f"{outer}{name}." if name and node.type in grammar.scopes else outer
        if name and node.type in grammar.functions:
            found[f"{outer}{name}"] = _function(node, grammar)
        open_nodes += [(child, inner) for child in reversed(node.named_children)]
    return found


def _name(node: tree_sitter.Node) -> str:
    named: tree_sitter.Node | None = node.child_by_field_name("name")
    inner = node if named is None else None
    while inner is not None and named is None:  # C: the declarator that is declared
        inner = inner.child_by_field_name("declarator")
        named = inner if inner is not None and inner.type == "identifier" else None
    return "" if named is None else _text(named)


def _function(node: tree_sitter.Node, grammar: Grammar) -> Function:
    tested: dict[str, tree_sitter.Node] = {}
    compared, used, full = set(), dict[str, int](), set()
    open_nodes = [node]
    while open_nodes:
        each = open_nodes.pop()
        open_nodes += reversed(each.named_children)
        if each.type in grammar.comparisons:
            operators = {child.type for child in each.children if not child.is_named}
            nulls = [operand.type in grammar.null for operand in each.named_children]
            if len(nulls) == 2 and any(nulls) and operators & grammar.comparators:
                operand = each.named_children[nulls.index(True) - 1]
                tested.setdefault(_text(operand), operand)
                compared.add(_text(operand))
        value, target = each.child_by_field_name("right"), _part(each, "left")
        if each.type in grammar.assignments and value is not None and value.type in grammar.defaults and target:
            tested.setdefault(_text(target), target)
        for kind in (each.type, *(child.type for child in each.children if not child.is_named)):
            for of, field in grammar.conditions:
                if of == kind and (part := _part(each, field)):
                    tested.setdefault(_text(part), part)
        for of, field in grammar.uses:
            if of == each.type and (part := _part(each, field)):
                used.setdefault(_text(part), part.start_point[0] + 1)
                if (of, field) not in grammar.emptiness:
                    full.add(_text(part))
    formals = _formals(node)
    kinds = {text: WHAT.get(part.type, "parameter" if text in formals else "variable") for text, part in tested.items()}
    return Function(kinds, tested.keys() - compared, used, full)


def _formals(node: tree_sitter.Node) -> set[str]:
    """The names of the parameters of a function, and of whatever else is named in front of its body."""
    body = node.child_by_field_name("body")
    open_nodes = [child for child in node.named_children if child != body]
    found = set()
    while open_nodes:
        each = open_nodes.pop()
        open_nodes += each.named_children
        if each.type == "identifier":
            found.add(_text(each))
    return found


def _part(node: tree_sitter.Node, field: str) -> tree_sitter.Node | None:
    """The part in a field, or of a number among the named children, without parentheses."""
    found = node.named_children[int(field)] if field.isdigit() else node.child_by_field_name(field)
    while found is not None and found.type == "parenthesized_expression" and len(found.named_children) == 1:
        found = found.named_children[0]
    return found


def _text(node: tree_sitter.Node) -> str:
    return " ".join((node.text or b"").decode(errors="replace").split())


if __name__ == "__main__":
    main()
