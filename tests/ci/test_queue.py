"""`pliant queue`: heads alone and together, conflicts, and a repository that is only read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from repos import Repo

from pliant.ci.check import check
from pliant.ci.comparison import Request as CheckRequest
from pliant.ci.errors import UserError
from pliant.ci.queue import Request, queue

HELPER = """def find(users, key):
    for user in users:
        if user.key == key:
            return user
    raise KeyError(key)
"""
NULLED = HELPER.replace("raise KeyError(key)", "return None")
USE = "from app.helper import find\n\n\ndef show(users):\n    return find(users, 1).name\n"
SHARED = "def add(item, items=[]):\n    items.append(item)\n    return items\n"


@pytest.fixture
def heads(repo: Repo) -> Repo:
    """A helper that may return None from one head on, a use of it from another, and others beside them."""
    repo.commit({"app/__init__.py": "", "app/helper.py": HELPER, "README": "one\n"}, "start")
    for name, files in {
        "quiet": {"README": "two\n"},
        "nulls": {"app/helper.py": NULLED},
        "uses": {"app/use.py": USE},
        "shares": {"app/shared.py": SHARED},
        "clashes": {"README": "three\n"},
    }.items():
        repo.git("checkout", "--quiet", "-b", name, "main")
        repo.commit(files, name)
    repo.git("checkout", "--quiet", "main")
    return repo


def files_of(repo: Repo) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in repo.folder.rglob("*") if path.is_file()}


def test_what_exists_only_when_two_come_together(heads: Repo, tmp_path: Path) -> None:
    before = files_of(heads)
    found = queue(Request(heads.folder, "main", ("quiet", "nulls", "shares", "uses"), tmp_path / "state"))
    quiet, nulls, shares, uses = found.steps
    assert [len(step.new) for step in found.steps] == [0, 0, 1, 1]
    assert shares.new[0].rule == "alias.mutable-default" and not shares.together
    [(finding, partners)] = uses.together
    assert (finding.rule, finding.function, partners) == ("null.attribute", "show", ["nulls"])
    assert not quiet.together and not nulls.together
    assert found.fixpoints == 2  # the queue, and the pairs that were asked for
    assert files_of(heads) == before


def test_each_prefix_is_as_its_check_says(heads: Repo, tmp_path: Path) -> None:
    found = queue(Request(heads.folder, "main", ("nulls", "uses", "shares"), tmp_path / "state"))
    heads.git("checkout", "--quiet", "-b", "merged", "main")
    for step in found.steps:
        before = heads.git("rev-parse", "HEAD")
        heads.git("merge", "--quiet", "--no-ff", "--message", step.head, step.head)
        report = check(CheckRequest(heads.folder, before, "HEAD", tmp_path / "checks", unchanged=True), pytest.fail)
        assert [each for each in report.findings if each.status == "new"] == step.new
        assert [each for each in report.findings if each.status == "fixed"] == step.fixed


def test_a_head_that_conflicts_is_left_out(heads: Repo, tmp_path: Path) -> None:
    found = queue(Request(heads.folder, "main", ("quiet", "clashes", "shares"), tmp_path / "state"))
    assert [step.conflicts for step in found.steps] == [(), ("README",), ()]
    assert len(found.steps[2].new) == 1


def test_nothing_of_the_repository_runs(heads: Repo, tmp_path: Path) -> None:
    """A merge driver that its configuration names."""
    heads.git("config", "merge.evil.driver", f"touch {tmp_path}/ran; false")
    heads.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    (tmp_path / "attributes").write_text("* merge=evil\n")
    (heads.folder / ".git" / "info").mkdir(exist_ok=True)
    (heads.folder / ".git" / "info" / "attributes").write_text("* merge=evil\n")
    queue(Request(heads.folder, "main", ("quiet", "clashes"), tmp_path / "state"))
    assert not (tmp_path / "ran").exists()
    subprocess.run(["git", "merge-tree", "--write-tree", "quiet", "clashes"], cwd=heads.folder, check=False)
    assert (tmp_path / "ran").exists()  # it would have


def test_more_heads_than_fit_one_fixpoint(heads: Repo, tmp_path: Path) -> None:
    names = []
    for number in range(33):
        names.append(f"head{number}")
        heads.git("checkout", "--quiet", "-b", names[-1], "main")
        heads.commit({f"app/shared{number}.py": SHARED if number % 8 == 0 else "x = 1\n"}, names[-1])
    found = queue(Request(heads.folder, "main", tuple(names), tmp_path / "state"))
    assert found.fixpoints == 2 and found.versions > 64
    assert [len(step.new) for step in found.steps] == [int(number % 8 == 0) for number in range(33)]
    assert not any(step.together for step in found.steps)


def test_the_command(heads: Repo, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pliant.ci.cli", "queue", "--base", "main", "--repo", str(heads.folder),
               "--state-dir", str(tmp_path / "state"), "nulls", "uses"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 1, done.stderr
    assert "2. uses" in done.stdout and "only together with nulls" in done.stdout
    told = subprocess.run(
        [*command, "--format", "json", "--fail-on", "never"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0
    assert json.loads(told.stdout)["steps"][1]["together"][0][1] == ["nulls"]
    with pytest.raises(UserError, match="the same commit"):
        queue(Request(heads.folder, "main", ("nulls", "nulls")))
    with pytest.raises(UserError, match="no revision 'nowhere'"):
        queue(Request(heads.folder, "main", ("nowhere",)))
