#!/usr/bin/env python3
"""How many lines a second extraction reads on one core, now and at other revisions of this repository.

    benchmarks/extraction.py [--against REV ...] [--files N] [--seed N] [--rounds N] [--head REV] REPOSITORY ...

Every file (or N of each language, chosen at random) of each repository is extracted by this working tree and by each
revision of --against, one after the other, each in a process of its own, so that all see the same load of the machine.
Seconds are of user time; of several rounds, the best counts for each file. Files whose facts are not the same, byte
for byte, are counted; the first ones are named. The exit status is 1 if the working tree and the last revision differ.
Revisions run with the packages that are installed for this Python.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NAMED = 5  # files with other facts that are named
CODE = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import extraction; extraction.serve()"


@dataclass(frozen=True)
class Read:
    """What became of one file. megabytes: the most memory that the process has had so far."""

    lines: int
    seconds: float
    digest: str
    megabytes: float


def digest(facts: Any) -> str:
    """Of everything that the facts of a file hold."""
    found = hashlib.sha256()
    for name in (
        *("symbols", "places", "library", "diagnostics", "unmodelled", "lines", "suppressions"),
        *(f"rows {relation}" for relation in facts.rows),
    ):
        part, _, relation = name.partition(" ")
        value = facts.rows[relation] if relation else getattr(facts, part)
        found.update(f"{name} {list(value.items()) if isinstance(value, dict) else value!r}\n".encode())
    return found.hexdigest()


def serve() -> None:
    """Extract what comes in, until the other end closes."""
    from pliant.extractors import workers  # noqa: PLC0415 - of the revision on the search path
    from pliant.extractors.languages import LANGUAGES  # noqa: PLC0415

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            language, content = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if language not in LANGUAGES:
            pickle.dump(None, answers)
            answers.flush()
            continue
        before = resource.getrusage(resource.RUSAGE_SELF)
        facts = workers.extract(LANGUAGES[language], content)
        after = resource.getrusage(resource.RUSAGE_SELF)
        pickle.dump(Read(facts.lines, after.ru_utime - before.ru_utime, digest(facts), after.ru_maxrss / 1024), answers)
        answers.flush()


class Revision:
    """A process that extracts with one revision; with none, with the working tree."""

    def __init__(self, revision: str | None, folder: Path) -> None:
        self.name = revision or "now"
        (folder / self.name).mkdir()
        sources = folder / self.name / "pliant"
        if revision is None:
            sources.symlink_to(ROOT)
        else:
            sources.mkdir()
            packed = subprocess.run(["git", "-C", ROOT, "archive", revision], check=True, capture_output=True)
            subprocess.run(["tar", "-x", "-C", sources], input=packed.stdout, check=True)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(folder / self.name), "PYTHONHASHSEED": "0"},
        )

    def extract(self, language: str, content: bytes) -> Read | None:
        """None if the revision does not have the language."""
        assert self._process.stdin is not None and self._process.stdout is not None
        pickle.dump((language, content), self._process.stdin)
        self._process.stdin.flush()
        read: Read | None = pickle.load(self._process.stdout)
        return read

    def close(self) -> None:
        self._process.communicate()


@dataclass
class Totals:
    lines: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    megabytes: dict[str, float] = field(default_factory=dict)
    other: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # files with other facts


def files(repository: Path, head: str, most: int | None, seed: int) -> Iterator[tuple[str, str, bytes]]:
    """Language, path and content of the source files of a commit."""
    from pliant.ci.git import Repository  # noqa: PLC0415 - a process that extracts does without
    from pliant.extractors.languages import language_of  # noqa: PLC0415

    with Repository.open(repository) as opened:
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for entry in opened.tree(opened.resolve(head)):
            if entry.is_file and (language := language_of(entry.path)):
                found[language.name].setdefault(entry.oid, entry.path)
        for name, paths in found.items():
            chosen = list(paths)
            if most is not None and len(chosen) > most:
                chosen = random.Random(seed).sample(chosen, most)
            for oid, content in opened.read(chosen):
                if content is not None:
                    yield name, paths[oid], content


def measure(repository: Path, revisions: list[Revision], options: argparse.Namespace) -> dict[str, Totals]:
    totals: dict[str, Totals] = defaultdict(Totals)
    for language, path, content in files(repository, options.head, options.files, options.seed):
        of_language = totals[language]
        best: dict[str, Read] = {}
        if not of_language.lines:
            for revision in revisions:
                revision.extract(language, content)  # what is read once, such as models, is not counted
        for _ in range(options.rounds):
            for revision in revisions:
                if (read := revision.extract(language, content)) is None:
                    continue
                if revision.name not in best or read.seconds < best[revision.name].seconds:
                    best[revision.name] = read
        of_language.lines += best["now"].lines
        for name, read in best.items():
            of_language.seconds[name] += read.seconds
            of_language.megabytes[name] = read.megabytes
            if read.digest != best["now"].digest:
                of_language.other[name].append(path)
    return totals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", action="append", default=[], metavar="REV", help="of this repository")
    parser.add_argument("--files", type=int, metavar="N", help="of each language, at most")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    parser.add_argument("--head", default="HEAD", metavar="REV", help="of the repositories")
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPOSITORY")
    options = parser.parse_args()
    differ = False
    print("repository, language, revision: lines a second (lines, seconds, MB), ratio to it, files with other facts")
    for repository in options.repositories:
        with tempfile.TemporaryDirectory(prefix="pliant-extraction-") as folder, ExitStack() as stack:
            revisions = [Revision(each, Path(folder)) for each in (*options.against, None)]
            for each in revisions:
                stack.callback(each.close)
            totals = measure(repository, revisions, options)
        for language, each in sorted(totals.items()):
            for name, seconds in each.seconds.items():
                other = each.other[name]
                differ |= bool(other) and name == options.against[-1]
                print(
                    f"{repository}, {language}, {name}: {each.lines / seconds:,.0f} "
                    f"({each.lines:,}, {seconds:.2f}, {each.megabytes[name]:.0f}), "
                    f"{seconds / each.seconds['now']:.2f}, {len(other)} {' '.join(other[:NAMED])}",
                    flush=True,
                )
    sys.exit(differ)


if __name__ == "__main__":
    main()
