#!/usr/bin/env python3
"""Count how often programs test what functions of the library give (analyses/library_tests.json).

    practice.py MIRRORS [--lists DIR ...] [--skip REPOSITORY ...] [--state DIR] [--pliant PATH] [--write]

Of each repository in the `large.toml` of the lists, at its head: the calls of functions of the library that may give
null whose result is tested for null, and those whose result the rules find used without a test. Calls in tests do not
count: a null does no harm there. MIRRORS has the clones; a repository without one is said and left out. Those for
validation are in no `large.toml`. `--skip`: those that are too large for this machine, or that nobody has read yet.

The prior is that of a beta distribution whose mean and variance are those of the functions' shares, each function
weighed by its counts, corrected for how few they are ("Parametric Empirical Bayes Inference", Morris, JASA 1983).
`--write`: write the file; else it is printed.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from lists import HERE, LANGUAGES, large, mirror

from pliant.analyses.wording import file_of
from pliant.extractors.languages import is_test

COUNTS = Path(__file__).parents[2] / "analyses/library_tests.json"
LISTS = (HERE, HERE / "unseen", HERE.parent / "corpus")
_Counts = dict[str, list[int]]  # by function: tested, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--lists", nargs="*", type=Path, default=list(LISTS), metavar="DIR")
    parser.add_argument("--skip", nargs="*", default=[], metavar="REPOSITORY", help="repositories to leave out")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where pliant keeps its state")
    parser.add_argument("--pliant", default="pliant", metavar="PATH")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    functions: dict[str, _Counts] = {}
    for language in LANGUAGES:
        counts: _Counts = defaultdict(lambda: [0, 0])
        for each in (each for folder in options.lists for each in large(folder, language)):
            if each.repository not in options.skip:
                try:
                    clone = mirror(options.mirrors, each.repository)
                except SystemExit as error:
                    print(error, file=sys.stderr)
                    continue
                for function, tests in _calls(options, clone, each.head):
                    counts[function][0 if tests else 1] += 1
        functions[language] = dict(sorted(counts.items()))
        print(f"{language}: {len(counts)} functions", file=sys.stderr)
    text = _text(_prior(functions), functions)
    if options.write:
        COUNTS.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def _calls(options: argparse.Namespace, clone: Path, head: str) -> Iterator[tuple[str, bool]]:
    """The function of each call, and whether its result is tested."""
    rules = Path(__file__).with_suffix(".dl")
    command = [options.pliant, "query", head, "--rules", str(rules), "--repo", str(clone), "--format", "tsv"]
    command += ["--state-dir", str(options.state)] if options.state else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{clone} at {head}: {done.stderr.strip()}")
    rows = csv.DictReader(io.StringIO(done.stdout), delimiter="\t", quoting=csv.QUOTE_NONE)
    for call, function, tests in sorted({(row["call"], row["function"], row["tests"]) for row in rows}):
        if not is_test(file_of(call)):
            yield function, tests == "1"


def _prior(functions: Mapping[str, _Counts]) -> tuple[float, float]:
    """What is added to counts of tested and of used results."""
    counts = np.array([each for of_language in functions.values() for each in of_language.values()], float)
    total = counts.sum(1)
    shares, weights = counts[:, 0] / total, total / total.sum()
    mean = float(weights @ shares)
    spread = float(weights @ (shares - mean) ** 2)
    noise = mean * (1 - mean) * len(total) / total.sum()  # what the shares differ by because counts are few
    between = max((spread - noise) / (1 - (weights**2).sum()), 1e-6)
    strength = max(mean * (1 - mean) / between - 1, 0.1)
    return round(strength * mean, 2), round(strength * (1 - mean), 2)


def _text(prior: tuple[float, float], functions: Mapping[str, _Counts]) -> str:
    """The file, with a line a function."""
    parts = []
    for language, counts in functions.items():
        lines = ",\n".join(f"   {json.dumps(name)}: {json.dumps(each)}" for name, each in counts.items())
        parts.append(f"  {json.dumps(language)}: {{\n{lines}\n  }}")
    return f'{{\n "prior": {json.dumps(prior)},\n "functions": {{\n' + ",\n".join(parts) + "\n }\n}\n"


if __name__ == "__main__":
    main()
