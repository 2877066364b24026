"""What is made of facts before they are evaluated: pieces of files, chunks, ids. None of it needs Spark."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.engine import FactError
from pliant.engine.backends.spark import blocks
from pliant.engine.backends.spark.encoding import Asking
from pliant.engine.backends.spark.gathering import Gatherer, Gathering
from pliant.engine.backends.spark.reading import FactFiles, Piece, texts
from pliant.engine.backends.spark.survey import Survey


@given(text=st.text("ab\r\n", max_size=40), cuts=st.lists(st.integers(0, 40), max_size=4), block=st.integers(1, 9))
def test_pieces_of_a_file_have_each_line_once(
    tmp_path_factory: pytest.TempPathFactory, text: str, cuts: list[int], block: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "facts"
    content = text.encode()
    path.write_bytes(content)
    ends = sorted({0, len(content), *(min(cut, len(content)) for cut in cuts)})
    found = [list(texts(Piece("r", path, "\t", start, stop, False), block)) for start, stop in pairwise(ends)]
    assert b"".join(each for piece in found for each in piece) == content
    whole = [each for piece in found for each in piece]
    assert all(each.endswith(b"\n") for each in whole[:-1]) and all(whole)
    path.write_bytes(gzip.compress(content))
    assert b"".join(texts(Piece("r", path, "\t", 0, 1, True), block)) == content


def test_files_are_shared_among_tasks_by_their_size(tmp_path: Path) -> None:
    sizes = {"large": 50, "some": 30, "small": 25, "empty": 0}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(b"x\n" * size)
    files = FactFiles(tuple((name, tmp_path / name, "\t") for name in sorted(sizes)))
    assert [[piece.relation for piece in task] for task in files.pieces(2)] == [["large"], ["some", "small"]]
    assert [len(task) for task in FactFiles(()).pieces(2)] == [0]
    with pytest.raises(FactError, match="is not there"):
        FactFiles((("none", tmp_path / "none", "\t"),)).pieces(2)


def gathered(pieces: Sequence[Sequence[tuple[str, int]]]) -> tuple[list[blocks.Row], Survey]:
    gatherer = Gatherer(Gathering({"r": ("symbol", "number")}, values=True, sums=True))
    rows = []
    for piece in pieces:
        texts, numbers = zip(*piece, strict=True)
        rows += gatherer.add("r", [pa.array(texts), pa.array(numbers)], len(piece))
    rows += gatherer.end()
    return rows, Survey.of((name, note) for _, kind, name, _, note in rows if kind == blocks.SURVEY)


def test_a_survey_tells_sizes_frequent_values_and_sums_in_any_order() -> None:
    facts = [(f"x{number}" if number % 3 else "tea", number % 2) for number in range(1, 20)]
    rows, one = gathered([facts])
    _, other = gathered([facts[7:][::-1], facts[:7]])
    assert [kind for _, kind, *_ in rows] == [blocks.FACTS, blocks.SURVEY]
    assert (one.sizes, one.frequent) == ({"r": 19}, {("r", 0): {"tea": 6}, ("r", 1): {"0": 9, "1": 10}})
    assert one.sums == other.sums and one.sizes == other.sizes
    assert gathered([facts[:-1]])[1].sums != one.sums
    with pytest.raises(FactError, match="a fact of r has no value in a column"):
        Gatherer(Gathering({"r": ("symbol",)})).add("r", [pa.array(["a", None])], 2).__next__()


class Network:
    """Shards in threads that swap bytes."""

    def __init__(self, shards: int):
        self.queues = [[SimpleQueue[bytes]() for _ in range(shards)] for _ in range(shards)]

    def swap(self, number: int) -> Any:
        def run(outgoing: Mapping[int, Sequence[Any]]) -> dict[int, bytes]:
            for peer, pieces in outgoing.items():
                self.queues[number][peer].put(b"".join(bytes(memoryview(piece)) for piece in pieces))
            return {peer: self.queues[peer][number].get(timeout=60) for peer in outgoing}

        return run


def asked(
    known: Sequence[Sequence[str]], firsts: Sequence[Sequence[str]], wanted: Sequence[Mapping[str, bool]]
) -> tuple[list[list[int]], list[list[str]]]:
    """The ids that each shard is told, and the strings of each part."""
    shards = len(wanted)
    network = Network(shards)

    def one(number: int) -> tuple[list[int], list[str]]:
        own = [pa.array(known[number], pa.large_string())] if known[number] else []
        asking = Asking(number, shards, own, firsts[number], network.swap(number))
        ids = asking(pa.array(list(wanted[number]), pa.large_string()), np.array(list(wanted[number].values()), bool))
        start, fresh = asking.fresh()
        assert start == len(known[number])
        return ids.tolist(), [*known[number], *fresh.to_pylist()]

    with ThreadPoolExecutor(shards) as threads:
        found = list(threads.map(one, range(shards)))
    return [ids for ids, _ in found], [strings for _, strings in found]


_TEXTS = st.dictionaries(st.text("abc", max_size=3), st.booleans(), max_size=8)


@given(first=st.lists(_TEXTS, min_size=3, max_size=3), second=st.lists(_TEXTS, min_size=3, max_size=3))
def test_a_string_has_one_id_in_all_shards_whoever_asks(
    first: list[dict[str, bool]], second: list[dict[str, bool]]
) -> None:
    nothing: list[list[str]] = [[], [], []]
    _, parts = asked(nothing, nothing, first)
    assert asked(nothing, nothing, [dict(reversed(each.items())) for each in reversed(first)])[1] == parts
    told, parts = asked(parts, nothing, second)
    come = {text for each in (*first, *second) for text, comes in each.items() if comes}
    assert sorted(text for part in parts for text in part) == sorted(come)
    ids = {text: number * 3 + part for part, some in enumerate(parts) for number, text in enumerate(some)}
    for wanted, found in zip(second, told, strict=True):
        assert found == [ids.get(text, -1) for text in wanted]
