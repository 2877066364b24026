"""Other engines on the same prepared facts: Soufflé, DuckDB's recursive SQL, and Pathway. Each runs in processes of
its own, with a time limit; one that is not installed, or cannot express a program, says so."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from cases import Case, load_program

DUCKDB = Path(__file__).parent / "duckdb_peer.py"
PATHWAY = Path(__file__).parent / "pathway_peer.py"


@dataclass
class Taken:
    """`seconds`: of evaluation, without start and reading. `whole`: of the process."""

    seconds: float = 0.0
    whole: float = 0.0
    peak_rss_bytes: int = 0
    sizes: dict[str, int] = field(default_factory=dict)
    failed: str = ""


@dataclass
class Finished:
    seconds: float
    peak_rss_bytes: int
    output: str


class Failed(Exception):
    """A process that ended badly or took too long, and how."""


def run(command: list[str], limit: float) -> Finished:
    """Run to the end; the peak is that of the process itself. Raises Failed."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        _end(process)
        raise Failed(f"over {limit:.0f} s") from None
    except BaseException:  # whoever ends us ends what we started, which is a group of its own
        _end(process)
        raise
    seconds = time.perf_counter() - started
    if process.returncode:
        last = (errors.strip() or output.strip() or "no message").splitlines()[-1]
        raise Failed(f"exit status {process.returncode}: {last[:100]}")
    return Finished(seconds, _peak(errors), output)


def _end(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def leave_on_signals() -> None:
    """Signals that end a process end it as an exception does, so that `run` ends what it has started."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


_MARK = "peak_rss_kib="
_WRAP = ("import os, sys, resource\n"
         "status = os.spawnvp(os.P_WAIT, sys.argv[1], sys.argv[1:])\n"
         f"sys.stderr.write('\\n{_MARK}%d\\n' % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
         "sys.exit(min(status, 255) if status >= 0 else 128 - status)\n")  # fmt: skip


def _peak(errors: str) -> int:
    found = re.search(rf"{_MARK}(\d+)", errors)
    return int(found[1]) * 1024 if found else 0


def measured(command: list[str]) -> list[str]:
    """The same command, so that `run` can tell its peak memory."""
    return [sys.executable, "-S", "-E", "-c", _WRAP, *command]


class Souffle:
    """The binary on PATH. Programs are compiled once and kept in `work`."""

    def __init__(self, work: Path, threads: int, limit: float):
        self.binary = shutil.which("souffle")
        self.work = work / "souffle"
        self.threads = threads
        self.limit = limit

    def version(self) -> str:
        if self.binary is None:
            return "not on PATH"
        shown = subprocess.run([self.binary, "--version"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"Version:? *(\S+)", shown)
        return found[1] if found else "of unknown version"

    def evaluate(self, case: Case, facts: Path, runs: int, compiled: bool) -> Taken:
        """Seconds are those of the program that only prints the sizes of its outputs, less those of a program that
        reads the same facts and does nothing else (medians): start, parsing of facts and giving ids to strings go."""
        if self.binary is None:
            return Taken(failed="not on PATH")
        try:
            if compiled:
                whole, nothing = ([str(self._compile(text))] for text in (sizes_only(case), reading_only(case)))
            else:
                whole, nothing = ([self.binary, str(self._written(text))] for text in
                                  (sizes_only(case), reading_only(case)))  # fmt: skip
            flags = [f"-j{self.threads}", "-F", str(facts)]
            full = [run(measured([*whole, *flags]), self.limit) for _ in range(runs)]
            empty = [run(measured([*nothing, *flags]), self.limit) for _ in range(runs)]
        except Failed as failed:
            return Taken(failed=str(failed))
        seconds = statistics.median(each.seconds for each in full)
        reading = statistics.median(each.seconds for each in empty)
        sizes = {name: int(size) for name, size in re.findall(r"^(\w+)\t(\d+)$", full[0].output, re.MULTILINE)}
        return Taken(max(seconds - reading, 0.001), seconds, max(each.peak_rss_bytes for each in full), sizes)

    def write(self, case: Case, facts: Path, folder: Path) -> None:
        """The outputs as Soufflé writes them. Raises Failed."""
        folder.mkdir(parents=True, exist_ok=True)
        binary = self._compile(case.text())
        run([str(binary), f"-j{self.threads}", "-F", str(facts), "-D", str(folder)], self.limit)

    def _written(self, text: str) -> Path:
        self.work.mkdir(parents=True, exist_ok=True)
        path = self.work / f"{hashlib.sha256((self.version() + text).encode()).hexdigest()[:16]}.dl"
        path.write_text(text)
        return path

    def _compile(self, text: str) -> Path:
        source = self._written(text)
        binary = source.with_suffix("")
        if not binary.exists():
            part = source.with_suffix(".part")
            run([str(self.binary), f"-j{self.threads}", "-w", "-o", str(part), str(source)], 1800)
            part.rename(binary)
        return binary


def sizes_only(case: Case) -> str:
    """The program with the sizes of its outputs in place of their tuples."""
    return re.sub(r"^\.output\b", ".printsize", case.text(), flags=re.MULTILINE)


def reading_only(case: Case) -> str:
    """A program that reads the facts and prints how many there are."""
    text = case.text()
    kept = re.findall(r"^\.(?:type|decl|input)\b.*$", text, re.MULTILINE)
    names = load_program(case).inputs
    return "\n".join([*kept, f".printsize {', '.join(names)}", ""])


def by_script(script: Path, case: Case, facts: Path, limit: float, *more: str) -> Taken:
    """A peer's own script: it prints `seconds S` and `size NAME N`, or `failed WHY`, one a line."""
    try:
        done = run(measured([sys.executable, str(script), case.program, str(facts), *more]), limit)
    except Failed as failed:
        return Taken(failed=str(failed))
    taken = Taken(0.0, done.seconds, done.peak_rss_bytes)
    for line in done.output.splitlines():
        words = line.split()
        if words[:1] == ["seconds"]:
            taken.seconds = float(words[1])
        elif words[:1] == ["size"]:
            taken.sizes[words[1]] = int(words[2])
        elif words[:1] == ["failed"]:
            taken.failed = line.removeprefix("failed ")
    return taken


def threads() -> int:
    return min(2, os.cpu_count() or 1)
