"""Work that is spread over threads: the same results, errors that surface, and processes that fork."""

from __future__ import annotations

import multiprocessing
import threading

import numpy as np
import pytest
from oracle import evaluate
from programs import batch, by_numpy, fresh, state

from pliant.engine.backends.embedded import execute, keys, meeting, search, table
from pliant.engine.backends.embedded.arrangement import Run
from pliant.engine.backends.embedded.kernels import in_numpy
from pliant.engine.backends.embedded.parallel import run_all, thread_count
from pliant.engine.backends.embedded.search import count, find, locate


def test_results_come_in_the_order_of_the_tasks_and_from_several_threads() -> None:
    together = threading.Barrier(3, timeout=60)  # three tasks pass it only if they run at once

    def task(index: int) -> int:
        together.wait()
        return index

    assert run_all([lambda index=index: task(index) for index in range(3)]) == [0, 1, 2]  # type: ignore[misc]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_in_a_task_surfaces_when_all_have_ended(failing: int) -> None:
    ended: list[int] = []

    def task(index: int) -> None:
        if index == failing:
            raise ValueError(index)
        ended.append(index)

    with pytest.raises(ValueError, match=str(failing)):
        run_all([lambda index=index: task(index) for index in range(3)])  # type: ignore[misc]
    assert sorted(ended) == [index for index in range(3) if index != failing]


def in_child(queue: multiprocessing.Queue[list[int]]) -> None:
    queue.put(run_all([lambda: 1, lambda: 2]))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    assert run_all([lambda: 1, lambda: 2]) == [1, 2]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    try:
        assert queue.get(timeout=60) == [1, 2]
    finally:
        child.join(60)
    assert child.exitcode == 0


def test_the_number_of_threads_is_asked_for_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIANT_THREADS", "7")
    assert thread_count() == 7
    for unusable in ("0", "-1", "many", "", "9" * 5000):
        monkeypatch.setenv("PLIANT_THREADS", unusable)
        assert thread_count() >= 1


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(("high", "low"), [(1, 1), (300, 40), (1 << 31, 3), (3, 1 << 31), (1 << 31, 1 << 31)])
def test_rows_are_counted_alike_by_any_number_of_threads(
    threads: int, high: int, low: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIANT_THREADS", str(threads))
    monkeypatch.setattr(keys, "_WORTH_A_THREAD", 8)
    random = np.random.default_rng(high % 97 + low % 89)
    first = random.integers(-high, high, 500).astype(np.int32)
    second = random.integers(0, low, 500).astype(np.int32)
    second[::7] = first[::7] = 3
    parts = [([first[:200], second[:200]], 200), ([first[200:], second[200:]], 300)]
    words, counts, rows = keys.count_words(parts, lambda words: np.arange(len(words), dtype=np.int32))
    columns, expected = keys.consolidate([first, second], 500)
    assert rows is not None and len(rows) == len(words)
    assert words.tolist() == keys.pack(columns, len(expected)).tolist()
    assert counts.tolist() == expected.tolist()
    again, twice = keys.merge_counts([(words, counts), (words[::2], counts[::2])])
    assert again.tolist() == words.tolist()
    assert twice.tolist() == (counts + np.where(np.arange(len(words)) % 2, 0, counts)).tolist()


@pytest.mark.parametrize("prefix", [False, True])
def test_keys_are_found_alike_by_any_number_of_threads(prefix: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIANT_THREADS", "3")
    random = np.random.default_rng(5)
    pairs = keys.pack([random.integers(0, 60, 900).astype(np.int32) for _ in range(2)], 900)
    stored = np.unique(pairs[:600])
    runs = [Run(stored[start::2].copy(), np.arange(start, len(stored), 2, dtype=np.int32)) for start in range(2)]
    asked = keys.pack([keys.high_column(pairs)], 900) if prefix else pairs

    def everything() -> tuple[list[int], list[int], list[tuple[int, int]]]:
        met = [
            pair
            for hits in find(runs, asked, prefix)
            for pair in zip(hits.probes.tolist(), hits.run.rows[hits.positions].tolist(), strict=True)
        ]
        return locate(runs, pairs).tolist(), count(runs, asked, prefix).tolist(), sorted(met)

    by_numpy(monkeypatch)
    alone = everything()
    monkeypatch.setattr(search, "_WORTH_SEARCHING", 16)
    monkeypatch.setattr(in_numpy, "_WORTH_SORTING", 10_000)
    assert everything() == alone
    monkeypatch.setattr(in_numpy, "_LARGE", 16)
    monkeypatch.setattr(in_numpy, "_WORTH_SORTING", 1)
    assert everything() == alone
    assert len(alone[2]) == sum(alone[1]) > 600


def test_joins_are_the_same_with_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIANT_THREADS", "3")
    monkeypatch.setattr(execute, "SHORT", 0)
    monkeypatch.setattr(meeting, "_WORTH_A_THREAD", 2)
    monkeypatch.setattr(table, "_WORTH_SHARING", 4)
    random = np.random.default_rng(6)
    some, others = ({tuple(each) for each in random.integers(0, 7, (25, 3)).tolist()} for _ in range(2))
    text = """
        .decl e(a: number, b: number, c: number)  .input e
        .decl p(a: number, b: number)  .output p
        .decl q(a: number, b: number, c: number)  .output q
        p(x, y) :- e(x, y, _).
        p(x, z) :- p(x, y), e(y, z, w), p(w, x).
        q(x, y, z) :- p(x, y), e(y, z, z), !p(z, x).
    """
    evaluation = fresh(text, {"e": some})
    assert state(evaluation) == evaluate(text, {"e": some})
    evaluation.update(batch({"e": others}), batch({"e": some - others}), "update")
    assert state(evaluation) == evaluate(text, {"e": others})


@pytest.mark.parametrize("bits", [(3, 3), (20, 20), (32, 32), (0, 32), (32, 0)])
def test_an_order_puts_words_in_order(bits: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_WORTH_PACKING", 2)
    monkeypatch.setattr(keys, "_WORTH_A_THREAD", 100)
    random = np.random.default_rng(sum(bits))
    words = random.integers(0, 1 << bits[0], 3000).astype(np.uint64) << np.uint64(32)
    words |= random.integers(0, 1 << bits[1], 3000).astype(np.uint64)
    order = keys.order_of(words)
    assert sorted(order.tolist()) == list(range(3000))
    assert words[order].tolist() == np.sort(words).tolist()
    alike = np.uint64((1 << 64) - 4096) | (words & np.uint64(4095))  # all but the bits that a place takes
    assert alike[keys.order_of(alike)].tolist() == np.sort(alike).tolist()
