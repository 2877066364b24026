"""What names mean, in a file and in the blocks of a function."""

from __future__ import annotations

from typing import NamedTuple

from pliant.extractors.ir.operands import ANY, Type


class Local(NamedTuple):
    """A variable of the function `owner`, under its name there."""

    variable: str
    type: Type
    owner: str


class Package(NamedTuple):
    """An imported package."""

    path: str


class Named(NamedTuple):
    """A type."""

    type: Type


class Global(NamedTuple):
    """A variable, a constant or a function of the package; here: whether this file declares it."""

    name: str
    type: Type = ANY
    here: bool = True


class Builtin(NamedTuple):
    """A function of the language."""

    name: str


CGO = "cgo"  # stands for the package `C`, of which nothing is known

Meaning = Local | Package | Named | Global | Builtin

_BUILTINS = "append cap clear close complex copy delete imag len make max min new panic print println real recover"
BUILTINS = {name: Builtin(name) for name in _BUILTINS.split()}


def package_name(path: str) -> str:
    """What a package is most likely called that is imported without a name: the last part of its path, without a
    version or what is put around names."""
    parts = [part for part in path.split("/") if part]
    last = parts.pop() if parts else ""
    if last[:1] == "v" and last[1:].isdigit() and parts:
        last = parts.pop()
    last = last.partition(".")[0] if last.partition(".")[2][:1] == "v" else last
    for prefix in ("go-", "go."):
        last = last.removeprefix(prefix)
    for suffix in ("-go", ".go"):
        last = last.removesuffix(suffix)
    return last.rpartition("-")[2] if "-" in last else last
