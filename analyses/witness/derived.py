"""What the rules have derived, looked up where a run or a way asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np

from pliant.analyses.witness.effects import ANYTHING, Closure, Effects
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Reads
from pliant.analyses.wording import file_of, what_of
from pliant.engine import Evaluation
from pliant.extractors.facts import OWN, escape_path
from pliant.extractors.ir.operands import Argument
from pliant.extractors.languages import language_of

_MOST_VALUES = 20
_ADDRESS = "&->"  # before the name of a field whose address is taken
COPIES = "="  # in place of a field that a function writes: a structure becomes a copy of another one


@dataclass(frozen=True, slots=True)
class Callees:
    """What a call runs. bodies: functions of the repository. known: whether that is all. reads: whether it is a
    function of the library that changes nothing. makes: whether it gives an object of a class of the repository; a new
    one if that is `new`, which a class of the library may not give. anything: whether it may run code that nobody
    knows. library: the function of the library that it runs, if it is one that is known. present: whether it
    never gives null."""

    bodies: Sequence[str]
    known: bool
    reads: bool
    makes: Literal["", "new", "object"] = ""
    anything: bool = False
    of: str = ""
    library: str = ""
    present: bool = False


class _Rows:
    """Rows by their first column."""

    def __init__(self, rows: np.ndarray) -> None:
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        self._first, self._others = np.ascontiguousarray(rows[:, 0]), rows[:, 1:]

    def __len__(self) -> int:
        return len(self._first)

    def _at(self, entry: int) -> np.ndarray:
        begin, end = np.searchsorted(self._first, [entry, entry + 1])
        return self._others[begin:end]

    def of(self, entry: int) -> list[int]:
        """The second column."""
        found: list[int] = self._at(entry)[:, 0].tolist()
        return found

    def of_all(self, entries: np.ndarray) -> np.ndarray:
        """The rows of sorted entries: those, and the other columns."""
        found = np.minimum(np.searchsorted(entries, self._first), max(len(entries) - 1, 0))
        kept = entries[found] == self._first if len(entries) else np.zeros(len(self), bool)
        return np.column_stack((self._first[kept], self._others[kept]))

    def of_pairs(self, entry: int) -> list[list[int]]:
        """The second and the third column."""
        found: list[list[int]] = self._at(entry).tolist()
        return found


def _relation(name: str, *columns: int) -> Callable[[Derived], _Rows]:
    """The rows of a relation, by one of its columns, with others."""

    def read(self: Derived) -> _Rows:
        return _Rows(self.evaluation.rows(name)[:, list(columns)])

    return read


class Derived:
    """What one evaluation has derived."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation, self.reads = evaluation, Reads()
        self._callees: dict[str, Callees] = {}
        self._names: dict[int, str] = {}
        self._entries: dict[str, int] = {}

    _up = cached_property(_relation("up", 1, 0))
    _down = cached_property(_relation("down", 1, 0))
    _wary = cached_property(_relation("wary", 1, 0))
    _expected = cached_property(_relation("expected", 1, 0))
    _comes_up = cached_property(_relation("up", 0, 1))
    _comes_down = cached_property(_relation("down", 0, 1))
    calls = cached_property(_relation("calls", 0, 1))
    passed = cached_property(_relation("passes", 2, 0, 1))  # by parameter: call, argument
    _returned = cached_property(_relation("returns", 0, 1))
    _elements = cached_property(_relation("element", 0, 1, 2))
    _items = cached_property(_relation("tuple_item", 0, 1, 2))
    _entered = cached_property(_relation("enter", 0, 1))
    _objects = cached_property(_relation("assign_object", 0, 1))
    _yields = cached_property(_relation("yields", 0, 1))
    defaults = cached_property(_relation("default", 0, 1))
    _flow = cached_property(_relation("flow", 0, 1))
    _summary = cached_property(_relation("summary", 0, 1))
    _uses = cached_property(_relation("dereference", 0, 1))
    _needs_inside = cached_property(_relation("needs_inside", 0, 1))
    _actual = cached_property(_relation("actual", 0, 1, 2))
    _actual_name = cached_property(_relation("actual_name", 0, 1, 2))
    _evident = cached_property(_relation("evident", 0, 1))
    _targets = cached_property(_relation("any_target", 0, 1))
    _constructions = cached_property(_relation("construction", 0, 1))
    _required = cached_property(_relation("lib_requires", 0, 1, 2, 3))
    _nullable = cached_property(_relation("lib_nullable", 0, 1))
    _writes = cached_property(_relation("field_write", 0, 1))
    _states = cached_property(_relation("state_write", 0, 1))
    _calls_in = cached_property(_relation("call", 1, 0))
    _called_by = cached_property(_relation("calls", 1, 0))
    _loads = cached_property(_relation("load", 2, 0))
    _loaded = cached_property(_relation("load", 0, 2))
    _invoked = cached_property(_relation("call_method", 2, 0))
    _constructs = cached_property(_relation("constructs", 0, 1))
    _on_base = cached_property(_relation("bound_target", 0, 1))
    _unbound = cached_property(_relation("target", 0, 1))
    _classes = cached_property(_relation("class_def", 0, 1))
    _computed = cached_property(_relation("computed", 0, 0))
    _bases = cached_property(_relation("class_base", 0, 1))
    _derives = cached_property(_relation("subclass", 0, 1))
    _of_class = cached_property(_relation("class_lookup", 0, 1))
    _found_in = cached_property(_relation("class_lookup", 2, 0))
    _held_by = cached_property(_relation("holds", 1, 0))
    _below = cached_property(_relation("subclass", 1, 0))
    _of_library = cached_property(_relation("library_base", 0, 1))
    _written_late = cached_property(_relation("written_late", 1, 0))
    _scalars = cached_property(_relation("scalar_field", 0, 1, 2))
    _writes_state = cached_property(_relation("state_write", 1, 0))

    _stands_for = cached_property(_relation("stands_for", 0, 1))
    _imported = cached_property(_relation("import_from", 2, 0, 1))  # by name: what it is here, the module
    _imports = cached_property(_relation("import_from", 0, 1, 2))
    _exported = cached_property(_relation("exported", 1, 0, 2))  # by name: the file, the variable
    _exporting = cached_property(_relation("exported", 2, 0, 1))
    _modules = cached_property(_relation("module", 0, 1))
    _module_files = cached_property(_relation("module", 1, 0))

    def entry(self, name: str) -> int:
        """The id of a symbol; -1 for one that is not known, and for none: the empty text may be in a fact."""
        if not name:
            return -1
        known = self._entries.get(name)
        if known is None:
            [known] = self.evaluation.symbol_ids([name]).tolist()
            self._entries[name] = known
        return known

    def name(self, entry: int) -> str:
        known = self._names.get(entry)
        if known is None:
            known = self._names[entry] = self.evaluation.strings([entry])[0]
            self._entries[known] = entry
        return known

    def names(self, entries: Iterable[int]) -> list[str]:
        """The names of symbols, found together."""
        return self.evaluation.strings(sorted(entries))

    def entries(self, names: Sequence[str]) -> list[int]:
        """The ids of symbols, found together: one by one takes much longer."""
        found: list[int] = self.evaluation.symbol_ids(list(names)).tolist()
        self._entries.update(zip(names, found, strict=True))
        return found

    # Nulls.

    def has_null(self, origin: int) -> frozenset[int]:
        """The values that may be the null made at `origin`."""
        return frozenset(
            value for rows in (self._up, self._down, self._wary, self._expected) for value in rows.of(origin)
        )

    def come_to(self, origins: Sequence[str], holds: Callable[[str], bool]) -> set[str]:
        """Those of some origins whose null may be a value of which something holds, by the name of the value."""
        entries = np.array(self.entries(origins), np.int64)
        asked = np.unique(entries)
        rows = np.concatenate([each.of_all(asked) for each in (self._up, self._down, self._wary, self._expected)])
        values = np.unique(rows[:, 1])
        chosen = values[np.fromiter(map(holds, self.evaluation.strings(values)), bool, len(values))]
        found = np.unique(rows[np.isin(rows[:, 1], chosen), 0])
        return {origins[number] for number in np.flatnonzero(np.isin(entries, found)).tolist()}

    def fields_of(self, values: Iterable[int]) -> frozenset[str]:
        """The names of the fields that values are read from."""
        return frozenset(map(self.name, {field for each in values for field in self._loaded.of(each)}))

    def may_be_null(self, call: str, formal: str, passed: Callable[[str], bool]) -> tuple[bool, int]:
        """Whether anything shows that what a call passes for a parameter may be null, and how many values were looked
        at; also where nobody knows what it passes. passed: whether that may be null which a parameter of the function
        holds that calls."""
        known = self.entry(call)
        todo = [argument for by, argument in self.passed.of_pairs(self.entry(formal)) if by == known]
        seen: set[int] = set()
        if not todo:
            return True, 0
        while todo:
            each = todo.pop()
            if each in seen:
                continue
            seen.add(each)
            before = self.flows(each)
            todo += before
            shown = bool(self._comes_up.of(each) or self._comes_down.of(each))
            if not before and shown and (each not in self._formals or passed(self.name(each))):
                return True, len(seen)
        return False, len(seen)

    def used(self, site: str) -> list[int]:
        """The values that fail at a site if they are null."""
        return self._uses.of(self.entry(site))

    def used_inside(self, site: str) -> Iterator[tuple[int | str, int]]:
        """The arguments of a call for which the macro or the library fails if they are null: the position, or the name,
        and the value of each."""
        entry = self.entry(site)
        needs = self._needs_inside.of(entry)
        yield from ((position, value) for position, value in self._actual.of_pairs(entry) if value in needs)
        named = self._actual_name.of_pairs(entry) if needs else ()
        yield from ((self.name(name), value) for name, value in named if value in needs)

    def flows(self, value: int) -> list[int]:
        """The values that a value may be, in its function."""
        return self._flow.of(value) + self._summary.of(value)

    def results(self, value: int) -> Iterator[tuple[int, int, int]]:
        """Of what a call gives, or a context manager where it is entered, or an item of that: the call, what it runs,
        and the value that is returned there."""
        for body, returned in self._given(value):
            yield value, body, returned
        for base, number in self._elements.of_pairs(value):
            for call in self._may_be(base):
                for body, whole in self._given(call):
                    items = self._items.of_pairs(whole)
                    yield from ((call, body, item) for position, item in items if position == number)

    def _may_be(self, value: int) -> list[int]:
        """A value, and those of its function that it may be: not all of many."""
        found = [value]
        for each in found:
            if len(found) < _MOST_VALUES:
                found += [other for other in self.flows(each) + self._objects.of(each) if other not in found]
        return found

    def _given(self, value: int) -> Iterator[tuple[int, int]]:
        """Functions that give a value, and what they return or, as context managers, yield."""
        for body in self.calls.of(value):
            yield from ((body, returned) for returned in self._returned.of(body))
        for call in self._entered.of(value):
            for body in self.calls.of(call):
                yield from ((body, yielded) for yielded in self._yields.of(body))

    def gives(self, value: int) -> bool:
        """Whether a value is what a call gives, or a parameter that calls pass."""
        return any(rows.of(value) for rows in (self.calls, self.passed, self._entered))

    # Calls.

    @cached_property
    def ends(self) -> frozenset[str]:
        """The functions of the library that do not come back."""
        return frozenset(self.names(self.evaluation.rows("lib_noreturn")[:, 0].tolist()))

    @cached_property
    def names_of_ends(self) -> frozenset[str]:
        """The last parts of their names."""
        return frozenset(each.rpartition(".")[2] for each in self.ends)

    @cached_property
    def _changing(self) -> frozenset[int]:
        """The functions of the library that may change what they are called on."""
        return self._unknown.union(self.evaluation.rows("lib_mutates")[:, 0].tolist())

    @cached_property
    def _unknown(self) -> frozenset[int]:
        """The functions of the library of which it is not known what they change, or run."""
        return frozenset(self.evaluation.rows("lib_effects_unknown")[:, 0].tolist())

    @cached_property
    def _calling(self) -> np.ndarray:
        """Functions, and functions that they run."""
        call = self.evaluation.rows("call")
        calls = np.concatenate([self.evaluation.rows("calls"), self.evaluation.rows("constructs")])
        call = call[np.argsort(call[:, 0], kind="stable")]
        at = np.minimum(np.searchsorted(call[:, 0], calls[:, 0]), max(len(call) - 1, 0))
        known = call[at, 0] == calls[:, 0] if len(call) else np.zeros(len(calls), dtype=bool)
        return np.stack([call[at[known], 1], calls[known, 1]], axis=1)

    @cached_property
    def _invokes(self) -> _Rows:
        """By function, the functions that it runs."""
        return _Rows(self._calling)

    @cached_property
    def _invoked_from(self) -> _Rows:
        """By function, the functions that run it."""
        return _Rows(self._calling[:, ::-1])

    def callees(self, call: str) -> Callees:
        """What a call runs, by its symbol; empty for one that has none."""
        self.reads.asked("callees", call)
        found = self._callees.get(call)
        if found is None:
            found = self._callees[call] = self._called(call)
        return found

    def _called(self, call: str) -> Callees:
        if call and call not in self._entries:
            self._read_calls("|".join(call.split("|")[:2]))
        entry = self.entry(call) if call else -1
        if entry < 0:
            return Callees([], False, False)
        bodies = self.calls.of(entry) + self._constructs.of(entry)
        own = [name for name in map(self.name, bodies) if "|" in name]
        targets = self._targets.of(entry)
        reads = not own and any(map(self._nullable.of, targets)) and self._changing.isdisjoint(targets)
        language = language_of(file_of(call))
        semantics = language.semantics if language is not None and language.translates else None
        linkage = semantics.linkage if semantics is not None else ""
        if semantics is not None and semantics.pointers:
            reads = False  # what gives null makes something, or asks the system
        evident = set(self._evident.of(entry))
        makes = self._made(targets) if evident.issuperset(targets) else ""
        known = bool(own) and len(own) == len(bodies) and evident.issuperset(bodies)
        if any(self._classes.of(each) for each in targets):
            known &= bool(makes) and len(targets) == 1 and not self._calls_differ
        of = self.name(targets[0]) if makes == "new" and len(targets) == 1 else ""
        alone = len(targets) == 1 and not bodies and evident.issuperset(targets)
        library = self.name(targets[0]) if alone else ""
        library = "" if "|" in library or not library else f"{linkage}.{library}" if linkage else library
        present = alone and targets[0] in self._present
        return Callees(own, known, reads, makes, self._runs_anything(entry), of, library, present)

    def _read_calls(self, function: str) -> None:
        """Look the symbols of all calls of a function up together."""
        calls = self._calls_in.of(self.entry(function))
        self._entries.update(zip(self.evaluation.strings(calls), calls, strict=True))

    @cached_property
    def _formals(self) -> frozenset[int]:
        return frozenset(self.evaluation.rows("formal")[:, 2].tolist())

    @cached_property
    def _present(self) -> frozenset[int]:
        """The functions of the library that never give null, and its classes: a call of one makes an object."""
        rows = [self.evaluation.rows(each)[:, 0].tolist() for each in ("lib_present", "lib_class")]
        return frozenset(chain.from_iterable(rows))

    def required(self, function: str, arguments: Sequence[Argument]) -> list[Argument]:
        """The arguments for which a function of the library fails if they are null."""
        needs = self._required.of_pairs(self.entry(function))
        positions = {position for number, position, _ in needs if number in (len(arguments), -1)}
        names = {self.name(name) for _, position, name in needs if position < 0}
        starred = next((at for at, each in enumerate(arguments) if each.name.startswith("*")), len(arguments))
        by_position = [each for at, each in enumerate(arguments[:starred]) if at in positions and not each.name]
        return [*by_position, *(each for each in arguments if each.name and each.name in names)]

    def is_present(self, function: str) -> bool:
        """Whether a function of the library never gives null."""
        return self.entry(function) in self._present

    def _runs_anything(self, call: int) -> bool:
        """Whether a call may run code that nobody knows, of a language whose methods may be overridden anywhere."""
        if self.calls.of(call) or self._constructs.of(call):
            return False
        symbol = self.name(call)
        language = language_of(file_of(symbol))
        if language is None or not language.translates or not language.semantics.virtual:
            return False
        name, containers = what_of(symbol).strip(".()"), language.semantics.containers_of
        if name in language.semantics.library.at_once:
            return True
        targets = self._targets.of(call)
        if (targets and self._unknown.isdisjoint(targets)) or self._constructions.of(call):
            return False
        return containers is None or name not in containers.harmless | language.semantics.pure.calls

    def _made(self, targets: Sequence[int]) -> Literal["", "new", "object"]:
        """What calling any of `targets` makes, as in `Callees`."""
        new = self.entry("__new__")
        if not targets or not all(self._classes.of(each) and new not in self._of_class.of(each) for each in targets):
            return ""
        todo = list(targets)
        seen: set[int] = set()
        while todo:
            each = todo.pop()
            if each not in seen:
                seen.add(each)
                above = self._derives.of(each)
                if not self._classes.of(each) or len(above) < len(self._bases.of(each)) or self._calls_differ:
                    return "object"
                todo += above
        return "new"

    @cached_property
    def _calls_differ(self) -> bool:
        """Whether a class of classes says what calling a class does: nobody knows of which."""
        rows = self.evaluation.rows("library_base")
        of_classes = rows[rows[:, 1] == self.entry("builtins.type"), 0].tolist()
        return any(self.entry("__call__") in self._of_class.of(each) for each in of_classes)

    def scalar(self, owner: str, field: str) -> int | None:
        """The number that a field of a class has by its initialiser, if that is one."""
        known = self.entry(field)
        found = [number for name, number in self._scalars.of_pairs(self.entry(owner)) if name == known]
        return found[0] if len(found) == 1 else None

    def written_late(self, field: str) -> list[int]:
        """The classes whose methods write a field of an object that has been made; `?` for any."""
        return self._written_late.of(self.entry(field))

    def named_number(self, code: Code, variable: str) -> int | None:
        """The number for which a variable of another file stands, where one alone is defined by that name."""
        known = code.function.variables.get(variable)
        constant = code.semantics.constant
        named = constant(known.name) if constant is not None and known is not None and known.home == "import" else None
        found = set() if named is None else set(self._stands_for.of(named))
        return found.pop() if len(found) == 1 else None

    def writes_state(self, field: str) -> list[str]:
        """The functions that write a field that holds no object."""
        return [self.name(each) for each in self._writes_state.of(self.entry(field))]

    def is_never_null(self, path: str, name: str) -> bool:
        """Whether a variable of a file, or one that it imports by its name, is never null: all that the program ever
        sets it to, in any file, are results of calls that never give null."""
        known, file = self.entry(name), self.entry(f"{escape_path(path)}{OWN}")
        todo = [cell for each, cell in self._exported.of_pairs(known) if each == file]
        todo += [value for value, _ in self._imported.of_pairs(known) if not todo and file_of(self.name(value)) == path]
        seen: set[int] = set()
        while todo:
            each = todo.pop()
            if each in seen:
                continue
            seen.add(each)
            before = [cell for module, of in self._imports.of_pairs(each) for cell in self._in_module(module, of)]
            for of_file, of in self._exporting.of_pairs(each):
                modules = self._modules.of(of_file)
                names = [value for value, module in self._imported.of_pairs(of) if module in modules]
                before += [source for one in (each, *names) for source in self._objects.of(one)]
            if not before and not self._is_there(each):
                return False
            todo += before
        return bool(seen)

    def _in_module(self, module: int, name: int) -> list[int]:
        files = self._module_files.of(module)
        return [cell for file, cell in self._exported.of_pairs(name) if file in files]

    def _is_there(self, value: int) -> bool:
        found = self.callees(self.name(value))
        return found.present or bool(found.makes)

    # Classes.

    def is_class(self, entry: int) -> bool:
        """Whether it is a class of the program."""
        return bool(self._classes.of(entry))

    def above(self, entry: int) -> list[int]:
        """The classes that a class is directly derived from."""
        return self._derives.of(entry)

    def below(self, entry: int) -> list[int]:
        """The classes that are directly derived from a class."""
        return self._below.of(entry)

    def library_bases(self, entry: int) -> list[int]:
        """The classes of the library that a class is derived from, as far as they are known."""
        return self._of_library.of(entry)

    def is_of_program(self, entry: int) -> bool:
        """Whether a class is one of the program, and so are all that its source names as its bases."""
        above = self._derives.of(entry)
        return len(above) >= len(self._bases.of(entry)) and all(map(self._classes.of, (entry, *above)))

    def running(self, function: int) -> set[int]:
        """The classes of the program on whose objects a virtual call runs a method."""
        return {each for held in self._held_by.of(function) for each in self._found_in.of(held)}

    def is_computed(self, load: str) -> bool:
        """Whether reading an attribute runs a property."""
        return bool(load and self._computed) and bool(self._computed.of(self.entry(load)))

    def constructs(self, call: str, function: str) -> bool:
        """Whether a call runs a function on the new object that it gives."""
        return self.entry(function) in self._constructs.of(self.entry(call))

    def is_bound(self, call: str, function: str) -> bool | None:
        """Whether a call runs a function on what it is found on, rather than on its first argument; None where it may
        be either."""
        known, entry = self.entry(call), self.entry(function)
        on_base, unbound = (entry in rows.of(known) for rows in (self._on_base, self._unbound))
        return None if on_base and unbound else not unbound

    def callers(self, function: str, programs: Programs) -> list[str]:
        """The calls of a function that only calls of the repository run; none where others may run it."""
        self.reads.asked("callers", function)
        code = programs.code(function)
        if code is None or not code.is_private or code.escapes:
            return []
        if code.function.owner is not None and self._is_value(code.name):
            return []
        return sorted(map(self.name, self._called_by.of(self.entry(function))))

    def _is_value(self, name: str) -> bool:
        """Whether a method of that name is taken as a value, or called where nobody knows on what."""
        entry = self.entry(name)
        if self._loads.of(entry) or self._loads.of(self.entry(f"{name}()")):
            return True
        return any(not self.calls.of(call) for call in self._invoked.of(entry))

    def near(self, functions: Iterable[str], callers: int, callees: int) -> set[str]:
        """Functions, those that call them through up to `callers` calls, and those that they call in the same way."""
        start = {entry for entry in self.entries(list(functions)) if entry >= 0}
        found = set(start)
        for relation, levels in ((self._invoked_from, callers), (self._invokes, callees)):
            at = start
            for _ in range(levels):
                at = {other for each in at for other in relation.of(each)} - found
                found |= at
        return set(map(self.name, found))

    def run_by(self, function: str) -> list[str]:
        """The functions that run a function."""
        return list(map(self.name, self._invoked_from.of(self.entry(function))))

    def effects(self, function: str) -> Effects:
        """What a call of a function may write, with all that it runs."""
        self.reads.asked("effects", function)
        return self._closure.of(self.entry(function))

    @cached_property
    def _closure(self) -> Closure:
        return Closure(self._own_effects, self._invokes.of)

    def _own_effects(self, function: int) -> Effects:
        calls = self._calls_in.of(function)
        if any(map(self._runs_anything, calls)):
            return ANYTHING
        fields = frozenset(map(self.name, (*self._writes.of(function), *self._states.of(function))))
        if COPIES in fields:
            return ANYTHING
        fields = self.with_pointed(fields)
        return Effects(fields, code=True, elements=function in self._filling or any(map(self._may_fill, calls)))

    @cached_property
    def pointed(self) -> frozenset[str]:
        """The fields whose address is taken anywhere."""
        made = map(what_of, self.evaluation.strings(self.evaluation.rows("interior")[:, 0]))
        return frozenset(each.removeprefix(_ADDRESS) for each in made if each.startswith(_ADDRESS))

    def with_pointed(self, fields: frozenset[str]) -> frozenset[str]:
        """What is written where fields are, if pointers lead to them."""
        if "*" in fields:
            return fields | self.pointed
        return fields if fields.isdisjoint(self.pointed) else fields | {"*"}

    @cached_property
    def _filling(self) -> frozenset[int]:
        """The functions that write elements of containers."""
        sites = self.evaluation.strings(self.evaluation.rows("write")[:, 0])
        return frozenset(self.entries(sorted({"|".join(site.split("|")[:2]) for site in sites})))

    def _may_fill(self, call: int) -> bool:
        """Whether a call that runs no code of the program may change what a container holds."""
        if self.calls.of(call) or self._constructs.of(call) or self._constructions.of(call):
            return False
        targets = self._targets.of(call)
        language = language_of(file_of(self.name(call)))
        if not targets and language is not None and language.translates:
            return what_of(self.name(call)).strip(".()") not in language.semantics.pure.calls
        return not all(self._nullable.of(each) for each in targets) or not self._changing.isdisjoint(targets)
