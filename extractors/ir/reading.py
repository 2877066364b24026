"""Units from their text form, for tests and for who writes one by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, cast

from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.ir.operands import (
    ANY,
    CONNECTIVES,
    QUESTIONS,
    TYPE_KINDS,
    Argument,
    Constant,
    Operand,
    Predicate,
    Type,
)
from pliant.extractors.ir.unit import Block, Class, Formal, Function, Instruction, Unit, Variable

_TOKEN = re.compile(
    r'\s*(?:(?P<variable>\$(?:[A-Za-z_][\w.#]*|"(?:[^"\\]|\\.)*"))|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|%(?P<value>\d+)|(?P<integer>-?\d+)|b(?P<block>\d+)\b|(?P<word>[A-Za-z_]\w*|==|<=|<)|(?P<mark>[=:,()\[\]]))",
    re.ASCII,
)
_PREDICATES = CONNECTIVES | QUESTIONS


class ReadingError(ValueError):
    """A text that is no unit: the message names the line, what was expected there and what was found."""


def read(text: str) -> Unit:
    """The unit of a text form; a text of functions alone is one, too. Raises ReadingError."""
    unit = Unit("")
    for number, content in enumerate(text.split("\n"), 1):
        if content.strip():
            line = _Line(content, number)
            _READERS.get(line.word(), _instruction if not line.at_block else _block)(line, unit)
            line.end()
    return unit


class _Line:
    """The tokens of a line."""

    def __init__(self, text: str, number: int) -> None:
        self._number = number
        self._tokens: list[tuple[str, str]] = []
        end = len(text.rstrip())
        at = 0
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise ReadingError(f"line {number}, column {at + 1}: expected an operand, found {text[at : at + 20]!r}")
            self._tokens.append((cast("str", match.lastgroup), match[cast("str", match.lastgroup)]))
            at = match.end()
        self._tokens.append(("end", "the end of the line"))
        self._at = 0

    def peek(self) -> tuple[str, str]:
        return self._tokens[self._at]

    def next(self, kind: str, text: str = "") -> str:
        found, content = self._tokens[self._at]
        if found != kind or (text and content != text):
            raise ReadingError(
                f"line {self._number}: expected {f'{text!r}' if text else f'a {kind}'}, found {content!r}"
            )
        self._at += 1
        return content

    def skip(self, text: str) -> bool:
        """Whether `text` stands here; it is passed over."""
        found = self._tokens[self._at][0] in ("mark", "word") and self._tokens[self._at][1] == text
        self._at += found
        return found

    def word(self) -> str:
        """The first word of a line that starts with one."""
        return self._tokens[0][1] if self._tokens[0][0] == "word" else ""

    @property
    def at_block(self) -> bool:
        return self._tokens[0][0] == "block"

    def end(self) -> None:
        self.next("end")

    def string(self) -> str:
        return str(json.loads(self.next("string")))

    def strings(self) -> list[str]:
        found = []
        while self.peek()[0] == "string":
            found.append(self.string())
        return found

    def variable(self) -> str:
        name = self.next("variable")[1:]
        return str(json.loads(name)) if name.startswith('"') else name

    def block(self) -> int:
        return int(self.next("block"))

    def value(self) -> Operand:
        kind, content = self.peek()
        if kind == "value":
            return int(self.next("value"))
        if kind == "string":
            return Constant("string", self.string())
        if kind == "integer":
            return Constant("integer", int(self.next("integer")))
        word = self.next("word")
        if word in ("true", "false"):
            return Constant("boolean", word == "true")
        if word in ("null", "other"):
            return Constant(cast("Any", word))
        if word in ("float", "bytes"):
            return Constant(cast("Any", word), self.of(self.string)[0])
        raise ReadingError(f"line {self._number}: expected a value or a constant, found {content!r}")

    def of(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """What stands in parentheses."""
        self.next("mark", "(")
        return self._until(")", read)

    def several(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """What stands in brackets."""
        self.next("mark", "[")
        return self._until("]", read)

    def _until(self, closing: str, read: Callable[[], Any]) -> tuple[Any, ...]:
        found: list[Any] = []
        while not self.skip(closing):
            if found:
                self.next("mark", ",")
            found.append(read())
        return tuple(found)

    def type(self) -> Type:
        kind = self.next("word")
        if kind not in TYPE_KINDS:
            raise ReadingError(f"line {self._number}: expected a type, found {kind!r}")
        if self.peek() != ("mark", "("):
            return ANY if kind == "any" else Type(kind)
        parts = self.of(lambda: self.string() if self.peek()[0] == "string" else self.type())
        names = [part for part in parts if isinstance(part, str)]
        name, module = [*names, "", ""][:2]
        return Type(kind, name, module, tuple(part for part in parts if isinstance(part, Type)))

    def predicate(self) -> Predicate:
        operator = self.next("word")
        if operator not in _PREDICATES:
            raise ReadingError(f"line {self._number}: expected a predicate, found {operator!r}")
        if operator in CONNECTIVES:
            return Predicate(operator, self.of(self.predicate))
        return Predicate(operator, self.of(self._part))

    def _part(self) -> Operand | Type:
        kind, content = self.peek()
        return self.type() if kind == "word" and content in TYPE_KINDS else self.value()

    def argument(self) -> Argument:
        operand = self.value()
        if isinstance(operand, Constant) and operand.kind == "string" and self.skip(":"):
            return Argument(self.value(), str(operand.content))
        return Argument(operand)

    def case(self) -> tuple[Operand, int]:
        constant = self.value()
        self.next("mark", ":")
        return constant, self.block()

    def operand(self, kind: str) -> Any:
        match kind:
            case "value" | "constant":
                return self.value()
            case "values":
                return self.several(self.value)
            case "arguments":
                return self.several(self.argument)
            case "variable":
                return self.variable()
            case "type":
                return self.type()
            case "predicate":
                return self.predicate()
            case "block":
                return self.block()
            case "cases":
                return self.several(self.case)
        return self.string()


def _unit(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.language, unit.module = line.next("word"), line.string()


def _mentions(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.mentions.append(line.string())


def _class(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.classes.append(Class(line.type(), cast("Any", line.next("word"))))


def _base(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.classes[-1].bases.append(line.type())


def _field(line: _Line, unit: Unit) -> None:
    line.next("word")
    name = line.string()
    unit.classes[-1].fields[name] = line.type()


def _global(line: _Line, unit: Unit) -> None:
    line.next("word")
    name = line.string()
    unit.variables[name] = line.type()


def _renames(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.renames.append(line.string())


def _number(line: _Line, unit: Unit) -> None:
    line.next("word")
    name = line.string()
    unit.numbers[name] = int(line.next("integer"))


def _private(line: _Line, unit: Unit) -> None:
    line.next("word")
    name = line.string()
    unit.private[name] = line.type()


def _function(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.functions.append(Function(line.string(), result=line.type()))


def _owner(line: _Line, unit: Unit) -> None:
    line.next("word")
    unit.functions[-1].owner = line.type()


def _flags(line: _Line, unit: Unit) -> None:
    line.next("word")
    found = []
    while line.peek()[0] == "word":
        found.append(line.next("word"))
    unit.functions[-1].flags = frozenset(found)


def _formal(line: _Line, unit: Unit) -> None:
    line.next("word")
    name, kind, how = line.variable(), line.type(), line.next("word")
    unit.functions[-1].formals.append(Formal(name, kind, cast("Any", how), line.skip("default")))


def _variable(line: _Line, unit: Unit) -> None:
    line.next("word")
    name, kind, home = line.variable(), line.type(), line.next("word")
    owner = "".join(line.strings())
    unit.functions[-1].variables[name] = Variable(name, kind, cast("Any", home), owner)


def _block(line: _Line, unit: Unit) -> None:
    line.block()
    line.next("mark", ":")
    unit.functions[-1].blocks.append(Block(handler=line.block() if line.skip("handler") else None))


def _instruction(line: _Line, unit: Unit) -> None:
    function = unit.functions[-1]
    last = next((block.instructions[-1] for block in reversed(function.blocks) if block.instructions), None)
    number = last.number + 1 if last is not None else 1
    if line.peek()[0] == "value":
        line.next("value", str(number))
        line.next("mark", "=")
    name = line.next("word")
    if name not in INSTRUCTIONS:
        raise ReadingError(f"line {line._number}: expected an instruction, found {name!r}")
    operands = []
    for position, (_, kind) in enumerate(INSTRUCTIONS[name].operands):
        if position:
            line.next("mark", ",")
        operands.append(line.operand(kind))
    if line.skip("in"):
        function.within[number] = line.string()
    function.blocks[-1].instructions.append(Instruction(number, name, tuple(operands)))


_READERS: dict[str, Callable[[_Line, Unit], None]] = {
    "unit": _unit,
    "mentions": _mentions,
    "class": _class,
    "base": _base,
    "field": _field,
    "global": _global,
    "private": _private,
    "number": _number,
    "renames": _renames,
    "function": _function,
    "owner": _owner,
    "flags": _flags,
    "formal": _formal,
    "variable": _variable,
}
