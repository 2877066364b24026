"""What is lost while a program is evaluated on Spark: slow, and not part of the tests that always run.

    python tests/spark/faults.py [level] [executor] [worker] [driver] [disk]

level: of a local cluster an executor is killed while its shards go through levels, in an evaluation (right) and in an
update, without a checkpoint (right, or one line, and a new evaluation is right) and with one (right). executor: one is
killed between two jobs, without a checkpoint (right, or one line, and a new evaluation is right) and with one (right).
worker: of a standalone cluster one is killed, with a checkpoint: right. driver: `pliant
datalog run --checkpoint` is killed between two rounds, and does not do again what it had done when it is started again.
disk: the disk of a checkpoint, of states, or of what Spark shuffles is full: one line, and the state that was saved
before opens as it was.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

KINDS = ("level", "executor", "worker", "driver", "disk")
LOCAL_CLUSTER = "local-cluster[2,1,1024]"
KILL_AT = 3  # rounds
_A_WHILE = 1.0  # seconds; a task of another stage takes less


def main() -> None:
    kinds = sys.argv[1:] or KINDS
    if len(kinds) > 1:  # a process has one virtual machine, of one kind
        failed = [kind for kind in kinds if subprocess.run([sys.executable, __file__, kind], check=False).returncode]
        sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
    checks = {"level": level, "executor": executor, "worker": worker, "driver": driver, "child": child, "disk": disk}
    if kinds[0] not in checks:
        sys.exit(f"there is no {kinds[0]!r}; expected some of {', '.join(KINDS)}")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        said = checks[kinds[0]](Path(folder))
    print(f"{kinds[0]}: {said} ({time.perf_counter() - started:.0f} s)")


def evaluated(spark: Any, kill: Any = None, checkpoint: Path | None = None) -> tuple[str, int]:
    """The digest, and the rounds that it took. `kill` is called after some of them."""
    from test_evaluation import START, TEXT, batch  # noqa: PLC0415

    from pliant.engine import Program  # noqa: PLC0415
    from pliant.engine.backends.spark.evaluation import SparkEvaluation, Tuning  # noqa: PLC0415

    rounds = 0

    def progress(_: object) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == KILL_AT and kill is not None:
            kill()

    where = None if checkpoint is None else checkpoint.as_uri()
    ours = SparkEvaluation.bootstrap(
        spark,
        Program.parse({"program.dl": TEXT}),
        batch(START),
        shards=2,
        progress=progress,
        checkpoint=where,
        tuning=Tuning(pause=0.0),  # a job for each round, so that something is lost between two
    )
    assert rounds > KILL_AT
    return ours.digest(), rounds


def expected() -> str:
    from test_evaluation import START, TEXT, batch  # noqa: PLC0415

    from pliant.engine import Evaluation, Program  # noqa: PLC0415

    return Evaluation.bootstrap(Program.parse({"program.dl": TEXT}), batch(START)).digest()


# A level for each edge, and the shards take turns: seconds of one job, in which there is nothing but levels.
CHAIN = """
.decl edge(a: number, b: number)  .input edge
.decl start(a: number)  .input start
.decl reached(a: number)  .output reached
reached(x) :- start(x).
reached(y) :- reached(x), edge(x, y).
"""
LINKS = 6_000


def level(folder: Path) -> str:
    from test_evaluation import batch  # noqa: PLC0415

    from pliant.engine import EngineError, Evaluation, Program  # noqa: PLC0415
    from pliant.engine.backends.spark.evaluation import SparkEvaluation, Tuning  # noqa: PLC0415
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    program = Program.parse({"program.dl": CHAIN})
    facts = batch({"edge": {(place, place + 1) for place in range(LINKS)}, "start": {(0,)}})
    nothing, broken = batch({}), batch({"edge": {(0, 1)}})  # what is taken out, all is reached by
    embedded = Evaluation.bootstrap(program, facts)
    whole = embedded.digest()
    embedded.update(delete=broken)
    after = embedded.digest()

    def update(ours: SparkEvaluation) -> str:
        assert ours.digest() == whole
        with killed_in_the_middle(spark):
            ours.update(nothing, broken, "update")
        return ours.digest()

    with spark_session(LOCAL_CLUSTER) as spark:
        with killed_in_the_middle(spark):
            ours = SparkEvaluation.bootstrap(spark, program, facts, shards=2, tuning=Tuning(pause=600.0))
        try:
            assert update(ours) == after
            said = "right all the same"
        except EngineError as error:
            assert "\n" not in str(error)
            said = f"one line ({error})"
        kept = (folder / "kept").as_uri()
        ours = SparkEvaluation.bootstrap(spark, program, facts, shards=2, tuning=Tuning(pause=600.0), checkpoint=kept)
        assert update(ours) == after
    return f"in an evaluation: right; in an update: with a checkpoint right, without: {said}, evaluated again right"


@contextmanager
def killed_in_the_middle(spark: Any) -> Iterator[None]:
    """An executor is killed while two tasks of a stage have been running for a while: these are shards, at their
    levels."""
    from on_clusters import executors  # noqa: PLC0415

    tracker, ended, seen = spark.sparkContext.statusTracker(), threading.Event(), dict[int, float]()
    killed: list[int] = []

    def watch() -> None:
        while not ended.wait(0.02) and not killed:
            running = [stage for stage in tracker.getActiveStageIds() if _tasks_at_once(tracker, stage) == 2]
            for stage in running:
                since = seen.setdefault(stage, time.monotonic())
                if time.monotonic() - since > _A_WHILE and not killed:
                    killed.append(executors()[0])
                    os.kill(killed[0], signal.SIGKILL)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()
    assert killed, "the evaluation ended before an executor was killed"


def _tasks_at_once(tracker: Any, stage: int) -> int:
    told = tracker.getStageInfo(stage)
    return told.numActiveTasks if told is not None else 0


def executor(folder: Path) -> str:
    from on_clusters import executors  # noqa: PLC0415

    from pliant.engine import EngineError  # noqa: PLC0415
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    def kill() -> None:
        os.kill(executors()[0], signal.SIGKILL)

    with spark_session(LOCAL_CLUSTER) as spark:
        assert evaluated(spark, kill, folder / "kept")[0] == expected()
        try:
            assert evaluated(spark, kill)[0] == expected()
            said = "right all the same"
        except EngineError as error:
            assert "\n" not in str(error)
            said = f"one line ({error})"
        assert evaluated(spark)[0] == expected()
    return f"with a checkpoint the digest is right; without: {said}, and evaluated again it is right"


def worker(folder: Path) -> str:
    from on_clusters import standalone  # noqa: PLC0415

    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    with standalone() as master:

        def kill() -> None:
            victim = processes("org.apache.spark.deploy.worker.Worker")[0]
            os.kill(victim, signal.SIGKILL)

        with spark_session(master) as spark:
            assert evaluated(spark, kill, folder / "kept")[0] == expected()
    return "with a checkpoint the digest is right"


def processes(name: str) -> list[int]:
    """Those below this one whose command has a name in it."""
    from on_clusters import _descends  # noqa: PLC0415

    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    parents = {int(pid): int(parent) for pid, parent, _ in rows}
    return [int(pid) for pid, _, arguments in rows if name in arguments and _descends(int(pid), parents)]


def driver(folder: Path) -> str:
    environment = os.environ | {"PLIANT_KEPT": str(folder / "kept")}
    command = [sys.executable, __file__, "child"]
    first = subprocess.run(command, env=environment, check=False)
    assert first.returncode == -signal.SIGKILL, first.returncode
    second = subprocess.run(
        command, env=environment | {"PLIANT_AGAIN": "1"}, capture_output=True, text=True, check=True
    )
    return second.stdout.strip().removeprefix("child: ")


def child(_: Path) -> str:
    """The driver: it is killed, or it goes on where it was killed."""
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415
    from pliant.engine.backends.spark.storage import InFiles  # noqa: PLC0415

    kept = Path(os.environ["PLIANT_KEPT"])
    with spark_session("local[2]") as spark:
        if "PLIANT_AGAIN" not in os.environ:
            evaluated(spark, lambda: os.kill(os.getpid(), signal.SIGKILL), kept)
        keep, made = InFiles.keep, []

        def counted(self: InFiles, number: int, frame: Any) -> Any:
            made.append(number)
            return keep(self, number, frame)

        InFiles.keep = counted  # type: ignore[method-assign]
        digest, rounds = evaluated(spark, None, kept)
        assert digest == expected()
        assert len(made) == rounds - KILL_AT, (made, rounds)
        return f"of {rounds} rounds {KILL_AT} were there, and the digest is right"


def disk(folder: Path) -> str:
    from test_evaluation import START, TEXT, batch  # noqa: PLC0415

    from pliant.engine import Evaluation, Program  # noqa: PLC0415
    from pliant.engine.backends.spark.convert import to_spark  # noqa: PLC0415
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415
    from pliant.engine.backends.spark.state import load, save  # noqa: PLC0415

    small = folder / "small"
    small.mkdir()
    program = Program.parse({"program.dl": TEXT})
    with mounted(small, 400_000):
        with spark_session("local[2]") as spark:
            where = (small / "state").as_uri()
            digest = save(to_spark(spark, Evaluation.bootstrap(program, batch(START)), shards=2), where)
            fill(small)
            told = [
                one_line_of(lambda: evaluated(spark, None, small / "kept")),
                one_line_of(
                    lambda: save(to_spark(spark, Evaluation.bootstrap(program, batch(START)), shards=2), where)
                ),
            ]
            (small / "filler").unlink()
        with spark_session("local[2]", settings={"spark.local.dir": str(small)}) as spark:
            fill(small)
            told.append(one_line_of(lambda: evaluated(spark)))
        with spark_session("local[2]") as spark:
            assert load(spark, program, where).digest() == digest
    assert len(set(told)) == 1, told
    return f"{told[0]}; the old state is as it was"


def fill(folder: Path) -> None:
    with suppress(OSError):  # that is what is wanted: it has all that was left
        (folder / "filler").write_bytes(b"x" * 10_000_000)


def one_line_of(attempt: Callable[[], Any]) -> str:
    from pliant.engine import EngineError  # noqa: PLC0415

    try:
        attempt()
    except EngineError as error:
        assert "\n" not in str(error)
        return str(error)
    raise AssertionError("that was to fail")


@contextmanager
def mounted(folder: Path, size: int) -> Iterator[None]:
    """A file system of so many bytes; only root can have one."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        sys.exit("disk: a small file system cannot be mounted here; run as root")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


if __name__ == "__main__":
    main()
