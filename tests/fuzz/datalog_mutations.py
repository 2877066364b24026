"""Mutations of Datalog programs and fact files: half of them keep a program in the language, the others do anything."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from typing import Final


def damaged(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    place = chance.randint(0, len(data))
    match chance.randrange(8):
        case 0:
            lines[at] += b"\t" + chance.choice([b"x", b"1", b""])
        case 1:
            lines[at] = lines[at].rpartition(b"\t")[0]
        case 2:
            numbers = b"1 -1 +1 007 0x1f 1e3 2147483648 -2147483649 4294967296 1_0 9" + b"9" * 5000
            lines[at] = re.sub(rb"-?[0-9]+", chance.choice(numbers.split()), lines[at], count=1)
        case 3:
            return (
                data[:place]
                + chance.choice([b"\xff", b"\0", b"\r", b"\n", b"\xef\xbb\xbf", b"\f", b'"'])
                + data[place:]
            )
        case 4:
            return data.replace(b"\n", b"\r\n")
        case 5:
            return data[:place]
        case 6:
            return data.removesuffix(b"\n")
        case _:
            lines.insert(at, chance.choice([b"", b" ", b"()", b"\t" * 9]))
    return b"\n".join(lines)


def _rule_lines(text: str) -> tuple[list[str], list[int]]:
    lines = text.split("\n")
    return lines, [number for number, line in enumerate(lines) if ":-" in line]


def kept(text: str, chance: random.Random) -> str:
    """The program changed so that it most likely stays one."""
    lines, rules = _rule_lines(text)
    if not rules:
        return text
    at = chance.choice(rules)
    match chance.randrange(7):
        case 0:
            lines.insert(chance.choice(rules), lines[at])
        case 1:
            lines.pop(at)
        case 2:
            chance.shuffle(lines)
        case 3:
            constants = re.findall(r'"[^"]*"', text)
            if constants:
                lines[at] = re.sub(r'"[^"]*"', lambda _: chance.choice(constants), lines[at], count=1)
        case 4:
            lines[at] = re.sub(
                r"\s(<|<=|>|>=|!=)\s", f" {chance.choice(['<', '<=', '>', '>=', '!='])} ", lines[at], count=1
            )
        case 5:
            head, _, body = lines[at].partition(":-")
            lines[at] = f"{head}:- ({body.strip().removesuffix('.')} ; {body.strip().removesuffix('.')})."
        case _:
            lines[at] = re.sub(
                r"[(,]", lambda found: found.group() + chance.choice([" ", "\n", " /* , */ ", "\t"]), lines[at]
            )
    return "\n".join(lines)


_TOKEN: Final = re.compile(r'"[^"]*"|:-|!=|<=|>=|\w+|\S')
_TEXT: Final = """
:- . , ; ! ( ) { } = != < <= > >= _ : count sum min max true false nil [x] $ @f(x) ^ /* */ // # -x x+1 " é "a"
"\\n" "\\q" 0 -1 2147483648 0x1F 0b2 1u 1.5 .comp .decl .input .output .printsize .type e0 d0 d1 x y m u symbol number
unsigned float inline brie eqrel as cat(x,y) match range(1,2)
"""
_WORDS: Final = [*_TEXT.split(), "9" * 5000, "x" * 3000, "\n", "\r", "\f", "\0", "\ufeff", "\u2028"]
_STATEMENTS: Final = (
    ".type T <: symbol", ".type T = T", ".decl z(a: T)", ".decl e0()", "z(1).", ".output nope", ".printsize e0",
    "e0().", '.input e0(filename="x.facts")', '.input e0(delimiter="")', ".output d0(IO=stdout)", "d0() :- .",
)  # fmt: skip
Change = Callable[[str, random.Random], str]


def _token(text: str, chance: random.Random) -> str:
    """A token goes, is there twice, becomes another, or another comes in."""
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return text
    one, other = chance.choice(tokens), chance.choice(tokens)
    word = chance.choice(_WORDS)
    new = chance.choice(["", f"{one.group()} {one.group()}", other.group(), word, word, f"{one.group()} {word}"])
    return text[: one.start()] + new + text[one.end() :]


def _name(text: str, chance: random.Random) -> str:
    """A name becomes another one of the program in one place, or everywhere."""
    names = sorted(set(re.findall(r"\b[a-z]\w*", text)))
    if not names:
        return text
    return re.sub(
        rf"\b{chance.choice(names)}\b", chance.choice([*names, "_", "x?", "Ä"]), text, count=chance.choice([0, 1])
    )


def _lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines.pop(at)
        case 1:
            lines.insert(at, chance.choice(lines))
        case 2:
            lines[at] += lines.pop(chance.randrange(len(lines))) if len(lines) > 1 and at < len(lines) - 1 else ""
        case _:
            lines.insert(at, chance.choice(_STATEMENTS))
    return "\n".join(lines)


def _deep(text: str, chance: random.Random) -> str:
    """Brackets, negations or atoms again and again."""
    lines, rules = _rule_lines(text)
    if not rules:
        return text
    at, times = chance.choice(rules), chance.choice([2, 40, 2000, 20_000])
    head, _, body = lines[at].partition(":-")
    body = body.strip().removesuffix(".")
    match chance.randrange(4):
        case 0:
            body = "(" * times + body + ")" * times
        case 1:
            body = "!(" * times + body + ")" * times
        case 2:
            body = ", ".join([body] * min(times, 300))
        case _:
            body = " ; ".join([body] * min(times, 300))
    lines[at] = f"{head}:- {body}."
    return "\n".join(lines)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randint(0, len(text))]


def _odd(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice([*_WORDS[-6:], "\x1b[31m", "/*", *string.punctuation]) + text[at:]


ANYHOW: Final[list[Change]] = [_token, _token, _token, _name, _name, _lines, _deep, _cut, _odd]
