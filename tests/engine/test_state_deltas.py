"""States that are deltas on other states: equal to what is in memory, small, bounded, refused without their base."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import batch, fresh, rebuilt, state, totals
from test_maintenance import GRAPHS, History, Set, changed, histories
from test_proofs import written

from pliant.engine import Evaluation, Program, StateError
from pliant.engine.state import layers_of, saving
from pliant.engine.state.manifest import MAX_LAYERS
from pliant.engine.strategies.registry import STRATEGIES

PROGRAM = Program.parse({"program.dl": GRAPHS})
MANY: Set = {"edge": {(f"n{index}", f"n{index * 7 % 230}") for index in range(230)}, "label": set(), "stop": {("n3",)}}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deltas however small the whole is."""
    monkeypatch.setattr(saving, "SHARE", 0)


def edges(*pairs: tuple[str, str]) -> Set:
    return {"edge": set(pairs)}


@pytest.mark.usefixtures("always")
@given(histories(), st.lists(st.sampled_from(["any", "whole", "memory"]), min_size=4, max_size=4), st.data())
def test_chains_of_saves_equal_what_is_in_memory(history: History, ways: list[str], data: st.DataObject) -> None:
    random, now, epochs = history
    memory = fresh(random.text, now)
    with TemporaryDirectory() as name:
        at = Path(name) / "0"
        memory.copy().save(at)
        opened = Evaluation.open(at, memory.program)
        for number, ((insert, delete), way) in enumerate(zip(epochs, ways, strict=False), 1):
            strategy = data.draw(st.sampled_from(sorted(STRATEGIES)))
            for evaluation in (memory, opened):
                evaluation.update(batch(insert), batch(delete), strategy)
            memory.count()
            now = changed(now, insert, delete)
            if way == "memory":  # the next save has several epochs to tell
                continue
            at = data.draw(st.sampled_from([at, Path(name) / str(number)]))
            opened.save(at, "whole" if way == "whole" else "any")
            reached = state(memory)
            assert state(opened) == reached
            opened = Evaluation.open(at, memory.program)
            assert state(opened) == reached and opened.digest() == memory.digest()
            assert totals(opened) == totals(rebuilt(opened))
            for relation in random.kinds:
                assert written(opened, relation) == written(memory, relation)
        opened.save(at)
        assert state(Evaluation.open(at, memory.program)) == state(fresh(random.text, now))


def test_a_delta_is_small_and_says_what_it_is_on(tmp_path: Path) -> None:
    whole = fresh(GRAPHS, MANY).save(tmp_path / "base", "whole")
    evaluation = Evaluation.open(tmp_path / "base", PROGRAM)
    evaluation.update(insert=batch(edges(("n1", "new"))))
    delta = evaluation.save(tmp_path / "next")
    assert whole is not None and delta is not None
    assert (whole.layers, delta.layers) == (1, 2) and 8 * delta.size < whole.size
    [base] = layers_of(tmp_path / "base")[0]
    assert layers_of(tmp_path / "next") == ((layers_of(tmp_path / "next")[0][0], base), PROGRAM.hash)
    shutil.rmtree(tmp_path / "base")
    assert state(Evaluation.open(tmp_path / "next", PROGRAM)) == state(evaluation)


def test_what_did_not_change_takes_no_room_and_is_not_loaded(tmp_path: Path) -> None:
    fresh(GRAPHS, MANY).save(tmp_path)
    evaluation = Evaluation.open(tmp_path, PROGRAM)
    evaluation.update(insert=batch({"stop": {("nowhere",)}}))
    loaded = set(evaluation._relations)
    saved = evaluation.save(tmp_path, "delta")
    assert saved is not None and set(evaluation._relations) == loaded
    assert Evaluation.open(tmp_path, PROGRAM)._origin.changed_since(1) == {"stop"}  # type: ignore[union-attr]


@pytest.mark.usefixtures("always")
def test_a_relation_that_was_evaluated_from_nothing_is_matched_by_its_tuples(tmp_path: Path) -> None:
    fresh(GRAPHS, MANY).save(tmp_path / "base")
    sizes = []
    for strategy in ("update", "bootstrap"):
        evaluation = Evaluation.open(tmp_path / "base", PROGRAM)
        evaluation.update(batch(edges(("n1", "new"))), batch(edges(("n2", "n14"))), strategy)
        saved = evaluation.save(tmp_path / strategy)
        assert saved is not None
        sizes.append(saved.size)
        assert state(Evaluation.open(tmp_path / strategy, PROGRAM)) == state(evaluation)
    assert sizes[1] <= sizes[0] + 64  # the work of a bootstrap has another number


@pytest.mark.usefixtures("always")
def test_layers_are_bounded_and_one_delta_takes_the_place_of_many(tmp_path: Path) -> None:
    folder = tmp_path / "states"
    now = MANY
    fresh(GRAPHS, now).save(folder)
    layers = []
    for number in range(2 * MAX_LAYERS):
        evaluation = Evaluation.open(folder, PROGRAM)
        insert, delete = edges((f"m{number}", "n1")), edges((f"n{number}", f"n{number * 7 % 230}"))
        evaluation.update(batch(insert), batch(delete))
        now = changed(now, insert, delete)
        saved = evaluation.save(folder)
        assert saved is not None
        layers.append(saved.layers)
        assert len(list(folder.iterdir())) == 2 * saved.layers
    assert layers == [*range(2, MAX_LAYERS + 1), *range(2, MAX_LAYERS + 1), 2, 3]
    assert state(Evaluation.open(folder, PROGRAM)) == state(fresh(GRAPHS, now))


def test_deltas_of_a_quarter_of_the_whole_are_compacted(tmp_path: Path) -> None:
    now = edges(*((f"n{index}", f"n{index + 1}") for index in range(60)))
    whole = fresh(GRAPHS, now).save(tmp_path)
    assert whole is not None
    wrote_whole = 0
    for number in range(12):
        evaluation = Evaluation.open(tmp_path, PROGRAM)
        insert = edges(*((f"a{number}-{index}", f"b{number}-{index}") for index in range(200)))
        delete = edges(*((f"a{number - 1}-{index}", f"b{number - 1}-{index}") for index in range(200)))
        evaluation.update(batch(insert), batch(delete))
        now = changed(now, insert, delete)
        saved = evaluation.save(tmp_path)
        assert saved is not None
        wrote_whole += saved.layers == 1
        files = [path.stat().st_size for path in tmp_path.iterdir()]
        assert sum(files) <= 1.25 * max(files) + whole.size
    assert 0 < wrote_whole < 12
    opened = Evaluation.open(tmp_path, PROGRAM)
    assert opened.digest() == fresh(GRAPHS, now).digest()


def test_symbols_that_nothing_names_go_with_a_whole_save(tmp_path: Path) -> None:
    evaluation = fresh(GRAPHS, MANY)
    evaluation.update(insert=batch(edges(("short-lived", "gone"), ("n1", "zz"))))
    evaluation.update(delete=batch(edges(("short-lived", "gone"), ("n5", "n35"))))
    evaluation.save(tmp_path, "whole")
    opened = Evaluation.open(tmp_path, PROGRAM)
    left = changed(MANY, edges(("n1", "zz")), edges(("n5", "n35")))
    assert len(opened.symbols) == len(fresh(GRAPHS, left).symbols) < len(evaluation.symbols)
    assert state(opened) == state(fresh(GRAPHS, left))
    for each in (opened, evaluation):  # both go on, with ids of their own
        each.update(insert=batch(edges(("gone", "n2"))), delete=batch(edges(("n1", "zz"))))
        each.save(tmp_path)
        assert state(Evaluation.open(tmp_path, PROGRAM)) == state(each)
    assert opened.digest() == evaluation.digest()


def test_a_delta_that_will_not_do_is_not_written(tmp_path: Path) -> None:
    evaluation = fresh(GRAPHS, MANY)
    assert evaluation.save(tmp_path / "state", "delta") is None
    evaluation.save(tmp_path / "base")
    evaluation.update(insert=batch(edges(("n1", "new"))))
    assert evaluation.save(tmp_path / "state", "delta", limit=100) is None
    assert not (tmp_path / "state").exists()
    assert evaluation.save(tmp_path / "state", "delta") is not None


def test_a_file_system_without_links_gets_whole_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh(GRAPHS, MANY).save(tmp_path / "base")
    evaluation = Evaluation.open(tmp_path / "base", PROGRAM)
    evaluation.update(insert=batch(edges(("n1", "new"))))

    def link(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    assert evaluation.save(tmp_path / "delta", "delta") is None
    saved = evaluation.save(tmp_path / "any")
    assert saved is not None and saved.layers == 1
    assert state(Evaluation.open(tmp_path / "any", PROGRAM)) == state(evaluation)


def test_a_base_that_another_process_replaced_is_not_linked(tmp_path: Path) -> None:
    fresh(GRAPHS, MANY).save(tmp_path)
    evaluation = Evaluation.open(tmp_path, PROGRAM)
    evaluation.update(insert=batch(edges(("n1", "new"))))
    fresh(GRAPHS, edges(("other", "state"))).save(tmp_path)
    saved = evaluation.save(tmp_path)
    assert saved is not None and saved.layers == 1
    assert state(Evaluation.open(tmp_path, PROGRAM)) == state(evaluation)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    fresh(GRAPHS, MANY).save(tmp_path / "0")
    for number in range(2):
        evaluation = Evaluation.open(tmp_path / str(number), PROGRAM)
        evaluation.update(insert=batch(edges((f"m{number}", "n1"))))
        saved = evaluation.save(tmp_path / str(number + 1))
        assert saved is not None and saved.layers == number + 2
    return tmp_path


def test_a_delta_without_its_base_or_with_another_is_refused_by_name(chain: Path) -> None:
    top, middle, lowest = layers_of(chain / "2")[0]
    assert len({top, middle, lowest}) == 3
    for layer in (middle, lowest):
        path = chain / "2" / f"base-{layer}.json"
        whole = path.read_bytes()
        path.unlink()
        with pytest.raises(StateError, match=f"lacks its file base-{layer}"):
            Evaluation.open(chain / "2", PROGRAM)
        path.write_bytes((chain / "2" / "manifest.json").read_bytes())  # sound, but another
        with pytest.raises(StateError, match="is another one"):
            Evaluation.open(chain / "2", PROGRAM)
        path.unlink()
        path.write_bytes(whole)
    assert Evaluation.open(chain / "2", PROGRAM).digest()
