"""What is kept between runs is believed only from one who has the key: a forged cache hides and breaks nothing."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tarfile
from pathlib import Path

import pytest
from repos import Repo

from pliant.analyses import registry
from pliant.ci.check import check
from pliant.ci.commits import Commits, Console
from pliant.ci.comparison import Request
from pliant.ci.git import Repository
from pliant.ci.report import Report
from pliant.ci.state import StateStore
from pliant.extractors.packs import read_header, write_pack
from pliant.extractors.python import context
from pliant.extractors.seal import NoKey, Seal, own, shared_or_own

BASE = "def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n"
HEAD = BASE.replace("return key", "if key:\n        return None\n    return key")


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"a.py": BASE})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": HEAD})
    return repo


def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """On another machine, as another user."""
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / name / variable))


def forget_in_memory() -> None:
    """What another process does not know either."""
    registry.program.cache_clear()
    context._library.cache_clear()


def checked(repo: Repo, folder: Path, said: list[str] | None = None) -> Report:
    report = check(Request(repo.folder, "main", "pr", folder), (said if said is not None else []).append)
    report.keep()
    return report


def new(report: Report) -> list[tuple[str, int]]:
    return [(finding.file, finding.line) for finding in report.of_status("new")]


# The key


def test_the_key_of_a_machine_is_made_once_and_is_its_users_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "home-state" / "pliant" / "key"
    path.unlink()
    first = own()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert own() == first == shared_or_own()
    elsewhere(monkeypatch, tmp_path, "other")
    assert own() != first
    assert shared_or_own({"PLIANT_STATE_KEY": "x" * 16}) == shared_or_own({"PLIANT_STATE_KEY": "x" * 16}) != own()


def test_a_key_that_others_could_read_or_have_put_there_is_refused(tmp_path: Path) -> None:
    own()
    path = tmp_path / "home-state" / "pliant" / "key"
    path.chmod(0o644)
    with pytest.raises(NoKey, match="not a file of yours alone"):
        own()
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(NoKey, match="is no key"):
        own()
    path.unlink()
    (tmp_path / "planted").write_bytes(b"k" * 32)
    path.symlink_to(tmp_path / "planted")
    with pytest.raises(NoKey, match="cannot be made or read"):
        own()
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(NoKey, match="not a file of yours alone"):
        own()
    with pytest.raises(NoKey, match="give at least 16"):
        shared_or_own({"PLIANT_STATE_KEY": "secret"})


def test_parts_are_counted_apart() -> None:
    seal = Seal(b"k" * 32)
    assert seal.of("ab", "c") != seal.of("a", "bc")
    assert seal.fits(seal.of("a", b"b"), "a", "b")
    assert not any(seal.fits(given, "a") for given in (None, "", "\xe9", 3, seal.of("b")))


# Caches from elsewhere


def test_without_a_key_nothing_kept_is_used_and_the_result_is_the_same(
    pull_request: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = new(checked(pull_request, tmp_path / "state"))
    (tmp_path / "home-state" / "pliant" / "key").chmod(0o644)
    said: list[str] = []
    report = checked(pull_request, tmp_path / "state", said)
    assert (new(report), report.start) == (expected, "built from scratch")
    assert len(said) == 1 and "nothing kept is used" in said[0]


def test_a_cache_of_another_machine_is_believed_with_the_shared_key_alone(
    pull_request: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIANT_STATE_KEY", "a shared key of some length")
    assert checked(pull_request, tmp_path / "state").start == "built from scratch"
    elsewhere(monkeypatch, tmp_path, "other")
    said: list[str] = []
    second = checked(pull_request, tmp_path / "state", said)
    assert (second.start, second.extracted_files, said) == ("stored", 0, [])
    monkeypatch.setenv("PLIANT_STATE_KEY", "another key of some length")
    third = checked(pull_request, tmp_path / "state", said)
    assert third.start == "built from scratch"
    assert new(third) == new(second) == [("a.py", 8)]
    assert any("its seal does not fit: it was written elsewhere" in message for message in said)


def test_the_state_of_another_commit_under_a_commits_name_hides_nothing(
    pull_request: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head's state, digests and all, given out as the base's: then nothing would be new."""
    folder = tmp_path / "state"
    elsewhere(monkeypatch, tmp_path, "attacker")
    with Repository.open(pull_request.folder) as repository:
        commits = Commits(repository, lambda key: StateStore(folder, key, print), Console(print))
        commits.keep(repository.resolve("main"), commits.at(repository.resolve("pr"), stored=False))
    assert new(checked(pull_request, folder)) == []  # who has the key can do that
    elsewhere(monkeypatch, tmp_path, "victim")
    assert new(checked(pull_request, folder)) == [("a.py", 8)]


def test_facts_of_another_file_under_a_blobs_name_hide_nothing(
    pull_request: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    elsewhere(monkeypatch, tmp_path, "attacker")
    checked(pull_request, folder)
    harmless, bad = (pull_request.git("rev-parse", f"{name}:a.py") for name in ("main", "pr"))
    for pack in list((folder / "facts").glob("python-*/*.facts")):
        batches = [(batch.oids, batch.load()) for batch in read_header(pack)]
        swapped = [([{harmless: bad, bad: harmless}.get(oid, oid) for oid in oids], table) for oids, table in batches]
        pack.unlink()
        with pack.open("wb") as stream:
            write_pack(stream.write, swapped, own(), pack.parent.name)
    shutil.rmtree(folder / "commits")
    shutil.copytree(folder, tmp_path / "copy")
    assert new(checked(pull_request, tmp_path / "copy")) == []
    elsewhere(monkeypatch, tmp_path, "victim")
    said: list[str] = []
    assert new(checked(pull_request, folder, said)) == [("a.py", 8)]
    assert any("its seal does not fit" in message for message in said)


def test_a_restored_cache_of_rules_and_library_is_not_even_looked_at(
    pull_request: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_in_memory()
    elsewhere(monkeypatch, tmp_path, "attacker")
    checked(pull_request, tmp_path / "state")
    theirs = tmp_path / "attacker" / "XDG_CACHE_HOME"
    names = {path.name for path in (theirs / "pliant").iterdir()}
    forget_in_memory()
    elsewhere(monkeypatch, tmp_path, "victim")
    mine = tmp_path / "victim" / "XDG_CACHE_HOME"
    shutil.copytree(theirs, mine)
    checked(pull_request, tmp_path / "state2")
    added = {path.name for path in (mine / "pliant").iterdir()} - names
    assert [name.startswith("own-") for name in added] == [True]
    for path in theirs.rglob("program.json"):
        assert (mine / path.relative_to(theirs)).read_bytes() == path.read_bytes()


# Archives


def test_a_restored_archive_writes_nowhere_else_and_breaks_nothing(pull_request: Repo, tmp_path: Path) -> None:
    """Links and odd names in place of what the program writes: a service unpacks them, the program must not follow."""
    folder, outside = tmp_path / "state", tmp_path / "outside"
    outside.mkdir()
    expected = new(checked(pull_request, folder))
    facts = next((folder / "facts").glob("python-*"))
    for victim in (folder / "commits", facts):
        shutil.rmtree(victim)
        victim.symlink_to(outside)
    assert new(checked(pull_request, folder)) == expected
    assert list(outside.iterdir()) == []
    (state,) = {
        path for path in (folder / "commits").iterdir() if path.name.startswith(pull_request.git("rev-parse", "main"))
    }
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (state / "manifest.json").unlink()
    (state / "manifest.json").symlink_to(secret)
    (folder / "commits" / "..evil").mkdir()
    (folder / "commits" / f"-rf-{'0' * 16}").write_text("x")
    os.mkfifo(folder / "facts" / "pipe.facts")
    assert new(checked(pull_request, folder)) == expected
    assert secret.read_text() == "secret"


@pytest.mark.parametrize("name", ["/absolute/evil", "../../evil", "commits/../../evil"])
def test_an_archive_of_state_with_names_that_lead_out_is_data_to_us(
    pull_request: Repo, tmp_path: Path, name: str
) -> None:
    """Nothing here unpacks archives; what a careless service makes of one inside the directory is ignored."""
    folder = tmp_path / "state"
    expected = new(checked(pull_request, folder))
    archive = folder / "restored.tar"
    with tarfile.open(archive, "w") as tar:
        member = tarfile.TarInfo(name)
        tar.addfile(member)
    assert new(checked(pull_request, folder)) == expected
    assert archive.is_file() and not Path("/absolute/evil").exists() and not (tmp_path.parent / "evil").exists()


@pytest.mark.parametrize("name", ["manifest.json", "files.json.z", "engine/manifest.json"])
def test_no_part_of_a_state_is_believed_once_it_was_changed(pull_request: Repo, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "state"
    expected = new(checked(pull_request, folder))
    for state in (folder / "commits").iterdir():
        content = bytearray((state / name).read_bytes())
        content[len(content) // 2] ^= 1
        (state / name).unlink()
        (state / name).write_bytes(content)
    said: list[str] = []
    report = checked(pull_request, folder, said)
    assert (new(report), report.start) == (expected, "built from scratch")
    assert len(said) >= 1


def test_an_oversized_or_odd_manifest_is_refused(pull_request: Repo, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    expected = new(checked(pull_request, folder))
    for content in ("[" * 100_000, json.dumps({"seal": "x" * (1 << 17)}), "null", '{"seal": 3}', ""):
        for state in (folder / "commits").iterdir():
            (state / "manifest.json").unlink()
            (state / "manifest.json").write_text(content)
        assert new(checked(pull_request, folder)) == expected
