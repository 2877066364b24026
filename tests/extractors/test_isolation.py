"""What an extractor fails on costs the function in which it stands, or a statement outside of functions."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from in_memory import every_row, extract, findings
from test_any_source import checked

from pliant.extractors import budget, workers
from pliant.extractors.facts import Diagnostic, FileFacts
from pliant.extractors.languages import language_of
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.translated import Pending, TranslatedFile
from pliant.extractors.passes.construction import Construction

LITERALS = {"python": "string", "java": "string_literal", "c": "string_literal", "go": "interpreted_string_literal"}
FILES = {"python": "a.py", "java": "A.java", "c": "a.c", "go": "a.go"}


@pytest.fixture(autouse=True)
def failing_literals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowering "fail" is a bug; lowering "memory" needs more than there is."""
    for language, kind in LITERALS.items():
        if language == "go":
            handlers: dict[str, Any] = import_module("pliant.extractors.go.expressions").HANDLERS
        elif language == "python":
            handlers = import_module("pliant.extractors.python.translation.functions").EXPRESSIONS
        else:
            handlers = import_module(f"pliant.extractors.{language}.translation.body").EXPRESSIONS
        monkeypatch.setitem(handlers, kind, _failing(handlers[kind]))


def _failing(handler: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def lower(lo: Any, node: Any) -> Any:
        if b"fail" in node.text:
            raise ValueError("no\nnumber")
        if b"memory" in node.text:
            raise MemoryError
        return handler(lo, node)

    return lower


_PYTHON = """
class Shop:
    def before(self, thing=None):
        return thing.name
    def broken(self, thing=None):
        len(thing)
        def inner():
            return thing.size
        use("{literal}", inner)
        return None
    def after(self, thing=None):
        len(thing)
        return thing.name
"""
_JAVA = """
class Shop {{
    String before(String s) {{ if (s == null) {{ return null; }} return s.trim(); }}
    String broken(String s) {{ Util.len(s); use(() -> s.size()); use("{literal}"); return null; }}
    String after(String s) {{ if (s == null) {{ return null; }} Util.len(s); return s.trim(); }}
}}
"""
_C = """
char *before(struct s *p) {{ if (!p) return 0; return p->name; }}
char *broken(struct s *p) {{ use(p); use("{literal}"); p->name = 0; return 0; }}
char *after(struct s *p) {{ if (!p) return 0; use(p); return p->name; }}
"""
_GO = """package p
func before(s *S) string {{ if s == nil {{ return "" }}; return s.name }}
func broken(s *S) *S {{ use(s); use(func() {{ s.size() }}); use("{literal}"); return nil }}
func after(s *S) string {{ if s == nil {{ return "" }}; use(s); return s.name }}
"""
SOURCES = {"python": _PYTHON, "java": _JAVA, "c": _C, "go": _GO}


def _rows_of(facts: FileFacts, function: str) -> set[tuple[str | int, ...]]:
    """The rows that name a function, or something in it."""
    marks = (f"|{function}|", f".{function}|")
    return {row for row in every_row(facts) if any(mark in f"{entry}|" for entry in row[1:] for mark in marks)}


@pytest.mark.parametrize("language", FILES)
def test_a_failure_costs_its_function(language: str) -> None:
    whole = extract(FILES[language], SOURCES[language].format(literal="fine"))
    facts = checked(SOURCES[language].format(literal="fail").encode(), FILES[language])
    symbol = next(symbol for symbol in whole.symbols if symbol.endswith("broken"))
    assert [(each.scope, each.function, each.reason) for each in facts.diagnostics] == [
        ("function", symbol, "the extractor fails here with ValueError: no number")
    ]
    for name in ("before", "after"):
        assert len(_rows_of(whole, name)) > 5
        assert _rows_of(whole, name) <= every_row(facts), name
    left = {row[0] for row in every_row(facts) if row[1] == symbol}
    assert {"function", "ends"} <= left
    assert "returns" not in left
    assert not any(any(inner in symbol for inner in ("inner", "<lambda>", "func1")) for symbol in facts.symbols)


@pytest.mark.parametrize("language", FILES)
def test_instructions_of_a_file_with_a_failure_are_not_stored(language: str) -> None:
    """Which parts are left out may depend on who asks."""
    assert extract(FILES[language], SOURCES[language].format(literal="fine")).instructions is not None
    assert extract(FILES[language], SOURCES[language].format(literal="fail")).instructions is None


def test_what_is_in_a_function_that_fails_is_not_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the attempt that finds out, either, which may have found very much in it."""
    lowered: list[str] = []
    lower = TranslatedFile._lower

    def noted(file: TranslatedFile, pending: Pending) -> None:
        lowered.append(pending.body.builder.function.name)
        lower(file, pending)

    monkeypatch.setattr(TranslatedFile, "_lower", noted)
    extract("A.java", _JAVA.format(literal="fine"))
    assert sum("<lambda>" in symbol for symbol in lowered) == 1
    lowered.clear()
    extract("A.java", _JAVA.format(literal="fail"))
    assert not any("<lambda>" in symbol for symbol in lowered)


@pytest.mark.parametrize("language", FILES)
def test_a_lack_of_memory_is_no_failure_of_a_function(language: str) -> None:
    with pytest.raises(MemoryError):
        extract(FILES[language], SOURCES[language].format(literal="memory"))


def test_a_failure_outside_of_functions_costs_its_statement() -> None:
    source = """
def before(thing=None):
    return thing.name
table = None
if table is None:
    table = use("{literal}")
table.x
class Shop:
    kind = "{literal}"
    def method(self, thing=None):
        return thing.name
def after(thing=None, how="{other}"):
    return thing.name
"""
    whole = extract("a.py", source.format(literal="fine", other="fine"))
    facts = checked(source.format(literal="fail", other="fine").encode())
    assert [(each.line, each.scope, each.function) for each in facts.diagnostics] == [(6, "part", ""), (9, "part", "")]
    for name in ("before", "method", "after"):
        assert _rows_of(whole, name) <= every_row(facts), name
    # A function whose default value fails is not declared.
    facts = checked(source.format(literal="fine", other="fail").encode())
    assert [each.line for each in facts.diagnostics] == [12]
    assert ("function", "|after", "|") not in every_row(facts)


@pytest.fixture
def failing_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass fails over `a @ b`."""
    handlers: dict[str, Any] = import_module("pliant.extractors.passes.steps").STEPS
    arithmetic = handlers["arithmetic"]

    def fail(steps: Any, instruction: Any) -> None:
        if instruction.operands[0] == "@":
            raise ValueError("no product")
        arithmetic(steps, instruction)

    monkeypatch.setitem(handlers, "arithmetic", fail)


@pytest.mark.usefixtures("failing_products")
def test_a_failure_of_a_pass_outside_of_functions_costs_its_statement() -> None:
    source = """
def before(thing=None):
    return thing.name
class Shop:
    kind = one {operator} two
    def method(self, thing=None):
        return thing.name
"""
    whole = extract("a.py", source.format(operator="+"))
    facts = checked(source.format(operator="@").encode())
    reason = "the extractor fails here with ValueError: no product"
    assert [(each.line, each.scope, each.reason) for each in facts.diagnostics] == [(5, "part", reason)]
    for name in ("before", "method"):
        assert _rows_of(whole, name) <= every_row(facts), name


@pytest.mark.usefixtures("failing_products")
def test_a_function_over_which_a_pass_fails_makes_no_finding_elsewhere() -> None:
    """It may set the field that is null before, and a call of it comes back."""
    source = """
class Shop:
    def fill(self, other):
        other.price {operator} other
        {fill}
    def close(self):
        self.next = None
    def sell(self, other):
        self.close()
        self.fill(other)
        self.next.use()
def use():
    Shop().fill(Shop())
    none = None
    none.use()
"""
    lines = [finding.line for finding in findings({"a.py": source.format(operator="+", fill="pass")})]
    assert lines == [11, 15]
    assert [each.line for each in findings({"a.py": source.format(operator="@", fill="self.next = other")})] == [15]


def test_what_a_statement_that_was_left_out_may_have_set_is_not_null() -> None:
    assert [finding.line for finding in findings({"a.py": "table = None\ntable.x\n"})] == [2]
    assert findings({"a.py": "table = None\ntable = use('fail')\ntable.x\n"}) == []


def test_a_function_that_was_left_out_makes_no_finding_elsewhere() -> None:
    """It may set the field that is null at first, and a call of it comes back."""
    source = """
class Shop {{
    private Shop next;
    Shop() {{ next = null; }}
    void fill(Shop other) {{ use("{literal}"); {fill} }}
    int use() {{ return next.use(); }}
    static void sell() {{ Shop shop = new Shop(); shop.fill(shop); Shop none = null; none.use(); }}
}}
"""
    lines = [(finding.line, finding.rule) for finding in findings({"Shop.java": source.format(literal="", fill="")})]
    assert [line for line, _ in lines] == [6, 7]
    fails = findings({"Shop.java": source.format(literal="fail", fill="next = other;")})
    assert [(finding.line, finding.rule) for finding in fails] == lines[1:]


def test_a_failure_outside_of_all_costs_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pliant.extractors.python.scopes.ScopeBuilder._visit", lambda self, root: {}["x"])
    facts = extract("a.py", "def f(x=None):\n    return x.y\n")
    assert [each.scope for each in facts.diagnostics] == ["file"]
    assert not facts.rows


def test_what_fails_at_each_attempt_costs_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_attempt", lambda file, left_out, *_: {(len(left_out), 0, ""): "odd"})
    facts = extract("a.py", "x = 1\n")
    assert facts.diagnostics == [Diagnostic(1, "parts of it fail that are found one after the other, odd", "file")]


def test_nesting_does_not_depend_on_who_asks() -> None:
    source = b"def f(a):\n    return " + b"(" * 1500 + b"a.b" + b")" * 1500 + b"\n"
    for depth in range(1480, 1520, 4):
        nested = source.replace(b"(" * 1500, b"(" * depth).replace(b")" * 1500, b")" * depth)
        expected = every_row(extract("a.py", nested))
        assert every_row(_deeper(100, nested)) == expected


def _deeper(frames: int, source: bytes) -> FileFacts:
    return _deeper(frames - 1, source) if frames else extract("a.py", source)


@pytest.mark.parametrize("suffix", ["c", "go", "py"])
def test_what_is_left_out_leaves_no_cycle_of_objects(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the memory of a whole file would wait for the collector."""
    run = Construction.run
    monkeypatch.setattr(
        Construction,
        "run",
        lambda self, most, in_all: run(self, 0 if most == budget.FUNCTION_STEPS else most, in_all),
    )
    source = {
        "c": "struct s { int v; };\nvoid f(struct s *p)\n{\n" + "p->v = 1;\n" * 9 + "}\n",
        "go": "package a\ntype S struct { V int }\nfunc f(p *S) {\n" + "p.V = 1\n" * 9 + "}\n",
        "py": "def f(p):\n" + "    p.v = 1\n" * 9,
    }[suffix].encode()
    language = language_of(f"a.{suffix}")
    assert language is not None
    workers.extract(language, source)
    gc.collect()
    gc.disable()
    try:
        facts = workers.extract(language, source)
        assert {each.reason for each in facts.diagnostics} == {"it takes more than 0 steps"}
        assert gc.collect() < 20
    finally:
        gc.enable()
