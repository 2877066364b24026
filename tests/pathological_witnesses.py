"""Candidates that could cost more to decide than the function that they are in. A generator makes a source of `count`
parts, in which a null that `f` makes is used."""

from __future__ import annotations

from collections.abc import Callable

Generator = Callable[[int], str]


def _f(*lines: str, begin: str = "    x = None\n", end: str = "    return x.name\n") -> Generator:
    """A function with `lines`, each as often as `count` says, one after the other; `{n}` is the number of a copy,
    `{m}` that of the one before."""

    def generate(count: int) -> str:
        many = "".join(
            line.replace("{n}", str(number)).replace("{m}", str(number - 1))
            for line in lines
            for number in range(1, count + 1)
        )
        return f"def f(a, b, c, y0=0):\n{begin}{many}{end}"

    return generate


def _after(before: Callable[[int], str], *lines: str) -> Generator:
    return lambda count: before(count) + _f(*lines)(count)


def _nested(opening: str, inside: str, closing: str = "", most: int = 10_000) -> Generator:
    """Blocks in each other, behind which the null is used."""

    def generate(count: int) -> str:
        depth = min(count, most)
        lines = ["    x = None"]
        lines += ["    " + " " * level + opening.replace("{n}", str(level)) for level in range(depth)]
        lines.append("    " + " " * depth + inside)
        lines += ["    " + " " * level + closing for level in reversed(range(depth if closing else 0))]
        return "def f(a, b, c):\n" + "\n".join([*lines, "    return x.name", ""])

    return generate


def _chain(count: int) -> str:
    """Small functions that each call the next."""
    return "".join(f"def g{n}(o):\n    o.x{n} = 1\n    return g{n + 1}(o)\n\n" for n in range(count))


def _clique(count: int) -> str:
    """Functions that pass a parameter to each other."""
    count = min(count, 30)
    calls = "".join(f"    g{n}(x, a)\n" for n in range(count))
    return "".join(f"def g{n}(x, a):\n    if a:\n        return x.name\n{calls}\n" for n in range(count))


def _cases(count: int) -> str:
    cases = "".join(f"        case {n}:\n            b = {n}\n" for n in range(count))
    return f"def f(a, b, c):\n    x = None\n    match a:\n{cases}    if b == 3:\n        return x.name\n"


def _go_cases(count: int) -> str:
    cases = "".join(f"\tcase {n}:\n\t\tb = {n}\n" for n in range(count))
    return (
        "package p\ntype S struct { n int }\nfunc f(a int, b int) int {\n\tvar x *S\n\tswitch a {\n"
        f"{cases}\t}}\n\tif b == 3 {{ return x.n }}\n\treturn 0\n}}\n"
    )


GENERATORS: dict[str, Generator] = {
    "branches that set a variable": _f("    if a == {n}: b = {n}\n", end="    if b == 7: return x.name\n"),
    "branches that set what is used": _f("    if a == {n}: x = None\n"),
    "branches that set objects": _f("    if a.k{n}: b = a.v{n}\n", end="    if b.z: return x.name\n"),
    "joins of three values": _f(
        "    if a == {n}: b = c\n    elif a > {n}: b = a\n    else: b = {n}\n    c = b\n",
        end="    if c == 1: return x.name\n",
    ),
    "joins of values that are compared": _f(
        "    if a.k{n} == b: b = c\n    if b == c: c = a\n", end="    if c == b: return x.name\n"
    ),
    "stores to fields in a loop": _f(
        "        a.x{n} = b; b = a.x{m}\n", begin="    x = None\n    while a.more:\n", end="    if b.z: return x.name\n"
    ),
    "stores to one field of many": _f("    y{n} = c.get({n}); y{n}.k = y{m}\n", end="    if a.k: return x.name\n"),
    "stores under branches, then loads": _f(
        "    if a.k{n}: b.f = a.v{n}\n", "    if a.v{n}.f == {n}: c = b.f\n", end="    if c.f: return x.name\n"
    ),
    "elements of elements": _f("    a[b][c] = a[{n}][{m}]; b = a[c]\n", end="    if b: return x.name\n"),
    "lists of lists": _f("    y{n} = [y{m}, y{m}]\n", end="    if y0: return x.name\n"),
    "sums": _f("    b = b + {n} if a == b else b - {n}\n", end="    if b == 7: return x.name\n"),
    "calls of small functions": _after(
        lambda count: "def g(o):\n    if o.a: o.b = o.c\n    else: o.c = o.b\n    return o.b\n\n",
        "    b = g(b)\n    if b.z: c = g(c)\n",
    ),
    "calls of small functions in each other": lambda count: (
        "def g(o):\n    if o.a: o.b = o.c\n    return o.b\n\n"
        f"def f(a):\n    x = None\n    if {'g(' * min(count, 900)}a{')' * min(count, 900)}:\n        return x.name\n"
    ),
    "calls that each may write much": _after(_chain, "    g{n}(a)\n"),
    "calls in one try": _f(
        "        a.k{n}(b)\n", begin="    x = None\n    try:\n", end="    except E:\n        return x.name\n"
    ),
    "functions that pass it to each other": lambda count: _clique(count) + "def f(a):\n    g0(None, a)\n",
    "cases": _cases,
    "cases of Go": _go_cases,
    "loops in each other": _nested("while a.k{n}:", "b = c", "c = b"),
    "loops one after the other": _f("    while a.k{n}:\n        b = b.next\n", end="    if b.z: return x.name\n"),
    "branches in each other": _nested("if a.k{n}:", "b = c"),
    "comprehensions in each other": lambda count: (
        f"def f(a):\n    x = None\n    if {'[' * min(count, 900)}a{' for b in a if b]' * min(count, 900)}:\n"
        "        return x.name\n"
    ),
    "tries in each other": _nested("try:", "b = c()", "except E: b = None"),
    "a condition of many": _f(
        " and a.k{n} != a.k{m}", begin="    x = None\n    if a", end=":\n        return x.name\n"
    ),
    "attributes of attributes": _f(".k{n}", begin="    x = None\n    if a", end=":\n        return x.name\n"),
    "uses that did not fail": _f("    b = a.k{n} if a.j{n} else b\n    b.go\n", end="    if b: return x.name\n"),
    "numbers compared with each other": _f(
        "    if b + y0 < {n}: return 0\n    y0 = y0 + b - {n} if a[{n}] < b else y0 - a[{m}]\n",
        end="    if y0 == b: return x.name\n",
    ),
    "numbers that are equal in many ways": _f(
        "    if a.k{n} == a.j{n}: b = b + 1\n", begin="    x = None\n    b = 0\n", end="    if b == 40: return x.name\n"
    ),
}
