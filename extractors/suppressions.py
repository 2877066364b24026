"""Comments that silence a finding: `pliant: ignore[rule, ...] reason`, in whatever comment the language has.

They stand beside the facts, like positions: a comment changes no fact and no digest of a state.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.facts import Suppression

_MARK = re.compile(rb"pliant:[ \t]*ignore\b")
_COMMENT = re.compile(r"\s*pliant:[ \t]*ignore\b[ \t]*(?:\[([^\]]*)\])?(.*)", re.S)
_OPENING = re.compile(r"^(?:#+|//+|/\*+)[!<]*")
_CLOSING = re.compile(r"\*+/$")


def suppressions(root: Node, source: bytes) -> list[Suppression]:
    """The comments of a file that silence findings, in their order; `root` is the tree of `source`."""
    found: dict[int, Suppression] = {}
    for match in _MARK.finditer(source):
        node = root.descendant_for_byte_range(match.start(), match.end())
        if node is None or not _is_comment(node) or node.start_byte in found:
            continue
        text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        read = _COMMENT.match(_CLOSING.sub("", _OPENING.sub("", text)))
        if read is None:
            continue  # prose that mentions the form
        rules = tuple(rule for part in (read[1] or "").split(",") if (rule := part.strip()))
        found[node.start_byte] = Suppression(
            node.start_point[0] + 1, _covered_line(root, node, source), rules, " ".join(read[2].split())
        )
    return list(found.values())


def _covered_line(root: Node, comment: Node, source: bytes) -> int:
    """The line that a comment speaks of: its own, or the next with code where it stands alone."""
    first = comment.start_point[0] + 1
    if source[source.rfind(b"\n", 0, comment.start_byte) + 1 : comment.start_byte].strip():
        return first
    line, start = comment.end_point[0] + 1, comment.end_byte
    while start < len(source):
        end = source.find(b"\n", start)
        end = end if end >= 0 else len(source)
        text = source[start:end]
        if code := text.strip():
            at = start + text.index(code)
            node = root.descendant_for_byte_range(at, at + 1)
            if node is None or not _is_comment(node):
                return line
        line, start = line + 1, end + 1
    return first


def _is_comment(node: Node) -> bool:
    return node.type.endswith("comment")
