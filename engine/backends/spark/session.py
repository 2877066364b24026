"""One Spark session: the one that runs already, else one of the user's configuration, else a quiet local one.

What the user configured is kept: `spark-defaults.conf`, SPARK_REMOTE, and whatever `spark-submit` handed over. A
session that was there before is used and stays; one that is made here is stopped at the end.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import EngineError
from ...spark_java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL: Final = "local[*]"
_REMOTE: Final = "sc://"
_TOGETHER: Final = "spark.pliant.together"  # "false": a job is never more than one round
# Of a session that is made here, where the user's configuration says nothing else.
_SETTINGS: Final = {
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.python.worker.reuse": "true",
    # Where an executor is gone for good, the shards cannot all run at once: known after 20 s and not ten minutes.
    "spark.scheduler.barrier.maxConcurrentTasksCheck.interval": "2s",
    "spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures": "10",
    "spark.sql.adaptive.enabled": "false",  # stages are small and their number of partitions is chosen
    "spark.sql.codegen.wholeStage": "false",  # rows are few and large: compiling a plan costs more than it saves
}
_LOCAL_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


class SparkError(EngineError):
    """Spark cannot be started, reached or used."""


@contextlib.contextmanager
def spark_session(
    master: str | None = None, application: str = "pliant", settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """The session to work in: the active one whatever `master` says, else one on `master`, which may be `sc://...` or
    the master of a Spark Connect server, else SPARK_REMOTE's, else the configured master's, else a local one.

    Raises SparkError in one line where there is none to be had.
    """
    active = active_session()
    if active is not None:
        yield active
        return
    made = _make(master, application, dict(settings or {}))
    try:
        yield made
    finally:
        with contextlib.suppress(Exception):  # what ends a cluster's session ends it for us
            made.stop()


def active_session() -> SparkSession | None:
    """The session that this process already has, if any; pyspark is not even imported to find that it has none."""
    if "pyspark" not in sys.modules:
        return None
    from pyspark.sql import SparkSession  # noqa: PLC0415

    with contextlib.suppress(Exception):
        active: SparkSession | None = SparkSession.getActiveSession()
        return active
    return None


def is_connect(spark: Any) -> bool:
    """Whether the session is a client of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def cores(spark: Any) -> int:
    """How many tasks run at once; at least what Spark says by default, which it may not tell over Connect."""
    with contextlib.suppress(Exception):
        if not is_connect(spark):
            return max(1, int(spark.sparkContext.defaultParallelism))
        told = spark.conf.get("spark.default.parallelism", None) or _of_local(spark.conf.get("spark.master", ""))
        return max(1, int(told))
    return 2


def why_no_barrier(spark: Any, shards: int) -> str:
    """Why so many shards cannot be tasks that run at once and talk to each other; empty if, as far as is known, they
    can. One shard talks to nobody."""

    def configured(name: str, default: str = "false") -> str:
        with contextlib.suppress(Exception):
            return str(spark.conf.get(name, default)).lower()
        return default

    if configured(_TOGETHER, "true") != "true":
        return f"{_TOGETHER} says so"
    if shards == 1:
        return ""
    if configured("spark.dynamicAllocation.enabled") == "true":
        return "executors come and go (spark.dynamicAllocation.enabled)"
    if configured("spark.network.crypto.enabled") == "true" or configured("spark.ssl.rpc.enabled") == "true":
        return "what goes between machines is to be encrypted, and Spark does that"
    if cores(spark) < shards:
        return f"{shards} shards are more than the {cores(spark)} tasks that run at once"
    return ""


def _of_local(master: str) -> int:
    inner = master.removeprefix("local").strip("[]").split(",")[0]
    return (os.cpu_count() or 1) if inner == "*" else int(inner or 1)


@contextlib.contextmanager
def described(spark: Any, text: str) -> Iterator[None]:
    """Jobs that start within are called `text` in Spark's own user interface (over Connect: tagged so)."""
    if is_connect(spark):
        tag = "".join(character if character not in ", " else "_" for character in text)
        spark.addTag(tag)
        try:
            yield
        finally:
            spark.removeTag(tag)
        return
    context = spark.sparkContext
    before = context.getLocalProperty("spark.job.description")
    context.setJobDescription(text)
    try:
        yield
    finally:
        context.setLocalProperty("spark.job.description", before)


def _make(master: str | None, application: str, settings: dict[str, str]) -> SparkSession:
    master = master or os.environ.get("SPARK_REMOTE") or None
    known = _configured()
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ and "spark.master" not in known:
        master = LOCAL
    remote = master is not None and (master.startswith(_REMOTE) or master == os.environ.get("SPARK_REMOTE"))
    if remote and not master.startswith(_REMOTE) and not master.startswith("local"):  # type: ignore[union-attr]
        raise SparkError(f"SPARK_REMOTE is {master!r}; sc://HOST:PORT or local[N] is expected")
    started_here = not (master or "").startswith(_REMOTE)
    try:
        with _environment(master) if started_here else contextlib.nullcontext():
            from pyspark.sql import SparkSession  # noqa: PLC0415 - takes a second that embedded runs do not need

            logging.getLogger("pyspark").setLevel(logging.ERROR)
            logging.getLogger("py4j").setLevel(logging.ERROR)
            builder = SparkSession.builder.appName(application)
            if remote and master is not None:
                builder = builder.remote(master)
            elif master is not None:
                builder = builder.master(master)
            local = master is not None and master.startswith("local")
            if started_here:
                for name, value in (_SETTINGS | (_LOCAL_SETTINGS if local else {})).items():
                    if name not in known:
                        builder = builder.config(name, value)
                builder = builder.config("spark.executorEnv.PYTHONSAFEPATH", "1")
            for name, value in settings.items():
                builder = builder.config(name, value)
            with _log() if started_here else contextlib.nullcontext():
                made: SparkSession = builder.getOrCreate()
            return made
    except EngineError:
        raise
    except ImportError as error:
        package = "pyspark[connect]" if remote else "pyspark[sql]"
        raise SparkError(f"Spark cannot be used: {error}; 'pip install {package}'") from None
    except Exception as error:  # py4j's and grpc's errors share no class
        where = master or "the configured master"
        raise SparkError(f"no Spark session on {where}: {first_line(error)}") from None


def first_line(error: BaseException) -> str:
    """What an error of Spark says first, without the Java stack below it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if not line.startswith(("at ", "...", "An error occurred while calling", ":"))]
    told = [line for line in lines if line.startswith(":")]
    return ([line.lstrip(": ") for line in told] + causes + [type(error).__name__])[0][:300]


@contextlib.contextmanager
def _log() -> Iterator[None]:
    """The virtual machine that is started within writes to the file that PLIANT_SPARK_LOG names, not to our standard
    error: what fails is raised here as well, and a terminal is for our own progress."""
    try:
        into = os.open(os.environ.get("PLIANT_SPARK_LOG") or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise SparkError(f"PLIANT_SPARK_LOG names a file that cannot be written: {error.strerror}") from None
    sys.stderr.flush()
    ours = os.dup(2)
    try:
        os.dup2(into, 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(ours, 2)
        os.close(ours)
        os.close(into)


@contextlib.contextmanager
def _environment(master: str | None) -> Iterator[None]:
    """What the virtual machine and its Python workers inherit: a Java that works, this Python, and no import from the
    current folder, which may be a repository under analysis."""
    wanted = {"JAVA_HOME": str(java_home()), "PYTHONSAFEPATH": "1"}
    if "PYSPARK_PYTHON" not in os.environ:
        wanted["PYSPARK_PYTHON"] = sys.executable  # the packages of this process are those of its workers
    if master is not None and master.startswith("local") and "SPARK_LOCAL_IP" not in os.environ:
        wanted["SPARK_LOCAL_IP"] = "127.0.0.1"
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _configured() -> set[str]:
    """The names that the user's spark-defaults.conf sets."""
    folders = [os.environ.get("SPARK_CONF_DIR"), os.environ.get("SPARK_HOME")]
    files = [Path(folder) / part / "spark-defaults.conf" for folder, part in zip(folders, ("", "conf"), strict=True)
             if folder]  # fmt: skip
    for file in files:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = file.read_text(encoding="utf-8").splitlines()
            return {line.replace("=", " ").split()[0] for line in lines if line.strip() and line.strip()[0] != "#"}
    return set()


__all__ = ["LOCAL", "SparkError", "active_session", "cores", "described", "first_line", "is_connect", "spark_session"]
