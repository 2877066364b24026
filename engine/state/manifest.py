"""The manifest of a layer: JSON that ends with the digest of all before it. That digest is the layer's id."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import StateError

FORMAT: Final = 7
MANIFEST: Final = "manifest.json"
LIMIT: Final = 64 << 20  # bytes of a manifest
MAX_LAYERS: Final = 8
_SEAL: Final = ', "sha256": "'
_ID: Final = re.compile("[0-9a-f]{64}")
_DATA: Final = re.compile("data-[0-9a-f]{16}\\.arrow")


class Refused(Exception):
    """Why a state cannot be used; SavedState adds which one it is."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A JSON object that is not trusted."""

    fields: Mapping[str, Any]

    def get(self, key: str, expected: type) -> Any:
        value = self.fields.get(key)
        if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
            raise Refused(f"its manifest has no proper {key!r}")
        return value

    def natural(self, key: str) -> int:
        value = self.get(key, int)
        if not 0 <= value < 2**31:
            raise Refused(f"its manifest has no proper {key!r}")
        return int(value)

    def entry(self, key: str) -> Entry:
        return Entry(self.get(key, dict))

    def __contains__(self, key: str) -> bool:
        return key in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)


def base_name(layer: str) -> str:
    return f"base-{layer}.json"


def seal(fields: Mapping[str, Any]) -> tuple[bytes, str]:
    """The file's content, and the layer's id."""
    body = json.dumps(fields)[:-1]
    digest = hashlib.sha256(body.encode()).hexdigest()
    return f'{body}{_SEAL}{digest}"}}'.encode(), digest


def unseal(content: bytes) -> tuple[Entry, str]:
    """The fields and the id of a manifest whose seal fits. Raises Refused."""
    body, _, end = content.rpartition(_SEAL.encode())
    digest = hashlib.sha256(body).hexdigest()
    if not body or end != f'{digest}"}}'.encode():
        raise Refused("its manifest is damaged")
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused("its manifest is not JSON") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        found = fields.get("format") if isinstance(fields, dict) else None
        told = f"{found}" if isinstance(found, int) else "unknown"
        raise Refused(f"its format is {told} and not {FORMAT}, the one of this version")
    return Entry(fields), digest


def base_of(entry: Entry) -> str | None:
    """The id of the layer below."""
    base = entry.fields.get("base")
    if base is not None and not (isinstance(base, str) and _ID.fullmatch(base)):
        raise Refused("its manifest has no proper 'base'")
    return base


def data_of(entry: Entry) -> tuple[str, int]:
    """Name and size in bytes of the layer's data file."""
    name = entry.get("data", str)
    if not _DATA.fullmatch(name):
        raise Refused(f"its manifest names {name[:80]!r} as a file of the state")
    return name, entry.get("size", int)


__all__ = [
    "FORMAT", "LIMIT", "MANIFEST", "MAX_LAYERS", "Entry", "Refused", "StateError", "base_name", "base_of", "data_of",
    "seal", "unseal",
]  # fmt: skip
