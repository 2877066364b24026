"""`pliant facts --schema cspa`: the graphs are those of the source, and the programs find in them what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from repos import Repo

from pliant.ci.dump import dump_graphs
from pliant.engine import Batch, Evaluation, Program

SOURCE = """
static int *shared;

static int *same(int *x)
{
    return x;
}

int *through_memory(int *given)
{
    int *p = given;
    int **q = &p;
    *q = shared;
    return *q;
}

int null_flows(void)
{
    int *made = 0;
    return *same(made);
}
"""
CSPA = (Path(__file__).parents[2] / "benchmarks" / "programs" / "cspa.dl").read_text(encoding="utf-8")


def _read(path: Path) -> np.ndarray:
    rows = [[int(part) for part in line.split("\t")] for line in path.read_text().splitlines()]
    return np.array(rows, np.int64).reshape(-1, 2)


@pytest.fixture
def graphs(repo: Repo, tmp_path: Path) -> tuple[dict[str, np.ndarray], dict[int, str]]:
    repo.commit({"a.c": SOURCE})
    out = tmp_path / "graphs"
    counts = dump_graphs(repo.folder, "HEAD", out, tmp_path / "state", pytest.fail, lambda *_: None, None)
    names = {}
    for line in (out / "nodes.facts").read_text().splitlines():
        number, _, name = line.partition("\t")
        names[int(number)] = name
    rows = {name: _read(out / f"{name}.facts") for name in ("assign", "dereference", "nullEdge", "arc")}
    assert counts == {**{name: len(pairs) for name, pairs in rows.items()}, "nodes": len(names)}
    return rows, names


def test_what_is_stored_through_a_pointer_aliases_what_is_read(
    graphs: tuple[dict[str, np.ndarray], dict[int, str]],
) -> None:
    rows, names = graphs
    batch = Batch(symbols=[], rows={name: rows[name] for name in ("assign", "dereference")})
    evaluation = Evaluation.bootstrap(Program.parse({"cspa.dl": CSPA}), batch)
    aliases = {(names[a], names[b]) for a, b in evaluation.rows("valueAlias").tolist()}
    stored = "a.c|<module>|shared|cell"
    assert any(a == stored and b.startswith("*a.c|through_memory|&p") for a, b in aliases)
    assert not any(a == stored and "null_flows" in b for a, b in aliases)


def test_null_reaches_what_follows_it(graphs: tuple[dict[str, np.ndarray], dict[int, str]]) -> None:
    rows, names = graphs
    reached = {(a, b) for a, b in rows["nullEdge"].tolist()}
    todo = list(reached)
    while todo:
        origin, at = todo.pop()
        found = {(origin, b) for a, b in rows["arc"].tolist() if a == at} - reached
        reached |= found
        todo.extend(found)
    ends = {names[b] for a, b in reached if "null_flows|NULL" in names[a]}
    assert "a.c|same|x|formal" in ends and "a.c|null_flows|same()|1" in ends
    assert not any("through_memory" in name for name in ends)
