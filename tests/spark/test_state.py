"""States as Parquet: opened with the digest that they were saved with, or refused, and never half there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_evaluation import START, TEXT, batch

from pliant.engine import Evaluation, Program, StateError
from pliant.engine.backends.spark.convert import to_spark
from pliant.engine.backends.spark.state import load, save


def test_a_state_is_opened_updated_and_refused_where_it_is_damaged(tmp_path: Path, spark: Any) -> None:
    program = Program.parse({"program.dl": TEXT})
    embedded = Evaluation.bootstrap(program, batch(START))
    where = (tmp_path / "state").as_uri()
    with pytest.raises(StateError, match="no manifest is there"):
        load(spark, program, where)
    assert save(to_spark(spark, embedded, shards=2), where) == embedded.digest()
    [first] = (tmp_path / "state").glob("data-*")
    opened = load(spark, program, where)
    more = batch({"edge": {("n6", "n1")}})
    opened.update(more)
    embedded.update(more)
    assert save(opened, where) == embedded.digest()
    with pytest.raises(StateError, match="it is of another program"):
        load(spark, Program.parse({"program.dl": TEXT + "first(x) :- edge(_, x)."}), where)
    [second] = set((tmp_path / "state").glob("data-*")) - {first}
    for part in second.glob("part-*"):
        part.unlink()  # as if a disk had lost them: the state before it is whole
    assert load(spark, program, where).digest() != embedded.digest()
