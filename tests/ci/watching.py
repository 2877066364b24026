"""A running `pliant watch`, for tests."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command_line import checked
from repos import Repo

BAD = "import re\n\n\ndef {name}(x):\n    return re.match('a', x).group()\n"
GOOD = "def {name}(x):\n    return x\n"
PATIENCE = 120.0  # seconds


class Watch:
    """A running `pliant watch`; `told` is what it has said is there, by its events alone."""

    def __init__(self, repo: Repo, *arguments: str) -> None:
        self.lines = repo.folder.parent / "events"
        with self.lines.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pliant.ci.cli", "watch", repo.folder, "--format", "json", *arguments],
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
            )
        self.told: Counter[str] = Counter()
        self.read = 0
        self.wait(1)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines.read_text().splitlines()]

    def wait(self, count: int) -> list[dict[str, Any]]:
        """The events once there are so many."""
        self.wait_until(lambda: len(self.events()) >= count)
        events = self.events()
        for event in events[self.read :]:
            self.told.update(finding["fingerprint"] for finding in event["came"])
            self.told.subtract(finding["fingerprint"] for finding in event["went"])
            assert self.told.total() == event["new"] and min(self.told.values(), default=0) >= 0
        self.read = len(events)
        return events

    def wait_until(self, holds: Any) -> None:
        until = time.monotonic() + PATIENCE
        while not holds():
            assert self.process.poll() is None, self.process.communicate()[1]
            assert time.monotonic() < until, self.events()
            time.sleep(0.05)

    def follows(self, repo: Repo) -> None:
        """It comes to say what a check says."""
        now = Counter(each["fingerprint"] for each in checked(repo, "--base", "HEAD", "--head", "WORKTREE")["findings"])

        def same() -> bool:
            self.wait(0)
            return +self.told == now

        self.wait_until(same)


@contextmanager
def watch(repo: Repo) -> Iterator[Watch]:
    watching = Watch(repo, "--base", "HEAD")
    try:
        yield watching
    finally:
        watching.process.kill()
        watching.process.wait()


@contextmanager
def shorter(cache: Path) -> Iterator[str]:
    """Another name of a folder: the path of a socket may have no more than about a hundred bytes."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "c")
        link.symlink_to(cache)
        yield str(link)
