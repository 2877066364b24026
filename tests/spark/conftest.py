"""One local Spark session for all tests of a worker process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pliant.engine.backends.spark.session import spark_session

for folder in ("engine", "analyses"):  # the suites whose programs, histories and changes run here as well
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))

MASTER = os.environ.get("PLIANT_TEST_SPARK_MASTER", "local[2]")
# The little that these tests compute is in Python: a virtual machine that compiles little starts and runs faster.
SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    with spark_session(MASTER, "pliant tests", SETTINGS) as session:
        yield session
