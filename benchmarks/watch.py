"""How long `pliant watch` takes from a save to what it prints, and a check of the work tree beside it and alone: in a
clone of a repository, a function that fails is added to a file and taken away again, in turn.

    python benchmarks/watch.py REPOSITORY FILE [--rounds 10]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FAILING = {
    ".py": "\n\ndef pliant_benchmark(text):\n    import re\n\n    return re.match('a', text).group()\n",
    ".c": "\n#include <string.h>\nint pliant_benchmark(const char *text) { return *strchr(text, 'a'); }\n",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("file", help="a source file, by its path in the repository")
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", given.repository, clone], check=True)
        path = clone / given.file
        text = path.read_text(encoding="utf-8")
        command = [sys.executable, "-P", "-m", "pliant.ci.cli", "watch", clone, "--base", "HEAD", "--format", "json"]
        began = time.monotonic()
        with subprocess.Popen([*command, "--state-dir", f"{scratch}/state"], stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            run.stdout.readline()
            print(f"first event after {time.monotonic() - began:.1f} s")
            seconds: dict[str, list[float]] = {"came": [], "went": []}
            for number in range(2 * given.rounds):
                kind = "went" if number % 2 else "came"
                time.sleep(0.5)
                began = time.monotonic()
                path.write_text(text if number % 2 else text + FAILING[path.suffix], encoding="utf-8")
                event = json.loads(run.stdout.readline())
                seconds[kind].append(time.monotonic() - began)
                assert len(event[kind]) == 1, event
            path.write_text(text + FAILING[path.suffix], encoding="utf-8")
            json.loads(run.stdout.readline())
            check = [sys.executable, "-P", "-m", "pliant.ci.cli", "check", clone, "--base=HEAD", "--head=WORKTREE"]
            check += ["--state-dir", f"{scratch}/state"]
            beside = [timed(check) for _ in range(given.rounds)]
            run.terminate()
        alone = [timed(check) for _ in range(given.rounds + 1)][1:]  # the first stores what the watch has had in memory
        seconds |= {"check beside it": beside, "check alone": alone}
    for kind, measured in seconds.items():
        kind = f"a finding {kind}" if kind in ("came", "went") else kind
        print(f"{kind}: median {statistics.median(measured):.2f} s, {min(measured):.2f} to {max(measured):.2f}")
    return 0


def timed(check: list[str]) -> float:
    """Seconds of a whole process that finds what was added."""
    began = time.monotonic()
    done = subprocess.run(check, stdout=subprocess.PIPE, check=False)
    taken = time.monotonic() - began
    assert done.returncode == 1, done
    return taken


if __name__ == "__main__":
    raise SystemExit(main())
