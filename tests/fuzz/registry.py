"""The fuzzers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fuzz import datalog, repositories, sources
from fuzz.campaign import Fuzzer

FUZZERS: Final[Mapping[str, Callable[[str], Fuzzer[Any]]]] = {
    "datalog": datalog.fuzzer,
    "repositories": repositories.fuzzer,
    "sources": sources.fuzzer,
}
