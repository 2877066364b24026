"""Programs as JSON in a file, so that one that was compiled once need not be parsed, checked and compiled again.

The file holds data only. It is taken if it is whole and was written for these sources by this compiler; anything else
is no more than a reason to compile. Rules as they are written are most of it, and few are asked for: each is a text of
its own, which is read then.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar

from .aggregates import Aggregation
from .io import FactFile, Io
from .plan import BodyAtom, Comparison, CompiledRule
from .projections import Projection
from .syntax import (
    Aggregate,
    Atom,
    BodyLiteral,
    Constant,
    Constraint,
    Position,
    Rule,
    Schema,
    Variable,
    Wildcard,
)

_CLASSES: Final[tuple[type[Any], ...]] = (
    Position, Variable, Constant, Wildcard, Atom, BodyLiteral, Constraint, Rule, Aggregate, Schema, BodyAtom,
    Comparison, CompiledRule, Aggregation, Projection, FactFile, Io,
)  # fmt: skip
_CODES: Final = {each: code for code, each in enumerate(_CLASSES)}
_TUPLE, _LIST, _DICT, _SET, _RULE = range(-5, 0)

Made = TypeVar("Made")


def key_of(sources: Mapping[str, str], outputs: tuple[str, ...] | None) -> str:
    """A hash of the sources, of the outputs that are asked for, and of the compiler."""
    digest = hashlib.sha256(json.dumps([list(sources.items()), outputs]).encode())
    for file in sorted(resources.files(__package__).iterdir(), key=lambda each: each.name):
        if file.name.endswith((".py", ".lark")):
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def load(path: Path, key: str, make: Callable[[Any], Made]) -> Made | None:
    """What `make` makes of that which was stored for `key`, if the file is there and whole."""
    try:
        if not path.is_file():  # reading a named pipe would wait for a writer
            return None
        head, body = path.read_bytes().split(b"\n", 1)
        if head.decode() != f"{key} {hashlib.sha256(body).hexdigest()}":
            return None
        return make(_read(body))
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None


def store(path: Path, key: str, value: object) -> None:
    """Best effort: a file that cannot be written is done without."""
    body = _text(_encode(value)).encode()
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(f"{key} {hashlib.sha256(body).hexdigest()}\n".encode() + body)
        temporary.replace(path)


def _encode(value: Any) -> Any:
    if isinstance(value, Rule):
        return [_RULE, _text([_CODES[Rule], *_fields(value)])]
    if is_dataclass(value):
        return [_CODES[type(value)], *_fields(value)]
    if isinstance(value, Mapping):
        return [_DICT, *(_encode(each) for item in value.items() for each in item)]
    for code, kind in ((_TUPLE, tuple), (_LIST, list), (_SET, frozenset)):
        if isinstance(value, kind):
            return [code, *map(_encode, sorted(value) if code == _SET else value)]
    return value


def _fields(value: Any) -> list[Any]:
    return [_encode(getattr(value, field.name)) for field in fields(value)]


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _read(text: str | bytes) -> Any:
    return _decode(json.loads(text))


def _decode(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    code, *parts = value
    if code == _RULE:
        return partial(_read, parts[0])
    parts = [_decode(part) if type(part) is list else part for part in parts]
    if code >= 0:
        return _CLASSES[code](*parts)
    if code == _TUPLE:
        return tuple(parts)
    if code == _LIST:
        return parts
    return frozenset(parts) if code == _SET else dict(zip(parts[::2], parts[1::2], strict=True))
