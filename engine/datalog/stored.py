"""Syntax as JSON in a file, so that a program that was parsed and found right once need not be parsed again.

The file holds data only. It is taken if it is whole and was written for these sources by this parser; anything else
is no more than a reason to parse.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from .syntax import (
    Aggregate,
    Atom,
    BodyLiteral,
    Constant,
    Constraint,
    Declaration,
    Directive,
    Parameter,
    Position,
    Pragma,
    Rule,
    Syntax,
    TypeDeclaration,
    Variable,
    Wildcard,
)

_PARSER: Final = (
    "grammar.lark",
    "mistakes.py",
    "parse.py",
    "stored.py",
    "syntax.py",
)  # what a stored syntax depends on
_CLASSES: Final[tuple[type[Any], ...]] = (
    Position, Variable, Constant, Wildcard, Atom, BodyLiteral, Constraint, Rule, Declaration, TypeDeclaration,
    Parameter, Directive, Aggregate, Syntax, Pragma,
)  # fmt: skip
_CODES: Final = {each: code for code, each in enumerate(_CLASSES)}
_TUPLE, _LIST = -1, -2


def key_of(sources: Mapping[str, str]) -> str:
    """A hash of the sources and of the parser."""
    folder = resources.files(__package__)
    digest = hashlib.sha256(json.dumps(list(sources.items())).encode())
    for name in _PARSER:
        digest.update(hashlib.sha256(folder.joinpath(name).read_bytes()).digest())
    return digest.hexdigest()


def load(path: Path, key: str) -> Syntax | None:
    """The syntax that was stored for `key`, if the file is there and whole."""
    try:
        head, body = path.read_bytes().split(b"\n", 1)
        if head.decode() != f"{key} {hashlib.sha256(body).hexdigest()}":
            return None
        syntax = _decode(json.loads(body))
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None
    return syntax if isinstance(syntax, Syntax) else None


def store(path: Path, key: str, syntax: Syntax) -> None:
    """Best effort: a file that cannot be written is done without."""
    body = json.dumps(_encode(syntax), separators=(",", ":")).encode()
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(f"{key} {hashlib.sha256(body).hexdigest()}\n".encode() + body)
        temporary.replace(path)


def _encode(value: Any) -> Any:
    if is_dataclass(value):
        return [_CODES[type(value)], *(_encode(getattr(value, field.name)) for field in fields(value))]
    if isinstance(value, tuple | list):
        return [_TUPLE if isinstance(value, tuple) else _LIST, *map(_encode, value)]
    return value


def _decode(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    code, *parts = value
    parts = [_decode(part) if type(part) is list else part for part in parts]
    if code >= 0:
        return _CLASSES[code](*parts)
    return tuple(parts) if code == _TUPLE else parts
