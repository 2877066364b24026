"""What makes a process faster that is going to read or derive facts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pyarrow as pa

from pliant.engine.memory import keep_freed_memory


class _NoPandas(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)
        return None


def prepare() -> None:
    arrow_without_pandas()
    keep_freed_memory()


def arrow_without_pandas() -> None:
    """Arrow imports pandas (0.2 s), where it is installed, when it converts its first array; nothing here needs that.

    It tries once and remembers. In a process that has imported pandas already, nothing changes.
    """
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(finder)
