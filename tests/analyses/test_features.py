"""What a confidence rests on: features of findings, and the probability that is made of them."""

from __future__ import annotations

from math import exp, log1p

import pytest
from in_memory import compared, extract, table

from pliant.analyses.findings import Finding
from pliant.analyses.library_tests import log_odds
from pliant.analyses.ranking import Ranking, confidence_of, ranking

FIND = "import re\n\n\ndef find(x):\n    if x:\n        return re.match('a', x)\n    return None\n\n\n"
TESTED = "def tested{n}(x):\n    y = find(x)\n    if y is None:\n        return 0\n    return y.start()\n\n\n"
USED = "def used{n}(x):\n    return find(x).start()\n\n\n"
PLAIN = "def plain(x):\n    return find(x).start()\n\n\n"
JAVA = """
class A {
    static String find(boolean b) { return b ? "a" : null; }
    static int tested(boolean b) { String s = find(b); return s == null ? 0 : s.length(); }
    static int other(boolean b) { String s = find(b); if (s != null) return 1; return 0; }
    static int plain(boolean b) { return find(b).length(); }
}
"""
C = """
#include <stdlib.h>
struct s { int n; };
static struct s *find(int b) { return b ? malloc(sizeof(struct s)) : NULL; }
int tested(int b) { struct s *s = find(b); if (!s) return 0; return s->n; }
int other(int b) { struct s *s = find(b); return s != NULL; }
int plain(int b) { return find(b)->n; }
"""
UNTESTED = "untested results of the callee"
TESTING, RELYING = "functions that test the attribute", "functions that rely on the attribute"
CHANNEL = """
class Channel:
    def __init__(self):
        self.socket = None
    def open(self, socket):
        self.socket = socket
    def plain(self):
        return self.socket.read()
"""
TESTING_METHOD = "    def tested{n}(self):\n        return self.socket.read() if self.socket else None\n"
RELYING_METHOD = "    def used{n}(self):\n        return self.socket.read()\n"
WINDOW = "struct w { int id; };\nstruct c { struct w *window; };\nint plain(struct c *c) { return c->window->id; }\n"
TESTING_WINDOW = "int tested{n}(struct c *c) {{ return c->window ? c->window->id : 0; }}\n"
RELYING_WINDOW = "int used{n}(struct c *c) {{ return c->window->id; }}\n"


def found(path: str, source: str, function: str) -> Finding:
    """The finding that is new in a function of a new file."""
    every = [each for each in compared({path: "\n"}, {path: source}) if each.function == function]
    assert len({each.line for each in every}) == 1
    return every[0]


@pytest.mark.parametrize(("tested", "used"), [(0, 0), (3, 0), (2, 2)])
def test_calls_of_the_function_that_gives_null_are_counted_whose_results_are_not_tested(tested: int, used: int) -> None:
    others = [TESTED.format(n=number) for number in range(tested)] + [USED.format(n=number) for number in range(used)]
    said = found("a.py", FIND + PLAIN + "".join(others), "plain").features
    assert said[UNTESTED] == log1p(1 + used)
    assert said["origin: literal"] == 1.0 and said["other origins"] == log1p(1)


@pytest.mark.parametrize(("path", "source", "function"), [("A.java", JAVA, "A.plain"), ("a.c", C, "plain")])
def test_tests_of_results_are_known_in_every_language(path: str, source: str, function: str) -> None:
    assert found(path, source, function).features[UNTESTED] == log1p(1)


@pytest.mark.parametrize(("tested", "used"), [(0, 0), (1, 3), (3, 1)])
def test_functions_that_test_an_attribute_or_rely_on_it_are_counted(tested: int, used: int) -> None:
    others = [TESTING_METHOD.format(n=n) for n in range(tested)] + [RELYING_METHOD.format(n=n) for n in range(used)]
    said = found("a.py", CHANNEL + "".join(others), "Channel.plain").features
    assert said["origin: first"] == 1.0
    assert (said.get(TESTING, 0.0), said[RELYING]) == (log1p(tested), log1p(1 + used))


@pytest.mark.parametrize(("tested", "used"), [(2, 0), (4, 2)])
def test_what_most_functions_test_is_a_candidate_by_its_name(tested: int, used: int) -> None:
    others = [TESTING_WINDOW.format(n=n) for n in range(tested)] + [RELYING_WINDOW.format(n=n) for n in range(used)]
    said = found("a.c", WINDOW + "".join(others), "plain").features
    assert said["origin: doubted"] == 1.0
    assert (said[TESTING], said[RELYING]) == (log1p(tested), log1p(1 + used))


@pytest.mark.parametrize("used", [1, 2])
def test_what_most_functions_rely_on_is_none(used: int) -> None:
    others = [TESTING_WINDOW.format(n=1)] + [RELYING_WINDOW.format(n=n) for n in range(used)]
    assert compared({"a.c": "\n"}, {"a.c": WINDOW + "".join(others)}) == []


@pytest.mark.parametrize(
    ("expression", "origin"),
    [("x.get('a').start()", "lookup"), ("re.match('a', y).start()", "call")],
)
def test_what_makes_the_null_is_a_feature(expression: str, origin: str) -> None:
    source = f"import re\n\n\ndef f(y):\n    x = {{}}\n    x[y] = y\n    return {expression}\n"
    said = found("a.py", source, "f").features
    assert [name for name in said if name.startswith("origin")] == [f"origin: {origin}"]


def test_the_probability_is_the_logistic_function_of_the_weighted_sum() -> None:
    model = Ranking(0.5, -1.0, {"a": 2.0, "b": -0.5}, {"alias": 0.25})
    assert model.probability({}) == pytest.approx(1 / (1 + exp(1)))
    assert model.probability({"a": 1.0, "b": 2.0, "unknown": 9.0}) == pytest.approx(0.5)
    assert model.reasons({"a": 1.0, "b": 2.0, "unknown": 9.0}) == [("a", 2.0), ("b", -1.0)]
    assert model.share("alias.mutable-default") == 0.25
    assert model.share("aliases") is None and model.share("null.attribute") is None


def test_an_alias_finding_has_the_share_of_those_that_were_true() -> None:
    source = "def f(x, found=[]):\n    found.append(x)\n    return found\n"
    [new] = compared({"a.py": "\n"}, {"a.py": source})
    [fixed] = compared({"a.py": source}, {"a.py": "\n"})
    [unchanged] = compared({"a.py": source}, {"a.py": f"\n{source}"})
    share = ranking().share("alias.mutable-default")
    assert share is not None and new.probability == fixed.probability == share and not new.unlikely
    assert new.confidence == fixed.confidence == confidence_of(share)
    assert unchanged.probability is None and unchanged.confidence == "medium"


@pytest.mark.parametrize(
    ("probability", "confidence"),
    [
        (1.0, "high"),
        (0.8, "high"),
        (0.7999, "medium"),
        (0.5, "medium"),
        (0.4999, "low"),
        (0.0, "low"),
        (None, "medium"),
    ],
)
def test_confidence_is_named_by_the_probability(probability: float | None, confidence: str) -> None:
    assert confidence_of(probability) == confidence


def test_a_finding_has_the_probability_of_its_features() -> None:
    finding = found("a.py", FIND + PLAIN, "plain")
    assert finding.probability == ranking().probability(finding.features)
    assert finding.confidence == confidence_of(finding.probability)
    assert finding.unlikely == (finding.probability < ranking().shown)
    assert 0 < ranking().shown < 1 and ranking().weights


def test_a_finding_that_a_count_alone_takes_away_is_not_fixed() -> None:
    tested = "".join(TESTING_WINDOW.format(n=n) for n in range(2))
    relied = "".join(RELYING_WINDOW.format(n=n) for n in range(2))
    head = {"a.c": WINDOW + tested + relied}
    assert compared({"a.c": WINDOW + tested}, head) == []
    assert [(each.status, each.function) for each in compared({"a.c": WINDOW + tested}, {"a.c": tested})] == [
        ("fixed", "plain")
    ]


@pytest.mark.parametrize(
    ("declared", "told"),
    [("socket: Socket = None", False), ("socket = None", True), ("socket: ClassVar[Socket] = None", False),
     ("socket: Socket | None = None", True), ("socket: Any = None", True)],
)  # fmt: skip
def test_what_is_declared_without_null_is_not_expected_to_be_null_at_first(declared: str, told: bool) -> None:
    source = CHANNEL.replace("    def __init__(self):\n        self.socket = None\n", f"    {declared}\n")
    every = compared({"a.py": "\n"}, {"a.py": f"class Socket: pass\n{source}"})
    assert ("Channel.plain" in {each.function for each in every}) == told


def test_what_is_known_of_a_module_is_not_believed_by_its_name() -> None:
    tests = "".join(f"def f{n}(x):\n    return x.prefix.lower() if x.prefix is not None else 0\n" for n in range(3))
    source = (
        f"import sys\n{tests}def known():\n    return sys.prefix.lower()\ndef plain(x):\n    return x.prefix.lower()\n"
    )
    every = [each.function for each in compared({"a.py": "\n"}, {"a.py": source})]
    assert "plain" in every and "known" not in every


SEARCHES = {
    "a.py": """
def for_loop(all, name):
    for each in all:
        if each.name == name:
            return each

def said(all, name):
    for each in all:
        if each.name == name:
            return each
    print(name)
    return None

def nested(all):
    for some in all:
        for each in some:
            if each.good:
                return each
    return None

def while_loop(kind):
    while kind is not None:
        if kind.good:
            return kind
        kind = kind.parent
    return None

def left_early(all, name):
    if not name:
        return None
    for each in all:
        if each.name == name:
            return each
    raise KeyError

def no_search(all):
    for each in all:
        each.start()
    return None
""",
    "a.c": """
struct q { int type; };
struct q *while_loop(struct q *q, int type) {
    while (q->type != 0) {
        if (q->type == type) return q;
        q++;
    }
    return (void *)0;
}
struct q *left_early(struct q *q, int type) {
    if (type == 4) return (void *)0;
    for (;; q++) if (q->type == type) return q;
}
""",
    "A.java": """
class A {
    A next;
    int type;
    static A while_loop(A a, int type) {
        for (A each = a; each != null; each = each.next) if (each.type == type) return each;
        return null;
    }
    static A for_loop(java.util.List<A> all, int type) {
        for (A each : all) if (each.type == type) return each;
        return null;
    }
    static A left_early(A a, int type) {
        if (type == 4) return null;
        while (a.type != type) a = a.next;
        return a;
    }
}
""",
}


@pytest.mark.parametrize("path", SEARCHES)
def test_what_a_search_gives_that_finds_nothing_is_known(path: str) -> None:
    rows = table(extract(path, SEARCHES[path]), "searched")
    found = {str(value).split("|")[1].removeprefix("A.") for (value,) in rows}
    assert (
        found
        == {
            "a.py": {"for_loop", "said", "nested", "while_loop"},
            "a.c": {"while_loop"},
            "A.java": {"while_loop", "for_loop"},
        }[path]
    )


def test_the_origin_of_a_null_that_a_search_gives_is_told() -> None:
    source = SEARCHES["a.py"] + "def plain(all, name):\n    return said(all, name).price\n"
    assert found("a.py", source, "plain").features["origin: search"] == 1.0


LIBRARY = "import shutil\nimport signal\n\n\ndef which():\n    return shutil.which('a').upper()\n"


def test_other_programs_say_how_often_the_result_of_a_library_function_is_tested() -> None:
    finding = found("a.py", LIBRARY, "which")
    assert finding.features["tested results in other programs"] == log_odds("python", "shutil.which") > 0
    of_the_program = found("a.py", FIND.replace("re.match('a', x)", "x") + PLAIN, "plain")
    assert "tested results in other programs" not in of_the_program.features


def test_of_a_function_without_counts_little_is_known() -> None:
    unknown = log_odds("python", "no.such.function")
    assert unknown == log_odds("no language", "shutil.which")
    assert log_odds("java", "java.nio.file.Path.getFileName") < unknown < log_odds("python", "re.match")
