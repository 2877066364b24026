"""A save that is killed, or meets a full disk, at any of its operations; saves and reads at the same time."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from pathlib import Path

import pytest
from faults import full_disks, survivors
from programs import batch, fresh
from test_state_deltas import GRAPHS, MANY, PROGRAM, edges

from pliant.engine import Evaluation, StateError
from pliant.engine.state import Form, layers_of
from pliant.engine.state.saved import SavedState


def prepare(at: Path) -> tuple[str, str]:
    """A directory with a chain of two layers; the digests before and after `save_next`."""
    fresh(GRAPHS, MANY).save(at)
    evaluation = Evaluation.open(at, PROGRAM)
    evaluation.update(insert=batch(edges(("n1", "new"))))
    evaluation.save(at)
    before = evaluation.digest()
    return before, updated(at).digest()


def updated(at: Path) -> Evaluation:
    evaluation = Evaluation.open(at, PROGRAM)
    evaluation.update(delete=batch(edges(("n2", "n14"))))
    return evaluation


def check_one_of(at: Path, digests: set[str]) -> str:
    found = Evaluation.open(at, PROGRAM).digest()
    assert found in digests
    return found


def check_tidy(at: Path) -> None:
    assert len(list(at.iterdir())) == 2 * len(layers_of(at)[0])


@pytest.mark.parametrize("form", ["delta", "whole"])
def test_a_save_that_is_killed_leaves_the_old_or_the_new_state(tmp_path: Path, form: Form) -> None:
    at, spare = tmp_path / "state", tmp_path / "spare"
    before, after = prepare(at)
    shutil.copytree(at, spare)
    found = set()
    for _ in survivors(lambda: updated(at).save(at, form)):
        found.add(check_one_of(at, {before, after}))
        again = Evaluation.open(at, PROGRAM)  # what the next process does, over what is left
        again.update(insert=batch(edges(("n7", "next"))))
        again.save(at)
        check_tidy(at)
        assert Evaluation.open(at, PROGRAM).digest() == again.digest()
        shutil.rmtree(at)
        shutil.copytree(spare, at)
    assert found == {before, after}


def test_a_first_save_that_is_killed_leaves_no_state_or_all_of_it(tmp_path: Path) -> None:
    evaluation = fresh(GRAPHS, MANY)
    digest, at = evaluation.digest(), tmp_path / "state"
    absent = 0
    for _ in survivors(lambda: evaluation.save(at)):
        try:
            check_one_of(at, {digest})
            check_tidy(at)
        except StateError as error:
            assert "there is no state" in str(error)
            absent += 1
        evaluation.save(at)
        check_tidy(at)
        shutil.rmtree(at)
    assert absent > 3


@pytest.mark.parametrize("form", ["delta", "whole"])
def test_a_full_disk_is_one_line_and_the_old_state_stays(tmp_path: Path, form: Form) -> None:
    at, spare = tmp_path / "state", tmp_path / "spare"
    before, after = prepare(at)
    shutil.copytree(at, spare)
    found = []
    for _, raised in full_disks(lambda: updated(at).save(at, form)):
        assert isinstance(raised, StateError)
        assert "No space left on device" in str(raised) and "\n" not in str(raised) and str(at) in str(raised)
        found.append(check_one_of(at, {before, after}))
        Evaluation.open(at, PROGRAM).save(at, "whole")
        check_tidy(at)
        shutil.rmtree(at)
        shutil.copytree(spare, at)
    assert len(found) > 5 and found[-2:] == [before, after]  # only the last flush comes after the new state


def _save_often(at: Path, name: str, times: int) -> None:
    for number in range(times):
        if number % 2:
            evaluation = Evaluation.open(at, PROGRAM)
            evaluation.update(insert=batch(edges((name, f"{name}{number}"))))
        else:
            evaluation = fresh(GRAPHS, edges((name, str(number)), ("a", "b")))
        evaluation.save(at)


def _read_often(at: Path, times: int) -> None:
    for _ in range(times):
        evaluation = Evaluation.open(at, PROGRAM)
        assert evaluation.contains("edge", evaluation.symbol_ids(["a", "b"]).reshape(1, 2)).all()
        evaluation.digest()


def test_savers_and_readers_of_one_directory(tmp_path: Path) -> None:
    folder = tmp_path / "states"
    fresh(GRAPHS, edges(("a", "b"))).save(folder)
    context = multiprocessing.get_context("fork")
    running = [context.Process(target=_save_often, args=(folder, name, 12)) for name in ("x", "y")]
    running += [context.Process(target=_read_often, args=(folder, 40)) for _ in range(2)]
    for process in running:
        process.start()
    for process in running:
        process.join(timeout=300)
        assert process.exitcode == 0
    _read_often(folder, 1)
    check_tidy(folder)


def test_a_state_that_is_open_outlives_its_directory(tmp_path: Path) -> None:
    fresh(GRAPHS, MANY).save(tmp_path / "state")
    evaluation = Evaluation.open(tmp_path / "state", PROGRAM)
    fresh(GRAPHS, edges(("other", "state"))).save(tmp_path / "state")
    shutil.rmtree(tmp_path / "state")
    evaluation.update(insert=batch(edges(("n1", "new"))))
    expected = fresh(GRAPHS, MANY)
    expected.update(insert=batch(edges(("n1", "new"))))
    assert evaluation.digest() == expected.digest()
    evaluation.save(tmp_path / "state")
    assert Evaluation.open(tmp_path / "state", PROGRAM).digest() == expected.digest()


def test_descriptors_are_closed(tmp_path: Path) -> None:
    fresh(GRAPHS, MANY).save(tmp_path)
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0  # noqa: PTH208
    for _ in range(20):
        SavedState(tmp_path, PROGRAM).again()
    if before:
        assert len(os.listdir("/proc/self/fd")) <= before + 4  # noqa: PTH208
