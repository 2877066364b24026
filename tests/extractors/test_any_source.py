"""Whatever the bytes are: the extractor gives facts that fit the schema, the same each time, and raises nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import every_row, extract
from well_formed import check_facts, check_same

from pliant.extractors.facts import FileFacts


def checked(source: bytes, path: str = "a.py") -> FileFacts:
    """The facts of a file, found to be well-formed."""
    facts = extract(path, source)
    check_facts(facts)
    check_same(facts, extract(path, source))
    return facts


@pytest.mark.parametrize("path", sorted(corpus.sources()))
def test_real_files(path: str) -> None:
    facts = checked(corpus.sources()[path].encode())
    assert not facts.diagnostics
    assert not facts.unmodelled


@given(source=st.binary(max_size=400))
@corpus.examples(300)
def test_any_bytes(source: bytes) -> None:
    checked(source)


_TOKENS = r"""
( ) [ ] { } : , . ; = := == != * ** -> @ \ ' "  ''' # | % if else elif for while def class return yield await async with
as try except finally raise match case import from None not and or is in lambda del global nonlocal assert pass break
continue x self print f'{ é 0 1_0 ... _ super() x.y x[0] x()
"""
_WORDS = st.sampled_from([*_TOKENS.split(), "\n", "\n    ", "\t", "\r", "\x00", "\xff", '"""'])


@given(words=st.lists(_WORDS, max_size=60))
@corpus.examples(400)
def test_any_words(words: list[str]) -> None:
    checked(" ".join(words).encode())


def _source(data: st.DataObject) -> bytes:
    return corpus.sources()[data.draw(st.sampled_from(sorted(corpus.small())))].encode()


@given(data=st.data())
@corpus.examples(120)
def test_truncated_files(data: st.DataObject) -> None:
    source = _source(data)
    checked(source[: data.draw(st.integers(0, len(source)))])


@given(data=st.data())
@corpus.examples(150)
def test_mutated_files(data: st.DataObject) -> None:
    source = bytearray(_source(data))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source)))
        size = data.draw(st.integers(0, 12))
        source[start : start + size] = data.draw(st.one_of(st.binary(max_size=4), _WORDS.map(str.encode)))
    checked(bytes(source))


@given(data=st.data())
@corpus.examples(60)
def test_lines_left_out(data: st.DataObject) -> None:
    lines = _source(data).split(b"\n")
    gone = data.draw(st.sets(st.integers(0, len(lines) - 1), max_size=10))
    checked(b"\n".join(line for number, line in enumerate(lines) if number not in gone))


_DEPTH = 10_000


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * _DEPTH + "1" + ")" * _DEPTH,
        "x = " + "[" * _DEPTH + "]" * _DEPTH,
        "x = " + "not " * _DEPTH + "y",
        "x = " + " + ".join(["y"] * _DEPTH),
        "x = y" + ".z" * _DEPTH,
        "x = y" + "()" * _DEPTH,
        "x = y" + "[0]" * _DEPTH,
        "x = " + "lambda: " * _DEPTH + "y",
        "x = " + "y if z else " * _DEPTH + "y",
        "x = " + " and ".join(["y"] * _DEPTH),
        "if a:\n    b()\n" + "elif c:\n    d()\n" * _DEPTH,
        "x = " + "f'{" * 1000 + "y" + "}'" * 1000,
        "\n".join(" " * depth + "if x:" for depth in range(1000)) + "\n" + " " * 1000 + "y()",
        "\n".join(" " * depth + f"def f{depth}():" for depth in range(500)) + "\n" + " " * 500 + "y()",
        "\n".join(" " * depth + f"class C{depth}:" for depth in range(500)) + "\n" + " " * 500 + "y = 1",
        "\n".join(" " * depth + "try:" for depth in range(200)) + "\n" + " " * 200 + "y()",
        "x: " + "A[" * _DEPTH + "B" + "]" * _DEPTH + " = 1",
        "match x:\n    case " + "[" * _DEPTH + "a" + "]" * _DEPTH + ":\n        pass",
    ],
    ids=lambda source: source[:24].replace("\n", " "),
)
def test_deep_nesting_costs_its_statement_alone(source: str) -> None:
    """The function before it and the one after it keep their facts; what is left out is told."""
    sound = "def {name}(thing=None):\n    return thing.name\n"
    text = f"{sound.format(name='before')}\n{source}\n\n{sound.format(name='after')}"
    facts = checked(text.encode())
    for name in ("before", "after"):
        alone = every_row(extract("a.py", sound.format(name=name)))
        mine = {row for row in alone if row[0] in ("dereference", "default", "returns")}
        assert len(mine) >= 3
        assert mine <= every_row(facts) or facts.diagnostics


@pytest.mark.parametrize(
    "broken",
    [
        "def broken(:\n    return 1\n",
        "x = = 3\n",
        "def broken()\n    return 1\n",
        "class Broken(:\n    pass\n",
        "if :\n    pass\n",
        "for in x:\n    pass\n",
        "x = foo(1,, 2)\n",
        "import\n",
        "except ValueError:\n    pass\n",
        "$$$\n",
        "x = 'unclosed\n",
        "if x ==\0 None:\n    pass\n",
    ],
)
def test_what_parses_keeps_its_facts(broken: str) -> None:
    sound = "def {name}(thing=None):\n    found = thing.name\n    return found\n\n\n"
    text = sound.format(name="before") + broken + "\n\n" + sound.format(name="after")
    facts = checked(text.encode())
    assert facts.diagnostics
    for name in ("before", "after"):
        own = {
            row
            for row in every_row(extract("a.py", sound.format(name=name)))
            if any(str(entry).startswith(f"|{name}|") for entry in row[1:])
        }
        assert own <= every_row(facts), name


def test_statements_out_of_place_hide_nothing() -> None:
    sound = "def after(thing=None):\n    return thing.name\n"
    for misplaced in ("return 1", "break", "continue", "yield 1", "await x", "nonlocal x", "class A:\n    return 1"):
        assert every_row(extract("a.py", sound)) <= every_row(checked(f"{misplaced}\n{sound}".encode())), misplaced


def test_a_file_without_a_line_has_no_findings_and_no_diagnostics() -> None:
    for source in (b"", b"\n", b"\xef\xbb\xbf", b"# only a comment", b"\r\n\r\n"):
        facts = checked(source)
        assert not facts.diagnostics
        assert "dereference" not in facts.rows


def test_a_byte_order_mark_and_other_encodings_change_no_name() -> None:
    plain = every_row(extract("a.py", "def f(x=None):\n    return x.y\n"))
    assert every_row(extract("a.py", b"\xef\xbb\xbfdef f(x=None):\n    return x.y\n")) == plain
    latin = extract("a.py", "# -*- coding: latin-1 -*-\ndef f(x=None):\n    'é'\n    return x.y\n".encode("latin-1"))
    assert every_row(latin) == plain


def test_gap_defaults_of_type_parameters_are_not_in_the_grammar() -> None:
    """Python 3.13 has them: they are told to be invalid, but the function is analysed."""
    facts = checked(b"def f[T = str](x: T = None) -> T:\n    return x.y\n")
    assert [diagnostic.line for diagnostic in facts.diagnostics] == [1]
    assert {"dereference", "default", "returns"} <= set(facts.rows)


_HANDED_ON = """
struct s { char *a, *b, *c, *d, *e; };
void clear(struct s *t) { t->a = NULL; t->b = NULL; t->c = NULL; t->d = NULL; t->e = NULL; }
void pass(struct s *u) { clear(u); }
char *pick(int n) { if (n == 1) return NULL; if (n == 2) return NULL; if (n == 3) return NULL; return "given"; }
char first(void) { return *pick(5); }
"""
_DIGESTS = """
import hashlib, pickle, sys
from pathlib import Path
from pliant.extractors.languages import language_of
for path in sys.argv[1:]:
    facts = language_of(path).extract(Path(path).read_bytes())
    rows = {relation: entries.tolist() for relation, entries in facts.rows.items()}
    told = pickle.dumps((facts.symbols, rows, facts.places.tolist(), facts.library))
    print(path, hashlib.sha256(told).hexdigest())
"""


def test_facts_do_not_depend_on_the_order_of_sets(tmp_path: Path) -> None:
    """Every process hashes texts in its own way."""
    (tmp_path / "handed_on.c").write_text(_HANDED_ON)
    paths = [str(tmp_path / "handed_on.c")]
    paths += [str(corpus.ROOT / path) for path in corpus.everything() if path.startswith("tests/analyses/")]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _DIGESTS, *paths],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    one, other = (process.communicate()[0].splitlines() for process in processes)
    assert len(one) == len(paths)
    assert [first for first, second in zip(one, other, strict=True) if first != second] == []


# C.

_C_TOKENS = r"""
( ) [ ] { } ; , . -> * & ! && || == != = + ++ -- ? : if else while for do switch case default: break; continue; return
goto x; x: struct s union enum typedef static extern const NULL 0 "s" 'c' #define #if #else #endif #include int char
void sizeof (char*) ({ }) ... __attribute__((nonnull)) p q f( p-> *p p[0] &p malloc(1) free(p) realloc(p,2) \ // /* */
"""
_C_WORDS = st.sampled_from(
    [*_C_TOKENS.split(), "\n", "\n#if X\n", "\n#endif\n", "\t", "\r", "\x00", "\xff", "va_arg(p, s *)"]
)


@pytest.mark.parametrize(
    "body",
    [
        f"int x = {'9' * 6000}; double y = 1{'0' * 6000}.0; if (x < y) return 1;",
        "".join(f"int v{i} = v{i - 1} + v{i - 2};" for i in range(2, 3000)) + "if (v2999 > 3) return 1;",
        "long v = 3;" + "v = v * v;" * 100 + "if (v > 3) return 1;",
        "double d = 1e999, n = d - d; if (n < 1) return 1 << -5; if (d > 1e300 * 1e300) return 5 % (int)d;",
        "long a = 1L << 4000000000; int z = 0; if (a > 5 / z) return 5 % z;",
    ],
    ids=["digits", "sums", "products", "infinity", "shifts"],
)
def test_numbers_of_any_size_in_c(body: str) -> None:
    facts = checked(f"int f(int v0, int v1) {{ {body} return 0; }}".encode(), "a.c")
    assert not facts.diagnostics


@pytest.mark.parametrize("path", sorted(corpus.c()))
def test_c_files(path: str) -> None:
    facts = checked(corpus.c()[path].encode(), "a.c")
    assert not facts.diagnostics


@given(words=st.lists(_C_WORDS, max_size=60))
@corpus.examples(300)
def test_any_words_of_c(words: list[str]) -> None:
    checked(" ".join(words).encode(), "a.c")


@given(data=st.data())
@corpus.examples(150)
def test_mutated_c_files(data: st.DataObject) -> None:
    source = bytearray(corpus.c()[data.draw(st.sampled_from(sorted(corpus.c())))].encode())
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(source)))
        size = data.draw(st.integers(0, 12))
        source[start : start + size] = data.draw(st.one_of(st.binary(max_size=4), _C_WORDS.map(str.encode)))
    checked(bytes(source[: data.draw(st.integers(0, len(source)))] if data.draw(st.booleans()) else source), "a.c")


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * _DEPTH + "1" + ")" * _DEPTH + ";",
        "x = " + "!" * _DEPTH + "y;",
        "x = " + " + ".join(["y"] * _DEPTH) + ";",
        "x = y" + "->z" * _DEPTH + ";",
        "x = " + "*" * _DEPTH + "y;",
        "x = y" + "[0]" * _DEPTH + ";",
        "x = " + "y ? z : " * _DEPTH + "y;",
        "x = " + " && ".join(["y"] * _DEPTH) + ";",
        "if (a) b(); " + "else if (c) d(); " * _DEPTH,
        "{" * _DEPTH + "}" * _DEPTH,
        "while (x) " * _DEPTH + ";",
        "int " + "*" * _DEPTH + "z;",
    ],
    ids=lambda source: source[:24],
)
def test_deep_nesting_in_c_costs_its_function_alone(source: str) -> None:
    sound = "int {name}(void)\n{{\n    struct s *p = 0;\n    return p->v;\n}}\n"
    text = f"{sound.format(name='before')}\nvoid deep(void) {{\n{source}\n}}\n{sound.format(name='after')}"
    facts = checked(text.encode(), "a.c")
    for name in ("before", "after"):
        alone = every_row(extract("a.c", sound.format(name=name)))
        mine = {row for row in alone if row[0] in ("dereference", "null")}
        assert len(mine) == 2
        assert mine <= every_row(facts) or facts.diagnostics


def test_conditionals_that_split_a_function_hide_no_other() -> None:
    sound = "int after(void)\n{\n    struct s *p = 0;\n    return p->v;\n}\n"
    split = "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n    return 0;\n}\n"
    rows = {row for row in every_row(extract("a.c", sound)) if row[0] in ("dereference", "null")}
    assert rows <= every_row(checked((split + sound).encode(), "a.c"))


def test_a_label_behind_a_way_that_is_never_taken() -> None:
    checked(
        b"""struct s *found, *first;
        int f(void) { found = first; { { { continue; } goto end; } } end: if (found != NULL) { } return 0; }""",
        "a.c",
    )


def test_a_phi_that_becomes_what_was_made_of_it_ends() -> None:
    """The object of a pointer that goes round in a loop and is freed there."""
    source = """
void f(char **list, int n)
{
    char *p = 0;
    while (n--) {
        char *q = p;
        if (n > 3) {
            p = realloc(q, n);
            if (!p) { free(q); return; }
        } else
            p = q + 0;
        free(p);
    }
}
"""
    checked(source.encode(), "a.c")


# Java.


@pytest.mark.parametrize("path", sorted(corpus.java()))
def test_java_files(path: str) -> None:
    facts = checked(corpus.java()[path].encode(), path)
    assert not facts.diagnostics
    assert set(facts.unmodelled) <= {"reference to a constructor"}


_JAVA_TOKENS = r"""
( ) [ ] { } : , . ; = == != * -> :: @ \ ' " \"\"\" // /* */ && || ! ? < > >>> += ++ class interface enum record
extends implements if else for while do switch case default break continue return yield throw try catch finally
synchronized assert new this super null true false instanceof static final void int String var x y A B x.y() x[0] A.this
package import sealed
permits when abstract default @interface throws outer: int[] Map<String,A> (x,y) _
"""
_JAVA_WORDS = st.sampled_from([*_JAVA_TOKENS.split(), "\n", "\x00", "\xff", "class A { void f() {", "}", "} }"])


@given(words=st.lists(_JAVA_WORDS, max_size=60), inside=st.booleans())
@corpus.examples(400)
def test_any_java_words(words: list[str], inside: bool) -> None:
    text = " ".join(words)
    checked((f"class A {{ int y; void f(A x) {{ {text} }} }}" if inside else text).encode(), "A.java")


@given(source=st.binary(max_size=400))
@corpus.examples(100)
def test_any_bytes_as_java(source: bytes) -> None:
    checked(source, "A.java")


@given(data=st.data())
@corpus.examples(150)
def test_truncated_and_mutated_java(data: st.DataObject) -> None:
    source = bytearray(corpus.java()[data.draw(st.sampled_from(sorted(corpus.java())))].encode())
    del source[data.draw(st.integers(0, len(source))) :]
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(source)))
        size = data.draw(st.integers(0, 12))
        source[start : start + size] = data.draw(st.one_of(st.binary(max_size=4), _JAVA_WORDS.map(str.encode)))
    checked(bytes(source), "A.java")


@pytest.mark.parametrize(
    "code",
    [
        "int x = " + "(" * _DEPTH + "1" + ")" * _DEPTH + ";",
        "boolean x = " + "!" * _DEPTH + "y;",
        "int x = " + " + ".join(["y"] * _DEPTH) + ";",
        "boolean x = " + " && ".join(["y"] * _DEPTH) + ";",
        "Object x = y" + ".z" * _DEPTH + ";",
        "y" + ".z()" * _DEPTH + ";",
        "Object x = " + "() -> " * _DEPTH + "y;",
        "Object x = " + "z ? y : " * _DEPTH + "y;",
        "if (a) b(); " + "else if (c) d(); " * _DEPTH,
        "{" * 1000 + "}" * 1000,
        "while (a) " * 1000 + "b();",
        "switch (x) {" + "".join(f"case {number}: y();" for number in range(2000)) + "}",
        "Object x = " + "new A() { Object f() { return " * 100 + "null" + "; } }" * 100 + ";",
        "a: " * 1000 + "b();",
        "try { " * 200 + "b();" + "} finally { c(); }" * 200,
    ],
    ids=lambda code: code[:24],
)
@pytest.mark.one_in(3)
def test_deep_nesting_in_java_costs_its_function_alone(code: str) -> None:
    sound = "String {name}(String s) {{ if (s == null) {{ return null; }} return s.trim(); }}"
    alone = f"class A {{ {sound.format(name='before')} }}"
    facts = checked(f"class A {{ {sound.format(name='before')} void f() {{ {code} }} }}".encode(), "A.java")
    mine = {row for row in every_row(extract("A.java", alone)) if row[0] in ("dereference", "returns")}
    assert len(mine) >= 2
    assert mine <= every_row(facts) or facts.diagnostics


@pytest.mark.parametrize(
    "broken", ["int = ;", "void f( {", "class {", "x y z", "$$$", "return;", "@", 'String s = "open;']
)
def test_what_parses_of_java_keeps_its_facts(broken: str) -> None:
    sound = "class {name} {{ String f(String s) {{ if (s == null) {{ return null; }} return s.trim(); }} }}\n"
    facts = checked(f"{sound.format(name='Before')}class Broken {{ {broken}\n }}\n".encode(), "A.java")
    assert facts.diagnostics or facts.unmodelled
    own = {
        row
        for row in every_row(extract("A.java", sound.format(name="Before")))
        if any(str(entry).startswith("|Before.f|") for entry in row[1:])
    }
    assert own <= every_row(facts)


def test_a_name_that_the_parser_makes_up_is_a_name() -> None:
    checked(b"class A { private final Object = new Object(); void f() { Object = 1; int = 2; } }", "A.java")


def test_lines_and_comments_change_no_fact_of_java() -> None:
    for text in corpus.java().values():
        lines = text.split("\n")
        spread = "\n".join(f"{line}\n// a comment\n" for line in lines)
        assert every_row(extract("A.java", spread)) == every_row(extract("A.java", text))


@pytest.mark.parametrize(
    "source",
    [
        "a: x(); a: y();",
        "void f(void) { a: x(); a: y(); goto a; }",
        "void f(int n) { if (n) goto a; a: a: goto a; }",
        "#define OUT goto out\nvoid f(int n) { if (n) OUT; out: if (n) goto out; OUT; }",
        "class A { public: int x; public: int y; };",
        "void f(struct s *p) { p->; use(p-> ); p->.x = 0; }",
    ],
)
def test_labels_that_come_twice_and_names_that_are_missing(source: str) -> None:
    checked(source.encode(), "a.c")
