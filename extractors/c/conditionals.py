"""The branches of `#if` ... `#endif`, which may split what the grammar reads as one: an expression, a list, a block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pliant.extractors.c.blanks import BLANK, erase, outermost

_CPLUSPLUS = re.compile(rb"^[ \t]*#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t]*\(?[ \t]*__cplusplus)", re.M)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b([^\n]*)", re.M)
_NO_CODE = re.compile(
    rb"""/\*(?s:.*?)\*/|//.*|"(?:\\(?s:.)|[^"\\\n])*+"|'(?:\\(?s:.)|[^'\\\n])*+'|^[ \t]*#(?:\\\r?\n|.)*""", re.M
)
_LONGEST_GAP = 2000  # bytes between code and a directive; before more, whatever is there has ended
_ELSE = re.compile(rb"\s*else\b")


@dataclass(slots=True)
class _Conditional:
    """Directives of one `#if` ... `#endif`: start, end, line of each."""

    directives: list[tuple[int, int, int]]
    first: bytes


def _conditionals(source: bytes) -> list[_Conditional]:
    found: list[_Conditional] = []
    open_ones: list[_Conditional] = []
    line, at = 0, 0
    for match in _DIRECTIVE.finditer(source):
        line += source.count(b"\n", at, match.start())
        at = match.start()
        end = match.end()
        while source[end - 1 : end] == b"\\" or source[end - 2 : end] == b"\\\r":  # continued lines
            following = source.find(b"\n", end + 1)
            end = len(source) if following < 0 else following
        place = (match.start(), end, line)
        if match[1].startswith(b"if"):
            open_ones.append(_Conditional([place], match[1] + match[2]))
        elif open_ones:
            open_ones[-1].directives.append(place)
            if match[1] == b"endif":
                found.append(open_ones.pop())
    return found


def one_branch(source: bytes, lines: set[int] | None = None, split: bool = False) -> bytes:
    """The source with one branch of the conditionals that touch `lines` (of all, by default). split: only of those that
    split a statement or a declaration."""
    chosen = [each for each in _conditionals(source) if lines is None or _touches(each, lines, source)]
    if split:
        chosen = _split_ones(source, chosen)
    erased = []
    for conditional in chosen:
        kept = 1 if conditional.first.split()[1:2] == [b"0"] else 0
        for number, (start, end, _) in enumerate(conditional.directives):
            branches = number != kept and number + 1 < len(conditional.directives)
            erased.append((start, conditional.directives[number + 1][0] if branches else end))
    changed = bytearray(source)
    for start, end in outermost(erased):
        erase(changed, start, end)
    return bytes(changed)


def _touches(conditional: _Conditional, lines: set[int], source: bytes) -> bool:
    """Whether it has a directive in one of the lines, and is not around the whole file."""
    if not any(line in lines for _, _, line in conditional.directives):
        return False
    return conditional.directives[0][2] > 0 or conditional.directives[-1][2] < source.count(b"\n") - 1


def _split_ones(source: bytes, conditionals: Sequence[_Conditional]) -> list[_Conditional]:
    """Those that do not begin and end between statements, of which a branch opens more than it closes, or of which one
    begins with `else`."""
    code = _NO_CODE.sub(_without_text, source)
    depths = _depths(
        code, {place for each in conditionals for start, end, _ in each.directives for place in (start, end)}
    )

    def is_between(at: int) -> bool:
        before = code[max(0, at - _LONGEST_GAP) : at].rstrip()
        return not before or before[-1] in b";{}:#"

    def is_whole(start: int, end: int) -> bool:
        return is_between(end) and depths[start] == depths[end] and not _ELSE.match(source, start)

    def is_split(conditional: _Conditional) -> bool:
        branches = [(end, start) for (_, end, _), (start, _, _) in pairwise(conditional.directives)]
        return not is_between(conditional.directives[0][0]) or not all(is_whole(*each) for each in branches)

    return list(filter(is_split, conditionals))


def _depths(code: bytes, places: Iterable[int]) -> dict[int, tuple[int, int]]:
    """In how many parentheses and braces each place is."""
    found = {}
    parentheses = braces = at = 0
    for place in sorted(places):
        piece = code[at:place]
        parentheses += piece.count(b"(") - piece.count(b")")
        braces += piece.count(b"{") - piece.count(b"}")
        found[place] = parentheses, braces
        at = place
    return found


def _without_text(match: re.Match[bytes]) -> bytes:
    """Of a directive only its `#`, nothing of a comment, and something of a literal."""
    text = match[0]
    if text[:1] in b"\"'":
        return b"0" * len(text)
    blank = text.translate(BLANK)
    at = 0 if text[:1] == b"/" else text.index(b"#") + 1
    return blank if not at else blank[: at - 1] + b"#" + blank[at:]


def without_cplusplus(source: bytes) -> bytes:
    erased = []
    for conditional in _conditionals(source):
        start = conditional.directives[0][0]
        if _CPLUSPLUS.match(source, start):
            erased.append((start, conditional.directives[1][0]))
            erased += [(begin, stop) for begin, stop, _ in conditional.directives[1:]]
    changed = bytearray(source)
    for start, end in outermost(erased):
        erase(changed, start, end)
    return bytes(changed)
