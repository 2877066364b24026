"""Facts of files as rows, and the difference of two commits' facts, are what they are without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st
from repos import Repo

from pliant.ci.fact_diff import FactDiff, difference
from pliant.ci.git import Repository
from pliant.ci.pipeline.facts import rows_of, table_of
from pliant.ci.pipeline.place import OnSpark
from pliant.ci.snapshot import Snapshot
from pliant.ci.steps import Here
from pliant.extractors.blobs import FactCache
from pliant.extractors.columns import SYMBOL_COLUMNS
from pliant.extractors.tables import FactTable, from_facts
from pliant.extractors.writer import FactWriter

OLD = {
    "app.py": "import os\n\n\ndef use(key):\n    found = os.environ.get(key)\n    return found.name\n",
    "lib.py": "import re\n\n\ndef find(text):\n    return re.match('a', text).group()\n",
    "odd|name %.py": "def f(x):\n    return x\n",
    "same.py": "def f(x):\n    return x\n",
}
NEW = {
    "app.py": OLD["app.py"].replace("import os", "import sys as os"),
    "lib.py": None,
    "c.c": "int *f(int *p) { return p; }\n",
}


def told(table: FactTable) -> set[tuple[str, ...]]:
    """Rows in words."""
    texts = table.symbols.to_pylist()
    return {
        (
            name,
            *(texts[value] if symbol else str(value) for value, symbol in zip(row, SYMBOL_COLUMNS[name], strict=True)),
        )
        for name, rows in table.rows.items()
        for row in rows.tolist()
    }


def both(diff: FactDiff) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]], bool]:
    own = np.zeros(len(diff.symbols), bool)
    return (
        told(FactTable(diff.symbols, own, diff.inserted)),
        told(FactTable(diff.symbols, own, diff.deleted)),
        diff.shared,
    )


def test_tables_and_differences_are_those_of_this_process(repo: Repo, tmp_path: Path, spark: Any) -> None:
    repo.commit(OLD, "old")
    repo.commit(NEW, "new")
    writer = FactWriter()
    writer.row("test_file", writer.symbol("tests/a.py|"))
    context = from_facts(writer.finish())
    found = []
    with Repository.open(repo.folder) as repository:
        sides = [Snapshot.of(repository.tree(commit)) for commit in ("main~1", "main")]
        for place in (Here(FactCache(None)), OnSpark(spark, repository, folder=(tmp_path / "kept").as_uri())):
            sources = [list(side.sources.values()) for side in sides]
            extracted = [place.extract(some, repository.read, lambda done, total: None) for some in sources]
            old, new = (place.table(some) for some in sources)
            whole = both(place.difference([old], [new, place.context(context)]))
            gone, came = (
                place.table([each for each in some if each not in other])
                for some, other in ((sources[0], sources[1]), (sources[1], sources[0]))
            )
            summaries = [repr(each) for each in place.summaries([*sources[0], *sources[1]])]
            everything = told(place.collected([old, place.context(context)]))
            found.append((extracted, everything, whole, both(place.difference([gone], [came])), summaries))
    assert found[0] == found[1]
    extracted, everything, (inserted, deleted, _), _, _ = found[0]
    assert extracted == [3, 2] and len(everything) > 20  # two files of one blob
    assert ("test_file", "tests/a.py|") in inserted and any("lib.py|" in cell for row in deleted for cell in row)


cells = st.sampled_from(["a.py|f", "b.py|f", "a", "b", ""])


@settings(max_examples=share(60))
@given(st.lists(st.tuples(cells, st.integers(-1, 2), cells)), st.lists(st.tuples(cells, cells)))
def test_rows_become_the_same_table(actual: list[tuple[str, int, str]], alias: list[tuple[str, str]]) -> None:
    writer = FactWriter()
    for call, number, variable in actual:
        writer.row("formal", writer.symbol(call), number, writer.symbol(variable))
    for name, other in alias:
        writer.row("assign", writer.symbol(name), writer.symbol(other))
    table = from_facts(writer.finish())
    rows = pa.Table.from_batches(rows_of(table), next(rows_of(table)).schema) if table.rows else None
    assert (told(table_of(rows)) if rows is not None else set()) == told(table)
    assert told(difference_table(table)) == told(table)


def difference_table(table: FactTable) -> FactTable:
    """A table by way of its difference from nothing."""
    diff = difference([], [table])
    return FactTable(diff.symbols, np.zeros(len(diff.symbols), bool), diff.inserted)
