"""From bytes to a tree, and from a tree to facts: the frame that every language's extractor runs in."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from tree_sitter import Node, Tree

from pliant.extractors.budget import TooMuch, translation_steps
from pliant.extractors.facts import Diagnostic, FileFacts
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.isolation import File, LeftOut
from pliant.extractors.suppressions import suppressions
from pliant.extractors.writer import FactWriter, Span

COMMENTS = frozenset(("comment", "line_comment", "block_comment", "line_continuation"))  # say nothing

_MAY_SAY_NOTHING = re.compile(rb"[#\\]|/[/*]")
WORDS = re.compile(r"[^\W\d]\w*")  # what may be a name
_DEPTH = 6000  # frames that nested source may need; what needs more is left out with a diagnostic


class Reader(Protocol):
    """A parser, or what stands for one."""

    def parse(self, source: bytes, /) -> Tree: ...


def extract(
    source: bytes, parser: Reader, language: str, lowering: Callable[[Node, FactWriter, LeftOut], File]
) -> FileFacts:
    """Lower a file. Parts that do not parse, fail or are nested too deeply become diagnostics; nothing is raised but
    MemoryError."""

    def lower(root: Node) -> FactWriter:
        steps = translation_steps(len(source))
        return isolation.lower(lambda writer, left_out: lowering(root, writer, left_out), steps)

    return framed(source, parser, language, lower)


def framed(source: bytes, parser: Reader, language: str, write: Callable[[Node], FactWriter]) -> FileFacts:
    """The facts of a file, which `write` makes of its tree, with diagnostics for what does not parse; nothing is raised
    but MemoryError."""
    try:
        root = parser.parse(source).root_node
    except TooMuch as error:
        return not_parsed(source, error)
    try:
        with deep(), no_collection():
            writer = write(root)
    except Exception as error:
        writer = FactWriter()
        writer.file_left_out(isolation.reason_of(error))
    for (first, _, last, _), function in zip(invalid := _invalid(root), _around(invalid, writer.extents), strict=True):
        writer.part_left_out(first, f"not valid {language} here", function, last if last > first else 0)
    facts = writer.finish()
    facts.diagnostics.sort(key=lambda each: each.line)
    facts.suppressions = suppressions(root, source)
    facts.lines = root.end_point[0] + (root.end_point[1] > 0)
    return facts


def not_parsed(source: bytes, error: TooMuch) -> FileFacts:
    """The facts of a file that has no tree."""
    return FileFacts(diagnostics=[Diagnostic(1, str(error))], lines=source.count(b"\n"))


@contextmanager
def deep() -> Iterator[None]:
    """As many frames as nested source may need."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_frames() + _DEPTH)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _frames() -> int:
    """How many frames there are: how deep a source may nest does not depend on who asks for its facts."""
    frame = sys._getframe()
    count = 1
    while frame.f_back is not None:
        frame = frame.f_back
        count += 1
    return count


@contextmanager
def no_collection() -> Iterator[None]:
    """For work whose objects live until its end: looking for cycles among them before is lost time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _invalid(root: Node) -> list[Span]:
    """Where the parser had to leave something out or to make something up; what begins on one line is one."""
    found: dict[int, Span] = {}
    todo = [root] if root.has_error else []
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            here = span(node)
            known = found.get(here[0], here)
            found[here[0]] = (*min(known[:2], here[:2]), *max(known[2:], here[2:]))
        else:
            todo.extend(child for child in reversed(node.children) if child.has_error)
    return sorted(found.values())


def _around(spans: Sequence[Span], extents: Mapping[str, Span]) -> list[str]:
    """The innermost function that each span, in order, lies in; empty where it lies in none. Extents nest."""
    waiting = sorted(extents, key=lambda name: (extents[name][:2], [-end for end in extents[name][2:]]), reverse=True)
    open_: list[str] = []
    found = []
    for each in spans:
        while waiting and extents[waiting[-1]][:2] <= each[:2]:
            function = waiting.pop()
            while open_ and extents[open_[-1]][2:] < extents[function][2:]:
                open_.pop()
            open_.append(function)
        while open_ and extents[open_[-1]][2:] < each[:2]:
            open_.pop()
        found.append(next((name for name in reversed(open_) if each[2:] <= extents[name][2:]), ""))
    return found


def elements(node: Node | None) -> list[Node]:
    """The named children that are not comments."""
    return [child for child in node.named_children if child.type not in COMMENTS] if node is not None else []


def only(node: Node) -> Node | None:
    """The one named child that is no comment; None where there are none or several."""
    if node.named_child_count == 1:
        child = node.named_child(0)
        return child if child is not None and child.type not in COMMENTS else None
    inner = elements(node)
    return inner[0] if len(inner) == 1 else None


def span(node: Node) -> Span:
    start, end = node.start_point, node.end_point
    return (start[0] + 1, start[1], end[0] + 1, end[1])


def text(node: Node) -> str:
    """What is written, without what says nothing in it."""
    source = node.text or b""
    if node.child_count and _MAY_SAY_NOTHING.search(source):
        start, parts = node.start_byte, bytearray(source)
        for each in reversed(list(_saying_nothing(node))):
            del parts[each.start_byte - start : each.end_byte - start]
        source = bytes(parts)
    return source.decode(errors="replace")


def joined(node: Node) -> str:
    """A name of several parts, without what stands between them."""
    parts: list[str] = []
    todo = [node]
    while todo:
        each = todo.pop()
        if each.child_count:
            todo += [child for child in reversed(each.children) if child.type not in COMMENTS]
        else:
            parts.append(text(each))
    return "".join(parts)


def _saying_nothing(node: Node) -> Iterator[Node]:
    """What says nothing in a node, in its order."""
    todo = [node]
    while todo:
        each = todo.pop()
        if each.type in COMMENTS:
            yield each
        else:
            todo += reversed(each.children)
