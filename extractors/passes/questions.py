"""What branches ask, and what is remembered of the answers.

A predicate without connectives is a question: its subject, and a text that is the same for the same question. What was
answered is followed like a variable, so that the same question, asked again behind a join, says which way led there
(`lowering.correlation`), and so does one that constants decide.
"""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.lowering.correlation import ANSWER


class Question(NamedTuple):
    """asked: `null`, `true`, or a comparison and what the subject is compared with. positive: what the answer is where
    the predicate holds."""

    subject: Operand
    asked: str
    other: Any
    positive: bool


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": op.eq,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}
BY_TEXT = frozenset(("float", "bytes"))  # kinds of constants of which the text alone is kept
_TURNED = {"==": "==", "<": ">", "<=": ">="}


def content_of(constant: Constant) -> object:
    """What a constant is known by: itself, if that is not its content."""
    return constant if constant.kind in BY_TEXT else constant.content


def answered(predicate: Predicate, holds: bool) -> Iterator[tuple[Predicate, bool]]:
    """The questions whose answers are known where a predicate holds, or does not, and the answers."""
    operator, operands = predicate.operator, predicate.operands
    if operator == "not":
        [inner] = operands
        assert isinstance(inner, Predicate)
        yield from answered(inner, not holds)
    elif operator not in ("and", "or"):
        yield predicate, holds
    elif holds == (operator == "and"):
        for inner in operands:
            assert isinstance(inner, Predicate)
            yield from answered(inner, holds)


def leaves(predicate: Predicate) -> Iterator[Predicate]:
    """The questions of a predicate."""
    if predicate.operator in ("and", "or", "not"):
        for inner in predicate.operands:
            assert isinstance(inner, Predicate)
            yield from leaves(inner)
    else:
        yield predicate


def question(predicate: Predicate) -> Question | None:
    """What a predicate without connectives asks; None where nothing is remembered."""
    operator, operands = predicate.operator, predicate.operands
    subject = operands[0]
    if operator in ("null", "truth") and isinstance(subject, int):
        return Question(subject, "null" if operator == "null" else "true", None, True)
    if operator in _TURNED:
        one, other = operands
        if isinstance(one, int) and isinstance(other, Constant) and other.kind != "other":
            return Question(one, operator, content_of(other), True)
        if isinstance(other, int) and isinstance(one, Constant) and one.kind != "other":
            return Question(other, _TURNED[operator], content_of(one), True)
    return None


def text(asked: Question) -> str:
    """The field under which an answer is followed; `x < 1` and `x >= 1` ask the same."""
    turned = {">=": "<", ">": "<="}.get(asked.asked, asked.asked)
    return f"{ANSWER}{turned}" if asked.other is None else f"{ANSWER}{turned} {asked.other!r}"


def turned(asked: Question) -> bool:
    """Whether the question is followed as its opposite."""
    return asked.asked in (">=", ">")


def answer(asked: Question, content: object) -> bool | None:
    """The answer where the subject is a constant; None where the language does not say. content: None for null."""
    if asked.asked == "null":
        return content is None
    if isinstance(content, Constant) or isinstance(asked.other, Constant):
        return None
    if asked.asked == "true":
        return bool(content)
    try:
        return bool(_COMPARE[asked.asked](content, asked.other))
    except TypeError:
        return None
