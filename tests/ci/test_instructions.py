"""Instructions that are kept between runs: checks translate no file twice, and believe nothing that is not sound."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from repos import Repo

from pliant.ci.check import check, verify
from pliant.ci.comparison import Request
from pliant.extractors.columns import INSTRUCTIONS_SCHEMA
from pliant.extractors.ir.stored import Packed
from pliant.extractors.languages import Language
from pliant.extractors.packs import INSTRUCTIONS, read_header, write_pack
from pliant.extractors.seal import Seal, own

READ = """
def read(path):
    if path == "":
        return 1, None
    return 0, path.strip()
"""
USES = """
def surely(path):
    status, text = read(path)
    return status if status != 0 else text.strip()


def perhaps(path):
    status, text = read(path)
    return status if status == 0 else text.strip()
"""
HARMLESS = USES.replace("status == 0", "status != 0")
Told = list[tuple[str, str, str, tuple[object, ...]]]


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "harmless")
    repo.commit({"a.py": READ + HARMLESS})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    return repo


def told(repo: Repo, folder: Path, said: list[str] | None = None, head: str = "pr") -> Told:
    """What a report says with --all."""
    report = check(Request(repo.folder, "main", head, folder, unchanged=True), ([] if said is None else said).append)
    report.keep()
    return [
        (each.function, each.confidence, each.witness.verdict, each.witness.conditions)
        for each in report.findings
        if each.witness is not None
    ]


def rewritten(folder: Path, seal: Seal, change: Callable[[str, Packed], tuple[str, Packed]]) -> None:
    """Make other packs of instructions of those that are there, with digests of their own, and a seal."""
    for pack in list(folder.rglob("*.instructions")):
        batches = []
        for batch in read_header(pack, None, INSTRUCTIONS):
            rows = [
                change(oid, (row["outline"], row["functions"]))
                for oid, row in zip(batch.oids, batch.load().to_pylist(), strict=True)
            ]
            arrays = [pa.array([packed[part] for _, packed in rows], pa.large_binary()) for part in (0, 1)]
            batches.append(([oid for oid, _ in rows], pa.RecordBatch.from_arrays(arrays, schema=INSTRUCTIONS_SCHEMA)))
        pack.unlink()
        with pack.open("wb") as stream:
            write_pack(stream.write, batches, seal, pack.parent.name, INSTRUCTIONS)


def swapped(repo: Repo) -> Callable[[str, Packed], tuple[str, Packed]]:
    """Gives what is harmless out as the pull request's, and the other way round."""
    one, other = (repo.git("rev-parse", f"{name}:a.py") for name in ("harmless", "pr"))
    return lambda oid, packed: ({one: other, other: one}.get(oid, oid), packed)


@pytest.fixture
def expected(pull_request: Repo, tmp_path: Path) -> Told:
    found = told(pull_request, tmp_path / "state")
    assert {(function, verdict) for function, _, verdict, _ in found} == {
        ("surely", "refuted"),
        ("perhaps", "witnessed"),
    }
    assert [conditions for function, *_, conditions in found if function == "perhaps"] != [()]
    return found


def test_a_check_translates_nothing_that_was_extracted(
    pull_request: Repo, tmp_path: Path, expected: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Language, "translate", None)
    assert told(pull_request, tmp_path / "state") == expected  # from the disk
    assert told(pull_request, tmp_path / "other") == expected  # from this run's extraction


def test_without_instructions_files_are_translated(pull_request: Repo, tmp_path: Path, expected: Told) -> None:
    for pack in (tmp_path / "state").rglob("*.instructions"):
        pack.unlink()
    assert told(pull_request, tmp_path / "state") == expected


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("content", [b"", b"no zlib", zlib.compress(b"[]"), zlib.compress(b"[" * 100_000)])
@pytest.mark.one_in(2)
def test_instructions_that_are_none_are_not_believed(
    pull_request: Repo, tmp_path: Path, expected: Told, part: int, content: bytes
) -> None:
    """Not even from who has the key."""
    rewritten(
        tmp_path / "state",
        own(),
        lambda oid, packed: (oid, (content, packed[1]) if part == 0 else (packed[0], content)),
    )
    assert told(pull_request, tmp_path / "state") == expected


def test_a_function_that_breaks_an_invariant_is_not_believed(
    pull_request: Repo, tmp_path: Path, expected: Told
) -> None:
    def broken(oid: str, packed: Packed) -> tuple[str, Packed]:
        functions = zlib.decompress(packed[1])
        assert b'["get","path"]' in functions
        return oid, (packed[0], zlib.compress(functions.replace(b'["get","path"]', b'["get","hath"]')))

    rewritten(tmp_path / "state", own(), broken)
    assert told(pull_request, tmp_path / "state") == expected


def test_instructions_of_another_file_under_a_blobs_name_hide_nothing(
    pull_request: Repo, tmp_path: Path, expected: Told
) -> None:
    folder = tmp_path / "state"
    told(pull_request, folder, head="harmless")
    rewritten(folder, own(), swapped(pull_request))
    assert ("perhaps", "refuted") in {(function, verdict) for function, _, verdict, _ in told(pull_request, folder)}
    rewritten(folder, Seal(b"k" * 32), lambda oid, packed: (oid, packed))
    said: list[str] = []
    assert told(pull_request, folder, said) == expected
    assert said and all("its seal does not fit" in each for each in said)


def test_verify_does_without_what_is_kept(pull_request: Repo, tmp_path: Path, expected: Told) -> None:
    folder = tmp_path / "state"
    request = Request(pull_request.folder, "main", "pr", folder)
    assert verify(request, print).equal
    told(pull_request, folder, head="harmless")
    rewritten(folder, own(), swapped(pull_request))
    assert {each.function for each in verify(request, print).differing} == {"perhaps"}
