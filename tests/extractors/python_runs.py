"""Random Python functions, run by Python and, translated, instruction by instruction: both must do the same.

What a function asks (`ask`), what calls raise (`fail`) and how often loops go is scripted: a list of truths that both
runs use up in the same order. What is compared is the sequence of calls, and what is returned or raised.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from hypothesis import strategies as st

from pliant.extractors.ir import Constant, Function, Instruction, Predicate
from pliant.extractors.ir.operands import Operand

_STEPS = 400


class Boom(Exception):
    """What the functions raise."""


class Script:
    """The answers, and what was done so far. Once the answers are used up, all is false."""

    def __init__(self, answers: list[bool]) -> None:
        self._answers = iter(answers)
        self.done: list[object] = []

    def answer(self) -> bool:
        return next(self._answers, False)

    def ask(self, number: int) -> bool | None:
        self.done.append(("ask", number))
        return True if self.answer() else None

    def note(self, number: int) -> int:
        self.done.append(("note", number))
        return number

    def fail(self, number: int) -> None:
        self.done.append(("fail", number))
        if self.answer():
            raise Boom

    def items(self, number: int) -> Iterator[int]:
        while self.answer():
            yield number


class _Context:
    def __init__(self, script: Script, number: int) -> None:
        self._script, self._number = script, number

    def __enter__(self) -> int:
        self._script.done.append(("enter", self._number))
        return self._number

    def __exit__(self, kind: object, *_: object) -> bool:
        return False


def by_python(source: str, answers: list[bool]) -> tuple[list[object], object]:
    """What Python does."""
    script = Script(answers)
    names: dict[str, Any] = {**_names(script), "Boom": Boom}
    exec(compile(source, "<random>", "exec"), names)
    try:
        return script.done, names["f"]()
    except Boom:
        return script.done, Boom


class _Known(Script):
    """The only nulls are those that the source writes."""

    def ask(self, number: int) -> bool:
        return bool(super().ask(number))


def failures_by_python(source: str, answers: list[bool]) -> set[int]:
    """The lines where Python takes an attribute of None, also where that is caught."""
    script, lines = _Known(answers), set[int]()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<random>":
            return None
        raised = argument[1] if event == "exception" and argument[2].tb_next is None else None
        if isinstance(raised, AttributeError) and raised.obj is None:
            lines.add(frame.f_lineno)
        return trace

    names: dict[str, Any] = {**_names(script), "Boom": Boom}
    exec(compile(source, "<random>", "exec"), names)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        names["f"]()
    except (Boom, AttributeError, TypeError):
        pass
    finally:
        sys.settrace(before)
    return lines


def _names(script: Script) -> dict[str, Any]:
    """What the functions call."""
    return {
        "ask": script.ask, "note": script.note, "fail": script.fail, "items": script.items,
        "context": lambda number: _Context(script, number),
    }  # fmt: skip


class _Raised(Exception):
    """An exception of the function that is run."""


def by_instructions(function: Function, answers: list[bool]) -> tuple[list[object], object]:
    """What the instructions do."""
    run = _Run(function, Script(answers))
    try:
        return run.script.done, run.to_the_end()
    except _Raised:
        return run.script.done, Boom


class _Run:
    def __init__(self, function: Function, script: Script) -> None:
        self.script = script
        self._function = function
        self._variables: dict[str, Any] = {}
        self._values: dict[int, Any] = {}

    def to_the_end(self) -> object:
        number = 0
        for _ in range(_STEPS):
            block = self._function.blocks[number]
            try:
                for instruction in block.instructions[:-1]:
                    self._values[instruction.number] = self._instruction(instruction)
                last = block.instructions[-1]
                match last.op:
                    case "exit":
                        return self._value(last.operands[0][0]) if last.operands[0] else None
                    case "jump":
                        number = last.operands[0]
                    case "branch":
                        number = last.operands[1 if self._holds(last.operands[0]) else 2]
                    case "choose":
                        number = last.operands[0][0 if self.script.answer() else 1][1]
                    case "switch":
                        cases = {constant.content: target for constant, target in last.operands[1]}
                        number = cases.get(self._value(last.operands[0]), last.operands[2])
                    case "raise":
                        raise _Raised
            except _Raised:
                if block.handler is None:
                    raise
                number = block.handler
        raise AssertionError("a run without end")

    def _value(self, operand: Operand) -> Any:
        return operand.content if isinstance(operand, Constant) else self._values[operand]

    def _holds(self, predicate: Predicate) -> bool:
        operator, operands = predicate.operator, predicate.operands
        if operator == "not":
            assert isinstance(operands[0], Predicate)
            return not self._holds(operands[0])
        if operator in ("and", "or"):
            sides = [self._holds(each) for each in operands if isinstance(each, Predicate)]
            return all(sides) if operator == "and" else any(sides)
        subject = operands[0]
        assert isinstance(subject, int | Constant)
        if operator == "always":
            return bool(self._value(subject))
        if operator == "is":
            return getattr(operands[1], "name", "") == "Boom"
        value = self._value(subject)
        if operator == "null":
            return value is None
        if operator == "==":
            assert isinstance(operands[1], int | Constant)
            return bool(value == self._value(operands[1]))
        assert operator == "truth"
        return bool(value)

    def _instruction(self, instruction: Instruction) -> Any:
        op, operands = instruction.op, instruction.operands
        match op:
            case "const":
                return operands[0].content
            case "get":
                return self._variables.get(operands[0])
            case "set":
                self._variables[operands[0]] = self._value(operands[1])
            case "test":
                return self._holds(operands[0])
            case "next":
                return self._value(operands[0])
            case "import":
                return operands[1]
            case "enter":
                self.script.done.append(("enter", self._value(operands[0])))
                return self._value(operands[0])
            case "call":
                name, arguments = self._value(operands[0]), [self._value(each.value) for each in operands[1]]
                if name == "Boom":
                    return None
                if name in ("items", "context"):
                    return arguments[0]
                try:
                    return getattr(self.script, name)(*arguments)
                except Boom:
                    raise _Raised from None
        return None


# Random sources.


@st.composite
def sources(draw: st.DrawFn, *, uses: bool = False) -> str:
    """The text of a function `f`. uses: it takes attributes of what its variables hold."""
    return "def f():\n    x = y = None\n" + "\n".join(_Made(draw, uses).block(2, 1, loop=False))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of a function `f`, and of functions and a class that it calls, with arguments passed in any way."""
    lines = ["import functools", "", "def kept(h):", "    @functools.wraps(h)", "    def inner(*args, **names):"]
    lines += ["        return h(*args, **names)", "    return inner", "", "class K:"]
    for name, first in (("__init__", "self, "), ("m", "self, "), ("s", "")):
        lines += ["    @staticmethod"] if not first else []
        lines += _with_parameters(draw, name, first, 1, ())
    lines += _with_parameters(draw, "g", "", 0, ("K(", "K.s("))
    lines += ["@kept"] if draw(st.booleans()) else []
    lines += _with_parameters(draw, "h", "", 0, ("g(", "K(1).m("))
    called = ("g(", "g(", "h(", "K(", "K(1).m(", "K.m(K(1), ", "K.s(")
    made = _Made(draw, True, called)
    at_once = [f"    {made.call()}" for _ in range(draw(st.integers(0, 2)))]
    return "\n".join([*lines, "def f():", "    x = y = None", *at_once, *made.block(2, 1, loop=False)])


def _with_parameters(draw: st.DrawFn, name: str, first: str, indent: int, called: tuple[str, ...]) -> list[str]:
    of_taken = ["a", "a, b=None", "a, b=1, *c", "a=None, *c, d=None", "a, *, d=1", "*c, d=None", "a=None, **k"]
    taken = draw(st.sampled_from(of_taken))
    held = [each for each in "abd" if each in taken]
    held += ["(c and c[0])", "(len(c) > 1 and c[1])"] if "*c" in taken else []
    if "**k" in taken:
        held += ["k.pop('b', None)", "k.pop('d', 1)", "k.get('b')", "k.get('d', 1)", "('b' in k)"]
    margin = "    " * indent
    one, other = draw(st.sampled_from(held)), draw(st.sampled_from(held))
    body = [f"{margin}    if {draw(st.sampled_from(held))}:", f"{margin}        x.real"]
    body += _Made(draw, True, called, names="**k" in taken).block(1, indent + 1, loop=False)
    if name == "__init__":
        body = [line.partition("return")[0] + "return" if "return" in line else line for line in body]
        body.insert(0, f"{margin}    self.v = x")
    return [f"{margin}def {name}({first}{taken}):", f"{margin}    x, y = {one}, {other}", *body]


class _Made:
    """A function whose statements are drawn."""

    def __init__(self, draw: st.DrawFn, uses: bool, called: tuple[str, ...] = (), names: bool = False) -> None:
        self._draw = draw
        self._names = names  # whether `k` holds arguments by name
        self._uses = uses
        self._called = called  # beginnings of calls

    def call(self) -> str:
        passed = [self._draw(st.sampled_from(["x", "y", "None", "1"])) for _ in range(self._draw(st.integers(0, 2)))]
        if self._draw(st.booleans()):
            passed.append(self._draw(st.sampled_from(["*(x, y)", "*[y]", "*(1,)"])))
        for name in "abd":
            if not self._draw(st.integers(0, 3)):
                passed.append(f"{name}={self._draw(st.sampled_from(['x', 'y', 'None', '1']))}")
        if self._names and self._draw(st.booleans()):
            passed.append("**k")
        return self._draw(st.sampled_from(self._called)) + ", ".join(passed) + ")"

    def _expression(self, depth: int = 2) -> str:
        if self._called and not self._draw(st.integers(0, 3)):
            return self.call()
        kind = self._draw(st.integers(0, 9 if depth else 4))
        number = self._draw(st.integers(0, 5))
        simple = ["x", "y", "None", str(number), f"ask({number})"]
        if kind < len(simple):
            return simple[kind]
        one, other = self._expression(depth - 1), self._expression(depth - 1)
        return [
            f"({one} and {other})",
            f"({one} or {other})",
            f"(not {one})",
            f"({one} if {other} else note({number}))",
            f"({self._draw(st.sampled_from('xy'))} is {self._draw(st.sampled_from(['None', 'not None']))})",
        ][kind - len(simple)]

    def block(self, depth: int, indent: int, *, loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self._draw(st.integers(1, 3))):
            lines += self._statement(depth, indent, loop=loop)
        return lines

    def _statement(self, depth: int, indent: int, *, loop: bool) -> list[str]:
        margin, number = "    " * indent, self._draw(st.integers(0, 5))
        plain = [
            f"{self._draw(st.sampled_from('xy'))} = {self._expression()}",
            f"note({number})",
            f"fail({number})",
            f"return {self._expression()}",
            "raise Boom()",
            *(["break", "continue"] if loop else []),
            *([f"{name}.real" for name in "xy"] * 2 if self._uses else []),
            *([self.call(), f"x = {self.call()}"] if self._called else []),
        ]
        if not depth or self._draw(st.booleans()):
            return [margin + self._draw(st.sampled_from(plain))]

        def block(inside: bool = loop) -> list[str]:
            return self.block(depth - 1, indent + 1, loop=inside)

        match self._draw(st.integers(0, 6)):
            case 0:
                return [f"{margin}if {self._expression()}:", *block(), f"{margin}else:", *block()]
            case 1:
                return [f"{margin}while ask({number}):", *block(True), f"{margin}else:", *block()]
            case 2:
                return [f"{margin}for x in items({number}):", *block(True)]
            case 3:
                caught = self._draw(
                    st.sampled_from(
                        ["except Boom:", "except ValueError:", "except:", "except (ValueError, Boom) as z:"]
                    )
                )
                return [f"{margin}try:", *block(), f"{margin}{caught}", *block(), f"{margin}else:", *block()]
            case 4 | 5:
                return [f"{margin}try:", *block(), f"{margin}finally:", *block()]
        return [f"{margin}with context({number}) as x:", *block()]
