"""Facts name entities by what they are, never by where they stand."""

from __future__ import annotations

import ast
from functools import cache

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import every_row, extract

Row = tuple[str | int, ...]

_FILLERS = st.sampled_from(["", "# a comment", "    ", "# pliant: | # 'quoted\"", "\t# tab"])


def _facts(text: str) -> tuple[set[Row], set[str]]:
    facts = extract("a.py", text)
    return every_row(facts), set(facts.symbols)


@given(data=st.data())
@corpus.examples(150)
def test_blank_lines_and_comments_change_no_fact(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(corpus.small())))
    text = corpus.sources()[path]
    where = data.draw(st.lists(st.sampled_from(corpus.boundaries(text)), min_size=1, max_size=6, unique=True))
    lines = text.split("\n")
    for line, indentation in sorted(where, reverse=True):
        lines.insert(line - 1, " " * indentation + data.draw(_FILLERS))
    assert _facts("\n".join(lines)) == _facts(text)


@pytest.mark.parametrize("path", sorted(corpus.sources()))
def test_a_line_at_the_top_changes_no_fact(path: str) -> None:
    text = corpus.sources()[path]
    assert _facts(f"# first\n\n{text}") == _facts(text)


@cache
def _functions(text: str) -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions by qualified name as it is in symbols; of names that come twice, none."""
    found: list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]] = []

    def visit(node: ast.AST, outer: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{outer}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    found.append((name, child))
                visit(child, f"{name}.")
            else:
                visit(child, outer)

    visit(ast.parse(text), "")
    names = [name for name, _ in found]
    return [(name, node) for name, node in found if names.count(name) == 1]


@cache
def _with_functions() -> list[str]:
    return [path for path, text in corpus.small().items() if _functions(text)]


_EDITS = (
    "edited = None",
    "edited = [None, {}]",
    "edited = (lambda edited_argument: edited_argument.edited)(None)",
    "edited = edited_elsewhere(1).edited[0]",
    "for edited in (): edited += 1",
    "if edited_elsewhere: raise edited_elsewhere",
    "with edited_elsewhere as edited: edited.edited()",
    "edited = [each.edited for each in edited_elsewhere if each]",
)


def _of(symbol: str, function: str) -> bool:
    return symbol == f"|{function}" or symbol.startswith((f"|{function}|", f"|{function}.", f"|{function}#"))


@given(data=st.data())
@corpus.examples(150)
def test_editing_a_function_changes_its_facts_alone(data: st.DataObject) -> None:
    text = corpus.sources()[data.draw(st.sampled_from(_with_functions()))]
    name, function = data.draw(st.sampled_from(_functions(text)))
    edit = data.draw(st.sampled_from(_EDITS))
    # Names that are not bound in the file are looked up among the builtins: that adds facts of the module.
    text = f"edited_elsewhere = 1\n{text}"
    statement = data.draw(st.sampled_from(function.body[1:] or function.body))
    line = corpus.first_line(statement) + 1
    if function.body[0].lineno == function.lineno:
        return  # on the line of its `def`
    lines = text.split("\n")
    indentation = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    edited = "\n".join([*lines[: line - 1], " " * indentation + edit, *lines[line - 1 :]])
    before, symbols_before = _facts(text)
    after, symbols_after = _facts(edited)
    foreign = {symbol for symbol in symbols_before ^ symbols_after if symbol.startswith("|") and not _of(symbol, name)}
    assert foreign == set()
    for row in before ^ after:
        assert any(isinstance(entry, str) and _of(entry, name) for entry in row[1:]), row


def test_a_function_added_before_its_like_is_the_only_change() -> None:
    text = "def b(x):\n    return x.y\n"
    before, after = _facts(text)[0], _facts(f"def a(x):\n    return x.y\n\n\n{text}")[0]
    assert not before - after
    assert {str(row) for row in after - before if not any(_of(str(entry), "a") for entry in row[1:])} == {
        str(row) for row in after - before if "|<module>|a|cell" in row and not any(_of(str(e), "a") for e in row[1:])
    }


def test_statements_turned_into_like_ones_shift_no_more_than_ordinals() -> None:
    before, _ = _facts("def f(x, y):\n    x.a()\n    return y.b()\n")
    after, _ = _facts("def f(x, y):\n    x.a()\n    x.c()\n    return y.b()\n")
    gone = {row[0] for row in before - after}
    assert gone <= {"call", "dereference", "returns", "ends", "control_call", "carry_across", "exit"}


def test_gap_a_field_that_becomes_tracked_changes_other_functions() -> None:
    """Attributes are followed as paths only where the file writes them: a first write is felt in all its functions."""
    reader = "def read(thing):\n    if thing.name:\n        return thing.name.size\n"
    before = _facts(f"{reader}\n\ndef write(thing):\n    pass\n")[0]
    after = _facts(f"{reader}\n\ndef write(thing):\n    thing.name = None\n")[0]
    other = {row for row in before ^ after if not any(_of(str(entry), "write") for entry in row[1:])}
    assert other


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = f(a, b)\n", "x = f(\n    a,\n    b,\n)\n"),
        ("x = a if b else c\n", "x = (\n    a\n    if b\n    else c\n)\n"),
        ("x = a and b\n", "x = (a\n     and b)\n"),
        ("if a: b()\n", "if a:\n    b()\n"),
        ("a = 1; b = 2\n", "a = 1\nb = 2\n"),
        ("x = 'a'\n", 'x = "a"\n'),
        ("x = [1, 2]\n", "x = [\n    1,  # one\n    2,\n]\n"),
        ("def f(a, b=None): return a\n", "def f(\n    a,\n    b=None,\n):\n    return a\n"),
        ("import a, b\n", "import a\nimport b\n"),
        ("from a import b, c\n", "from a import (\n    b,\n    c,\n)\n"),
        ("x = a.b.c()\n", "x = (\n    a\n    .b\n    .c()\n)\n"),
        ("x = 1\n", "x = 1"),
        ("x = f(a)\ny = 2\n", "x = f(a)\r\ny = 2\r\n"),
        ("def f():\n    return a\n", 'def f():\n    """Says what."""\n    return a\n'),
        ("def f():\n    return a\n", "def f():\n\treturn a\n"),
    ],
)
def test_reformatting_changes_no_fact(before: str, after: str) -> None:
    assert _facts(before) == _facts(after)


def test_no_symbol_holds_a_position() -> None:
    """Moved down by a thousand lines and over by an indentation, a function has the same facts."""
    function = (
        "def f(x):\n    y = x and x.a or (None if x else 1)\n"
        "    match y:\n        case [a, *b]:\n            return a\n"
    )
    moved = "\n" * 1000 + "if True:\n" + "".join(f"    {line}\n" for line in function.splitlines())
    own = {row for row in _facts(function)[0] if any(_of(str(entry), "f") for entry in row[1:])}
    also = {row for row in _facts(moved)[0] if any(_of(str(entry), "f") for entry in row[1:])}
    assert own == also
