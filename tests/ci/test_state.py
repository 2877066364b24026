"""The state directory: reuse, damage, links, bounds, and processes that share it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from repos import Repo

from pliant.ci import commits, state
from pliant.ci.check import check, verify
from pliant.ci.comparison import Request
from pliant.ci.git import Repository
from pliant.ci.inventory import Bounds
from pliant.ci.state import state_folder

BASE = {
    "a.py": "def find(key):\n    return {}[key]\n\n\ndef use():\n    return find(1).name\n",
    "b.py": "from a import use\n\nuse()\n",
}
HEAD = {"a.py": BASE["a.py"].replace("return {}[key]", "if key:\n        return None\n    return key")}


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit(HEAD)
    return repo


@pytest.fixture
def said() -> list[str]:
    return []


def start(repo: Repo, folder: Path, said: list[str], head: str = "pr") -> tuple[str, list[str]]:
    """Where a check got the state of the base from, and the rules of its new findings."""
    report = check(Request(repo.folder, "main", head, folder), said.append)
    return report.start, [finding.rule for finding in report.findings if finding.status == "new"]


FOUND = ["null.attribute"]


def commit_folders(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "commits").iterdir() if not path.name.startswith("."))


def test_the_state_of_the_base_is_kept_and_reused(pull_request: Repo, tmp_path: Path, said: list[str]) -> None:
    folder = tmp_path / "state"
    assert start(pull_request, folder, said) == ("built from scratch", FOUND)
    assert start(pull_request, folder, said) == ("stored", FOUND)
    assert said == []
    assert not list(folder.rglob("*.tmp"))


def test_the_nearest_ancestor_is_where_a_new_base_starts(pull_request: Repo, tmp_path: Path, said: list[str]) -> None:
    folder = tmp_path / "state"
    start(pull_request, folder, said)
    old = pull_request.git("rev-parse", "main")
    pull_request.git("checkout", "--quiet", "main")
    pull_request.commit({"c.py": "import a\n\na.find(3).other\n"})
    pull_request.git("checkout", "--quiet", "-b", "pr2")
    pull_request.commit(HEAD)
    how, rules = start(pull_request, folder, said, head="pr2")
    assert how == f"updated from {old[:12]}"
    assert rules == ["null.attribute", "null.attribute"]
    assert said == []


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _garbage(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _link(path: Path) -> None:
    target = path.with_name("elsewhere")
    path.rename(target)
    path.symlink_to(target)


@pytest.mark.parametrize("damage", [_truncate, _empty, _garbage, _flip, Path.unlink, _link])
@pytest.mark.parametrize("number", range(4))
@pytest.mark.one_in(5)
def test_a_damaged_state_is_made_anew(
    pull_request: Repo, tmp_path: Path, said: list[str], damage: Callable[[Path], None], number: int
) -> None:
    folder = tmp_path / "state"
    start(pull_request, folder, said)
    [where] = commit_folders(folder)
    files = sorted(path for path in where.rglob("*") if path.is_file())
    assert len(files) == 4
    damage(files[number])
    how, rules = start(pull_request, folder, said)
    assert rules == FOUND
    assert how in ("built from scratch", "stored")
    assert how == "stored" or damage is Path.unlink or said
    said.clear()
    assert start(pull_request, folder, said) == ("stored", FOUND)
    assert said == []


def test_a_manifest_of_another_commit_is_not_believed(pull_request: Repo, tmp_path: Path, said: list[str]) -> None:
    folder = tmp_path / "state"
    start(pull_request, folder, said)
    [where] = commit_folders(folder)
    manifest = json.loads((where / "manifest.json").read_text())
    (where / "manifest.json").write_text(json.dumps(manifest | {"commit": "0" * 40}))
    assert start(pull_request, folder, said) == ("built from scratch", FOUND)
    assert len(said) == 1 and "manifest" in said[0]


def test_files_that_make_no_sense_are_not_believed(pull_request: Repo, tmp_path: Path, said: list[str]) -> None:
    """The digest matches: only what they say is wrong."""
    folder = tmp_path / "state"
    for wrong in ({}, [], {"library": [], "skipped": {}, "files": [["a.py", "not hex\n", "python", [], [], 1, {}]]}):
        start(pull_request, folder, said)
        [where] = commit_folders(folder)
        content = zlib.compress(json.dumps(wrong).encode())
        (where / "files.json.z").write_bytes(content)
        manifest = json.loads((where / "manifest.json").read_text())
        (where / "manifest.json").write_text(json.dumps(manifest | {"files_sha256": state._sha256(content)}))
        assert start(pull_request, folder, said) == ("built from scratch", FOUND)


def test_another_version_does_not_open_the_state(
    pull_request: Repo, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    start(pull_request, folder, said)
    monkeypatch.setattr(commits.repository_facts, "version", lambda: "another")
    assert start(pull_request, folder, said) == ("built from scratch", FOUND)
    assert said == [] and len(commit_folders(folder)) == 2


def test_links_in_the_directory_are_not_followed(pull_request: Repo, tmp_path: Path, said: list[str]) -> None:
    folder, outside = tmp_path / "state", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "precious").write_text("x")
    for name in ("commits", "facts"):
        (folder / name).symlink_to(outside)
    assert start(pull_request, folder, said) == ("built from scratch", FOUND)
    assert [path.name for path in outside.iterdir()] == ["precious"]
    [where] = commit_folders(folder)
    for file in where.iterdir():
        if file.is_file():
            file.unlink()
    where.rename(tmp_path / "moved")
    where.symlink_to(outside)
    assert start(pull_request, folder, said) == ("built from scratch", FOUND)
    assert [path.name for path in outside.iterdir()] == ["precious"]


def test_a_directory_that_cannot_be_used_is_a_message(pull_request: Repo, tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "file").touch()
    assert start(pull_request, tmp_path / "file" / "state", said) == ("built from scratch", FOUND)
    assert len(said) == 1 and "nothing is kept" in said[0]


def test_old_states_go(repo: Repo, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "BOUNDS", Bounds(keep=3))
    for number in range(6):
        repo.commit({"a.py": f"x = {number}\n"})
        check(Request(repo.folder, "HEAD", "HEAD", tmp_path / "state"), said.append)
    kept = {path.name.partition("-")[0] for path in commit_folders(tmp_path / "state")}
    assert len(kept) == 3 and repo.git("rev-parse", "HEAD") in kept


def test_processes_share_a_directory(pull_request: Repo, tmp_path: Path) -> None:
    options = ["--base", "main", "--head", "pr", "--state-dir", str(tmp_path / "state"), "--quiet"]
    program = [sys.executable, "-P", "-m", "pliant.ci.cli", "check", str(pull_request.folder), *options]
    for _ in range(2):
        running = [subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
        for process in running:
            out, errors = process.communicate(timeout=600)
            assert process.returncode == 1 and out.startswith(b"1 new") and errors == b""
    assert len(commit_folders(tmp_path / "state")) == 2  # base and head
    assert not list(tmp_path.rglob("*.tmp"))


def test_the_directory_is_out_of_the_repository(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository.open(repo.folder)
    default = state_folder(repository, None)
    assert default.parent == tmp_path / "cache" / "pliant" and default.name.startswith("repo-")
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path / "named"))
    assert state_folder(repository, None) == tmp_path / "named"
    assert state_folder(repository, tmp_path / "asked") == tmp_path / "asked"
    monkeypatch.delenv("PLIANT_STATE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert state_folder(repository, None).is_absolute()


def test_update_equals_bootstrap_over_a_history(repo: Repo, tmp_path: Path, said: list[str]) -> None:
    versions = [
        BASE,
        HEAD,
        {"b.py": None, "pkg/__init__.py": "", "pkg/c.py": "import os\n\nos.environ.get('X').strip()\n"},
        {"pkg/c.py": None, "pkg/d.py": "import os\n\nos.environ.get('X').strip()\n"},
        {"a.py": "\n# a comment\n" + HEAD["a.py"]},
        BASE,
    ]
    for files in versions:
        repo.commit(files)
    for steps in range(len(versions) - 1):
        request = Request(repo.folder, f"HEAD~{steps + 1}", f"HEAD~{steps}", tmp_path / "state")
        assert verify(request, said.append).equal
    assert said == []
