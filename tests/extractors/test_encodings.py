"""NUL bytes and encodings: a file is read if a compiler of its language reads it, with places that are right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import every_row

from pliant.extractors.encodings import Unreadable, decoded, readable
from pliant.extractors.facts import FileFacts
from pliant.extractors.languages import LANGUAGES, language_of
from pliant.extractors.workers import extract

PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89"
C = "{comment}char *f(void)\n{{\n    char *s = 0; {inside}\n    return s[0] + {literal};{behind}\n}}\n"
JAVA = """{comment}class A {{
    String f() {{
        String s = null; {inside}
        return s.trim() + {literal};{behind}
    }}
}}
"""
SPACED = {"comment": "/* b */ ", "inside": "// it's", "literal": '"b"', "behind": ""}


def _facts(path: str, source: bytes) -> FileFacts:
    language = language_of(path)
    assert language is not None
    return extract(language, source)


def _uses(facts: FileFacts) -> list[tuple[int, ...]]:
    """Where nulls are used."""
    sites = {row[1] for row in every_row(facts) if row[0] == "dereference"}
    places = [facts.places[start : start + 5].tolist() for start in range(0, len(facts.places), 5)]
    return sorted(tuple(span) for symbol, *span in places if facts.symbols[symbol] in sites)


@pytest.mark.parametrize(
    ("path", "source", "odd"),
    [
        ("a.c", C, {"comment": "/*\0*/ "}),
        ("a.c", C, {"inside": "// it's \0 \" \\\n more \0"}),
        ("a.c", C, {"literal": '"\0\\"\0"'}),
        ("a.c", C, {"literal": "'\0'"}),
        ("a.c", C, {"behind": "\0"}),
        ("A.java", JAVA, {"comment": '/*\0 " */ '}),
        ("A.java", JAVA, {"inside": "// it's \0"}),
        ("A.java", JAVA, {"literal": '"\0"'}),
        ("A.java", JAVA, {"literal": '"""\n \0 " \\""" "\0 """'}),
    ],
)
def test_a_null_byte_hides_nothing(path: str, source: str, odd: dict[str, str]) -> None:
    text = source.format(**SPACED | odd)
    facts = _facts(path, text.encode())
    assert not facts.diagnostics
    assert len(_uses(facts)) == 1
    assert _uses(facts) == _uses(_facts(path, text.replace("\0", "x" if "behind" not in odd else " ").encode()))


@pytest.mark.parametrize(
    ("path", "source", "line"),
    [
        ("a.c", C.format(**SPACED | {"behind": "\0\x01"}), 4),
        ("A.java", JAVA.format(**SPACED | {"behind": "\0"}), 4),
        ("a.py", "x = None\nx.y  # \0\n", 2),
    ],
)
def test_what_no_compiler_reads_is_left_out(path: str, source: str, line: int) -> None:
    facts = _facts(path, source.encode())
    assert [(each.line, each.scope) for each in facts.diagnostics] == [(1, "file")]
    assert facts.diagnostics[0].reason.endswith(f"in line {line}")
    assert not facts.rows


@pytest.mark.parametrize("path", ["a.py", "a.c", "A.java"])
def test_a_picture_is_left_out(path: str) -> None:
    facts = _facts(path, PICTURE * 20)
    assert [each.scope for each in facts.diagnostics] == ["file"]
    assert "a binary file" in facts.diagnostics[0].reason


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32-le", "utf-8-sig"])
@pytest.mark.parametrize(("path", "source"), [("a.c", C), ("A.java", JAVA)])
def test_a_mark_says_how_a_file_is_read(path: str, source: str, encoding: str) -> None:
    text = source.format(**SPACED | {"literal": '"ä€😀"', "behind": " int é;" if path == "a.c" else ""})
    mark = "" if encoding in ("utf-16", "utf-8-sig") else "\ufeff"
    facts = _facts(path, (mark + text).encode(encoding))
    plain = _facts(path, text.encode())
    assert not facts.diagnostics
    assert (facts.symbols, facts.rows, facts.places, facts.lines) == (
        plain.symbols,
        plain.rows,
        plain.places,
        plain.lines,
    )
    assert decoded((mark + text).encode(encoding)) == text.encode()


def test_python_has_no_utf_16() -> None:
    facts = _facts("a.py", "x = None\nx.y\n".encode("utf-16"))
    assert [(each.scope, each.reason) for each in facts.diagnostics] == [("file", "it is in UTF-16 or UTF-32")]


@given(content=st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-16"))))
@pytest.mark.parametrize("nulls", sorted({language.nulls for language in LANGUAGES.values()}))
def test_what_is_read_has_the_places_of_what_is_shown(nulls: str, content: bytes) -> None:
    try:
        text, _ = readable(content, nulls)  # type: ignore[arg-type]
    except Unreadable:
        return
    shown = decoded(content)
    text.decode()
    assert b"\0" not in text
    assert [len(line) for line in text.split(b"\n")] == [len(line) for line in shown.split(b"\n")]
