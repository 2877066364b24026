"""What tests of a running `pliant watch` share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from repos import Repo
from watching import Watch, shorter, watch


@pytest.fixture
def short_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The user's cache under a name that a socket's path has room for."""
    with shorter(tmp_path / "cache") as folder:
        monkeypatch.setenv("XDG_CACHE_HOME", folder)
        yield


@pytest.fixture
def watching(repo: Repo) -> Iterator[Watch]:
    pytest.importorskip("watchfiles")
    with watch(repo) as running:
        yield running
