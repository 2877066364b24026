"""Sources that could cost an extractor more than their size: shapes of such sources, and a table of them by language.

A generator makes a source of about as many bytes as it is asked for. tests/extractors/costs.py prints what each costs.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import isqrt

Generator = Callable[[int], bytes]
LANGUAGES = ("python", "java", "c", "go")


def table(language: str) -> dict[str, Generator]:
    """The generators of a language, by what they make."""
    found: dict[str, Generator] = import_module(f"pathological_{language}").GENERATORS
    return found


def repeated(unit: str, before: str = "", after: str = "") -> Generator:
    """`unit` as often as it fits; `{n}` in it is the number of the copy, `{m}` that of the one before."""
    return lambda size: _source(before, _copies(unit, size - len(before) - len(after)), after)


def nested(opening: str, closing: str, before: str = "", inside: str = "x", after: str = "") -> Generator:
    """`inside` between as many pairs as fit; `{n}` in the opening is the number of the pair."""

    def generate(size: int) -> bytes:
        length = len(opening) + len(closing)
        if "{n}" in opening:
            length += len(str(size // length)) - len("{n}")
        pairs = max(1, (size - len(before) - len(after)) // length)
        openings = [opening.replace("{n}", str(number)) for number in range(pairs)]
        return _source(before, "".join(openings) + inside + closing * pairs, after)

    return generate


def indented(unit: str, before: str = "", inside: str = "x()", closing: str = "") -> Generator:
    """Blocks of Python in each other, the lines of which grow with their depth. closing: a last line of each."""

    def generate(size: int) -> bytes:
        depth = isqrt(size if closing else 2 * size)
        lines = [" " * level + unit.replace("{n}", str(level)) for level in range(depth)]
        ends = [" " * level + closing for level in reversed(range(depth))] if closing else []
        return _source(before, "\n".join([*lines, " " * depth + inside, *ends]), "\n")

    return generate


def parts(units: tuple[str, ...], before: str = "", after: str = "") -> Generator:
    """Each unit as often as fits into its share, then the next."""

    def generate(size: int) -> bytes:
        share = (size - len(before) - len(after)) // len(units)
        return _source(before, "".join(_copies(unit, share) for unit in units), after)

    return generate


def each_of_all(opening: str, item: str, closing: str, *, before: bool = False) -> Generator:
    """As many parts as fit, each with an item for every other (`before`: every earlier) one: `{n}` is the part's
    number, `{m}` that of the other."""

    def generate(size: int) -> bytes:
        count = max(2, isqrt(size * (2 if before else 1) // (len(item) + 1)))
        texts = []
        for number in range(count):
            others = range(number if before else count)
            items = "".join(item.replace("{m}", str(other)).replace("{n}", str(number)) for other in others)
            texts.append(opening.replace("{n}", str(number)) + items + closing)
        return "".join(texts).encode()

    return generate


def encoded(generator: Generator, encoding: str, mark: bytes = b"") -> Generator:
    """What another generator makes, in another encoding."""
    return lambda size: mark + generator(size // len("x".encode(encoding))).decode().encode(encoding)


def _copies(unit: str, size: int) -> str:
    if "{" not in unit:
        return unit * max(1, size // len(unit))
    texts: list[str] = []
    length = 0
    while length < size or not texts:
        number = len(texts) + 1
        texts.append(unit.replace("{n}", str(number)).replace("{m}", str(number - 1)))
        length += len(texts[-1])
    return "".join(texts)


def _source(before: str, inside: str, after: str) -> bytes:
    return f"{before}{inside}{after}".encode()
