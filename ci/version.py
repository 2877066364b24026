"""What is installed: the distribution `pliant`, or the one without Spark (setup.py)."""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution

_NAMES = ("pliant", "pliant-light")


def installed() -> Distribution | None:
    """None for a checkout that is not installed."""
    for name in _NAMES:
        try:
            return distribution(name)
        except PackageNotFoundError:
            pass
    return None


def version() -> str:
    found = installed()
    return "0+source" if found is None else found.version
