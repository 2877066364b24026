"""Whether a history of a real repository says what it should: what checks one by one say, wherever it is evaluated.

    python benchmarks/history_equality.py checks REPO --commits 1000 --keep DIR     # every commit, against each parent
    python benchmarks/history_equality.py places REPO --commits 300                 # processes, Spark, killed

REPO is a clone with full history. `checks` goes on in DIR where it was ended, for at most `--seconds` at a time; the
same Pliant has to do it all. Exit status: 0 equal, 1 not equal, 3 not all compared yet.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from pliant.ci.history.plan import Range
from pliant.ci.history.run import Request, history
from pliant.ci.history.verify import Finished

_TABLES: Final = ("commits.parquet", "changes.parquet", "findings.parquet")
_UNEQUAL, _UNFINISHED = 1, 3


def ignore(message: str) -> None:
    pass


def checks(repo: Path, wanted: Range, folder: Path, seconds: float) -> int:
    """Compares what is not compared yet; what came out of each is a line of DIR/compared.jsonl."""
    until = time.monotonic() + seconds
    folder.mkdir(parents=True, exist_ok=True)
    history(Request(repo, folder / "history", wanted, folder / "state", jobs=2), ignore)
    finished, kept = Finished(folder / "history"), folder / "compared.jsonl"
    lines = kept.read_text().splitlines() if kept.exists() else []
    known = {(each["commit"], each["parent"]): each for each in map(json.loads, lines)}
    left = [(row, parent) for row, parent in finished.edges() if (row["commit"], parent) not in known]
    with kept.open("a") as file:
        for each in finished.compared(repo, None, folder / "state", left, ignore):
            line = {
                "commit": each.commit,
                "parent": each.parent,
                "equal": each.equal,
                "findings": len(each.expected),
                "sizes": each.sizes,
                "found": None if each.equal else each.found,
                "expected": None if each.equal else each.expected,
            }
            known[each.commit, each.parent] = line
            print(json.dumps(line), file=file, flush=True)
            if time.monotonic() > until:
                break
    different = [each for each in known.values() if not each["equal"]]
    for each in different:
        print(f"NOT equal: {each['commit']} against {each['parent']}: "
              f"{len(each['found'])} findings, {len(each['expected'])} alone")  # fmt: skip
    sizes = [each["sizes"] for each in known.values() if each["sizes"] is not None]
    roots = sum(not row["parents"] for row in finished.commits)
    of_all = len(finished.edges())
    print(f"{len(finished.commits)} commits, {roots} without a parent; {len(known)} of {of_all} comparisons made, "
          f"{sum(each['findings'] > 0 for each in known.values())} with findings that come or go, "
          f"{sum(each['findings'] for each in known.values())} of these; {len(different)} different, "
          f"{sum(sizes)} of {len(sizes)} sizes equal")  # fmt: skip
    if different or not all(sizes):
        return _UNEQUAL
    return 0 if len(known) == of_all else _UNFINISHED


def places(repo: Path, wanted: Range, versions: int) -> int:
    """The same history in one process, in two, on Spark, and killed whenever a window ends."""
    options = {
        "one process": ["--jobs", "1"],
        "two processes": ["--jobs", "2"],
        "Spark local[1]": ["--backend", "spark", "--master", "local[1]"],
        "Spark local[2]": ["--backend", "spark", "--master", "local[2]"],
    }
    equal = True
    with tempfile.TemporaryDirectory() as scratch:
        expected: list[bytes] = []
        for kill in (False, True):
            for number, (name, some) in enumerate(options.items()):
                out = Path(scratch) / f"{kill}{number}"
                command = [
                    sys.executable, "-P", "-m", "pliant.ci.cli", "history", wanted.range, str(repo), *some,
                    "--first-parent" if wanted.first_parent else "--all", f"--max-commits={wanted.max_commits}",
                    f"--versions={versions}", f"--out={out}", "--state-dir", f"{scratch}/state{number if kill else ''}",
                ]  # fmt: skip
                started = time.perf_counter()
                kills = _kill_often(command, out) if kill else 0
                subprocess.run(command, check=True, capture_output=True)
                found = [(out / each).read_bytes() for each in _TABLES]
                expected = expected or found
                equal &= found == expected
                table = pq.read_table(out / "windows.parquet")
                print(f"{name}{f', killed {kills} times' if kill else ''}: {table.num_rows} windows, "
                      f"{pq.read_table(out / 'changes.parquet').num_rows} changes, "
                      f"{'the same bytes' if found == expected else 'NOT the same'}, "
                      f"{time.perf_counter() - started:.0f} s", flush=True)  # fmt: skip
    return 0 if equal else _UNEQUAL


def _kill_often(command: list[str], out: Path) -> int:
    """Runs it again and again, each time killed with all its processes as soon as one more window is there."""
    kills = 0
    while True:
        before = _windows(out)
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while process.poll() is None and _windows(out) == before:
            time.sleep(0.005)
        if process.poll() is not None:
            return kills
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1


def _windows(out: Path) -> int:
    return len(list((out / "windows").glob("[0-9]*")))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["checks", "places"])
    parser.add_argument("repo", type=Path)
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--all", action="store_true", help="every parent of every merge")
    parser.add_argument("--keep", type=Path, default=None, help="the folder of `checks`")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--versions", type=int, default=64)
    asked = parser.parse_args(arguments)
    wanted = Range("HEAD", first_parent=not asked.all, max_commits=asked.commits)
    if asked.what == "places":
        return places(asked.repo, wanted, asked.versions)
    with tempfile.TemporaryDirectory() as scratch:
        return checks(asked.repo, wanted, asked.keep or Path(scratch), asked.seconds)


if __name__ == "__main__":
    sys.exit(main())
