"""Who runs the tasks of a history: this process, processes beside it, or Spark. All write to one folder.

A process beside this one is Python started plainly that reads tasks from its standard input, a line of JSON each, and
answers with a line when the results are in the folder. It ends with its parent.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from pliant.ci.errors import UserError, visible
from pliant.ci.history.store import Store
from pliant.ci.history.window import Task, evaluate
from pliant.extractors.parent import end_with_parent


def run_task(task: Task, out: Path) -> int:
    """Evaluates a window and keeps its results; its number."""
    Store(out).put(task.window.index, evaluate(task))
    gc.collect()  # a window's arrays are in cycles: without this the next one's come on top of them
    return task.window.index


def in_process(tasks: Sequence[Task], out: Path) -> Iterator[int]:
    for task in tasks:
        yield run_task(task, out)


def in_processes(tasks: Sequence[Task], out: Path, jobs: int) -> Iterator[int]:
    """The numbers of windows as they end. Raises UserError for the first that fails; the others' results stay."""
    idle: SimpleQueue[_Worker | None] = SimpleQueue()
    started: list[_Worker] = []
    for _ in range(jobs):
        idle.put(None)

    def run(task: Task) -> int:
        worker = idle.get()
        try:
            if worker is None:
                worker = _Worker()
                started.append(worker)
            worker.run(task, out)
            return task.window.index
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(jobs)
    try:
        waiting: list[Future[int]] = [threads.submit(run, task) for task in tasks]
        for done in as_completed(waiting):
            yield done.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in started:
            worker.close()


class _Worker:
    def __init__(self) -> None:
        # -P: the current folder may be the repository under analysis, and nothing of it is to be imported.
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # an interrupt goes to the parent, which ends its workers
            env={**os.environ, "PLIANT_THREADS": "1"},  # a core each
        )

    def run(self, task: Task, out: Path) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps({"task": task.dump(), "out": str(out)}).encode() + b"\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise UserError(
                f"the process of window {task.window.index} ended ({_ending(self._process)}): run the same command "
                "again to go on, with --jobs 1 if memory is short"
            )
        told = json.loads(answer)
        if told["error"]:
            raise UserError(told["error"])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()


def _ending(process: subprocess.Popen[bytes]) -> str:
    status = process.wait()
    return f"signal {-status}" if status < 0 else f"status {status}"


def serve() -> None:
    """The life of a worker: tasks, until the parent closes the pipe or ends."""
    from pliant.ci.startup import prepare

    end_with_parent(sys.stdin.fileno())  # what is half done is done again by the next run
    prepare()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        asked = tasks.get()
        error = attempt(asked["task"], asked["out"])
        answers.write(json.dumps({"error": error}).encode() + b"\n")
        answers.flush()


def attempt(task: dict[str, Any], out: str) -> str:
    """Runs a task as it was dumped; what went wrong in a line, or nothing."""
    try:
        run_task(Task.load(task), Path(out))
    except UserError as error:
        return str(error)
    except Exception as error:
        reason = visible(" ".join(str(error).split()))
        return f"internal error in window {task['window']['index']}: {type(error).__name__}: {reason}"
    return ""


def _listen(pipe: IO[bytes], tasks: SimpleQueue[dict[str, Any]]) -> None:
    for line in pipe:
        tasks.put(json.loads(line))


__all__ = ["attempt", "in_process", "in_processes", "run_task", "serve"]
