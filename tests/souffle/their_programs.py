"""The programs of Soufflé's own test suite, run by the engine, all output files compared with those that they expect:

    python tests/souffle/their_programs.py CHECKOUT [--show]

CHECKOUT is a checkout of souffle-lang/souffle. Programs outside the subset are counted by the construct that they are
refused for; `--show` names them. Ends with 1 if an output differs or something other than a refusal goes wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pliant.ci import datalog
from pliant.engine import DatalogError, EngineError

FOLDERS = ("evaluation", "example", "semantic", "syntactic")


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the programs of Soufflé's own tests.")
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--show", action="store_true", help="name every program and what became of it")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    relations = wrong = 0
    for folder in (each for name in FOLDERS for each in sorted((options.checkout / "tests" / name).glob("*/"))):
        program = folder / f"{folder.name}.dl"
        if not program.exists():
            continue
        kind, told, compared = outcome(folder, program)
        kinds[kind] += 1
        relations += compared
        wrong += kind in ("differs", "fails")
        if kind == "refused":
            refused[re.sub(r"`[^`]*`|\(.*", "", told).strip()] += 1
        if options.show or kind in ("differs", "fails"):
            print(f"{kind:8} {folder.parent.name}/{folder.name} {told}")
    for told, number in refused.most_common():
        print(f"{number:5} refused: {told}")
    print(f"{dict(kinds)}; {relations} relations equal")
    return 1 if wrong else 0


def outcome(folder: Path, program: Path) -> tuple[str, str, int]:
    """What became of a program, what is to be told of it, and how many of its relations were compared and equal."""
    try:
        loaded = datalog.load(program)
    except DatalogError as error:
        return "refused", error.diagnostics[0].message, 0
    with tempfile.TemporaryDirectory() as out:
        try:
            run = datalog.start(loaded, folder / "facts", "bootstrap")
            datalog.write(run, Path(out))
        except EngineError as error:
            expected = (folder / f"{folder.name}.err").read_text(errors="replace")
            kind = "no facts" if re.search(r"Error loading|Cannot open|cannot parse", expected) else "fails"
            return kind, str(error), 0
        compared = 0
        for files in loaded.io.outputs.values():
            for file in files:
                expected_rows = folder / file.filename
                if expected_rows.exists():
                    if lines(expected_rows) != lines(Path(out, file.filename)):
                        return "differs", file.filename, compared
                    compared += 1
    return ("equal" if compared else "accepted"), f"{compared} relations", compared


def lines(path: Path) -> list[bytes]:
    return sorted(path.read_bytes().splitlines())


if __name__ == "__main__":
    sys.exit(main())
