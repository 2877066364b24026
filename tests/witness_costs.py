#!/usr/bin/env python3
"""What pathological candidates cost to decide: processor seconds, megabytes and steps, at two sizes.

    witness_costs.py [--parts N] [NAME ...]

Each is decided in a process of its own; names are beginnings.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # also where Python does not put it there

import pathological_witnesses
from in_memory import court, evaluate

from pliant.engine import peak_memory

_DECIDE_ONE = "--decide-one"


def decide_one(name: str, parts: int) -> None:
    """Prints the figures of the slowest candidate, and its answer."""
    files = {f"a.{'go' if 'Go' in name else 'py'}": pathological_witnesses.GENERATORS[name](parts)}
    evaluation, places = evaluate(files)
    asked = court(files, evaluation, places)
    rows = evaluation.rows("null_dereference")
    before = peak_memory()
    slowest = (0.0, "no candidate")
    for row in rows[:20]:
        begin = time.process_time()
        answer = asked.answer(*evaluation.strings(row))
        answer.why()
        slowest = max(slowest, (time.process_time() - begin, f"{answer.verdict} {answer.reason}"))
    more = (peak_memory() - before) >> 20
    print(f"{slowest[0]:.2f} s\t{more} MB\t{len(rows)} candidates\t{slowest[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=int, nargs="*", default=[300, 2000])
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name in pathological_witnesses.GENERATORS:
        if options.names and not name.startswith(tuple(options.names)):
            continue
        for parts in options.parts:
            command = [sys.executable, __file__, _DECIDE_ONE, name, str(parts)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            print(f"{name:42} {parts:6} {done.stdout.strip() or done.stderr.strip()[-90:]}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == [_DECIDE_ONE]:
        decide_one(sys.argv[2], int(sys.argv[3]))
    else:
        main()
