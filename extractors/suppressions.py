"""Comments that silence a finding: `pliant: ignore[rule, ...] reason`, in whatever comment the language has, and those
by which the author tells another tool the same (models/other_tools.toml).

They stand beside the facts, like positions: a comment changes no fact and no digest of a state.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tree_sitter import Node

from pliant.extractors.facts import Suppression

_MARK = re.compile(rb"pliant:[ \t]*ignore\b")
_COMMENT = re.compile(r"\s*pliant:[ \t]*ignore\b[ \t]*(?:\[([^\]]*)\])?(.*)", re.S)
_OPENING = re.compile(r"^(?:#+|//+|/\*+)[!<]*")
_FEW = 100  # comments that are looked for in the tree one by one
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
    comments = _Comments(root, source)
    for match in _MARK.finditer(source):
        node = comments.at(match.start())
        if node is None or (node.start_byte, "") in found:
            continue
        read = _COMMENT.match(_CLOSING.sub("", _OPENING.sub("", _text(node, source))))
        if read is None:
            continue  # prose that mentions the form
        rules = tuple(rule for part in (read[1] or "").split(",") if (rule := part.strip()))
        found[node.start_byte, ""] = Suppression(
            node.start_point[0] + 1, comments.covered_line(node), rules, " ".join(read[2].split())
        )
    for tool in _tools():
        for node in comments.having(tool.word):
            codes = [code for each in tool.form.findall(_text(node, source)) for code in re.split(r"[,\s]+", each)]
            spoken_of = tuple(dict.fromkeys(rule for code in codes for rule in tool.rules.get(code, ())))
            if spoken_of:
                found[node.start_byte, tool.name] = Suppression(
                    node.start_point[0] + 1, comments.covered_line(node), spoken_of, "", tool.name
                )
    return [found[key] for key in sorted(found)]


class _Comments:
    """The comments of a file, found by where they stand."""

    def __init__(self, root: Node, source: bytes) -> None:
        self._root = root
        self._source = source
        self._asked = 0
        self._all: list[Node] = []  # in their order, once many were asked for
        self._passed = (0, 0, 0)  # a part of the source without code, and the line of the code behind it

    def having(self, word: bytes) -> Iterator[Node]:
        at = self._source.find(word)
        while at >= 0:
            node = self.at(at)
            if node is not None:
                yield node
            at = self._source.find(word, at + 1)

    def at(self, place: int) -> Node | None:
        """The comment that a byte is in."""
        self._asked += 1
        if self._asked <= _FEW:
            node = self._root.descendant_for_byte_range(place, place + 1)
            return node if node is not None and _is_comment(node) else None
        if not self._all:
            self._all = _comments(self._root)
        number = bisect_right(self._all, place, key=lambda node: node.start_byte) - 1
        return self._all[number] if number >= 0 and place < self._all[number].end_byte else None

    def covered_line(self, comment: Node) -> int:
        """The line that a comment speaks of: its own, or the next with code where it stands alone."""
        source, first = self._source, comment.start_point[0] + 1
        if source[source.rfind(b"\n", 0, comment.start_byte) + 1 : comment.start_byte].strip():
            return first
        line, start = comment.end_point[0] + 1, comment.end_byte
        begin, end, found = self._passed
        if begin <= start < end:
            return found or first
        begin = start
        found = 0
        while start < len(source) and not found:
            end = source.find(b"\n", start)
            end = end if end >= 0 else len(source)
            text = source[start:end]
            if (code := text.strip()) and self.at(start + text.index(code)) is None:
                found = line
            line, start = line + 1, end + 1
        self._passed = (begin, start, found)
        return found or first


def _comments(root: Node) -> list[Node]:
    found: list[Node] = []
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and _is_comment(node):
            found.append(node)
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _is_comment(node: Node) -> bool:
    return node.type.endswith("comment")
