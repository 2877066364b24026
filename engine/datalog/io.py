"""Where a program's facts come from and its relations go: the parameters of `.input`, `.output` and `.printsize`.

Names and defaults are Soufflé's: facts of R are read from `R.facts`, and R is written to `R.csv`, with tabs between
columns. A file name is relative to the folder of facts or of output unless it is absolute; whoever opens the files
decides whether a program may name files elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from .syntax import Directive, Position

_SWITCHES: Final = ("headers", "rfc4180")  # parameters that may be there if they are switched off


@dataclass(frozen=True, slots=True)
class FactFile:
    """A text file of facts, one a line, columns parted by `delimiter`."""

    filename: str
    delimiter: str = "\t"


@dataclass(frozen=True, slots=True)
class Io:
    """Relation -> files, in the order of the directives. `sizes`: relations whose number of tuples is asked for."""

    inputs: Mapping[str, tuple[FactFile, ...]] = field(default_factory=dict)
    outputs: Mapping[str, tuple[FactFile, ...]] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()


def io_of(directives: Iterable[Directive], error: Callable[[str, Position], None]) -> Io:
    """`error` is told of each parameter that is not supported."""
    files: dict[str, dict[str, dict[FactFile, None]]] = {"input": {}, "output": {}}
    sizes: dict[str, None] = {}
    for directive in directives:
        if directive.name == "printsize":
            for parameter in directive.parameters:
                error(f"not supported: parameter `{parameter.name}` of .printsize", parameter.position)
            sizes[directive.relation] = None
        else:
            files[directive.name].setdefault(directive.relation, {})[_file(directive, error)] = None
    inputs, outputs = ({name: tuple(found) for name, found in files[kind].items()} for kind in ("input", "output"))
    return Io(inputs, outputs, tuple(sizes))


def _file(directive: Directive, error: Callable[[str, Position], None]) -> FactFile:
    filename = f"{directive.relation}.facts" if directive.name == "input" else f"{directive.relation}.csv"
    delimiter = "\t"
    for parameter in directive.parameters:
        name, value = parameter.name, parameter.value
        if name == "filename" and value:
            filename = value
        elif name == "delimiter" and value and "\n" not in value:
            delimiter = value
        elif name in ("filename", "delimiter"):
            error(f"{name} {value!r} of .{directive.name} {directive.relation} cannot be used", parameter.position)
        elif name == "IO" and value != "file":
            error(f"not supported: IO={value} (.{directive.name} knows IO=file)", parameter.position)
        elif name != "IO" and not (name in _SWITCHES and value == "false"):
            known = "IO=file, filename and delimiter are known"
            error(f"not supported: parameter `{name}` of .{directive.name} ({known})", parameter.position)
    return FactFile(filename, delimiter)
