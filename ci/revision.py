"""Names of revisions that git does not have."""

from __future__ import annotations

from typing import Final

WORKTREE: Final = "WORKTREE"  # the files on disk
