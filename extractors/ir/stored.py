"""The stored form of a file's instructions: JSON, compressed, of which one function can be read without the others.

What reads it takes nothing for granted: `Damaged` is raised for anything that `packed` does not make. Operands are read
as the table of instructions says, so that a new instruction needs nothing here.

    outline     an array: the functions, each with its digest, its extent, and the bytes that it has in `functions`,
                then the other fields of `Outline`
    functions   for each function: what it does, and the spans beside that
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, cast, get_args, get_type_hints

from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.ir.operands import ANY, CONNECTIVES, TYPE_KINDS, Argument, Constant, Operand, Predicate, Type
from pliant.extractors.ir.outline import Outline
from pliant.extractors.ir.unit import Block, Class, Formal, Function, Instruction, Span, Unit, Variable
from pliant.extractors.ir.verify import verify

MOST_BYTES = 64 << 20  # of either part, unpacked
Packed = tuple[bytes, bytes]  # outline, functions


class Damaged(ValueError):
    """What is stored is nothing that `packed` has made."""


# What reading something that is none of ours may raise.
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, zlib.error)


def digest(function: Function) -> str:
    """32 hexadecimal digits that are the same for functions which do the same in the same way, wherever they stand."""
    return _digest(_body(function))


def packed(unit: Unit, outline: Outline) -> Packed | None:
    """The stored form of a file; None for one that is too large or nested too deeply."""
    parts: list[bytes] = []
    rows = []
    try:
        for function in unit.functions:
            body, spans = _body(function), _spans(function)
            rows.append((function.name, _digest(body), function.extent, len(body), len(spans)))
            parts += (body, spans)
        functions = b"".join(parts)
        told = _encode(
            (
                rows,
                [(name, *of_class) for name, of_class in outline.classes.items()],
                sorted(outline.rebound),
                outline.decorators,
                outline.defaults,
                sorted(outline.volatile),
                [(*which, sorted(how)) for which, how in outline.annotated.items()],
                *(sorted(each) for each in (outline.passed, outline.kept, outline.read, outline.pointed)),
            )
        )
    except RecursionError:
        return None
    if outline.incomplete or max(len(functions), len(told)) > MOST_BYTES:
        return None
    return zlib.compress(told, 1), zlib.compress(functions, 1)


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:32]


def _plain(type_: object) -> object:
    """A type as JSON; all else that functions consist of is JSON already, as arrays."""
    if type(type_) is not Type:
        raise TypeError(f"{type_!r} cannot be stored")
    named = type_.name or type_.module or type_.of
    return (type_.kind, type_.name, type_.module, type_.of) if named else type_.kind


_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_plain)


def _encode(content: object) -> bytes:
    return _encoder.encode(content).encode("ascii")


def _body(function: Function) -> bytes:
    return _encode(
        (
            function.name,
            [(each.variable, each.type, each.kind, each.default) for each in function.formals],
            function.result,
            function.owner,
            sorted(function.flags),
            [(each.name, each.type, each.home, each.owner) for each in function.variables.values()],
            [(block.handler, [(each.op, *each.operands) for each in block.instructions]) for block in function.blocks],
            list(function.within.items()),
        )
    )


def _spans(function: Function) -> bytes:
    spans, span = function.spans, function.span
    own = "null" if span is None else _numbers(span)
    return f"[{_numbers(spans)},{_numbers(chain.from_iterable(spans.values()))},{own}]".encode("ascii")


def _numbers(numbers: Iterable[int]) -> str:
    """Numbers as JSON: there are so many that an encoder would take long."""
    return repr(list(numbers)).replace(" ", "")


@dataclass(frozen=True, slots=True)
class _Row:
    """Of a function: its digest, and where its body and its spans are."""

    digest: str
    body: slice
    spans: slice


class Stored:
    """A file in its stored form; a function is read when it is asked for. Raises Damaged."""

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        try:
            told = json.loads(_unpacked(packed[0]))
            functions, classes, rebound, decorators, defaults, volatile, annotated, *used = told
            self._rows = dict(_rows(functions))
            self._names = set(self._rows)
            passed, kept, read, pointed = map(_texts, used)
            self.outline = Outline(
                extents={_text(row[0]): _span(row[2]) for row in functions},
                classes={
                    _text(name): (_one_of(_CLASS_KINDS, kind), {field: _type(each) for field, each in fields.items()})
                    for name, kind, fields in classes
                },
                rebound=frozenset((_text(owner), _text(name)) for owner, name in rebound),
                decorators={name: _number(count) for name, count in decorators.items()},
                defaults={
                    name: {formal: _constant(each) for formal, each in of_name.items()}
                    for name, of_name in defaults.items()
                },
                volatile=_texts(volatile),
                annotated={(_text(owner), _text(name)): _texts(how) for owner, name, how in annotated},
                passed=passed,
                kept=kept,
                read=read,
                pointed=pointed,
            )
        except _DAMAGE as error:
            raise Damaged(str(error)) from None

    def digest(self, name: str) -> str | None:
        """The digest of a function; None where there is none of that name."""
        row = self._rows.get(name)
        return row.digest if row is not None else None

    def function(self, name: str) -> Function | None:
        row = self._rows.get(name)
        if row is None:
            return None
        try:
            function = _function(json.loads(self._functions[row.body]), json.loads(self._functions[row.spans]))
            function.extent = self.outline.extents[name]
            if function.name != name:
                raise ValueError("it is of another function")
            verify(function, self._names)
        except _DAMAGE as error:
            raise Damaged(f"{name}: {error}") from None
        return function

    @cached_property
    def _functions(self) -> bytes:
        return _unpacked(self._packed[1])


def _rows(functions: list[list[Any]]) -> Iterator[tuple[str, _Row]]:
    at = 0
    for name, of_body, _, body, spans in functions:
        middle = at + _number(body)
        end = middle + _number(spans)
        yield _text(name), _Row(_text(of_body), slice(at, middle), slice(middle, end))
        at = end


def _unpacked(content: bytes) -> bytes:
    inflate = zlib.decompressobj()
    unpacked = inflate.decompress(content, MOST_BYTES)
    if not inflate.eof:
        raise ValueError("it does not end")
    return unpacked


def _function(told: list[Any], beside: list[Any]) -> Function:
    name, formals, result, owner, flags, variables, blocks, within = told
    numbers, positions, span = beside
    if len(positions) != 4 * len(numbers):
        raise ValueError("numbers and spans do not match")
    of_numbers = iter(map(_number, positions))
    count = 0
    made = []
    for handler, instructions in blocks:
        of_block = []
        for op, *operands in instructions:
            count += 1
            for position, read in _READERS[op]:
                operands[position] = read(operands[position])
            of_block.append(Instruction(count, op, tuple(operands)))
        made.append(Block(of_block, None if handler is None else _number(handler)))
    return Function(
        _text(name),
        [
            Formal(_text(variable), _type(kind), cast("Any", _one_of(_FORMAL_KINDS, how)), default is True)
            for variable, kind, how, default in formals
        ],
        _type(result),
        None if owner is None else _type(owner),
        _texts(flags),
        {
            variable: Variable(_text(variable), _type(kind), cast("Any", _one_of(_HOMES, home)), _text(of))
            for variable, kind, home, of in variables
        },
        made,
        {_number(number): _text(of) for number, of in within},
        dict(zip(map(_number, numbers), zip(of_numbers, of_numbers, of_numbers, of_numbers, strict=True), strict=True)),
        _span(span),
    )


def _choices(owner: type, name: str) -> frozenset[str]:
    """What an attribute may be, as it is declared."""
    return frozenset(get_args(get_type_hints(owner)[name]))


_FORMAL_KINDS = _choices(Formal, "kind")
_HOMES = _choices(Variable, "home")
_CLASS_KINDS = _choices(Class, "kind")
_CONTENTS: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "float": (str,),
    "string": (str,),
    "bytes": (str,),
    "other": (type(None),),
}
_SIMPLE = {kind: ANY if kind == ANY.kind else Type(kind) for kind in TYPE_KINDS}


def _one_of(choices: frozenset[str], text: str) -> str:
    if text not in choices:
        raise ValueError("a word is none of those that are known")
    return text


def _text(content: Any) -> str:
    if type(content) is not str:
        raise TypeError("a text is none")
    return content


def _texts(content: list[Any]) -> frozenset[str]:
    return frozenset(map(_text, content))


def _number(content: Any) -> int:
    if type(content) is not int or content < 0:
        raise TypeError("a number is none")
    return content


def _span(content: Any) -> Span | None:
    if content is None:
        return None
    first, begin, last, end = map(_number, content)
    return first, begin, last, end


def _type(content: Any) -> Type:
    if type(content) is str:
        return _SIMPLE[content]
    kind, name, module, of = content
    return Type(_one_of(TYPE_KINDS, kind), _text(name), _text(module), tuple(map(_type, of)))


def _value(content: Any) -> Operand:
    return content if type(content) is int else _constant(content)


def _values(content: list[Any]) -> tuple[Operand, ...]:
    return tuple(map(_value, content))


def _constant(content: Any) -> Constant:
    kind, known = content
    if type(known) not in _CONTENTS[kind]:
        raise ValueError("a constant is of another kind")
    return Constant(kind, known)


def _arguments(content: list[Any]) -> tuple[Argument, ...]:
    return tuple(Argument(_value(value), name) for value, name in content)


def _predicate(content: Any) -> Predicate:
    operator, operands = content
    if operator in CONNECTIVES:
        return Predicate(operator, tuple(map(_predicate, operands)))
    if operator == "is":
        value, kind = operands
        return Predicate(operator, (_value(value), _type(kind)))
    return Predicate(operator, _values(operands))


def _cases(content: list[Any]) -> tuple[tuple[Constant, int], ...]:
    return tuple((_constant(constant), target) for constant, target in content)


_OF_KIND: dict[str, Callable[[Any], object]] = {
    "value": _value,
    "values": _values,
    "arguments": _arguments,
    "constant": _constant,
    "type": _type,
    "predicate": _predicate,
    "cases": _cases,
}  # what is of another kind is a text or a number of a block, which `verify` looks at
_READERS = {
    name: tuple((position, _OF_KIND[kind]) for position, (_, kind) in enumerate(opcode.operands) if kind in _OF_KIND)
    for name, opcode in INSTRUCTIONS.items()
}
