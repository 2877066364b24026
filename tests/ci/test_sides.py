"""Which two commits a check compares: merge bases of every shape, shallow clones, and what services say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run
from repos import MakeRepo, Repo

from pliant.ci.base import Candidate, candidates
from pliant.ci.errors import UserError
from pliant.ci.git import Repository
from pliant.ci.sides import Sides, resolve

ZERO = "0" * 40
NULL = "def find(key):\n    if key:\n        return None\n    return key\n\n\nfind(1).name\n"


def sides(repo: Repo, base: str | None = None, head: str = "HEAD", *, deepen: bool = False) -> tuple[Sides, list[str]]:
    with Repository.open(repo.folder) as repository:
        return resolve(repository, base, head, deepen=deepen)


def branch(repo: Repo, name: str, start: str) -> str:
    repo.git("checkout", "--quiet", "-b", name, start)
    return repo.commit({f"{name}.py": "x = 1\n"}, name)


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """main has two commits, pr one on the first of them."""
    repo.commit({"a.py": "x = 1\n"}, "root")
    branch(repo, "pr", "main")
    repo.git("checkout", "--quiet", "main")
    repo.commit({"b.py": "x = 1\n"}, "later")
    return repo


# Merge bases


def test_the_base_is_where_the_branches_part(forked: Repo) -> None:
    found, notes = sides(forked, "main", "pr")
    assert found.base_commit == forked.git("rev-parse", "main~1")
    assert found.base_tip == forked.git("rev-parse", "main")
    assert notes == []


def test_a_head_that_merged_the_base_is_compared_with_its_tip(forked: Repo) -> None:
    forked.git("checkout", "--quiet", "pr")
    forked.git("merge", "--quiet", "--no-edit", "main")
    found, notes = sides(forked, "main", "pr")
    assert (found.base_commit, notes) == (forked.git("rev-parse", "main"), [])


def test_an_octopus_merge(forked: Repo) -> None:
    branch(forked, "one", "main~1")
    branch(forked, "two", "main~1")
    forked.git("checkout", "--quiet", "pr")
    forked.git("merge", "--quiet", "--no-edit", "one", "two")
    assert forked.git("rev-list", "--parents", "-1", "pr").count(" ") == 3
    assert sides(forked, "main", "pr")[0].base_commit == forked.git("rev-parse", "main~1")
    assert sides(forked, "pr^1", "pr")[0].base_commit == forked.git("rev-parse", "pr^1")


def test_merges_that_cross_are_told(forked: Repo) -> None:
    forked.git("branch", "old-main", "main")
    forked.git("merge", "--quiet", "--no-edit", "pr")
    forked.git("checkout", "--quiet", "pr")
    forked.git("merge", "--quiet", "--no-edit", "old-main")
    forked.commit({"c.py": "x = 1\n"})
    found, [note] = sides(forked, "main", "pr")
    assert found.base_commit in (forked.git("rev-parse", "old-main"), forked.git("rev-parse", "main^2"))
    assert "more than one merge base" in note


def test_a_rebased_branch_is_compared_with_the_new_base(forked: Repo) -> None:
    forked.git("checkout", "--quiet", "pr")
    old = forked.git("rev-parse", "pr")
    forked.git("rebase", "--quiet", "main")
    assert sides(forked, "main", "pr")[0].base_commit == forked.git("rev-parse", "main")
    assert sides(forked, old, "pr")[0].base_commit == forked.git("rev-parse", "main~1")


def test_base_and_head_alike(forked: Repo) -> None:
    _, [note] = sides(forked, "main", "main")
    assert note == "main adds no commit to main, so there is nothing to compare"
    _, [note] = sides(forked)
    assert note.endswith("there is nothing to compare: give --base REV, such as HEAD~10, or --head WORKTREE")


def test_unrelated_histories_are_named(forked: Repo) -> None:
    forked.git("checkout", "--quiet", "--orphan", "other")
    forked.commit({"c.py": "1"})
    with pytest.raises(UserError, match="main and other have no common ancestor"):
        sides(forked, "main", "other")


def test_a_head_that_only_renames(repo: Repo) -> None:
    repo.commit({"a.py": NULL})
    repo.git("mv", "a.py", "b.py")
    repo.commit()
    assert run("check", repo.folder, "--base", "HEAD~1", "--quiet").stdout.startswith("0 new, 0 fixed, 1 unchanged")


@pytest.mark.parametrize("revision", ["-h", "--output=x", "--upload-pack=touch x", "-", "--"])
def test_a_revision_that_starts_with_a_dash_is_no_option(forked: Repo, revision: str) -> None:
    assert "is not a revision" in refused("check", forked.folder, f"--base={revision}")
    assert "is not a revision" in refused("check", forked.folder, f"--head={revision}")
    assert "is not a revision" in refused("facts", forked.folder, f"--rev={revision}")


# Shallow clones


@pytest.fixture
def shallow(forked: Repo, tmp_path: Path) -> Repo:
    for number in range(3):
        forked.commit({"b.py": f"x = {number}\n"})
    forked.git("checkout", "--quiet", "pr")
    forked.commit({"pr.py": NULL})
    url = forked.folder.as_uri()
    forked.git("clone", "--quiet", "--depth=1", "--no-single-branch", "-b", "pr", url, str(tmp_path / "shallow"))
    return Repo(tmp_path / "shallow")


def test_a_shallow_clone_says_what_to_run(shallow: Repo) -> None:
    with pytest.raises(UserError, match=r"run 'git fetch --unshallow origin' .*, or allow it with --deepen"):
        sides(shallow, "origin/main")
    line = refused("check", shallow.folder, "--base", "origin/main")
    assert "git fetch --unshallow origin" in line
    with pytest.raises(UserError, match="git fetch --unshallow"):
        sides(shallow, "main~1")


def test_a_shallow_clone_is_deepened_where_that_is_allowed(shallow: Repo, forked: Repo) -> None:
    done = run("check", shallow.folder, "--base", "origin/main", "--deepen")
    assert (done.returncode, done.stderr) == (1, "")
    assert sides(shallow, "origin/main")[0].base_commit == forked.git("rev-parse", "main~4")


def test_a_base_that_is_named_from_the_head_is_deepened_to(shallow: Repo, forked: Repo) -> None:
    with pytest.raises(UserError, match="git fetch --unshallow"):
        sides(shallow, "HEAD~1")
    assert sides(shallow, "HEAD~1", deepen=True)[0].base_commit == forked.git("rev-parse", "pr~1")
    with pytest.raises(UserError, match="no revision 'HEAD~99'"):
        sides(shallow, "HEAD~99", deepen=True)


def test_a_revision_that_is_misspelt_is_told_with_the_nearest_name(forked: Repo) -> None:
    assert "did you mean 'main'? Or, if it is on the remote, run" in refused("check", forked.folder, "--base", "mian")
    assert "did you mean" not in refused("check", forked.folder, "--base", "something-else")


def test_a_merge_base_behind_which_history_is_cut_off_is_not_taken(make_repo: MakeRepo, tmp_path: Path) -> None:
    """The shallow clone knows an old common ancestor; the best one lies behind a commit without its parents."""
    origin = make_repo(name="origin")
    old = origin.commit({"a.py": "1"})
    best = origin.commit({"a.py": "2"})
    for number in range(4):
        origin.commit({"a.py": f"x = {number}"})
    origin.git("checkout", "--quiet", "-b", "pr", best)
    for number in range(4):
        origin.commit({"b.py": f"x = {number}"})
    origin.git("checkout", "--quiet", "-b", "side", old)
    origin.commit({"c.py": "1"})
    for name in ("pr", "main"):
        origin.git("checkout", "--quiet", name)
        origin.git("merge", "--quiet", "--no-edit", "side")
    url = origin.folder.as_uri()
    origin.git("clone", "--quiet", "--depth=3", "--no-single-branch", url, str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    assert clone.git("merge-base", "origin/main", "origin/pr") == origin.git("rev-parse", "side")
    with pytest.raises(UserError, match="does not reach all ways to a common ancestor"):
        sides(clone, "origin/main", "origin/pr")
    found, [note] = sides(clone, "origin/main", "origin/pr", deepen=True)
    assert "more than one merge base" in note
    assert found.base_commit in (best, origin.git("rev-parse", "side"))


def test_nothing_is_fetched_unasked(shallow: Repo) -> None:
    before = sorted(path.name for path in (shallow.folder / ".git").rglob("*"))
    with pytest.raises(UserError):
        sides(shallow, "origin/main")
    assert sorted(path.name for path in (shallow.folder / ".git").rglob("*")) == before


# What services say


def said(repo: Repo, **variables: str) -> list[Candidate]:
    return candidates(repo.folder, variables)


def event(tmp_path: Path, content: Any) -> str:
    path = tmp_path / "event.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


@pytest.mark.parametrize(
    ("branch_variable", "folder_variable"),
    [
        ("GITHUB_BASE_REF", "GITHUB_WORKSPACE"),
        ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_PROJECT_DIR"),
        ("BITBUCKET_PR_DESTINATION_BRANCH", "BITBUCKET_CLONE_DIR"),
        ("SYSTEM_PULLREQUEST_TARGETBRANCH", "BUILD_SOURCESDIRECTORY"),
        ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "BUILDKITE_BUILD_CHECKOUT_PATH"),
        ("CHANGE_TARGET", "WORKSPACE"),
        ("DRONE_TARGET_BRANCH", "DRONE_WORKSPACE"),
    ],
)
def test_the_branch_that_a_service_names_is_the_base(repo: Repo, branch_variable: str, folder_variable: str) -> None:
    expected = [Candidate("origin/main", branch_variable, "main")]
    variables = {folder_variable: str(repo.folder), branch_variable: "refs/heads/main"}
    assert said(repo, **variables) == expected
    assert said(repo, **variables | {folder_variable: "/elsewhere"}) == []
    assert said(repo, **{branch_variable: "main"}) == []


def test_events_tell_commits(repo: Repo, tmp_path: Path) -> None:
    here = {"GITHUB_WORKSPACE": str(repo.folder)}
    push = {**here, "GITHUB_EVENT_NAME": "push"}
    assert said(repo, **push, GITHUB_EVENT_PATH=event(tmp_path, {"before": "a" * 40})) == [
        Candidate("a" * 40, "GITHUB_EVENT_PATH", pushed=True)
    ]
    group = {"merge_group": {"base_sha": "b" * 64}}
    assert said(repo, **here, GITHUB_EVENT_PATH=event(tmp_path, group)) == [Candidate("b" * 64, "GITHUB_EVENT_PATH")]
    for nothing in ({"before": ZERO}, {"before": "--all"}, {"before": 3}, [], "no json", "[" * 10**5):
        assert said(repo, **push, GITHUB_EVENT_PATH=event(tmp_path, nothing)) == []
    gitlab = {"CI_PROJECT_DIR": str(repo.folder), "CI_COMMIT_BEFORE_SHA": "c" * 40}
    assert said(repo, **gitlab) == [Candidate("c" * 40, "CI_COMMIT_BEFORE_SHA", pushed=True)]
    merge = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "d" * 40}
    assert [candidate.revision for candidate in said(repo, **gitlab, **merge)] == ["origin/main", "d" * 40]


def cloned(forked: Repo, tmp_path: Path, *options: str) -> Repo:
    forked.git("clone", "--quiet", *options, forked.folder.as_uri(), str(tmp_path / "clone"))
    return Repo(tmp_path / "clone")


def test_the_branch_counts_and_not_a_stale_commit(forked: Repo, tmp_path: Path, monkeypatch: Any) -> None:
    clone = cloned(forked, tmp_path, "-b", "pr")
    monkeypatch.setenv("CI_PROJECT_DIR", str(clone.folder))
    monkeypatch.setenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
    monkeypatch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", clone.git("rev-parse", "HEAD"))
    found, _ = sides(clone)
    assert (found.base.name, found.base_commit) == ("origin/main", forked.git("rev-parse", "main~1"))


def test_a_branch_that_is_not_in_the_clone(forked: Repo, tmp_path: Path, monkeypatch: Any) -> None:
    clone = cloned(forked, tmp_path, "--single-branch", "--depth=1", "-b", "pr")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(clone.folder))
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    with pytest.raises(UserError, match="the base main \\(from GITHUB_BASE_REF\\) is not in this shallow clone: run "):
        sides(clone)
    found, _ = sides(clone, deepen=True)
    assert found.base_commit == forked.git("rev-parse", "main~1")


def test_a_push_is_compared_with_what_was_there_before(forked: Repo, tmp_path: Path, monkeypatch: Any) -> None:
    clone = cloned(forked, tmp_path, "-b", "main")
    monkeypatch.setenv("CI_PROJECT_DIR", str(clone.folder))
    monkeypatch.setenv("CI_COMMIT_BEFORE_SHA", forked.git("rev-parse", "main~1"))
    found, notes = sides(clone)
    assert (found.base_commit, notes) == (forked.git("rev-parse", "main~1"), [])
    monkeypatch.setenv("CI_COMMIT_BEFORE_SHA", "e" * 40)  # a force push took it away
    found, [note] = sides(clone)
    assert (found.base_commit, "has gone, as by a force push" in note) == (forked.git("rev-parse", "main~1"), True)
    clone.git("checkout", "--quiet", "pr")
    found, _ = sides(clone)
    assert found.base.name == "origin/main"
    monkeypatch.setenv("CI_COMMIT_BEFORE_SHA", ZERO)  # a new branch
    assert sides(clone)[0].base_commit == forked.git("rev-parse", "main~1")
