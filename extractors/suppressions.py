"""Comments that silence a finding: `pliant: ignore[rule, ...] reason`, in whatever comment the language has, and those
by which the author tells another tool the same (models/other_tools.toml).

They stand beside the facts, like positions: a comment changes no fact and no digest of a state.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tree_sitter import Node

from pliant.extractors.facts import Suppression

_MARK = re.compile(rb"pliant:[ \t]*ignore\b")
_COMMENT = re.compile(r"\s*pliant:[ \t]*ignore\b[ \t]*(?:\[([^\]]*)\])?(.*)", re.S)
_OPENING = re.compile(r"^(?:#+|//+|/\*+)[!<]*")
_CLOSING = re.compile(r"\*+/$")


@dataclass(frozen=True, slots=True)
class _Tool:
    """word: stands in each of its comments. form: its first group holds codes. rules: code -> what it speaks of."""

    name: str
    word: bytes
    form: re.Pattern[str]
    rules: dict[str, tuple[str, ...]]


@cache
def _tools() -> tuple[_Tool, ...]:
    data = resources.files("pliant.extractors").joinpath("models", "other_tools.toml").read_text("utf-8")
    return tuple(
        _Tool(
            each["name"],
            each["word"].encode(),
            re.compile(each["form"]),
            {code: tuple(rules) for code, rules in each["rules"].items()},
        )
        for each in tomllib.loads(data)["tool"]
    )


def suppressions(root: Node, source: bytes) -> list[Suppression]:
    """The comments of a file that silence findings, in their order; `root` is the tree of `source`."""
    found: dict[tuple[int, str], Suppression] = {}
    for match in _MARK.finditer(source):
        node = _comment_at(root, match.start())
        if node is None or (node.start_byte, "") in found:
            continue
        read = _COMMENT.match(_CLOSING.sub("", _OPENING.sub("", _text(node, source))))
        if read is None:
            continue  # prose that mentions the form
        rules = tuple(rule for part in (read[1] or "").split(",") if (rule := part.strip()))
        found[node.start_byte, ""] = Suppression(
            node.start_point[0] + 1, _covered_line(root, node, source), rules, " ".join(read[2].split())
        )
    for tool in _tools():
        for node in _comments_with(tool.word, root, source):
            codes = [code for each in tool.form.findall(_text(node, source)) for code in re.split(r"[,\s]+", each)]
            spoken_of = tuple(dict.fromkeys(rule for code in codes for rule in tool.rules.get(code, ())))
            if spoken_of:
                found[node.start_byte, tool.name] = Suppression(
                    node.start_point[0] + 1, _covered_line(root, node, source), spoken_of, "", tool.name
                )
    return [found[key] for key in sorted(found)]


def _comments_with(word: bytes, root: Node, source: bytes) -> Iterator[Node]:
    at = source.find(word)
    while at >= 0:
        node = _comment_at(root, at)
        if node is not None:
            yield node
        at = source.find(word, at + 1)


def _comment_at(root: Node, at: int) -> Node | None:
    node = root.descendant_for_byte_range(at, at + 1)
    return node if node is not None and _is_comment(node) else None


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


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
