"""The instructions of the functions of one side, read when they are asked for, and what symbols stand for in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Protocol

from pliant.analyses.witness.bounds import Steps, TooLarge
from pliant.analyses.witness.counters import counters
from pliant.analyses.witness.graph import Shape, leading_to, shape_of
from pliant.analyses.witness.reads import Reads
from pliant.analyses.wording import file_of, shown_function, what_of
from pliant.extractors.encodings import readable
from pliant.extractors.ir import graph as flow
from pliant.extractors.ir import stored
from pliant.extractors.ir.operands import Constant, Operand, Predicate, Type
from pliant.extractors.ir.outline import Outline, short_name
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.stored import Damaged, Packed, Stored
from pliant.extractors.ir.unit import MODULE, Function, Instruction, Span, Unit
from pliant.extractors.languages import Language, language_of
from pliant.extractors.lowering.source import deep
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.names import Texts, site_of
from pliant.extractors.passes.outline import outline_of

_NOWHERE: Span = (0, 0, 0, 0)
Places = Mapping[str, tuple[str, int, int, int, int]]  # by symbol: file, first line and column, last line and column


_LOOKS = frozenset(("next", "require", "test", "branch"))  # do not change what they take
_NOT_OVERRIDDEN = frozenset(("private", "static", "final"))  # flags of methods


@dataclass(eq=False)
class Code:
    """A function. symbol: its own; path: of its file. entities: by the span of an instruction, the symbols that stand
    there."""

    symbol: str
    path: str
    outline: Outline
    function: Function
    semantics: Semantics
    entities: Mapping[Span, list[str]]
    _shape: Shape | None = None
    _counters: dict[int, Mapping[str, str]] = field(default_factory=dict)
    _reached: dict[int, set[int]] = field(default_factory=dict)
    _paths: dict[str, frozenset[tuple[str, ...]]] = field(default_factory=dict)

    @cached_property
    def index(self) -> Index:
        return Index(self.function)

    @cached_property
    def addressed(self) -> frozenset[str]:
        """The variables whose address is taken."""
        return frozenset(str(each.operands[0]) for each in self.index.of("address"))

    @cached_property
    def sets(self) -> frozenset[str]:
        """The variables that it sets."""
        return frozenset(str(each.operands[0]) for each in self.index.of("set"))

    @cached_property
    def unchanged(self) -> frozenset[str]:
        """The parameters that hold what is passed for them wherever the function is."""
        variables, changed = self.function.variables, self.sets | self.addressed | self._set_by_macros
        formals = frozenset(each.variable for each in self.function.formals)
        return frozenset(each for each in formals - changed if variables[each].home == "local")

    @cached_property
    def _set_by_macros(self) -> frozenset[str]:
        """The variables that are arguments of what may be macros of other files."""
        calls = (each for each in self.index.of("call") if self.may_expand(each))
        return frozenset(name for each in calls for name in self.passed_by_name(each))

    @cached_property
    def loads(self) -> frozenset[str]:
        """The fields that it reads, by name."""
        return frozenset(str(each.operands[1]) for each in self.index.of("load"))

    @cached_property
    def stay_empty(self) -> frozenset[int]:
        """The instructions that make a container which nothing is ever put into."""
        if self.semantics.pointers or not self.semantics.stays_empty or self.index.has("closure", "class", "fill"):
            return frozenset()
        uses: dict[Operand, list[Instruction]] = {}
        for each in self.function.instructions():
            for operand in each.uses():
                uses.setdefault(operand, []).append(each)
        kept: dict[str, bool] = {}  # by variable, whether what it holds is only looked at

        def is_kept(number: int, *, also_set: bool) -> bool:
            for each in uses.get(number, ()):
                if each.op == "set" and also_set:
                    name = each.operands[0]
                    if name not in kept:
                        known = self.function.variables.get(name)
                        gets = (get.number for get in self.index.of("get") if get.operands[0] == name)
                        is_own = known is None or known.home == "local"
                        kept[name] = is_own and all(is_kept(get, also_set=False) for get in gets)
                    if not kept[name]:
                        return False
                elif not (each.op in _LOOKS or (each.op == "invoke" and self.is_empty_if_base_is(each))):
                    return False
            return True

        made = (each for each in self.index.of("allocate") if not each.operands[1])
        return frozenset(each.number for each in made if is_kept(each.number, also_set=True))

    def is_empty_if_base_is(self, call: Instruction) -> bool:
        """Whether a method gives something empty of an empty string or container."""
        _, name, arguments = call.operands
        return name in self.semantics.stays_empty and not arguments

    @property
    def is_macro(self) -> bool:
        """Whether it is a macro, which sets variables of what uses it."""
        return "macro" in self.function.flags

    def may_expand(self, call: Instruction) -> bool:
        """Whether a call may be the use of a macro of another file."""
        callee = None if isinstance(call.operands[0], Constant) else self.instruction(call.operands[0])
        variable = (
            self.function.variables.get(callee.operands[0]) if callee is not None and callee.op == "get" else None
        )
        return variable is not None and variable.home == "import" and variable.name.partition("#")[0].isupper()

    def arguments_by_name(self, call: Instruction) -> Iterator[str]:
        """The variables that are arguments of a call; empty for another argument."""
        for each in call.operands[-1]:
            made = self.instruction(each.value) if isinstance(each.value, int) else None
            yield str(made.operands[0]) if made is not None and made.op == "get" else ""

    def passed_by_name(self, call: Instruction) -> list[str]:
        """The variables that are arguments of a call."""
        return [name for name in self.arguments_by_name(call) if name]

    def fields_of(self, name: str) -> Mapping[str, Type] | None:
        """The types of the fields of a class that the file shows."""
        known = self.outline.classes.get(name)
        return None if known is None else known[1]

    @cached_property
    def texts(self) -> Texts:
        return Texts(self.index)

    @property
    def null(self) -> str:
        """How the language writes its null."""
        return self.semantics.null

    @property
    def shown(self) -> str:
        """The function as reports name it."""
        return shown_function(self.symbol)

    def instruction(self, number: int) -> Instruction:
        return self.index.numbered[number]

    @property
    def name(self) -> str:
        """What the function is called where it stands."""
        return short_name(self.function.name)

    @cached_property
    def is_private(self) -> bool:
        """Whether nobody outside of the repository calls the function by its name: as it is declared, by what its
        language says of names, or since it stands in another function."""
        private = self.semantics.private and re.match(self.semantics.private, self.name) is not None
        around = self.function.name.rpartition(".")[0]
        return bool(private) or "private" in self.function.flags or around in self.outline.extents

    @cached_property
    def is_plain(self) -> bool:
        """Whether a call of the function does what its instructions do, and nothing else."""
        return self.has_body and self.is_plain_if_run

    @cached_property
    def is_plain_if_run(self) -> bool:
        """The same, if the call runs no function that overrides it."""
        later = not self.function.flags.isdisjoint(("generator", "asynchronous", "kept"))
        return not later and not self.has_deferred and not self.is_decorated

    @cached_property
    def has_null(self) -> bool:
        """Whether the source of the function has a null: a constant, or what a parameter is if it is left out."""
        defaults = self.outline.defaults_of(self.function.name).values()
        values = [each.operands[0] for each in self.function.instructions() if each.op == "const"]
        return any(isinstance(each, Constant) and each.kind == "null" for each in (*defaults, *values))

    @cached_property
    def has_deferred(self) -> bool:
        """Whether it defers calls, which may give other results."""
        return any(each.op == "defer" for each in self.function.instructions())

    @property
    def is_decorated(self) -> bool:
        """Whether what is called by its name is something else that a decorator has made of it."""
        return self.function.name in self.outline.decorators and "kept" not in self.function.flags

    @property
    def is_changed(self) -> bool:
        """Whether a context manager is something else than a generator that gets what is passed."""
        return self.outline.decorators.get(self.function.name, 0) > 1

    @cached_property
    def has_body(self) -> bool:
        """Whether the function does anything, or nothing can override it: a method that only raises, ends or gives a
        constant may be meant to be overridden, by code outside of the program too."""
        first, semantics = self.function.blocks[0].instructions, self.semantics
        return (
            self.function.owner is None
            or not semantics.objects
            or (semantics.virtual and not self.function.flags.isdisjoint(_NOT_OVERRIDDEN))
            or len(self.function.blocks) > 1
            or not {each.op for each in first}
            <= {
                "nothing",
                "exit",
                "raise",
                "call",
                "import",
                "get",
            }
        )

    @cached_property
    def escapes(self) -> bool:
        """Whether the function is used otherwise than by calling it, in its file, as far as that could be read."""
        return self.outline.escapes(self.function)

    @cached_property
    def tested(self) -> tuple[Type, ...]:
        """The classes that it asks for whether something is of them."""
        found: dict[Type, None] = {}
        todo = [operand for each in self.index.of("test", "branch") for operand in each.operands[:1]]
        while todo:
            predicate = todo.pop()
            if predicate.operator == "is" and predicate.operands[1].name not in self.function.variables:
                found[predicate.operands[1]] = None
            todo += [each for each in predicate.operands if isinstance(each, Predicate)]
        return tuple(found)

    @cached_property
    def supers(self) -> Mapping[int, Operand]:
        """What `super` values look attributes up for, by the number of the value."""
        return {each.number: each.operands[1] for each in self.function.instructions() if each.op == "super"}

    def symbol_of(self, instruction: Instruction) -> str:
        """The symbol of what an instruction gives; empty where it has none."""
        return self._symbols.get(instruction.number, "")

    def number_of(self, symbol: str) -> int:
        """The instruction that gives what a symbol stands for; 0 where there is none."""
        return self._numbers.get(symbol, 0)

    def made_at(self, inner: str) -> int:
        """The instruction that makes a function inside this one; 0 where none does, or several."""
        name = inner.rpartition("|")[2]
        found = [each.number for each in self.index.of("closure") if each.operands[0] == name]
        return found[0] if len(found) == 1 else 0

    def paths_behind(self, variable: str) -> frozenset[tuple[str, ...]]:
        """The fields, each in the one before, that it names behind a variable that holds a pointer."""
        found = self._paths.get(variable)
        if found is None:
            known: dict[Operand, tuple[str, ...]] = {}
            paths = set()
            for each in self.function.instructions():
                if each.op == "get" and each.operands[0] == variable:
                    known[each.number] = ()
                elif each.op in ("interior", "load", "store") and each.operands[0] in known:
                    path = (*known[each.operands[0]], each.operands[1])
                    if each.operands[1] not in ("*", "[]"):
                        paths.add(path)
                        if each.op == "interior":
                            known[each.number] = path
            found = self._paths[variable] = frozenset(paths)
        return found

    @cached_property
    def edges(self) -> flow.Edges:
        """Where control may go from each block."""
        return flow.edges(self.function.blocks)

    def _after(self, block: int) -> set[int]:
        """The blocks to which control may come behind a block."""
        found = self._reached.get(block)
        if found is None:
            found = self._reached[block] = set()
            todo = list(self.edges[block])
            while todo:
                each = todo.pop()
                if each not in found:
                    found.add(each)
                    todo += self.edges[each]
        return found

    def comes_before(self, number: int, other: int) -> bool:
        """Whether control may come from an instruction to another one."""
        at, place = self.block_of[number], self.block_of[other]
        return (at == place and number < other) or place in self._after(at)

    def set_after(self, number: int) -> frozenset[str]:
        """The variables that the function may set behind an instruction."""
        return frozenset(
            str(each.operands[0]) for each in self.index.of("set") if self.comes_before(number, each.number)
        )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {symbol: number for number, symbol in self._symbols.items()}

    @property
    def _symbols(self) -> dict[int, str]:
        return self._known[0]

    @cached_property
    def _known(self) -> tuple[dict[int, str], dict[str, int]]:
        """What each instruction gives, and the instruction of each use that is called as what it gives. Where several
        at a place are called alike, they are numbered in the order of the instructions, a use before what it gives;
        where there are more of one than of the other, nobody knows."""
        alike: dict[tuple[Span, str], list[Instruction]] = {}
        for span, here in self._places.items():
            for each in here:
                if each.gives:
                    alike.setdefault((span, self.texts.what(each, self.semantics.null)), []).append(each)
        found: dict[int, str] = {}
        uses: dict[str, int] = {}
        for (span, what), those in alike.items():
            symbols = sorted((each for each in self.entities.get(span, ()) if what_of(each) == what), key=_ordinal)
            numbers = [each.number for each in those]
            used = any(each.op in self.semantics.needs and site_of(each, self.semantics) == what for each in those)
            uses_alone = [
                each.number
                for each in self._places[span]
                if not each.gives and each.op in ("require", "put", "delete") and site_of(each, self.semantics) == what
            ]
            if uses_alone and not used and len(symbols) == len(numbers) + len(uses_alone):
                for number, symbol in zip(sorted((*numbers, *uses_alone)), symbols, strict=True):
                    if number in numbers:
                        found[number] = symbol
                    else:
                        uses[symbol] = number
            elif len(symbols) == len(numbers) and (not used or len(numbers) == 1):
                found.update(zip(numbers, symbols, strict=True))
            elif self.semantics.pointers and len(numbers) == 1 and symbols and those[0].op == "call":
                found[numbers[0]] = symbols[-1]  # behind the uses of its arguments
            elif used and len(symbols) == 2 * len(numbers):
                found.update(zip(numbers, symbols[1::2], strict=True))
                uses.update(zip(symbols[::2], numbers, strict=True))
        return found, uses

    @cached_property
    def _places(self) -> dict[Span, list[Instruction]]:
        """The instructions by where they stand."""
        found: dict[Span, list[Instruction]] = {}
        for instruction in self.function.instructions():
            span = self.function.spans.get(instruction.number)
            if span is not None:
                found.setdefault(span, []).append(instruction)
        return found

    def use_of(self, symbol: str) -> tuple[int, Operand | None]:
        """The instruction that fails where a symbol stands, and which of its operands is used if it is an argument."""
        if symbol in self._known[1]:
            return self._known[1][symbol], None
        what = what_of(symbol)
        found = [each.number for each in self._at(symbol) if what in (site_of(each, self.semantics), _compared(each))]
        if len(found) > 1:
            raise TooLarge("several uses stand at one place")
        if found:
            return found[0], None
        for instruction in self.function.instructions():
            if instruction.op == "call" and self.texts.what(instruction, "") == what:
                for operand, _ in instruction.operands[1]:
                    if symbol in self.entities.get(self.function.spans.get(operand, _NOWHERE), ()):
                        return instruction.number, operand
        return self.number_of(symbol), None

    def _at(self, symbol: str) -> Iterator[Instruction]:
        """The instructions where a symbol stands."""
        for span, here in self._places.items():
            if symbol in self.entities.get(span, ()):
                yield from here

    @cached_property
    def size(self) -> int:
        return sum(len(block.instructions) for block in self.function.blocks)

    def counters(self, header: int, loop: set[int]) -> Mapping[str, str]:
        """The local variables that only count in a loop, by name: `+` or `-`. A number without a sign may wrap around
        where some is taken from it."""
        if header not in self._counters:
            variables, limits = self.function.variables, self.semantics.limits
            changed = self.addressed | self._set_by_macros
            self._counters[header] = {
                name: sign
                for name, sign in counters(self.function, loop).items()
                if variables[name].home == "local" and name not in changed
                if sign == "+" or limits.get(variables[name].type.name, ((-1, 0),))[0][0] < 0
            }
        return self._counters[header]

    def shape(self, steps: Steps) -> Shape:
        """Of its blocks; it takes the same steps each time."""
        if self._shape is None:
            self._shape = shape_of(self.function, steps)
        else:
            steps.spend(self._shape.steps)
        return self._shape

    @cached_property
    def block_of(self) -> dict[int, int]:
        """The blocks of its instructions."""
        return {each.number: at for at, block in enumerate(self.function.blocks) for each in block.instructions}

    @cached_property
    def returning(self) -> list[Instruction]:
        """The instructions behind which the function may come back."""
        blocks = self.function.blocks
        ends = [at for at, block in enumerate(blocks) if block.instructions[-1].op == "exit"]
        wanted = leading_to(flow.predecessors(self.edges), ends)
        return [each for at, block in enumerate(blocks) if at in wanted for each in block.instructions]

    @cached_property
    def raises(self) -> bool:
        """Whether it may raise an exception of its own."""
        return any(block.instructions[-1].op == "raise" for block in self.function.blocks)

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """The names of what it imports, and of the methods that it calls."""
        imported = (each.name for each in self.function.variables.values() if each.home == "import")
        called = (each.operands[1] for each in self.function.instructions() if each.op in ("invoke", "import"))
        return frozenset(chain(imported, called))


def _compared(instruction: Instruction) -> str | None:
    """How two values are compared; None for other instructions."""
    return instruction.operands[0] if instruction.op == "compare" else None


class _Functions(Protocol):
    """The functions of a file, by name. outline: what they say of each other. Raises Damaged."""

    outline: Outline

    def function(self, name: str) -> Function | None: ...
    def digest(self, name: str) -> str | None: ...


class _Translated:
    """The functions of a file, from its source."""

    def __init__(self, unit: Unit) -> None:
        self.outline = outline_of(unit, [Index(each) for each in unit.functions])
        self._functions = {each.name: each for each in unit.functions}

    def function(self, name: str) -> Function | None:
        return self._functions.get(name)

    def digest(self, name: str) -> str | None:
        function = self._functions.get(name)
        try:
            with deep():
                return stored.digest(function) if function is not None else None
        except RecursionError:
            return ""


@dataclass(slots=True)
class _File:
    functions: _Functions
    semantics: Semantics
    entities: Mapping[Span, list[str]] | None = None


def _none_stored(_: str) -> Packed | None:
    return None


class Programs:
    """content: the bytes of a file, by its path. places: where its entities stand. instructions: in their stored form,
    None where they are not at hand: then the file is translated."""

    def __init__(
        self,
        content: Callable[[str], bytes],
        places: Callable[[str], Places],
        instructions: Callable[[str], Packed | None] = _none_stored,
    ) -> None:
        self._content, self._places, self._instructions = content, places, instructions
        self.reads = Reads()
        self._files: dict[str, _File | None] = {}
        self._functions: dict[tuple[str, str], Function | None] = {}
        self._codes: dict[str, Code | None] = {}
        self.final: frozenset[str] = frozenset()  # classes of libraries from which none is derived, by full names

    def code(self, symbol: str) -> Code | None:
        """The function of a symbol; None where it cannot be read."""
        self.reads.function(symbol)
        if symbol not in self._codes:
            self._codes[symbol] = self._read(symbol)
        return self._codes[symbol]

    def makes(self, function: str, inner: str) -> bool:
        """Whether a function makes another one at one place."""
        code = self.code(function)
        return code is not None and bool(code.made_at(inner))

    def digests(self, path: str) -> dict[str, str]:
        """A digest of each function of a file, by name, empty for one that has none; none of a file that cannot be
        read."""
        file = self._file(path)
        functions = file.functions if file is not None else None
        return {} if functions is None else {name: functions.digest(name) or "" for name in functions.outline.extents}

    def extent(self, path: str, name: str) -> Span | None:
        """Where a function of a file stands, as far as that is known."""
        file = self._file(path)
        return file.functions.outline.extents.get(name) if file is not None else None

    def declared(self, symbol: str) -> Function | None:
        """A function with what it declares, also where it has no body."""
        self.reads.function(symbol)
        return self._function(file_of(symbol), symbol.split("|")[1]) if "|" in symbol else None

    def is_abstract(self, symbol: str) -> bool:
        """Whether a function has no body."""
        known = self.declared(symbol)
        return known is not None and "declared" in known.flags

    def kind_of_class(self, symbol: str) -> str:
        """Whether a symbol stands for a `class` or an `interface`; empty where it cannot be read."""
        return self._class(symbol)[0]

    def field_of_class(self, symbol: str, field: str) -> Type | None:
        """What a class, itself, declares a field to be."""
        return self._class(symbol)[1].get(field)

    def annotated(self, symbol: str, field: str) -> frozenset[str]:
        """How a class declares a field, as in `annotate`."""
        file = self._file(file_of(symbol))
        name = symbol.partition("|")[2]
        return file.functions.outline.annotated.get((name, field), frozenset()) if file else frozenset()

    def _class(self, symbol: str) -> tuple[str, Mapping[str, Type]]:
        """The kind of a class, and its fields."""
        file = self._file(file_of(symbol))
        return (file.functions.outline.classes.get(symbol.partition("|")[2]) if file else None) or ("", {})

    def lines(self, path: str) -> list[bytes]:
        """The lines of a file."""
        language = language_of(path)
        source = self._content(path)
        return (readable(source, language.nulls)[0] if language is not None else source).split(b"\n")

    def _read(self, symbol: str) -> Code | None:
        path = file_of(symbol)
        name = symbol.split("|")[1] if "|" in symbol else ""
        function = self._function(path, name or MODULE)
        file = self._file(path)
        if file is None or function is None or not function.blocks or "declared" in function.flags:
            return None
        outline = file.functions.outline
        if name in outline.missing:
            return None
        if file.entities is None:
            file.entities = self._entities(path)
        return Code(symbol, path, outline, function, file.semantics, file.entities)

    def _function(self, path: str, name: str) -> Function | None:
        """A function of a file, read once."""
        key = (path, name)
        if key not in self._functions:
            file = self._file(path)
            try:
                with deep():
                    self._functions[key] = file.functions.function(name) if file is not None else None
            except Damaged:
                file = self._files[path] = self._translated(path)
                self._functions[key] = file.functions.function(name) if file is not None else None
        return self._functions[key]

    def _file(self, path: str) -> _File | None:
        if path not in self._files:
            self._files[path] = self._stored(path) or self._translated(path)
        return self._files[path]

    def _stored(self, path: str) -> _File | None:
        """A file whose functions are read one by one; None where they are not at hand."""
        language = self._language(path)
        packed = self._instructions(path) if language is not None else None
        if language is None or packed is None:
            return None
        try:
            return _File(Stored(packed), language.semantics)
        except Damaged:
            return None

    def _translated(self, path: str) -> _File | None:
        language = self._language(path)
        if language is None:
            return None
        try:
            source, _ = readable(self._content(path), language.nulls)
            return _File(_Translated(language.translate(source)), language.semantics)
        except Exception:  # what the facts leave out for the same reason is said with them
            return None

    def _language(self, path: str) -> Language | None:
        """The language of a file; None for one that is not translated."""
        language = language_of(path)
        if language is None or not language.translates:
            return None
        self.final |= language.semantics.final
        return language

    def _entities(self, path: str) -> dict[Span, list[str]]:
        found: dict[Span, list[str]] = {}
        for symbol, (_, *span) in self._places(path).items():
            found.setdefault((span[0], span[1], span[2], span[3]), []).append(symbol)
        return found


def _ordinal(symbol: str) -> tuple[int, str]:
    return len(symbol), symbol
