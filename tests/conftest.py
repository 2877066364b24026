"""Repositories to try things on, in a clean environment; and how many examples property tests try.

The profile `pinned` has the same examples in every run; `--hypothesis-profile=nightly --hypothesis-seed=N` tries ten
times as many, other ones for every N.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from repos import CLEAN, MakeRepo, Repo

from pliant.extractors.seal import Seal

for name, examples in (("pinned", 24), ("nightly", 240)):
    settings.register_profile(
        name,
        max_examples=examples,
        derandomize=name == "pinned",
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
settings.load_profile("pinned")  # pytest loads the one that --hypothesis-profile names after this

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as of what a shell starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those on Spark come first: the longest of them would run alone at the end. Of the variants of a test that is
    marked `one_in(n)`, all but each n-th are nightly."""
    items.sort(key=lambda item: "spark" not in item.path.parts)
    variants = Counter[str]()
    for item in items:
        if (marker := item.get_closest_marker("one_in")) is not None:
            function = item.nodeid.partition("[")[0]
            if variants[function] % marker.args[0]:
                item.add_marker(pytest.mark.nightly)
            variants[function] += 1


KEY = b"the key of the tests' machine..."


@pytest.fixture(scope="session")
def parsed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the parsed rules and the library's facts are kept: they are the same in every test."""
    return tmp_path_factory.mktemp("own")


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed_once: Path) -> Iterator[None]:
    """No configuration of the user's, no state of other tests, the same clock for all commits."""
    key = tmp_path / "home-state" / "pliant" / "key"
    key.parent.mkdir(parents=True)
    key.write_bytes(KEY)
    key.chmod(0o600)
    cache = tmp_path / "cache" / "pliant"
    cache.mkdir(parents=True)
    (cache / f"own-{Seal(KEY).of('cache')[:16]}").symlink_to(parsed_once)
    for name in list(os.environ):
        if name not in CLEAN:
            monkeypatch.delenv(name)
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(tmp_path / "no-gitconfig"),
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
