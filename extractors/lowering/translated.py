"""A file on its way to the intermediate representation: what `isolation` asks of it, whatever its language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from tree_sitter import Node

from pliant.extractors.budget import FILE_FUNCTIONS, TooMuch, file_steps, outer_steps, passes_steps, translation_steps
from pliant.extractors.ir import Builder, Unit
from pliant.extractors.ir.operands import OTHER, Type
from pliant.extractors.ir.unit import LeftOut
from pliant.extractors.lowering import isolation
from pliant.extractors.lowering.source import WORDS, span, text
from pliant.extractors.writer import LONGEST_NAME, shortened

Handler = TypeVar("Handler")


def registers(handlers: dict[str, Handler]) -> Callable[..., Callable[[Handler], Handler]]:
    """A decorator that takes node types, and registers what translates nodes of these."""

    def of_types(*kinds: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            handlers.update(dict.fromkeys(kinds, handler))
            return handler

        return register

    return of_types


class Body(Protocol):
    """A function under construction."""

    @property
    def builder(self) -> Builder: ...


@dataclass(slots=True)
class Pending:
    """A function whose body is translated, by `run`, when that around it is done. minor: as in `isolation.Waiting`."""

    node: Node
    body: Body
    run: Callable[[], object]
    minor: bool = False


def without_failures(begin: Callable[[isolation.LeftOut], TranslatedFile], size: int) -> Unit:
    """The unit of a file of `size` bytes; what fails costs itself (`Unit.left_out`). begin: makes its file. Raises what
    fails outside of any part; FileFails."""
    files: list[TranslatedFile] = []

    def attempt(writer: object, left_out: isolation.LeftOut) -> TranslatedFile:
        files[:] = [begin(left_out)]
        return files[0]

    isolation.lower(attempt, translation_steps(size))
    return files[0].unit


class TranslatedFile(ABC):
    """The unit of a file under construction (`isolation.File`). left_out: parts that are not translated, since they
    fail, and why. emit: what is done with the unit when it is complete. steps: that its translation has taken."""

    def __init__(self, root: Node, unit: Unit, left_out: isolation.LeftOut | None, emit: Callable[[Any], None]) -> None:
        self.root = root
        self.unit = unit
        self.pending: deque[Pending] = deque()
        self.unmodelled: dict[str, int] = {}
        self.left_out = left_out or {}
        self.failed: dict[isolation.Part, str] = {}
        self.steps = 0
        self._functions = 0
        self._taken: Pending | None = None
        self._emit = emit
        self._names: dict[str, int] = {}
        self._stored: frozenset[str] | set[str] | None = None  # once a function is left out

    @abstractmethod
    def outside(self) -> Body:
        """What is outside of functions, before it is translated."""

    @abstractmethod
    def lower_outside(self, body: Any) -> None:
        """Translate what is outside of functions."""

    @abstractmethod
    def variables(self, body: Any) -> dict[str, Type]:
        """The variables of the module, once that is done."""

    @abstractmethod
    def stored(self) -> frozenset[str] | set[str]:
        """Names of the fields that the file writes."""

    def translate(self) -> Unit:
        """The unit of the whole file. Raises what fails; TooMuch for a file that takes more steps than it has."""
        most_steps = file_steps(self.root.end_byte)
        self.lower_file()
        while (function := self.next_function()) is not None:
            function.lower()
            if self.steps > most_steps:
                raise TooMuch(f"it takes more than {most_steps:,} steps")
        return self.unit

    @property
    def steps_left(self) -> int:
        """The steps that the passes may take."""
        return passes_steps(self.root.end_byte, self.steps)

    @property
    def fn(self) -> Builder:
        return self._builder

    def lower_file(self) -> None:
        body = self.outside()
        self._builder = body.builder
        most_steps = translation_steps(self.root.end_byte)
        # What a former attempt has kept may be taken to its end.
        self._builder.most_steps = most_steps if self.left_out else outer_steps(self.root.end_byte)
        self.lower_outside(body)
        self._builder.most_steps = most_steps
        self.unit.functions.insert(0, body.builder.finish())
        self.steps += body.builder.steps
        self.unit.variables = self.variables(body)

    def next_function(self) -> isolation.Waiting | None:
        self._taken = None  # else the file would hold what holds it
        if not self.pending:
            return None
        self._taken = taken = self.pending.popleft()
        self._builder = taken.body.builder
        return isolation.Waiting(
            f"|{self._builder.function.name}", taken.node, partial(self._lower, taken), taken.minor
        )

    def wait(self, node: Node, body: Body, run: Callable[[], object], *, minor: bool = False) -> None:
        """Translate a function when what is around it is done. Raises TooMuch for a file that defines very many."""
        self._functions += 1
        if self._functions > FILE_FUNCTIONS:
            raise TooMuch(f"the file defines more than {FILE_FUNCTIONS:,} functions")
        self.pending.append(Pending(node, body, run, minor))

    def _lower(self, pending: Pending) -> None:
        pending.run()
        self.unit.functions.append(pending.body.builder.finish())
        self.steps += pending.body.builder.steps

    def leave_out(self, function: isolation.Waiting, reason: str) -> None:
        """A call of the function that was taken last comes back, and may have written each field that it mentions."""
        assert self._taken is not None
        builder = self._taken.body.builder
        if self._stored is None:
            self._stored = self.stored()
        for name in sorted(self._stored.intersection(WORDS.findall(text(function.node)))):
            builder.do("store", OTHER, name, OTHER)
        self.unit.functions.append(builder.finish())
        self.unit.left_out.append(LeftOut(builder.function.name, span(function.node), reason))

    def finish(self, spent: int) -> None:
        self.steps = spent
        self._emit(self)

    def unique(self, qualname: str) -> str:
        """The name of a definition; the second of the same name gets an ordinal."""
        if len(qualname) > LONGEST_NAME:
            qualname = shortened(qualname)
        count = self._names.get(qualname, 0) + 1
        self._names[qualname] = count
        return qualname if count == 1 else f"{qualname}#{count}"
