"""TOML that others wrote: a table, or one reason why it is none."""

from __future__ import annotations

import re
import sys
import tomllib
from typing import Any, Final

_DIGITS: Final = re.compile(r"[0-9][0-9_]*")


class TomlError(ValueError):
    """What is wrong, and where."""


def loads(text: str) -> dict[str, Any]:
    """Raises TomlError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"not valid TOML: {error}") from None
    except RecursionError:
        raise TomlError("not valid TOML: nested too deeply") from None
    except ValueError:  # what Python's integers refuse: a number of thousands of digits
        raise TomlError(_long_number(text)) from None


def _long_number(text: str) -> str:
    longest = max(_DIGITS.finditer(text), key=lambda found: len(found[0]))
    before = text[: longest.start()]
    key = re.split(r"[\n{,]", before.rpartition("=")[0])[-1].strip()
    where = f"{key}: " if key else ""
    digits = len(longest[0].replace("_", ""))
    most = sys.get_int_max_str_digits()
    return f"{where}a number of {digits:,} digits at line {before.count(chr(10)) + 1}: no more than {most:,} are read"


__all__ = ["TomlError", "loads"]
