"""Folders of this user on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache() -> Path:
    """The user's cache; a relative $XDG_CACHE_HOME is none."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(configured) if configured.startswith("/") else Path.home() / ".cache") / "pliant"
