#!/usr/bin/env python3
"""What real sources take of the steps that bound extraction: the most of any function, file and parse.

    budgets.py FOLDER ...

Prints for each language the largest shares of `extractors/budget.py` and `extractors/lowering/parsing.py`, with the
file; and the steps that all files take for each of their bytes. Steps are counted, so every machine prints the same.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pliant.extractors.budget import FUNCTION_STEPS, file_steps, translation_steps
from pliant.extractors.languages import language_of
from pliant.extractors.lowering import isolation, parsing
from pliant.extractors.passes import construct
from pliant.extractors.workers import extract


@dataclass
class Taken:
    """The steps of one file: of each function, and of its translation or lowering; of the passes, if it has any."""

    functions: list[int] = field(default_factory=list)
    lowered: int = 0
    passes: int = 0
    parsed: int = 0


@contextmanager
def counted(taken: Taken) -> Iterator[None]:
    """What is extracted in between is added to `taken`."""
    add, run, read = isolation.Spent.add, construct.Construction.run, parsing.Parser.read

    def noted_add(spent: Any, steps: int, *, minor: bool = False) -> None:
        taken.functions.append(steps)
        taken.lowered += steps
        add(spent, steps, minor=minor)

    def noted_run(construction: Any, most_steps: int, in_all: int) -> None:
        try:
            run(construction, most_steps, in_all)
        finally:
            taken.functions.append(construction.fn.steps)
            taken.passes += construction.fn.steps

    def noted_read(parser: parsing.Parser, source: bytes, /, old_tree: Any = None) -> Any:
        try:
            return read(parser, source, old_tree)
        finally:
            taken.parsed += parser.steps

    isolation.Spent.add, construct.Construction.run = noted_add, noted_run  # type: ignore[method-assign]
    parsing.Parser.read = noted_read  # type: ignore[method-assign]
    try:
        yield
    finally:
        isolation.Spent.add, construct.Construction.run = add, run  # type: ignore[method-assign]
        parsing.Parser.read = read  # type: ignore[method-assign]


def shares(taken: Taken, size: int) -> dict[str, float]:
    """What a file of `size` bytes takes of each bound."""
    return {
        "a function": max(taken.functions, default=0) / FUNCTION_STEPS,
        "a translation": taken.lowered / translation_steps(size),
        "a file": (taken.lowered + taken.passes) / file_steps(size),
        "a parse": taken.parsed / parsing.parser_steps(size),
    }


def main() -> None:
    most: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for path in sorted(path for folder in sys.argv[1:] for path in Path(folder).rglob("*")):
        language = language_of(path.name)
        if language is None or not path.is_file():
            continue
        source, taken = path.read_bytes(), Taken()
        with counted(taken):
            extract(language, source)
        for what, share in shares(taken, len(source)).items():
            most[language.name][what] = max(most[language.name].get(what, (0.0, "")), (share, str(path)))
        here = (1, len(source), taken.lowered + taken.passes, taken.parsed)
        sums[language.name] = [a + b for a, b in zip(sums[language.name], here, strict=True)]
    for name, (files, size, steps, parsed) in sums.items():
        print(f"{name}: {files:,} files, {size:,} bytes; {steps / size:.2f} steps, {parsed / size:.4f} of the parser's")
        for what, (share, where) in most[name].items():
            print(f"    {what:18} {share:7.1%}  {where}")


if __name__ == "__main__":
    main()
