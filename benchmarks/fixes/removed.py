#!/usr/bin/env python3
"""What became of the tests of null that ordinary commits removed, while the function went on using the value.

    removed.py LANGUAGE MIRRORS [--lists DIR] [--count N] [--only REPOSITORY ...] [--listed FILE]

Each of N ordinary commits of a repository (`ordinary.toml`) is compared with its first parent, file by file, by facts
alone: no analysis is run. A test is removed where a function asked whether what it reads by a path (`asks_path`) or a
parameter (`asks_parameter`) is null, does so no more, and uses it untested. In the file as it is at the head of the
list, the test may be there again: then its removal was perhaps an error. Or the use is still untested: then the test
was superfluous, or has not been missed. Or neither is there. `--listed` writes each test, a line of JSON.
"""

from __future__ import annotations

import argparse
import collections
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import lists
from tables import table

from pliant.extractors.facts import FileFacts
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.schema import RELATIONS
from pliant.extractors.workers import extract

BACK, STAYS, GONE = "there again", "still untested", "neither"
Named = tuple[str, str]  # a function and what it tests or uses


@dataclass(frozen=True, slots=True)
class Removed:
    repository: str
    commit: str
    file: str
    function: str
    path: str
    became: str


@dataclass(frozen=True, slots=True)
class Tests:
    asked: frozenset[Named]
    used: frozenset[Named]


NOTHING = Tests(frozenset(), frozenset())


def tests_of(facts: FileFacts) -> Tests:
    """What the functions of a file test, and what they use untested."""
    asked = set(_rows(facts, "asks_path")) | set(_rows(facts, "asks_parameter"))
    used = {(function, path) for function, path, _ in _rows(facts, "uses_path")}
    formals = {formal: function for function, _, formal in _rows(facts, "formal")}
    used |= {(formals[value], value) for _, value, _, _ in _rows(facts, "dereference") if value in formals}
    return Tests(frozenset(asked), frozenset(used))


def _rows(facts: FileFacts, relation: str) -> Iterator[tuple[str, ...]]:
    columns = RELATIONS[relation].arity
    names = [facts.symbols[number] for number in facts.rows.get(relation, ())]
    return zip(*(iter(names),) * columns, strict=True)


def removed(folder: Path, wanted: lists.Ordinary) -> Iterator[Removed]:
    """What ordinary commits of a history removed; their number is that of `lists.ordinary_commits`."""

    @lru_cache(4096)
    def at(commit: str, file: str) -> Tests:
        command = ["git", "-C", str(folder), "cat-file", "blob", f"{commit}:{file}"]
        done = subprocess.run(command, capture_output=True, check=False)
        return NOTHING if done.returncode else tests_of(extract(LANGUAGES[wanted.language], done.stdout))

    for commit in lists.ordinary_commits(folder, wanted):
        changed = lists.git(
            folder, "show", "--first-parent", "-m", "--format=", "--name-only", "--diff-filter=M", "-z", commit
        )
        for file in changed.split("\0"):
            if not lists.is_read(file, wanted.language):
                continue
            before, after, last = at(f"{commit}^1", file), at(commit, file), at(wanted.head, file)
            for function, path in sorted((before.asked - after.asked - before.used) & after.used):
                here = (function, path)
                became = BACK if here in last.asked else STAYS if here in last.used else GONE
                name = path.split("|")[2] if path.startswith("|") else path  # of a parameter, or an access path
                yield Removed(wanted.repository, commit, file, function.strip("|"), name, became)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=lists.LANGUAGES)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--lists", type=Path, default=lists.HERE)
    parser.add_argument("--count", type=int, help="commits of each repository, where the list says another number")
    parser.add_argument("--only", nargs="*", default=[], metavar="REPOSITORY")
    parser.add_argument("--listed", type=Path, metavar="FILE")
    options = parser.parse_args()
    counts: dict[str, list[int]] = {}
    found: list[Removed] = []
    for history in lists.histories(options.lists, options.language):
        if options.only and history.repository not in options.only:
            continue
        wanted = lists.Ordinary(history.language, history.repository, history.head, options.count or history.count)
        folder = lists.mirror(options.mirrors, history.repository)
        commits = len(lists.ordinary_commits(folder, wanted))
        here = list(removed(folder, wanted))
        became = collections.Counter(each.became for each in here)
        counts[history.repository] = [commits, len(here), *(became[each] for each in (BACK, STAYS, GONE))]
        print(history.repository, *counts[history.repository], sep="\t", file=sys.stderr, flush=True)
        found += here
    counts["all"] = [sum(column) for column in zip(*counts.values(), strict=True)]
    rows = [[name, *map(str, row)] for name, row in counts.items()]
    print(table(["repository", "commits", "removed", BACK, STAYS, GONE], rows))
    if options.listed:
        options.listed.write_text("".join(json.dumps(asdict(each)) + "\n" for each in found))


if __name__ == "__main__":
    main()
