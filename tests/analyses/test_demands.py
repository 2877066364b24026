"""Parameters that a function demands: held to runs of C, and by example."""

from __future__ import annotations

from random import Random

import corpus
import pytest
from c_machine import NOTHING, Machine, Null
from c_nulls import DECLARATIONS
from c_runs import PRELUDE
from in_memory import evaluate, programs, verdicts

from pliant.analyses.witness.calls import SMALL
from pliant.analyses.witness.demands import Demands
from pliant.analyses.witness.derived import Derived
from pliant.extractors.languages import LANGUAGES

_FUNCTIONS = corpus.share(120)
_TOGETHER = 20  # functions in a file


def _demanded(files: dict[str, str], symbol: str) -> set[str]:
    evaluation, places = evaluate(files)
    read = programs(files, places)
    code = read.code(symbol)
    assert code is not None
    return set(Demands(read, Derived(evaluation)).of(code, 3).variables)


def _statements(random: Random, number: int, depth: int) -> str:
    """The body of a function: it uses its pointers, tests them, and passes them to functions before it."""
    found = []
    for _ in range(random.randint(1, 3)):
        one, other = random.choice([("p", "q"), ("q", "p"), ("p", "p")])
        if depth and random.random() < 0.4:
            asked = random.choice(["a > b", "p", "!q", "p == q", "a > 2 && p", "!p || b > 1"])
            inside, behind = (_statements(random, number, depth - 1) for _ in range(2))
            found.append(f"if ({asked}) {{ {inside} }}" + random.choice(["", f" else {{ {behind} }}"]))
        elif depth and random.random() < 0.1:
            found.append(f"while (b-- > 0) {{ {_statements(random, number, depth - 1)} }}")
        elif number and random.random() < 0.4:
            found.append(f"f{random.randrange(number)}(a, b, {one}, {other});")
        else:
            found.append(random.choice([*[f"a += {one}->v;"] * 6, f"{one} = {other};", "return a;"]))
    return " ".join(found)


def test_what_comes_back_from_null_is_not_demanded() -> None:
    random, demanded, called = Random(3), 0, 0
    for _ in range(0, _FUNCTIONS, _TOGETHER):
        text = PRELUDE + DECLARATIONS
        for number in range(_TOGETHER):
            body = _statements(random, number, 2)
            text += f"int f{number}(int a, int b, struct node *p, struct node *q) {{ {body} return a; }}\n"
        unit = LANGUAGES["c"].translate(text.encode())
        evaluation, places = evaluate({"a.c": text})
        read = programs({"a.c": text}, places)
        demands = Demands(read, Derived(evaluation))
        for number in range(_TOGETHER):
            code = read.code(f"a.c|f{number}")
            assert code is not None
            variables = demands.of(code, 3).variables
            called += len(variables - demands.of(code, 0).variables)
            for variable in variables:
                demanded += 1
                for _ in range(8):
                    assert not _comes_back(Machine(unit), f"f{number}", "pq".index(variable), random), (number, text)
    assert demanded > _FUNCTIONS // 4 and called


def _comes_back(machine: Machine, name: str, at: int, random: Random) -> bool:
    given = [random.randint(-2, 6), random.randint(-2, 6), *random.choices(machine.globals["nodes"].elements, k=2)]
    given[2 + at] = NOTHING
    try:
        machine.call(name, given)
    except Null:
        return False
    return True


@pytest.mark.parametrize(
    ("body", "demanded"),
    [
        ("return item.name", True),
        ("return item", False),
        ("if flag:\n        return item.name", False),
        ("if flag:\n        return item.name\n    return item.key", True),
        ("if item is None:\n        raise ValueError\n    return flag", True),
        ("if not item:\n        return None\n    return item.key", False),
        ("for each in flag:\n        item.play(each)", False),
        ("while item.more():\n        flag += 1", True),
        ("try:\n        item.play()\n    except AttributeError:\n        pass", False),
        ("item = flag\n    return item.name", False),
        ("other(flag, item)", True),
        ("other(item, flag)", False),
        ("if flag:\n        other(1, item)\n    else:\n        other(item=item, flag=2)", False),
        ("flag(item)", False),
        ("yield item.name", False),
        ("def inner():\n        nonlocal item\n        item = 1\n    inner()\n    return item.name", False),
    ],
)
def test_on_every_way(body: str, *, demanded: bool) -> None:
    text = f"def other(flag, item):\n    return item.key\n\ndef f(item, flag):\n    {body}\n"
    assert ("item" in _demanded({"a.py": text}, "a.py|f")) == demanded


def test_methods_demand_what_all_that_run_do() -> None:
    use = "int get(Item item) { return item.size; }"
    given = {
        "Item.java": "class Item { int size; }",
        "A.java": f"class A {{ {use} static int of(A a, Item item) {{ return a.get(item); }} }}",
        "B.java": f"class B extends A {{ {use} }}",
    }
    assert _demanded(given, "A.java|A.of") == {"a", "item"}
    given["B.java"] = "class B extends A { int get(Item item) { return 1; } }"
    assert _demanded(given, "A.java|A.of") == {"a"}


_LARGE = "\n".join(f"    if (n == {number}) n = n + {number};" for number in range(SMALL))
_AFTER_A_CALL = f"""
#include <stdlib.h>
struct image {{ int kind, size; }};
static void pixel(struct image *im, int n) {{ switch (n) {{ case 1: im->kind = 2; break; default: im->size = 1; }} }}
static int fill(struct image *im, int n)
{{
    if (n < 0) {{ pixel(im, n); return 0; }}
{_LARGE}
    im->size = n;
    return n;
}}
static int fill_bad(struct image *im, int n)
{{
    if (n < 0) return 0;
{_LARGE}
    im->size = n;
    return n;
}}
int after(int n)
{{
    struct image *im = malloc(sizeof(struct image));
    fill(im, n);
    return im->kind;
}}
int after_bad(int n)
{{
    struct image *im = malloc(sizeof(struct image));
    fill_bad(im, n);
    return im->kind;
}}
"""


def test_a_call_of_a_large_function_has_used_what_it_demands() -> None:
    lines = _AFTER_A_CALL.splitlines()
    said = {line: each for (_, line), each in verdicts({"a.c": _AFTER_A_CALL}).items()}
    good, bad = (number for number, line in enumerate(lines, 1) if line.strip() == "return im->kind;")
    assert said[good] == {"refuted"} and said[bad] == {"witnessed"}


def test_what_a_call_has_used_counts_where_nothing_else_is_asked_of_it() -> None:
    source = """
#include <stdlib.h>
struct loop { int fd; };
struct loop *make(void);
int more(void);
static struct loop *find(int n) { return n > 3 ? NULL : make(); }
static int used(struct loop *loop) { return loop->fd; }
static int counted(struct loop *loop) { int i = 0; while (more()) i++; return used(loop) + i; }
int f(int n) { struct loop *loop = find(n); counted(loop); return loop->fd; }
int f_bad(int n) { struct loop *loop = find(n); if (more()) counted(loop); return loop->fd; }
"""
    said = {line: each for (_, line), each in verdicts({"a.c": source}).items() if line > 8}
    assert said == {9: {"refuted"}, 10: {"witnessed"}}
