"""The state directory under kills and full disks at every file operation, and under several processes at once."""

from __future__ import annotations

import errno
import multiprocessing
import time
from pathlib import Path

import pytest
from faults import full_disks, survivors

from pliant.ci import state
from pliant.ci.inventory import Bounds, Inventory
from pliant.ci.snapshot import Snapshot
from pliant.ci.state import StateStore, collect
from pliant.engine import Batch, Evaluation, Program

PROGRAM = Program.parse(
    {
        "program.dl": """
.decl edge(a: symbol, b: symbol)  .input edge
.decl path(a: symbol, b: symbol)  .output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""
    }
)
EDGES = {(f"n{index}", f"n{index + 1}") for index in range(60)}
ONE, TWO = "1" * 40, "2" * 40


def store(folder: Path, said: list[str] | None = None) -> StateStore:
    return StateStore(folder, "f" * 16, pytest.fail if said is None else said.append)


def built() -> Evaluation:
    return Evaluation.bootstrap(PROGRAM, Batch.from_tuples({"edge": sorted(EDGES)}))


def moved(folder: Path, said: list[str] | None = None) -> Evaluation:
    """The state of TWO, from that of ONE."""
    opened = store(folder, said).open(ONE, PROGRAM)
    assert opened is not None
    opened[0].update(insert=Batch.from_tuples({"edge": [("n3", "new")]}))
    return opened[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store(tmp_path / "state").save(ONE, built(), Snapshot())
    return tmp_path / "state"


def check_whole(folder: Path, commits: set[str]) -> set[str]:
    """Every state that is there opens and is right, nothing else is left; which ones there are."""
    there = store(folder).available()
    assert there <= commits
    for commit in there:
        opened = store(folder).open(commit, PROGRAM)
        assert opened is not None
        assert opened[0].size("edge") == len(EDGES) + (commit == TWO)
        opened[0].digest()
    assert {path.name for path in (folder / "commits").iterdir()} == {f"{commit}-{'f' * 16}" for commit in there}
    return there


@pytest.mark.parametrize("cheaply", [False, True])
def test_keeping_a_state_is_killed_at_every_operation(folder: Path, cheaply: bool) -> None:
    found = set()
    for _ in survivors(lambda: store(folder).save(TWO, moved(folder), Snapshot(), cheaply=cheaply)):
        there = check_whole(folder, {ONE, TWO})
        assert ONE in there
        found.add(len(there))
        store(folder).forget(TWO)
    assert found == {1, 2}
    assert check_whole(folder, {ONE, TWO}) == {ONE, TWO}


def test_collecting_is_killed_at_every_operation(folder: Path) -> None:
    for _ in survivors(lambda: collect(folder / "commits", Bounds(keep=0))):
        if ONE not in check_whole(folder, {ONE}):
            store(folder).save(ONE, built(), Snapshot())
    assert check_whole(folder, {ONE}) == set()


def test_a_full_disk_is_one_line_and_nothing_is_left(folder: Path) -> None:
    lines = 0

    def keep() -> None:
        said.clear()
        store(folder, said).save(TWO, evaluation, Snapshot())

    said: list[str] = []
    evaluation = moved(folder)
    for _, raised in full_disks(keep):
        assert raised is None
        there = check_whole(folder, {ONE, TWO})
        assert ONE in there
        if TWO not in there:
            [line] = said
            assert "No space left on device" in line and line.isprintable()
            lines += 1
        store(folder).forget(TWO)
    assert lines > 5
    assert check_whole(folder, {ONE, TWO}) == {ONE, TWO}


def test_whoever_holds_a_temporary_folder_keeps_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "_STALE_SECONDS", 0)
    with state._temporary(folder / "commits") as temporary:
        state.remove_leftovers(folder / "commits")
        assert temporary.is_dir()
    abandoned = folder / "commits" / ".abandoned.tmp"
    abandoned.mkdir()
    state.remove_leftovers(folder / "commits")
    assert not temporary.exists() and not abandoned.exists()


def _save(folder: Path, commits: list[str]) -> None:
    for commit in commits:
        store(folder).save(commit, built(), Snapshot())


def _collect(folder: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        collect(folder / "commits", Bounds(keep=1))


def _read(folder: Path, commits: list[str]) -> None:
    for commit in commits:
        opened = store(folder).open(commit, PROGRAM)  # None where it has gone: no message, for it is not damaged
        if opened is not None:
            opened[0].update(insert=Batch.from_tuples({"edge": [("n3", "new")]}))
            store(folder).save("e" + commit[1:], opened[0], Snapshot(), cheaply=True)
            assert opened[0].size("edge") == len(EDGES) + 1


def test_a_state_that_another_wrote_first_and_a_collector_took_is_no_message(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def second(path: Path, target: Path) -> Path:
        raise OSError(errno.ENOTEMPTY, "Directory not empty", str(target))

    monkeypatch.setattr(Path, "rename", second)
    store(folder).save(TWO, built(), Snapshot())  # `store` fails the test on a message


def test_savers_readers_and_collectors_share_a_directory(folder: Path) -> None:
    context = multiprocessing.get_context("fork")
    commits = [f"{number:040x}" for number in range(6)]
    running = [context.Process(target=_save, args=(folder, commits)) for _ in range(2)]
    running += [context.Process(target=_read, args=(folder, [*commits, *commits, ONE])) for _ in range(2)]
    running += [context.Process(target=_collect, args=(folder, 2.0)) for _ in range(2)]
    for process in running:
        process.start()
    for process in running:
        process.join(timeout=300)
        assert process.exitcode == 0
    collect(folder / "commits", Bounds(keep=1))
    [left] = Inventory.of(folder / "commits").states
    assert not list((folder / "commits").glob(".*"))
    opened = store(folder).open(left.commit, PROGRAM)
    assert opened is not None
    opened[0].digest()
