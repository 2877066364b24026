"""The findings of the work tree, again after each change of a file: what came and what went.

    changed files ──► a check of WORKTREE against the same base ──► findings that came and went
    question of `pliant check --head WORKTREE` ──► the same ──► answer

A check is what `pliant check --head WORKTREE` does, so both say the same; checks are done one after the other, in the
main thread. Files are watched by watchfiles, which asks the operating system; what changes while a check runs is part
of the next one.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from pliant.analyses.findings import Finding
from pliant.ci.answering import answer
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Repository
from pliant.ci.git_process import decode
from pliant.ci.held import Held
from pliant.ci.report import Report
from pliant.ci.revision import WORKTREE
from pliant.ci.watch_socket import Asked, listening
from pliant.extractors.languages import language_of

_SETTLED = 20  # milliseconds without a change, after which a burst of saves has ended
_LONGEST = 1_000  # milliseconds that a burst is waited for
_ASLEEP = 200  # milliseconds that a wait for changes takes at most
_SETTINGS = frozenset(("pliant.toml", "pyproject.toml", ".gitignore", ".gitattributes", ".gitmodules"))
_OF_GIT = frozenset(("HEAD", "packed-refs"))


@dataclass(frozen=True, slots=True)
class Event:
    """What a check told: the findings that came and went since the one before. seconds: from the first change."""

    report: Report
    came: list[Finding]
    went: list[Finding]
    seconds: float


def watch(request: Request, say: Callable[[str], None]) -> Iterator[Event | UserError]:
    """An event for the work tree as it is, and one for each change of what a check tells; an error where a check could
    not be done, after which the next change is waited for. In between, it answers other processes that check the same.
    Raises UserError where nothing can be watched any more."""
    request = replace(request, head=WORKTREE, held=Held())
    with Repository.open(request.folder) as repository:
        folder, git_folders = repository.folder, sorted({repository.git_dir, repository.common_dir})
    met: SimpleQueue[float | Asked | Exception] = SimpleQueue()
    told: list[Finding] = []
    is_first = True
    with _watched(folder, git_folders, met.put), listening(folder, met.put, say):
        for began in _answering(request, met):
            try:
                report = check(request, say)
            except UserError as error:
                if not folder.is_dir():
                    raise
                yield error
                continue
            now = [finding for finding in report.findings if finding.status == "new"]
            came, went = _without(now, told), _without(told, now)
            if is_first or came or went:
                yield Event(report, came, went, time.monotonic() - began)
            told, is_first = now, False
            gc.collect()  # the state of a check is in cycles


def _answering(request: Request, met: SimpleQueue[float | Asked | Exception]) -> Iterator[float]:
    """Answer questions, and give the time of the first of the changes that have come since the last one."""
    while True:
        items = [met.get()]
        with contextlib.suppress(Empty):
            while True:
                items.append(met.get_nowait())
        for item in items:
            if isinstance(item, Exception):
                raise item
            if isinstance(item, Asked) and item.wanted:
                item.begin()
                item.answer(answer(request, item.question))
                gc.collect()
        if times := [item for item in items if isinstance(item, float)]:
            yield times[0]


def _without(findings: list[Finding], others: list[Finding]) -> list[Finding]:
    """Those that are not among the others, by their fingerprints."""
    known = Counter(finding.fingerprint for finding in others)
    kept = []
    for finding in findings:
        if known[finding.fingerprint]:
            known[finding.fingerprint] -= 1
        else:
            kept.append(finding)
    return kept


@contextmanager
def _watched(folder: Path, git_folders: list[Path], met: Callable[[float | Exception], None]) -> Iterator[None]:
    """`met` is called by a thread with the time now, and then with that of each change that may matter to a check; with
    an error where nothing can be watched any more."""
    try:
        import watchfiles  # noqa: F401
    except ImportError:
        raise UserError("pliant watch needs watchfiles: pip install 'pliant[watch]'") from None
    ended = threading.Event()

    def run() -> None:
        try:
            for time_of_change in _changes(folder, git_folders, ended):
                met(time_of_change)
        except Exception as error:  # the main thread waits for it
            met(error)

    logging.getLogger("watchfiles").setLevel(logging.CRITICAL)
    threading.Thread(target=run, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _changes(folder: Path, git_folders: list[Path], ended: threading.Event) -> Iterator[float]:
    """git_folders: where HEAD and the branches are; of a linked work tree, outside of it."""
    from watchfiles import watch as watched

    def matters(change: object, path: str) -> bool:
        at = Path(path)
        for of_git in git_folders:
            if at.is_relative_to(of_git):
                inner = at.relative_to(of_git)
                return str(inner) in _OF_GIT or inner.parts[:2] == ("refs", "heads")
        return at.name in _SETTINGS or language_of(path) is not None or not at.suffix or at.is_dir()

    try:
        while not ended.is_set():
            folders = watched_folders(folder, git_folders)
            is_first = True
            for changes in watched(
                *folders,
                watch_filter=matters,
                debounce=_LONGEST,
                step=_SETTLED,
                stop_event=ended,
                rust_timeout=_ASLEEP,
                yield_on_timeout=True,  # so that the files are watched before a check reads them
                raise_interrupt=False,
                recursive=False,
            ):
                if changes or is_first:
                    yield time.monotonic()
                if not folder.is_dir():
                    raise UserError(f"{visible_path(str(folder))} is gone: nothing is left to watch")
                if changes and watched_folders(folder, git_folders) != folders:
                    break
                is_first = False
    except OSError as error:
        raise UserError(
            f"the files of {visible_path(str(folder))} cannot be watched ({visible(str(error))}): set "
            "WATCHFILES_FORCE_POLLING=true, or raise the system's limit (fs.inotify.max_user_watches on Linux)"
        ) from error


def watched_folders(folder: Path, git_folders: Sequence[Path]) -> list[Path]:
    """The folders of a work tree that git does not ignore, and those of its branches. No link is followed: it may lead
    anywhere, and a check does not read what is behind it."""
    with Repository.open(folder) as repository:
        listed = repository.git("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    left_out = {folder / decode(name.rstrip(b"/")) for name in listed.split(b"\0") if name.endswith(b"/")}
    found = [*git_folders]
    for top in (folder, *(each / "refs/heads" for each in git_folders)):
        for name, inner, _ in os.walk(top):
            here = Path(name)
            found.append(here)
            inner[:] = [each for each in inner if each != ".git" and here / each not in left_out]
    return sorted(each for each in found if each.is_dir())
