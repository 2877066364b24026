"""The version that is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    try:
        return installed("pliant")
    except PackageNotFoundError:
        return "0+source"  # run from a checkout that is not installed
