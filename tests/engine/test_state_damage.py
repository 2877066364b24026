"""Random damage to every file of a chain of deltas: refused by name, or without effect; never another answer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import batch, fresh
from states import PROGRAM, open_and_touch, rewrite
from test_maintenance import GRAPHS
from test_state_deltas import MANY, edges

from pliant.engine import Evaluation, StateError


def change(evaluation: Evaluation, number: int) -> None:
    evaluation.update(batch(edges((f"m{number}", "n1"))), batch(edges((f"n{number}", f"n{number * 7}"))))


@pytest.fixture(scope="module")
def digests() -> list[str]:
    """Of the state at each layer of the chain."""
    evaluation = fresh(GRAPHS, MANY)
    found = [evaluation.digest()]
    for number in range(2):
        change(evaluation, number)
        found.append(evaluation.digest())
    return found


@pytest.fixture(scope="module")
def chain() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        at = Path(name) / "state"
        fresh(GRAPHS, MANY).save(at)
        for number in range(2):
            evaluation = Evaluation.open(at, PROGRAM)
            change(evaluation, number)
            saved = evaluation.save(at)
            assert saved is not None and saved.layers == number + 2
        yield at


@given(data=st.data())
def test_damaged_chains_are_refused_or_give_the_same(chain: Path, digests: list[str], data: st.DataObject) -> None:
    assert Evaluation.open(chain, PROGRAM).digest() == digests[-1]
    with TemporaryDirectory() as name:
        copy = Path(name) / "state"
        shutil.copytree(chain, copy)
        paths = sorted(copy.iterdir(), key=lambda path: path.stat().st_size)
        assert len(paths) == 6
        path = data.draw(st.sampled_from(paths))
        content = bytearray(path.read_bytes())
        kind = data.draw(st.sampled_from(["flip", "cut", "fill", "swap"]))
        match kind:
            case "flip":
                for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
                    content[place] ^= 1 << data.draw(st.integers(0, 7))
            case "cut":
                del content[data.draw(st.integers(0, len(content) - 1)) :]
            case "fill":
                start = data.draw(st.integers(0, len(content) - 1))
                content[start : start + 512] = bytes(len(content[start : start + 512]))
            case "swap":
                content = bytearray(data.draw(st.sampled_from(paths)).read_bytes())
        path.write_bytes(content)
        try:
            opened = Evaluation.open(copy, PROGRAM)
            # The manifest of a lower layer in place of the newest is no damage: it is the state as it was before.
            assert opened.digest() in (digests if kind == "swap" else digests[-1:])
            open_and_touch(copy)
        except StateError as error:
            assert str(copy) in str(error) and "\n" not in str(error)


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "device", "loop"])
def test_what_is_no_plain_file_is_not_read(chain: Path, tmp_path: Path, kind: str) -> None:
    for name in sorted(path.name for path in chain.iterdir()):
        copy = tmp_path / name
        shutil.copytree(chain, copy)
        path = copy / name
        path.rename(copy / "elsewhere")
        match kind:
            case "link":
                path.symlink_to(copy / "elsewhere")  # even to the very content
            case "folder":
                path.mkdir()
            case "pipe":
                os.mkfifo(path)
            case "device":
                path.symlink_to("/dev/zero")
            case "loop":
                path.symlink_to(name)
        with pytest.raises(StateError):
            Evaluation.open(copy, PROGRAM)


@pytest.mark.parametrize(
    "name", ["../data-0123456789abcdef.arrow", "/etc/passwd", "data-x.arrow", "manifest.json", "", "a\0b"]
)
def test_names_outside_the_folder_are_refused(chain: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "state"
    shutil.copytree(chain, copy)
    rewrite(copy, lambda manifest: manifest.update(data=name))
    with pytest.raises(StateError, match="as a file of the state"):
        Evaluation.open(copy, PROGRAM)


@pytest.mark.parametrize("base", ["../" * 20 + "etc/passwd", "0" * 63, 7, [], "A" * 64])
def test_bases_that_are_no_digests_are_refused(chain: Path, tmp_path: Path, base: object) -> None:
    copy = tmp_path / "state"
    shutil.copytree(chain, copy)
    rewrite(copy, lambda manifest: manifest.update(base=base))
    with pytest.raises(StateError, match="no proper 'base'"):
        Evaluation.open(copy, PROGRAM)


@pytest.mark.parametrize("size", [2**62, 2**31, 10**400, -1, True, 1.5])
def test_huge_sizes_are_refused_before_anything_is_allocated(chain: Path, tmp_path: Path, size: object) -> None:
    for field in ("before", "added"):
        copy = tmp_path / field
        shutil.copytree(chain, copy)

        def change(manifest: dict, field: str = field) -> None:  # type: ignore[type-arg]
            for entry in manifest["relations"].values():
                entry[field] = size

        rewrite(copy, change)
        with pytest.raises(StateError):
            open_and_touch(copy)
    copy = tmp_path / "symbols"
    shutil.copytree(chain, copy)
    rewrite(copy, lambda manifest: manifest.update(symbols=size))
    with pytest.raises(StateError):
        Evaluation.open(copy, PROGRAM)


def test_a_huge_manifest_is_not_read(chain: Path, tmp_path: Path) -> None:
    copy = tmp_path / "state"
    shutil.copytree(chain, copy)
    with (copy / "manifest.json").open("r+b") as file:
        file.truncate(1 << 40)  # sparse
    with pytest.raises(StateError, match="at most"):
        Evaluation.open(copy, PROGRAM)
