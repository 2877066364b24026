"""PointerBench: may-alias questions on Java programs.

Checkout: secure-software-engineering/PointerBench. `Benchmark.test("x", "{allocId: ..., mayAlias: [...], notMayAlias:
[...]}")` asks which expressions may be the same object as `x`: an object (allocId) is that of all expressions of its
mayAlias, so those that stand in a mayAlias together with `x` must (bad), others must not (good). The question is put by
passing each expression to a function at that place, and answered by `one_object` of objects.dl.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sources import evaluate, pairs, read
from verdicts import Outcome, Verdict

_TEST = re.compile(r'Benchmark\s*\.test\(\s*"(?P<name>[^"]+)"\s*,(?P<answers>.*?)\);', re.DOTALL)
_MAY = re.compile(r"(?<!ust)(?P<kind>mayAlias|notMayAlias):\s*\[(?P<names>[^\]]*)\]")
_FOLDERS = ("basic", "generalJava", "cornerCases", "collections")
_RULES = """
.decl asked_here(f: symbol, v: symbol)
.decl may_alias(site: symbol, origin: symbol)  // both may be one object
.output may_alias
asked_here(f, v) :- call_method(call, _, "probe/1"), actual(call, 0, v), call(call, f, _).
question(f, v) :- asked_here(f, v).
may_alias(v, w) :- asked_here(f, v), asked_here(f, w), one_object(v, w).
"""


def verdicts(checkout: Path, more: str = "") -> Iterator[Verdict]:
    """more: rules on top of those of the analyses."""
    root = checkout / "src"
    support = {f"benchmark/{path}": text for path, text in read(root / "benchmark", (".java",)).items()}
    for folder in _FOLDERS:
        for name, source in read(root / folder, (".java",)).items():
            yield from _judge(folder, name, source.decode(errors="replace"), support, _RULES + more)


def _judge(folder: str, file: str, source: str, support: dict[str, bytes], rules: str) -> Iterator[Verdict]:
    asked: list[tuple[str, str, bool]] = []

    def probe(match: re.Match[str]) -> str:
        may: set[str] = set()
        no: set[str] = set()
        for answer in _MAY.finditer(match["answers"]):
            names = {name.strip() for name in answer["names"].split(",") if name.strip()}
            together = answer["kind"] == "mayAlias" and match["name"] in names
            (may if together else no).update(names)
        questions = [(name, True) for name in sorted(may)] + [(name, False) for name in sorted(no - may)]
        asked.extend((match["name"], name, expected) for name, expected in questions)
        return "".join(f"Benchmark.probe({match['name']}); Benchmark.probe({name}); " for name, _ in questions)

    evaluation, places = evaluate(
        {f"{folder}/{file}": _TEST.sub(probe, source).encode(), **support}, (("pointerbench.dl", rules),)
    )
    used = [call for call, name in pairs(evaluation, "call_method", 2) if name == "probe/1"]
    passed = dict(pairs(evaluation, "actual", 2))
    aliases = set(pairs(evaluation, "may_alias"))
    in_order = sorted((call for call in used if places[call].file == f"{folder}/{file}"),
                      key=lambda call: (places[call].line, places[call].column))  # fmt: skip
    for (target, name, expected), one, other in zip(asked, in_order[::2], in_order[1::2], strict=True):
        aliased = (passed.get(one, ""), passed.get(other, "")) in aliases
        outcome = Outcome.SHOWN if aliased else Outcome.NOTHING
        yield Verdict(folder, f"{file}: {target} and {name}", expected, outcome)
