"""A toy language for tests of what surrounds the extractors: a line `a = b` assigns, `!word` misbehaves."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from pliant.extractors.encodings import Nulls
from pliant.extractors.facts import Diagnostic, FileFacts


@dataclass(frozen=True)
class Toy:
    name: str = "toy"
    version: str = "1"
    nulls: Nulls = "nowhere"

    def extract(self, source: bytes) -> FileFacts:
        facts = FileFacts(lines=source.count(b"\n"), library=["os"], unmodelled={"goto": 2})
        numbers: dict[str, int] = {}
        for line, text in enumerate(source.decode().splitlines(), 1):
            if text == "!raise":
                raise ValueError("no\nway")
            if text == "!recurse":
                raise RecursionError
            if text == "!die":
                os._exit(3)
            if text.startswith(("!spin ", "!hold ")):
                how, _, file = text.partition(" ")
                Path(file).write_text("begun")
                while how == "!spin":
                    pass
                sum(repeat(0))  # without end, and without letting another thread run
            if text == "!surrogate":
                facts.symbols.append("\udc80")
            if text.startswith("?"):
                facts.diagnostics.append(Diagnostic(line, text[1:], "part", "|f"))
            left, equals, right = text.partition(" = ")
            if equals:
                ids = []
                for name in (left, right):
                    if name not in numbers:
                        numbers[name] = len(facts.symbols)
                        facts.symbols.append(name if name.startswith("lib.") else f"|{name}")
                        facts.places.extend((numbers[name], line, 0, line, len(text)))
                    ids.append(numbers[name])
                facts.rows.setdefault("assign", array("i")).extend(ids)
                facts.rows.setdefault("actual", array("i")).extend((ids[0], line, ids[1]))
        return facts
