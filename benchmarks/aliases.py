#!/usr/bin/env python3
"""What each mechanism of objects.dl is worth and what it costs, on PointerBench and on the Java files of a folder.

    aliases.py POINTERBENCH FOLDER

Each row but the first leaves one mechanism out. Told wrongly: pairs of the suite that are not one object and are told
to be; missed: those that are one and are told not to be. Seconds: of the processor, for the evaluation of the folder's
facts, where nothing is asked but what the rules for findings ask, and where it is asked which objects each receiver of
a call may be; unknown: how many of those may be anything.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "suites"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import pointerbench
from in_memory import batch, extract
from sources import read

from pliant.analyses import registry
from pliant.engine import Batch, Evaluation

# What is added to the rules so that a mechanism says nothing.
WITHOUT = {
    "nothing": "",
    "strong updates, object sensitivity": "shaky(t) :- tracked(t). loose(o) :- rooted(o).",
    "call sites: a call gets back what it passed": 'mapped(call, p, "=", "?", "?") :- brought(call, p, "=").',
    "heap cloning: objects by who ran their maker": 'mapped(call, x, "new", x, "*") :- brought(call, x, "new").',
    "positions and keys of containers": "shaky(t) :- tracked(t), version_call(t, _, call, _), harmless(call).",
    "links to younger objects": "astray(name) :- written(_, name, _).",
    "allocation sites: one object a class": 'objects(v, "?", "?") :- question(_, v).',
}
_ASK = """
.decl asked_receiver(site: symbol, origin: symbol)  // the object may be the one made at the origin
.output asked_receiver
question(f, v) :- call_method(call, v, _), call(call, f, _), method(c, _, f), virtual(c).
asked_receiver(v, o) :- objects(v, o, _).
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pointerbench", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    facts = batch({path: extract(path, text) for path, text in read(options.folder, (".java",)).items()})
    usual, _ = _evaluated(facts, ())
    print("| without | told wrongly | missed | seconds | seconds, all asked | asked | unknown |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, rules in WITHOUT.items():
        verdicts = list(pointerbench.verdicts(options.pointerbench, rules))
        wrong = sum(verdict.fired and not verdict.bad for verdict in verdicts)
        missed = sum(verdict.bad and not verdict.fired for verdict in verdicts)
        seconds, evaluation = _evaluated(facts, (("asked.dl", _ASK + rules),))
        values = set(evaluation.rows("question")[:, 1].tolist())
        texts = evaluation.strings(evaluation.rows("asked_receiver")[:, 1])
        unknown = {
            int(v) for v, text in zip(evaluation.rows("asked_receiver")[:, 0], texts, strict=True) if text == "?"
        }
        print(
            f"| {name} | {wrong} | {missed} | {usual:.1f} | {seconds:.1f} | {len(values)} | {len(unknown)} |",
            flush=True,
        )


def _evaluated(facts: Batch, rules: registry.Files) -> tuple[float, Evaluation]:
    program = registry.program(rules)
    start = time.process_time()
    evaluation = Evaluation.bootstrap(program, facts)
    return time.process_time() - start, evaluation


if __name__ == "__main__":
    main()
