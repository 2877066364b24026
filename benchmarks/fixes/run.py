#!/usr/bin/env python3
"""Real fixes of null dereferences, undone and done again, and ordinary commits, as pull requests; others beside it.

    run.py fixes LANGUAGE MIRRORS [--set SET] [--sample N] [--only COMMIT ...] [--peers PEER ...] [--findings FILE] ...
    run.py commits LANGUAGE MIRRORS [--only REPOSITORY ...] [--findings FILE] [--state DIR] [--pliant PATH]
    run.py large LANGUAGE MIRRORS [--only REPOSITORY ...] [--sample N] [--seed N] [--findings FILE] [--state DIR] ...

MIRRORS has a clone of each repository (`owner/name`, `owner+name` or `name`). `fixes`: for each one a pull request that
would undo it, which must report the bug as new at its function, and the fix itself, which must report it as fixed; only
what the report shows by default counts. `known`: it reports the bug also by something else than the test that goes.
`commits`: each ordinary commit as a pull request, its new findings, and what a reader said of them. `large`: the same
of some hundred commits as one pull request. `--findings` writes the new ones (of `fixes`: those at the function, chosen
because they are true) with their verdicts, a JSON object a line; also those that a report does not show because they
are unlikely. Nothing is written to the clones. `--sample`: so many of the fixes, or findings of each large pull
request, chosen by `--seed`. `--introducing`: also the commit that introduced each bug, where the list names it, which
must report it as new. A list can be run in pieces: `--only` takes the beginnings of commits or repositories, and
`--state` keeps what pliant has read for the next piece. What pliant does not check (a clone that lacks an object) is
said, left out and counted; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import checkers
from borrowed import borrow, undo
from lists import HERE, LANGUAGES, Fix, fixes, git, histories, judged, large, mirror, ordinary_commits
from tables import table


class _NotCheckedError(Exception):
    """pliant did not check a pull request; what it said."""


_REMOVED = "origin: removed"  # the feature of a finding that rests on a test which the pull request removes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fixes", "commits", "large"))
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument(
        "--lists", type=Path, default=HERE, metavar="DIR", help="other lists than those beside this file"
    )
    parser.add_argument("--set", choices=("tuning", "held-out", "validation"), help="only the fixes of that set")
    parser.add_argument(
        "--only", nargs="*", default=[""], metavar="START", help="only commits or repositories so named"
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="at most so many fixes, or findings of each large pull request"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sample; %(default)s if not given")
    parser.add_argument("--findings", type=Path, metavar="FILE", help="write the findings, a JSON object a line")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where pliant keeps its state")
    parser.add_argument("--introducing", action="store_true", help="check the commits that introduced the bugs as well")
    parser.add_argument("--peers", nargs="*", default=[], metavar="PEER", help=f"of {', '.join(checkers.PEERS)}")
    parser.add_argument("--pliant", default="pliant", metavar="PATH")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pliant-fixes-") as work:
        options.state = options.state or Path(work) / "state"
        failed = {"fixes": _fixes, "commits": _commits, "large": _large}[options.what](options, Path(work))
    if failed:
        raise SystemExit(f"{failed} could not be checked, and are not counted")


def _fixes(options: argparse.Namespace, work: Path) -> int:
    """The table of fixes; how many could not be checked."""
    failed, rows, sums = 0, [], collections.Counter[tuple[str, str, str]]()
    whole: list[dict[str, Any]] = []
    heads = ["new", "known", "fixed", *(["introduced"] if options.introducing else []), *options.peers]
    listed = [each for each in fixes(options.lists, options.language) if options.set in (None, each.set)]
    if options.sample is not None and options.sample < len(listed):
        listed = random.Random(options.seed).sample(listed, options.sample)
    for fix in listed:
        if fix.commit.startswith(tuple(options.only)):
            repository = _scratch(work, options.mirrors, fix.repository)
            undone = undo(repository, fix.commit)
            try:
                came = _check(options, repository, fix.commit, undone)
                went = _check(options, repository, f"{fix.commit}^1", fix.commit)
                introduced = _introduced(options, repository, fix)
            except _NotCheckedError as error:
                failed += _not_checked(error)
                continue
            sides = {"repository": fix.repository, "base": fix.commit, "head": undone}
            new = _at(came["findings"], "new", fix)
            whole += [{**sides, "chosen": True, "verdict": "true", **each} for each in new]
            marks = {
                "new": _mark(came, "new", fix),
                "known": _said(any(_REMOVED not in each["features"] for each in _at(_shown(came, "new"), "new", fix))),
                "fixed": _mark(went, "fixed", fix),
                "introduced": introduced,
                **{name: _said(checkers.new(name, repository, fix, work)) for name in options.peers},
            }
            for group in (fix.set, fix.what):
                sums.update((fix.set, group, key) for key, mark in marks.items() if mark == "yes")
                sums.update((fix.set, group, f"all {key}") for key, mark in marks.items() if mark != "-")
            rows.append([fix.repository, fix.commit[:10], fix.function, fix.set, *(marks[head] for head in heads)])
            print(f"{len(rows)} {' '.join(rows[-1])}", file=sys.stderr, flush=True)
            _write(options.findings, whole)
    print(table(["repository", "fix", "function", "set", *heads], rows))
    print()
    groups = sorted({(part, group) for part, group, _ in sums if group}, key=lambda each: (each[0], each[0] != each[1]))

    def of(part: str, group: str, key: str) -> str:
        return f"{sums[part, group, key]} of {sums[part, group, f'all {key}']}"

    found = [
        [part, "all" if group == part else group, *(of(part, group, key) for key in heads)] for part, group in groups
    ]
    print(table(["set", "what is tested", *heads], found))
    return failed


def _introduced(options: argparse.Namespace, repository: Path, fix: Fix) -> str:
    """Whether the commit that introduced the bug reports it; `-` if that is not asked, or not known."""
    if not options.introducing or not fix.introduced:
        return "-"
    came = _check(options, repository, f"{fix.introduced}^1", fix.introduced)
    return _mark(came, "new", replace(fix, file=fix.introduced_file))


def _commits(options: argparse.Namespace, work: Path) -> int:
    compared = []
    for history in histories(options.lists, options.language):
        repository = _scratch(work, options.mirrors, history.repository)
        commits = ordinary_commits(mirror(options.mirrors, history.repository), history)
        if not history.repository.startswith(tuple(options.only)):
            commits = [commit for commit in commits if commit.startswith(tuple(options.only))]
        compared += [(history.repository, repository, f"{commit}^1", commit) for commit in reversed(commits)]
    return _told(options, compared, "commits")


def _large(options: argparse.Namespace, work: Path) -> int:
    asked = [each for each in large(options.lists, options.language) if each.repository.startswith(tuple(options.only))]
    compared = [
        (each.repository, _scratch(work, options.mirrors, each.repository), each.base, each.head) for each in asked
    ]
    return _told(options, compared, "large pull requests")


def _told(options: argparse.Namespace, compared: Sequence[tuple[str, Path, str, str]], what: str) -> int:
    """The new findings of pull requests, with what a reader said of them, and what was read and is told no more.

    Returns how many could not be checked.
    """
    read = judged(options.lists, options.language)
    known = {(each.repository, each.commit, each.rule, each.file, each.function, each.line): each for each in read}
    checked, rows, verdicts, seen = [], [], collections.Counter[str](), set()
    whole: list[dict[str, Any]] = []
    for name, repository, base, head in compared:
        try:
            report = _check(options, repository, base, head)
        except _NotCheckedError as error:
            _not_checked(error)
            continue
        checked.append(head)
        told = _shown(report, "new")
        if options.sample is not None and options.sample < len(told):
            print(f"{name}: {options.sample} of {len(told)} new findings, by seed {options.seed}", file=sys.stderr)
            told = random.Random(options.seed).sample(told, options.sample)
        silent = [each for each in report["findings"] if each["status"] == "new" and each["unlikely"]]
        for finding in (*told, *silent):
            key = (name, head, finding["rule"], finding["file"], finding["function"])
            said = known.get((*key, finding["line"])) or known.get((*key, 0))
            verdict = said.verdict if said else "not judged"
            sides = {"repository": name, "base": base, "head": head}
            whole.append({**sides, "chosen": False, "verdict": verdict, **finding})
            if finding["unlikely"]:
                continue
            seen.add(said)
            verdicts[verdict] += 1
            place = f"{finding['file']}:{finding['line']}"
            rows.append([name, head[:10], finding["rule"], place, finding["function"], verdict])
            print(f"{' '.join(rows[-1])} {head}\n    {finding['message']}", file=sys.stderr, flush=True)
    _write(options.findings, whole)
    print(table(["repository", "commit", "rule", "place", "function", "verdict"], rows))
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"\n{len(checked)} {what}, {len(rows)} new findings: {counts or 'none'}")
    heads = set(checked)
    if what == "commits":  # the last ordinary commit may be the head of a large pull request: that has other findings
        heads -= {each.head for each in large(options.lists, options.language)}
    gone = collections.Counter(each.verdict for each in read if each.commit in heads and each not in seen)
    if gone and options.sample is None:
        print("told no more: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(gone.items())))
    return len(compared) - len(checked)


def _scratch(work: Path, mirrors: Path, name: str) -> Path:
    folder = work / name.replace("/", "+")
    return folder if folder.exists() else borrow(folder, mirror(mirrors, name))


def _check(options: argparse.Namespace, repository: Path, base: str, head: str) -> dict[str, Any]:
    sides = ["--base", git(repository, "rev-parse", base).strip(), "--head", head]
    done = subprocess.run(
        [options.pliant, "check", str(repository), *sides, "--all", "--format", "json"],
        capture_output=True, text=True, errors="replace", check=False,
        env={**os.environ, "PLIANT_STATE_DIR": str(options.state)},
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise _NotCheckedError(f"{repository.name} {' '.join(sides)}: {done.stderr.strip()[-500:]}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _not_checked(error: _NotCheckedError) -> int:
    print(error, file=sys.stderr, flush=True)
    return 1


def _shown(report: dict[str, Any], status: str) -> list[dict[str, Any]]:
    """The findings of that status that a report shows by default."""
    return [
        each
        for each in report["findings"]
        if each["status"] == status and not each["unlikely"] and each["suppressed"] is None
    ]


def _mark(report: dict[str, Any], status: str, fix: Fix) -> str:
    """`yes` at the function, `elsewhere` if another function has the only ones, else `no`."""
    shown = _shown(report, status)
    if _at(shown, status, fix):
        return "yes"
    return "elsewhere" if any(each["rule"].startswith("null.") for each in shown) else "no"


def _at(findings: Sequence[dict[str, Any]], status: str, fix: Fix) -> list[dict[str, Any]]:
    """The null dereferences of that status in the function of the fix."""
    return [
        each
        for each in findings
        if each["status"] == status and each["rule"].startswith("null.")
        and each["file"] == fix.file and f"{each['function']}.".startswith(f"{fix.function}.")
    ]  # fmt: skip


def _write(file: Path | None, findings: Sequence[dict[str, Any]]) -> None:
    if file is not None:
        file.write_text("".join(f"{json.dumps(each)}\n" for each in findings))


def _said(found: bool) -> str:
    return "yes" if found else "no"


if __name__ == "__main__":
    main()
