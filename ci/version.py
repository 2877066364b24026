"""The version that is installed."""

from __future__ import annotations

from importlib.metadata import version as installed


def version() -> str:
    return installed("pliant")
