"""A saved state is opened as it was, and anything else is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from programs import batch, fresh, state
from states import FACTS, PROGRAM, open_and_touch, rewrite
from test_maintenance import GRAPHS, Set

from pliant.engine import Evaluation, Program, StateError


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    fresh(GRAPHS, FACTS).save(tmp_path / "state")
    return tmp_path / "state"


def test_a_state_survives_and_takes_the_place_of_the_one_before(saved: Path) -> None:
    evaluation = Evaluation.open(saved, PROGRAM)
    assert state(evaluation) == state(fresh(GRAPHS, FACTS))
    evaluation.update(delete=batch({"edge": {("n1", "n7")}}), insert=batch({"edge": {("new", "n1")}}))
    evaluation.save(saved, "whole")
    assert len(list(saved.iterdir())) == 2
    assert Evaluation.open(saved, PROGRAM).digest() == evaluation.digest()
    again = Evaluation.open(saved, PROGRAM)
    assert again.bootstrap_work == evaluation.bootstrap_work


def test_an_opened_state_is_never_written_to(saved: Path) -> None:
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    open_and_touch(saved)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before


@pytest.mark.parametrize("facts", [{}, {"edge": {(1, 2), (-5, 2)}}])
def test_a_state_without_symbols_or_without_facts(facts: Set, tmp_path: Path) -> None:
    text = """
    .decl edge(a: number, b: number)  .input edge
    .decl any()  .output any
    any() :- edge(_, _).
    """
    evaluation = fresh(text, facts)
    evaluation.save(tmp_path)
    opened = Evaluation.open(tmp_path, evaluation.program)
    assert state(opened) == state(evaluation)
    opened.update(insert=batch({"edge": {(3, 4)}}))
    assert state(opened)["any"].keys() == {()}
    opened.update(delete=batch({"edge": {(3, 4), *facts.get("edge", set())}}))
    assert state(opened)["any"] == {} and opened.digest() == fresh(text, {}).digest()


def test_small_arrays_share_columns_and_large_ones_have_their_own(tmp_path: Path) -> None:
    facts: Set = {"edge": {("hub", f"n{number}") for number in range(3000)}}
    evaluation = fresh(GRAPHS, facts)
    evaluation.save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert {len(entry) for entry in entries(manifest)} == {3, 4} and manifest["packed"]
    opened = Evaluation.open(tmp_path, PROGRAM)
    assert opened.digest() == evaluation.digest()
    assert state(opened) == state(evaluation)


def test_data_files_are_arrow_files(saved: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415

    for path in saved.glob("*.arrow"):
        assert pa.ipc.open_file(path).get_batch(0).num_rows


def test_every_flipped_byte_is_refused_or_harmless(saved: Path) -> None:
    random = np.random.default_rng(3)
    expected = Evaluation.open(saved, PROGRAM).digest()
    refused = 0
    for path in sorted(saved.iterdir()):
        whole = path.read_bytes()
        for place in random.integers(0, len(whole), 120).tolist():
            path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
            try:
                assert Evaluation.open(saved, PROGRAM).digest() == expected  # Arrow's own framing, which is not read
                open_and_touch(saved)
            except StateError:
                refused += 1
        path.write_bytes(whole)
    assert refused > 100
    open_and_touch(saved)


@pytest.mark.parametrize("name", ["manifest.json", "data"])
def test_truncated_and_missing_files_are_refused(saved: Path, name: str) -> None:
    path = next(path for path in saved.iterdir() if path.name.startswith(name))
    whole = path.read_bytes()
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(StateError):
            open_and_touch(saved)
    path.unlink()
    with pytest.raises(StateError):
        open_and_touch(saved)


def test_another_program_another_format_and_no_state_are_named(saved: Path, tmp_path: Path) -> None:
    other = Program.parse({"program.dl": GRAPHS + "\npath(x, x) :- edge(x, _)."})
    with pytest.raises(StateError, match="belongs to another program"):
        Evaluation.open(saved, other)
    with pytest.raises(StateError, match="there is no state"):
        Evaluation.open(tmp_path / "nowhere", PROGRAM)
    rewrite(saved, lambda manifest: manifest.update(format=99))
    with pytest.raises(StateError, match="format"):
        Evaluation.open(saved, PROGRAM)


def entries(manifest: dict) -> list[list]:  # type: ignore[type-arg]
    found = [*manifest["symbol_arrays"].values(), *manifest["packed"].values()]
    for relation in manifest["relations"].values():
        found.extend(relation["arrays"].values())
    return found


@pytest.mark.parametrize("position", [0, 1, 2, 3])
@pytest.mark.parametrize("value", [-1, 1, 2**40, 2**70, "u8", None, [], 3.5])
def test_a_hostile_manifest_is_refused_and_never_crashes(saved: Path, position: int, value: object) -> None:
    def change(manifest: dict) -> None:  # type: ignore[type-arg]
        of_entries = [entry for entry in entries(manifest) if position < len(entry)]
        assert of_entries  # what shares a column has no digest of its own
        for entry in of_entries:
            entry[position] = value

    rewrite(saved, change)
    with pytest.raises(StateError):
        open_and_touch(saved)


def test_hostile_values_with_proper_digests_are_refused(saved: Path) -> None:
    """A state whose every digest fits, but whose indices point out of range."""
    for target in (
        "relations/path/column0",
        "relations/path/rows0-1",
        "relations/path/count",
        "symbols/id",
        "symbols/text.offsets",
    ):
        fresh(GRAPHS, FACTS).save(saved)
        manifest = json.loads((saved / "manifest.json").read_text())
        file, *rest = target.split("/")
        arrays = manifest["symbol_arrays"] if file == "symbols" else manifest["relations"][rest[0]]["arrays"]
        entry = arrays[rest[-1]]
        path = saved / manifest["data"]
        width = int(entry[0][1])
        with path.open("r+b") as handle:
            handle.seek(entry[1])
            handle.write({1: 0, 4: 2**31 - 5, 8: 2**60}[width].to_bytes(width, "little"))
        import hashlib  # noqa: PLC0415

        _, start, length, *_ = own = entry if len(entry) == 4 else manifest["packed"][entry[0]]
        digest = hashlib.sha256(path.read_bytes()[start : start + length * width]).hexdigest()

        def change(manifest: dict, own: list = own, digest: str = digest) -> None:  # type: ignore[type-arg]
            for each in entries(manifest):
                if each == own:
                    each[3] = digest

        rewrite(saved, change)
        with pytest.raises(StateError, match=r"out of range|outside"):
            open_and_touch(saved)
