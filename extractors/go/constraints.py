"""Build constraints: whether a file belongs to the program that is built for Linux.

Files for other systems declare the same names again, often as functions that give nil; what other files mean by such a
name is what is built together with them.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.lowering.source import COMMENTS, text

OTHER_SYSTEM = "//go:build"  # what a file mentions that is not built
_TAGS = frozenset(("linux", "unix", "amd64", "gc", "cgo"))
_LENGTH = 1000  # of a constraint that is read
_VALUE = re.compile(r"[\w.]+")
_STEPS = [(re.compile(pattern), result) for pattern, result in [
    (r"\(([01])\)", r"\1"), (r"!0", "1"), (r"!1", "0"), (r"1&&1", "1"), (r"[01]&&[01]", "0"),
    (r"(?<!&)0\|\|0(?!&)", "0"), (r"(?<!&)[01]\|\|[01](?!&)", "1"),
]]  # fmt: skip


def is_built(root: Node) -> bool:
    """Whether the constraints in front of the package clause hold."""
    new: list[str] = []
    old: list[str] = []
    for node in root.named_children:
        if node.type not in COMMENTS:
            break
        line = text(node)
        if line.startswith("//go:build "):
            new.append(line[len("//go:build ") :])
        elif match := re.match(r"// ?\+build (.*)", line):
            options = [option.replace(",", "&&") for option in match[1].split()]
            old.append("||".join(f"({option})" for option in options))
    return all(map(_holds, new or old))


def _holds(constraint: str) -> bool:
    """Whether a constraint holds; one that cannot be read does."""
    if len(constraint) > _LENGTH:
        return True
    found = _VALUE.sub(lambda tag: "1" if tag[0] in _TAGS or tag[0].startswith("go1.") else "0", constraint)
    found, before = re.sub(r"\s", "", found), ""
    while found != before:
        before = found
        for pattern, result in _STEPS:
            found, count = pattern.subn(result, found)
            if count:
                break
    return found != "0"
