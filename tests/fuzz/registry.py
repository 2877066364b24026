"""The fuzzers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fuzz import damages, datalog, kills, repositories, settings, sources
from fuzz.campaign import Fuzzer

FUZZERS: Final[Mapping[str, Callable[[str], Fuzzer[Any]]]] = {
    "damages": damages.fuzzer,
    "kills": kills.fuzzer,
    "datalog": datalog.fuzzer,
    "repositories": repositories.fuzzer,
    "settings": settings.fuzzer,
    "sources": sources.fuzzer,
}
