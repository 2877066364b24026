"""PointerBench: may-alias questions on Java programs.

Checkout: secure-software-engineering/PointerBench. `Benchmark.test("x", "{allocId: ..., mayAlias: [...], notMayAlias:
[...]}")` asks which expressions may be the same object as `x`: those of any mayAlias must (bad), those that stand in
notMayAlias alone must not (good). The question is put by passing each expression to a function at that place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sources import evaluate, pairs, read
from verdicts import Verdict

_TEST = re.compile(r'Benchmark\s*\.test\(\s*"(?P<name>[^"]+)"\s*,(?P<answers>.*?)\);', re.DOTALL)
_MAY = re.compile(r"(?<!ust)(?P<kind>mayAlias|notMayAlias):\s*\[(?P<names>[^\]]*)\]")
_FOLDERS = ("basic", "generalJava", "cornerCases", "collections")


def verdicts(checkout: Path) -> Iterator[Verdict]:
    root = checkout / "src"
    support = {f"benchmark/{path}": text for path, text in read(root / "benchmark", (".java",)).items()}
    for folder in _FOLDERS:
        for name, source in read(root / folder, (".java",)).items():
            yield from _judge(folder, name, source.decode(errors="replace"), support)


def _judge(folder: str, file: str, source: str, support: dict[str, bytes]) -> Iterator[Verdict]:
    asked: list[tuple[str, str, bool]] = []

    def probe(match: re.Match[str]) -> str:
        may: set[str] = set()
        no: set[str] = set()
        for answer in _MAY.finditer(match["answers"]):
            names = {name.strip() for name in answer["names"].split(",") if name.strip()}
            (may if answer["kind"] == "mayAlias" else no).update(names)
        questions = [(name, True) for name in sorted(may)] + [(name, False) for name in sorted(no - may)]
        asked.extend((match["name"], name, expected) for name, expected in questions)
        return "".join(f"Benchmark.probe({match['name']}); Benchmark.probe({name}); " for name, _ in questions)

    evaluation, places = evaluate({f"{folder}/{file}": _TEST.sub(probe, source).encode(), **support})
    used = [call for call, name in pairs(evaluation, "call_method", 2) if name == "probe/1"]
    held: dict[str, set[str]] = {}
    for value, o in pairs(evaluation, "points_to", 1):
        held.setdefault(value, set()).add(o)
    objects = dict(pairs(evaluation, "instance"))
    derived: dict[str, set[str]] = {}
    for sub, base in pairs(evaluation, "subtype"):
        derived.setdefault(objects.get(base, base), set()).add(objects.get(sub, sub))
    # What is declared to be of a class holds its object alone, which stands for those of derived classes as well.
    meant = {value: found.union(*(derived.get(o, set()) for o in found)) for value, found in held.items()}
    passed = {call: meant.get(value, set()) for call, value in pairs(evaluation, "actual", 2)}
    in_order = sorted((call for call in used if places[call].file == f"{folder}/{file}"),
                      key=lambda call: (places[call].line, places[call].column))  # fmt: skip
    for (target, name, expected), one, other in zip(asked, in_order[::2], in_order[1::2], strict=True):
        aliased = bool(passed.get(one, set()) & passed.get(other, set()))
        yield Verdict(folder, f"{file}: {target} and {name}", expected, aliased)
