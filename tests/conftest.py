"""Repositories to try things on, in a clean environment; and how many examples property tests try.

The profile `pinned` has the same examples in every run; `--hypothesis-profile=nightly --hypothesis-seed=N` tries many
more, other ones for every N.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from repos import CLEAN, MakeRepo, Repo

for name, examples in (("pinned", 60), ("nightly", 240)):
    settings.register_profile(
        name,
        max_examples=examples,
        derandomize=name == "pinned",
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
settings.load_profile("pinned")  # pytest loads the one that --hypothesis-profile names after this


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No configuration of the user's, no state of other tests, the same clock for all commits."""
    for name in list(os.environ):
        if name not in CLEAN:
            monkeypatch.delenv(name)
    for name, value in {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "home-state"),
        "NO_COLOR": "1",
    }.items():
        monkeypatch.setenv(name, value)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "test@example.org")
        monkeypatch.setenv(f"GIT_{who}_DATE", "2024-01-01T00:00:00Z")
    yield


@pytest.fixture
def make_repo(tmp_path: Path) -> MakeRepo:
    """Makes an empty repository on branch main; arguments go to `git init`."""

    def make(*options: str, name: str = "repo") -> Repo:
        folder = tmp_path / name
        folder.mkdir()
        repo = Repo(folder)
        repo.git("init", "--quiet", *options)
        repo.git("symbolic-ref", "HEAD", "refs/heads/main")
        return repo

    return make


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo()
