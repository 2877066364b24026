"""The strategies' property test of the embedded engine, on Spark: the same random programs and histories."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))  # the suite's programs and histories

from programs import batch, examples, fresh
from test_maintenance import History, changed, histories

from pliant.engine import Program
from pliant.engine.backends.spark.evaluation import SparkEvaluation
from pliant.engine.strategies.pipelined.conductor import STRATEGIES


def test_strategies_in_turn_equal_bootstrap(spark: Any) -> None:
    @settings(max_examples=examples(2), suppress_health_check=list(HealthCheck))
    @given(histories(), st.data(), st.sampled_from([2, 1]))
    def check(history: History, data: st.DataObject, shards: int) -> None:
        random, now, epochs = history
        ours = SparkEvaluation.bootstrap(spark, Program.parse({"program.dl": random.text}), batch(now), shards=shards)
        assert ours.digest() == fresh(random.text, now).digest()
        for insert, delete in epochs:
            strategy = data.draw(st.sampled_from(STRATEGIES))
            ours.update(batch(insert), batch(delete), strategy, data.draw(st.sampled_from([0.0, 0.2, 3.0])))
            now = changed(now, insert, delete)
            assert ours.digest() == fresh(random.text, now).digest(), strategy

    check()
