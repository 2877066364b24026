"""How many examples property tests try: the profiles are in conftest.py."""

from __future__ import annotations

from hypothesis import settings


def share(ordinary: int) -> int:
    """The examples of a test that tries `ordinary` ones where others take 60."""
    return max(1, ordinary * settings().max_examples // 60)
