"""The digests of the embedded engine, on masters that take long to start: not part of the tests that always run.

    python tests/spark/on_clusters.py [connect] [local-cluster] [standalone] [killed]
    pytest tests/spark/on_clusters.py

connect: a server of Spark Connect that a process starts. local-cluster: two executors, each a process. standalone: a
master and two workers from the installed package. On each of them the engine's digests are compared, and `pliant check`
runs to its end and has to report what it reports without Spark. killed: an executor of a
local cluster is killed after some rounds; the evaluation has to end right, or to fail in one line, and a new one has to
end right.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(_TESTS), str(_TESTS / "analyses")]  # what tests share, and the changes that `test_check` is made of

KINDS = ("connect", "local-cluster", "standalone", "killed")
LOCAL_CLUSTER = "local-cluster[2,1,1024]"
_WAIT_SECONDS = 120


def main() -> None:
    kinds = sys.argv[1:] or KINDS
    if len(kinds) > 1:  # a process has one virtual machine, of one kind
        failed = [kind for kind in kinds if subprocess.run([sys.executable, __file__, kind], check=False).returncode]
        sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
    started = time.perf_counter()
    match kinds[0]:
        case "connect":
            os.environ["SPARK_REMOTE"] = "local[2]"
            said = f"{evaluated(None)}; {checked()}"
        case "local-cluster":
            said = f"{evaluated(LOCAL_CLUSTER)}; {checked('--spark-master', LOCAL_CLUSTER)}"
        case "standalone":
            with standalone() as master:
                said = f"{evaluated(master)}; {checked('--spark-master', master)}"
        case "killed":
            said = killed()
        case _:
            sys.exit(f"there is no {kinds[0]!r}; expected some of {', '.join(KINDS)}")
    print(f"{kinds[0]}: {said} ({time.perf_counter() - started:.0f} s)")


def evaluated(master: str | None) -> str:
    """Evaluate and update, and hold the digests against those of the embedded engine."""
    from test_evaluation import EPOCHS, START, TEXT, batch  # noqa: PLC0415

    from pliant.engine import Evaluation, Program  # noqa: PLC0415
    from pliant.engine.backends.spark.evaluation import SparkEvaluation  # noqa: PLC0415
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    program = Program.parse({"program.dl": TEXT})
    with spark_session(master) as spark:
        embedded = Evaluation.bootstrap(program, batch(START))
        ours = SparkEvaluation.bootstrap(spark, program, batch(START), shards=2)
        assert ours.digest() == embedded.digest()
        for strategy, insert, delete in EPOCHS:
            ours.update(batch(insert), batch(delete), strategy)
            embedded.update(batch(insert), batch(delete))
            assert ours.digest() == embedded.digest(), strategy
        return f"{type(spark).__module__}: digests are equal after {len(EPOCHS)} updates"


def checked(*options: str) -> str:
    """`pliant check` of two commits, from nothing, as users run it."""
    from repos import Repo  # noqa: PLC0415
    from test_check import BASE, HEAD  # noqa: PLC0415

    person = {f"GIT_{who}_{what}": "tests" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    os.environ.update(person)
    with tempfile.TemporaryDirectory() as scratch:
        repo = Repo(Path(scratch) / "repo")
        repo.folder.mkdir()
        repo.git("init", "--quiet", "--initial-branch", "main")
        repo.commit(BASE, "base")
        repo.commit(HEAD, "head")
        found = []
        for name, engine in (("here", ["--engine", "embedded"]), ("there", ["--engine", "spark", *options])):
            command = [sys.executable, "-P", "-m", "pliant.ci.cli", "check", str(repo.folder), "--base", "main~1",
                       "--format", "json", "--all", *engine, "--state-dir", f"{scratch}/{name}"]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode in (0, 1), done.stderr
            report = json.loads(done.stdout)
            found.append((done.returncode, report["findings"]))
        assert found[0] == found[1] and len(found[0][1]) >= 2, found
        return f"a check finds the same {len(found[0][1])} findings"


def killed() -> str:
    from test_evaluation import START, TEXT, batch  # noqa: PLC0415

    from pliant.engine import EngineError, Evaluation, Program  # noqa: PLC0415
    from pliant.engine.backends.spark.evaluation import SparkEvaluation  # noqa: PLC0415
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    program = Program.parse({"program.dl": TEXT})
    expected = Evaluation.bootstrap(program, batch(START)).digest()
    rounds = 0

    def kill_one(_: object) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 3:
            os.kill(executors()[0], signal.SIGKILL)

    with spark_session(LOCAL_CLUSTER) as spark:
        try:
            ours = SparkEvaluation.bootstrap(spark, program, batch(START), shards=2, progress=kill_one)
            assert ours.digest() == expected
            said = "the digest is right all the same"
        except EngineError as error:
            assert "\n" not in str(error)
            said = f"one line ({error})"
        assert rounds >= 3
        again = SparkEvaluation.bootstrap(spark, program, batch(START), shards=2)
        assert again.digest() == expected
        return f"an executor was killed: {said}; evaluated again, the digest is right"


def executors() -> list[int]:
    """Processes of executors that descend from this one."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    parents: dict[int, int] = {}
    found = []
    for line in listed.splitlines()[1:]:
        pid, parent, arguments = line.split(None, 2)
        parents[int(pid)] = int(parent)
        if "CoarseGrainedExecutorBackend" in arguments:
            found.append(int(pid))
    return [pid for pid in found if _descends(pid, parents)]


def _descends(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != os.getpid():
        pid = parents[pid]
    return pid == os.getpid()


@contextmanager
def standalone() -> Iterator[str]:
    """A master and two workers."""
    import pyspark  # noqa: PLC0415

    from pliant.engine.spark_java import java_home  # noqa: PLC0415

    command = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    environment = os.environ | {"JAVA_HOME": str(java_home()), "SPARK_LOCAL_IP": "127.0.0.1"}
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, until: str) -> str:
        process = subprocess.Popen(
            [command, *arguments], env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        started.append(process)
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(until, line):
                return found.group(0)
        raise AssertionError(f"{arguments[0]} ended early")

    try:
        master = start(
            "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0",
            until=r"spark://127\.0\.0\.1:\d+",
        )  # fmt: skip
        for _ in range(2):
            start(
                "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                "--webui-port", "0", master, until="Successfully registered",
            )  # fmt: skip
        yield master
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(_WAIT_SECONDS)


@pytest.mark.parametrize("kind", KINDS)
def test_cluster(kind: str) -> None:
    """In a process of its own, which has a virtual machine of its own."""
    done = subprocess.run([sys.executable, __file__, kind], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


if __name__ == "__main__":
    main()
