"""The facts of one file: what an extractor returns and what the blob cache stores.

Symbols name entities. A symbol that starts with `|` belongs to the file itself and gets the file's path in front when
the facts are used for a path (`in_path`), so that facts depend on the blob alone and can be cached by blob id. One
that starts with `|/` belongs to the file's folder, whose path is put in front instead: `|/Item` of `shop/cart.go` is
`shop/|Item`.
Positions live in `places`, beside the facts, and are never an input of a rule.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Literal

OWN = "|"  # first character of a symbol that belongs to the file
FOLDER = "|/"  # how a symbol begins that belongs to all files of the folder


def escape_path(path: str) -> str:
    """A path as it stands in symbols: `|`, `%` and control characters percent-encoded, so that the first `|` of a
    symbol ends the path and a fact never holds a tab or a newline."""
    if path.isprintable() and "|" not in path and "%" not in path:
        return path
    return "".join(
        c if c.isprintable() and c not in "|%" else "".join(f"%{b:02X}" for b in c.encode("utf-8", "surrogateescape"))
        for c in path
    )


def in_path(symbol: str, path: str) -> str:
    """The symbol as an entity of the repository; `path` is already escaped."""
    if symbol.startswith(FOLDER):
        return f"{folder_of(path)}{OWN}{symbol.removeprefix(FOLDER)}"
    return path + symbol if symbol.startswith(OWN) else symbol


def folder_of(path: str) -> str:
    """The folder of a file, with a slash at its end: no file is called so."""
    return f"{path.rpartition('/')[0] or '.'}/"


Scope = Literal["file", "function", "part", "remark"]
SCOPES: tuple[Scope, ...] = ("file", "function", "part", "remark")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What of a file was not analysed, and why.

    line, last_line: from 1; `last_line` is 0 where it is the same or not known.
    reason: the end of a sentence, such as `nested too deeply`; it names no file and no function.
    scope: `file`: nothing of the file counts as analysed. `function`: nothing of the body of `function`. `part`: less,
        in `function` or, if that is empty, anywhere in the file. `remark`: nothing is left out.
    function: the symbol of a function of the file, such as `|Class.method`; empty where none is meant.
    """

    line: int
    reason: str
    scope: Scope = "file"
    function: str = ""
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that silences findings. line: its own; covers: the line of code that it speaks of; both from 1.
    rules: ids or their beginnings, as they are written; none where the comment names none. tool: for which other tool
    it was written, if for one."""

    line: int
    covers: int
    rules: tuple[str, ...]
    reason: str
    tool: str = ""


@dataclass(slots=True)
class FileFacts:
    """Facts of one blob.

    symbols: distinct strings, the local symbol table.
    rows: relation name -> rows flattened row by row, `len(columns)` entries a row; a symbol column holds an index into
        `symbols`, a number column the number itself.
    places: flattened (symbol index, first line, first column, last line, last column), lines from 1, columns from 0
        in bytes; at most one place a symbol.
    library: dotted names of modules outside the file that it mentions; says which library models its facts need.
    lines: number of lines of the source.
    unmodelled: construct -> how often it was met and not modelled.
    suppressions: comments that silence findings; no fact depends on them.
    instructions: those of its functions in their stored form (`ir.stored`); None where something is left out.
    """

    symbols: list[str] = field(default_factory=list)
    rows: dict[str, array[int]] = field(default_factory=dict)
    places: array[int] = field(default_factory=lambda: array("i"))
    library: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unmodelled: dict[str, int] = field(default_factory=dict)
    lines: int = 0
    suppressions: list[Suppression] = field(default_factory=list)
    instructions: tuple[bytes, bytes] | None = None
