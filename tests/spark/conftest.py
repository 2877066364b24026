"""One local Spark session for all tests of a worker process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pliant.engine.backends.spark.session import spark_session

# The little that these tests compute is in Python: a virtual machine that compiles little starts and runs faster.
SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    with spark_session("local[2]", "pliant tests", SETTINGS) as session:
        yield session
