#!/usr/bin/env python3
"""What pathological sources cost to extract: processor seconds and peak memory, at a size and at double that.

    costs.py [--bytes N] [--seconds S] [LANGUAGE [NAME ...]]

Each source is extracted in a process of its own that is ended after S processor seconds; names are beginnings.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # also where Python does not put it there

import pathological

from pliant.extractors.languages import LANGUAGES
from pliant.extractors.workers import extract

_EXTRACT_ONE = "--extract-one"


def extract_one(language: str, name: str, size: int, limit: int) -> None:
    """Prints processor seconds, peak megabytes, rows, and what was said."""
    source = pathological.table(language)[name](size)
    extract(LANGUAGES[language], b"")  # what is read once for all files
    resource.setrlimit(resource.RLIMIT_CPU, (limit + 10, limit + 10))
    begin = time.process_time()
    facts = extract(LANGUAGES[language], source)
    seconds = time.process_time() - begin
    from pliant.engine import peak_memory  # noqa: PLC0415 - what this loads is no cost of the source

    peak = peak_memory() / 2**20
    said = "; ".join(dict.fromkeys(each.reason for each in facts.diagnostics))
    print(f"{len(source)}\t{seconds:.2f}\t{peak:.0f}\t{sum(map(len, facts.rows.values()))}\t{said[:90]}")


def measure(language: str, name: str, size: int, limit: int) -> list[str]:
    command = [sys.executable, __file__, _EXTRACT_ONE, language, name, str(size), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return [str(size), f"{limit}+" if done.returncode < 0 else "failed", "?", "?", done.stderr.strip()[-80:]]
    return done.stdout.rstrip("\n").split("\t")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=int, default=500_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("language", nargs="?")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for language in [options.language] if options.language else pathological.LANGUAGES:
        for name in pathological.table(language):
            if options.names and not name.startswith(tuple(options.names)):
                continue
            one = measure(language, name, options.bytes, options.seconds)
            two = measure(language, name, 2 * options.bytes, options.seconds)
            try:
                ratio = f"{float(two[1]) / max(float(one[1]), 0.01):.1f}"
            except ValueError:
                ratio = "?"
            print(
                f"{language:7} {name:40} {one[1]:>7} {two[1]:>7} {ratio:>5} {two[2]:>6} MB {two[3]:>9}  {two[4]}",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == [_EXTRACT_ONE]:
        extract_one(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        main()
