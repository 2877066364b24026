"""Files of C that only the preprocessor could read: what is left of them parses, and as if it had been written so."""

from __future__ import annotations

import re
from copy import copy
from types import SimpleNamespace

import pytest
import tree_sitter
import tree_sitter_c
from tree_sitter import Language, Node, Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.c import repair
from pliant.extractors.c.bare_macros import mend
from pliant.extractors.c.conditionals import one_branch
from pliant.extractors.c.errors import Error, errors_of
from pliant.extractors.lowering.parsing import Parser

SOURCES = {
    "attribute": "EXPORT int f(char *p UNUSED) { return *p; }\nint g(void) { return 1; }\n",
    "many attributes": "".join(f"API_{n} int f{n}(const char *s MAYBE_UNUSED, int n) NOTHROW;\n\n" for n in range(40)),
    "loop": "int f(struct list *l) {\n\tfor_each_item(item, l) {\n\t\tuse(item);\n\t}\n\treturn 0;\n}\n",
    "loop behind a label": "int f(void) {\nagain:\n\tfor_each_item(item, l) {\n\t\tuse(item);\n\t}\n\tgoto again;\n}\n",
    "type as an argument": "struct node *f(void) {\n\treturn NEW(struct node, other *);\n}\n",
    "split construct": (
        "int f(int a) {\n#ifdef X\n\tif (a) {\n#else\n\tif (!a) {\n#endif\n\t\treturn 1;\n\t}\n\treturn 0;\n}\n"
    ),
    "all at once": (
        "STATIC_API char *\nfirst(char *s)\n{\n#if A\n\twhile (*s) {\n#else\n\tdo {\n#endif\n\t\ts++;\n\t}\n"
        "\treturn s;\n}\n"
        "LOCAL int é(void) { return CAST(unsigned long, x); }\nint last(int n UNUSED) { return (n) && n; }\n"
    ),
}


def nodes(node: Node) -> list[tuple[str, int, int, bool]]:
    found, todo = [], [node]
    while todo:
        current = todo.pop()
        found.append((current.type, current.start_byte, current.end_byte, current.is_missing))
        todo += current.children
    return found


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_parsed_again_is_what_parsing_all_gives(name: str) -> None:
    language = Language(tree_sitter_c.language())
    parser = Parser(language)
    source = SOURCES[name].encode()
    assert parser.parse(source).root_node.has_error
    parsed = repair.parse(source, parser)
    assert parsed.source != source
    assert [len(line) for line in parsed.source.split(b"\n")] == [len(line) for line in source.split(b"\n")]
    assert nodes(parsed.tree.root_node) == nodes(tree_sitter.Parser(language).parse(parsed.source).root_node)


@pytest.mark.parametrize("before", ["", "again:", "if (n)", "if (n) use(n); else", "while (n)"])
def test_a_macro_that_is_a_loop_is_one_at_the_end_of_another_statement(before: str) -> None:
    source = (
        f"int f(struct list *l, int n) {{\n\t{before} for_each_item(item, l) {{\n\t\tuse(item);\n\t}}\n}}\n".encode()
    )
    parsed = repair.parse(source, Parser(Language(tree_sitter_c.language())))
    assert parsed.loops == {source.index(b"for_each")} and not parsed.tree.root_node.has_error


@pytest.mark.parametrize(
    ("define", "name"),
    [
        ("", "TAILQ_FOREACH"),
        ("#define EVERY(v, l) for (v = (l)->first; \\\n v != 0; v = v->next) /* each */\n", "EVERY"),
        ("#define SEVERAL(v, l) for (v = l; v; v++) if (v->is(v, (1)))\n", "SEVERAL"),
        ("#define UNTIL(v, l) while (v != l)\n", "UNTIL"),
    ],
)
@pytest.mark.parametrize("inside", ["if (v->x)\n\treturn v;", "v->x = 1;", "use(v);", "{ use(v); }"])
def test_a_macro_that_is_known_to_be_a_loop_needs_no_indentation(define: str, name: str, inside: str) -> None:
    source = f"{define}int f(struct list *l) {{\n\tstruct list *v = 0;\n\t{name}(v, l)\n\t{inside}\n\treturn 0;\n}}\n"
    parsed = repair.parse(source.encode(), Parser(Language(tree_sitter_c.language())))
    assert parsed.loops == {source.index(f"\t{name}") + 1} and not parsed.tree.root_node.has_error
    [loop] = [node for node in nodes(parsed.tree.root_node) if node[0] == "while_statement"]
    assert loop[2] == source.index("\n\treturn 0")


@pytest.mark.parametrize(
    "body", ["while (v != l) use(v)", "do { use(v); } while (0)", "use(v)", "for (;;) { use(v); }", "for (", ""]
)
def test_a_macro_that_is_more_or_less_than_the_head_of_a_loop_is_none(body: str) -> None:
    source = f"#define USES(v, l) {body}\nint f(int v, int l) {{\n\tUSES(v, l)\n\treturn 0;\n}}\n".encode()
    assert repair.parse(source, Parser(Language(tree_sitter_c.language()))).loops == set()


def test_a_loop_in_a_macro_stays_as_it_is() -> None:
    """What it is in is read where it is used, and a loop there has to be one that can be read."""
    define = b"#define CLEAR(q) do { \\\n\tTAILQ_FOREACH(v, q) { \\\n\t\tv->x = 0; \\\n\t} \\\n} while (0)\n"
    source = define + b"void f(int q, int v) {\n\tCLEAR(q)\n\tTAILQ_FOREACH(v, q)\n\tuse(v);\n}\n"
    parsed = repair.parse(source, Parser(Language(tree_sitter_c.language())))
    assert parsed.source.startswith(define) and parsed.loops == {source.rindex(b"TAILQ")}


def test_the_definition_of_the_file_counts() -> None:
    source = b"#define TAILQ_FOREACH(v, l) use(v)\nint f(int v, int l) {\n\tTAILQ_FOREACH(v, l)\n\treturn 0;\n}\n"
    assert repair.parse(source, Parser(Language(tree_sitter_c.language()))).loops == set()


MACROS = {
    "file level": ("BEGIN_DECLS\n\n/* c */\nEXPORT(int) f(int a);\n\nEND_DECLS\n", ("BEGIN_DECLS", "END_DECLS")),
    "before a definition": ("int z;\nLAST_NULL\nstatic int f(char *p, ...)\n{\n\treturn 0;\n}\n", ("LAST_NULL",)),
    "before a declaration": ("int z;\nNO_RETURN\nchar *f(char *p, ...);\n", ("NO_RETURN",)),
    "before a structure": ("int z;\nNO_RETURN\nstatic struct x *f(int);\n", ("NO_RETURN",)),
    "with types and nothing": ("MAKE(foo, , struct pack *);\nint z;\n", ("MAKE(foo, , struct pack *)",)),
    "enumerators": ("enum color {\n\tRED,\n\tCOLORS(X)\n\tBLUE\n};\n", ("COLORS(X)",)),
    "enumerators that it defines": (
        "enum color {\n#define X(n, v) COLOR_##n = v,\nCOLORS(X)\n#undef X\n};\n",
        ("#define X(n, v) COLOR_##n = v,", "COLORS(X)", "#undef X"),
    ),
    "fields": ("struct s {\n  int a;\n  FIELD(int, b)\n  FIELDS\n  int c;\n};\n", ("FIELD(int, b)", "FIELDS")),
    "names of strings": ('void f(void) {\n\tg(a(&x, DIR BRANCH), one two "x");\n}\n', ("DIR", "one")),
    "a name of a statement": ("void f(int x) {\n\tg(x);\n\tDONE\n}\n", ("DONE",)),
}


@pytest.mark.parametrize("name", MACROS)
def test_macros_that_the_grammar_takes_for_something_else_are_blanked(name: str) -> None:
    source, blanked = MACROS[name]
    parsed = repair.parse(source.encode(), Parser(Language(tree_sitter_c.language())))
    for each in blanked:
        assert each in source
        source = source.replace(each, " " * len(each))
    assert parsed.source.decode() == source
    assert not parsed.tree.root_node.has_error


BROKEN = "API int broken(char *p UNUSED) { return *p; }\n"


@pytest.mark.parametrize(
    "statement",
    [
        "item *p = (item *)FIRST(&head);",
        "return (item *)NULL;",
        "f((unsigned char)NEXT(c), (int)LAST);",
        "x = (y)MINUS(1);",
        "if (p) FREE(p);",
        'if (!p)\n\t\tBUG("no p");',
        "while (more(p)) NEXT(p);",
        "for (i = 0; i < 5; i++) CHECK(i);",
        "if (a(b) && (c)) GIVE_UP;",
    ],
)
def test_what_stands_behind_parentheses_in_a_statement_stays(statement: str) -> None:
    """It looks like an attribute behind parameters, and was taken for one wherever a file has another error."""
    source = f"{BROKEN}int f(void) {{\n\t{statement}\n}}\n"
    parsed = repair.parse(source.encode(), Parser(Language(tree_sitter_c.language())))
    assert parsed.source.decode() == source.replace("API", "   ").replace("UNUSED", " " * 6)


@pytest.mark.parametrize(
    "marked",
    [
        "int warn(const char *m, ...) <PRINTF(1, 2)>;",
        "struct a *more(int x,\n\tint y) <PURE NONNULL((1, 2))>;",
        "extern int (*hook)(int) <HOOKED>;",
        "typedef void (*handler) <HANDLED>;",
        "unsigned last(void) <QUIET> { return 1; }",
        "static <NONNULL(1, 2)> int first(char *p, char *q);",
        "static <NONNULL((1))> ssize_t second(char *p);",
        "void <printflike(1, 2)> say(const char *m, ...);",
        "struct terms t = TERMS(A(1),\n\tB(2)<,>\n);",
        "static <fast_inline> u_char *\nf(int a)\n{\n\treturn 0;\n}",
        "extern <HIDDEN> dict_t const *attr;",
        "extern <PER_THREAD> struct timeval now;",
        "int g(<UNUSED> ctx_t const *c, <OUT> size_t *n, <OUT> BOOL *b, kind_t k <__unused>);",
        "static BOOL <WINAPI> stub(int a);",
        "static struct pool *p <__read_mostly> = 0;",
        "struct s { size_t tail <ALIGNED(64)>; };",
        "int h(void) {\n\tstruct stat sb <__maybe_unused>;\n\treturn 0;\n}",
        "TAILQ_HEAD<(a, b)> c;",
        "struct list { TAILQ_HEAD<(, b)> items; };",
        "static struct tcase TEST2 = { 1 };",
        "struct DIR *open_it(struct FILE *f, unsigned long N);",
    ],
)
def test_attributes_of_declarations_are_blanked(marked: str) -> None:
    marked = f"<API> {BROKEN.removeprefix('API ').replace('UNUSED', '<UNUSED>')}{marked}\n"
    source = marked.replace("<", "").replace(">", "")
    parsed = repair.parse(source.encode(), Parser(Language(tree_sitter_c.language())))
    assert parsed.source.decode() == re.sub("<(.*?)>", lambda match: " " * len(match[1]), marked)
    assert not parsed.tree.root_node.has_error


WHOLE = "#ifdef A\nint a(void) { return 1; }\n#else\nint a(void) { return 2; }\n#endif\n"
SPLIT = "int b(int x) {\n\tif (x\n#ifdef B\n\t\t&& x > 1\n#endif\n\t) {\n\t\treturn 1;\n\t}\n\treturn 0;\n}\n"


def test_only_a_conditional_that_splits_a_statement_loses_its_branches() -> None:
    parsed = repair.parse(f"{WHOLE}{SPLIT}{WHOLE}".encode(), Parser(Language(tree_sitter_c.language())))
    assert parsed.source.decode() == WHOLE + SPLIT.replace("#ifdef B", " " * 8).replace("#endif", " " * 6) + WHOLE
    assert not parsed.tree.root_node.has_error


@pytest.mark.parametrize(
    ("branch", "between", "is_split"),
    [
        ("g();", "h();", False),
        ("if (x) { g(); }", "", False),
        ('/* } */ g("{");', "h('{');", False),
        ("#define H(x) \\\n  (x", "h();", False),
        ("if (x) {", "if (y) {", True),
        ("g(),", "h();", True),
        ("else g();", "", True),
        ("} else", "", True),
    ],
)
def test_which_conditionals_split_a_statement(branch: str, between: str, is_split: bool) -> None:
    source = f"void f(int x) {{\n\tk();\n#if A\n\t{branch}\n#else\n\t{between}\n#endif\n\tk();\n}}\n".encode()
    assert (one_branch(source, split=True) != source) == is_split
    assert one_branch(source) != source


def test_where_no_round_is_left_one_branch_is_tried_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a large file of which an error covers everything."""
    source = f"{SOURCES['split construct']}{WHOLE}".encode()
    parser = Parser(Language(tree_sitter_c.language()))
    monkeypatch.setattr(repair, "_MOST_MENDED", repair._mended(errors_of(parser.parse(source).root_node)))
    assert not repair.parse(source, parser).tree.root_node.has_error


def test_a_branch_that_takes_too_much_to_read_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SOURCES["split construct"].encode()
    parser = Parser(Language(tree_sitter_c.language()))

    def gives_up(before: repair.Parsed, source: bytes, parser: Parser) -> repair.Parsed:
        raise TooMuch("parsing")

    monkeypatch.setattr(repair, "_parsed_again", gives_up)
    assert repair.parse(source, parser).source == source


@pytest.mark.parametrize(
    "end", ["g(a", "g(a, ", "g(", 'g("x" y', "int x = ", "enum { A", "struct s { F(1)", "STORE(1)", "x"]
)
def test_a_file_may_end_anywhere(end: str) -> None:
    source = f"void f(void) {{\n\tSTORE(1)\n\t{end}".encode()
    parsed = repair.parse(source, Parser(Language(tree_sitter_c.language())))
    assert len(parsed.source) == len(source)


def test_an_operand_may_be_missing_at_the_end_of_the_file() -> None:
    source = bytearray(b"g(a")
    missing = SimpleNamespace(start_byte=3, end_byte=3, is_missing=True, is_error=False, type=")")
    mend(source, [Error(missing, SimpleNamespace(type="argument_list"), None, None, None, False)])
    assert source == b"g(a"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\tSTORE(1)\n\tx = g(x);", "STORE(1);\n\tx = g(x);"),
        ("\tSTORE(1)\n\tSTORE(h(2, (3)))\n\n\tx = 2;", "STORE(1);\nSTORE(h(2, (3)));\n\n\tx = 2;"),
        ("\tif (x) STORE(2)\n\treturn;", "\tif (x)STORE(2);\n\treturn;"),
    ],
)
def test_a_macro_that_is_a_statement_gets_its_end(before: str, after: str) -> None:
    """Else the grammar reads it as the beginning of the next one."""
    around = "void f(int x) {{\n\tg(x);\n{}\n}}\n"
    parsed = repair.parse(around.format(before).encode(), Parser(Language(tree_sitter_c.language())))
    assert parsed.source.decode() == around.format(after)
    assert not parsed.tree.root_node.has_error


@pytest.mark.parametrize(("changed", "edited"), [(10, True), (11, False)])
def test_a_tree_with_very_many_changed_lines_is_not_edited(
    changed: int, edited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each edit takes time in the number of siblings before it."""
    copies: list[Tree] = []
    monkeypatch.setattr(repair, "_EDITS", 10)
    monkeypatch.setattr(repair, "copy", lambda tree: copies.append(tree) or copy(tree))
    parser = Parser(Language(tree_sitter_c.language()))
    source = b"int a;\n" * 20
    tree = repair._parsed_again(
        repair.Parsed(parser.parse(source), source), b"int b;\n" * changed + b"int a;\n" * (20 - changed), parser
    ).tree
    assert bool(copies) == edited
    assert not tree.root_node.has_error
    assert tree.root_node.child_count == 20


@pytest.mark.parametrize("most", [0, 10_000])
def test_errors_are_parsed_again_up_to_a_bound(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "_MOST_MENDED", most)
    reads = 0

    class Counting(Parser):
        def read(self, source: bytes, /, old_tree: Tree | None = None) -> Tree:
            nonlocal reads
            reads += 1
            return super().read(source, old_tree)

    repair.parse(SOURCES["all at once"].encode(), Counting(Language(tree_sitter_c.language())))
    assert (reads > 1) == (most > 0)
