"""What a small function of the file does where some of what it is passed is known: it is run on that.

Numbers, truths, strings, null and objects of classes of the file are known; everything else is UNKNOWN. Where a
condition is not known, the function is run once for each side. What is not modelled ends the attempt: nothing is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pliant.extractors.ir.operands import ANY, Constant, Operand, Predicate, Type
from pliant.extractors.ir.semantics import Containers
from pliant.extractors.ir.unit import Block, Class, Function, Instruction
from pliant.extractors.passes import names
from pliant.extractors.passes.known_values import (
    UNKNOWN,
    Known,
    Null,
    Spec,
    Thing,
    Unknown,
    changed,
    compared,
    computed,
)
from pliant.extractors.passes.names import class_symbol

SMALL = 80  # instructions of a function that is run
_WAYS = 16  # through a function, with those that it calls
_DEPTH = 5  # calls in calls
_STEPS = 600  # instructions of one way
_NEVER_FAIL = frozenset(("+", "-", "*", "<", "<=", ">", ">="))  # of numbers
_FAIL = frozenset(("element", "put", "next", "slice", "convert", "await", "enter"))
_STEP = 4  # steps of the budget that an instruction takes


class File(Protocol):
    """What is known of the file: classes by name, methods by class and name, bases by the symbol of a class. needs:
    the instructions that fail where their base is null. containers: those of the language's
    library. false: constants that count as false. bits: those that
    integers are computed in, None where that is not known."""

    needs: frozenset[str]
    containers: Containers | None
    false: frozenset[object]
    bits: int | None
    classes: dict[str, Class]
    found: dict[tuple[str, str], list[Function]]
    bases: dict[str, list[str]]


@dataclass(slots=True)
class Way:
    """How a function was left: what it gave; None where it threw."""

    result: Known | None


class _GaveUp(Exception):
    """Something is not modelled."""


class _Thrown(Exception):
    def __init__(self, value: Known) -> None:
        super().__init__()
        self.value = value


def ways(file: File, function: Function, this: Spec, given: Sequence[Spec], spend: Callable[[int], None]) -> list[Way]:
    """All ways through a function; none where it cannot be run. spend: counts the steps that this takes."""
    found: list[Way] = []
    pending: list[list[bool]] = [[]]
    while pending:
        if len(found) == _WAYS:
            return []
        run = _Run(file, pending.pop())
        try:
            receiver, passed = run.make(this), [run.make(spec) for spec in given]
            found.append(Way(run.function(function, receiver, passed)))
        except _Thrown:
            found.append(Way(None))
        except _GaveUp:
            return []
        finally:
            spend(_STEP * (run.steps + 1))
        pending += run.others()
    return found


def made(file: File, spec: Spec, spend: Callable[[int], None]) -> Known:
    """What a specification of a new object makes, in one way."""
    run = _Run(file, [])
    try:
        value = run.make(spec)
    except (_GaveUp, _Thrown):
        return UNKNOWN
    finally:
        spend(_STEP * (run.steps + 1))
    return value if not list(run.others()) else UNKNOWN


def method_of(file: File, owner: str, name: str, count: int) -> Function | None:
    """The one method that objects of exactly this class of the file have; None where several, or none, are known."""
    seen: set[str] = set()
    while owner and owner not in seen:
        seen.add(owner)
        found = [each for each in file.found.get((owner, name), ()) if takes(each, count)]
        if found:
            return found[0] if len(found) == 1 else None
        bases = [base[1:] for base in file.bases.get(f"|{owner}", ()) if base.startswith("|")]
        owner = next((base for base in bases if base in file.classes and file.classes[base].kind == "class"), "")
    return None


def takes(function: Function, count: int) -> bool:
    """Whether a function takes exactly so many arguments, each by itself."""
    formals = names.taken(function)
    return len(formals) == count and all(each.kind == "one" for each in formals)


def _is_below(file: File, symbol: str, above: str) -> bool:
    """Whether a class of the file is derived from another one."""
    seen: set[str] = set()
    todo = [symbol]
    while todo:
        current = todo.pop()
        if current == above:
            return True
        if current not in seen:
            seen.add(current)
            todo += file.bases.get(current, ())
    return False


def is_a(file: File, value: Known, wanted: str) -> bool | None:
    """Whether a value is an object of a class, by its symbol."""
    if isinstance(value, Null):
        return False
    if not isinstance(value, Thing) or not value.kind or not value.instance:
        return None
    if _is_below(file, value.kind, wanted):
        return True
    todo, whole = [value.kind], value.kind in file.bases
    seen: set[str] = set()
    while todo and whole:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            whole = current in file.bases
            todo += file.bases.get(current, ())
    return False if whole else None


@dataclass(slots=True)
class _Frame:
    function: Function
    variables: dict[str, Known]
    values: dict[int, Known] = field(default_factory=dict)
    raised: Known = UNKNOWN
    made_by: dict[int, Instruction] = field(default_factory=dict)


class _Run:
    """One way. choices: the sides taken of the first conditions that are not known; later ones hold."""

    def __init__(self, file: File, choices: list[bool]) -> None:
        self._file = file
        self._given = len(choices)
        self._choices = choices
        self._asked = 0
        self._depth = 0
        self._tries = 0  # handlers around what is run
        self.steps = 0
        self._made: dict[Spec, Known] = {}

    def others(self) -> Iterator[list[bool]]:
        """The choices of the ways that part from this one."""
        for number in range(self._given, len(self._choices)):
            yield [*self._choices[:number], not self._choices[number]]

    def make(self, spec: Spec) -> Known:
        """A value of which that is known; two of one specification that names an object are the same."""
        if spec not in self._made:
            self._made[spec] = self._make_new(*spec)
        return self._made[spec]

    def _make_new(self, what: object, *of: object) -> Known:
        if what == "is" and isinstance(of[0], int | str):
            return of[0]
        if what == "null":
            return Null()
        if what == "new":
            thing = Thing(str(of[0]))
            self._construct(thing, str(of[0])[1:], [self.make(spec) for spec in of[1:-1] if isinstance(spec, tuple)])
            return thing
        if what == "empty":
            return Thing(empty=bool(of[0]))
        return Thing(str(of[0])) if what == "made" else Thing() if what == "some" else UNKNOWN

    def _choose(self) -> bool:
        self._asked += 1
        if self._asked > len(self._choices):
            self._choices.append(True)
        return self._choices[self._asked - 1]

    # Functions.

    def function(self, function: Function, this: Known, given: list[Known]) -> Known:
        """Run a function; what it gives."""
        if not function.blocks or self._depth == _DEPTH or not function.flags.isdisjoint(("generator", "asynchronous")):
            raise _GaveUp
        formals = names.taken(function)
        if len(formals) != len(given) or any(each.kind != "one" for each in formals):
            raise _GaveUp
        frame = _Frame(function, dict(zip((each.variable for each in formals), given, strict=True)))
        frame.variables.update((each.variable, this) for each in function.formals if each.kind == "receiver")
        self._depth += 1
        try:
            return self._run(frame)
        finally:
            self._depth -= 1

    def _run(self, frame: _Frame) -> Known:
        blocks = frame.function.blocks
        number: int | None = 0
        while number is not None:
            block = blocks[number]
            try:
                number = self._block(frame, block)
            except _Thrown as thrown:
                if block.handler is None:
                    raise
                frame.raised = thrown.value
                number = block.handler
        return frame.values[-1]

    def _block(self, frame: _Frame, block: Block) -> int | None:
        """Run a block: where control goes then; None where the function is left, with the value -1."""
        for instruction in block.instructions[:-1]:
            self._step()
            frame.made_by[instruction.number] = instruction
            tries, self._tries = self._tries, self._tries + (block.handler is not None)
            try:
                if self._tries and self._may_fail(frame, instruction):
                    self._may_throw()
                frame.values[instruction.number] = self._value_of(frame, instruction)
            finally:
                self._tries = tries
        self._step()
        last = block.instructions[-1]
        operands = last.operands
        match last.op:
            case "jump":
                return int(operands[0])
            case "branch":
                known = self._asks(frame, operands[0])
                return int(operands[1 if (self._choose() if known is None else known) else 2])
            case "switch":
                value = self._operand(frame, operands[0])
                if not isinstance(value, int | str):
                    raise _GaveUp
                return int(next((target for each, target in operands[1] if each.content == value), operands[2]))
            case "exit":
                frame.values[-1] = self._operand(frame, operands[0][0]) if len(operands[0]) == 1 else UNKNOWN
                return None
            case "raise":
                raise _Thrown(self._operand(frame, operands[0]))
        raise _GaveUp

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise _GaveUp

    # Values.

    def _operand(self, frame: _Frame, operand: Operand) -> Known:
        if isinstance(operand, int):
            return frame.values[operand]
        if operand.kind in ("integer", "boolean"):
            return int(operand.content or 0)
        return str(operand.content) if operand.kind == "string" else UNKNOWN

    def _present(self, frame: _Frame, operand: Operand, op: str) -> Known:
        """What must not be null where an instruction takes it."""
        value = self._operand(frame, operand)
        if isinstance(value, Null) and (op == "require" or op in self._file.needs):
            raise _Thrown(Thing())
        return value

    def _asks(self, frame: _Frame, predicate: Predicate) -> bool | None:
        """Whether a predicate holds."""
        operator, operands = predicate.operator, predicate.operands
        if operator in ("and", "or", "not"):
            sides = [self._asks(frame, each) for each in operands if isinstance(each, Predicate)]
            if operator == "not":
                return None if sides[0] is None else not sides[0]
            return (operator == "or") if (operator == "or") in sides else None if None in sides else operator == "and"
        subject = operands[0]
        if not isinstance(subject, int | Constant):
            return None
        value = self._operand(frame, subject)
        if operator == "null":
            return None if isinstance(value, Unknown) else isinstance(value, Null)
        if operator in ("truth", "always"):
            if isinstance(value, Null):
                return False
            return value not in self._file.false if isinstance(value, int | str) else None
        other = operands[1]
        if operator == "is" and isinstance(other, Type):
            return is_a(self._file, value, class_symbol(other)) if other.kind == "class" else None
        if operator in ("==", "<", "<=") and isinstance(other, int | Constant):
            against = self._operand(frame, other)
            if (operator != "==" and isinstance(value, Null)) or isinstance(against, Null):
                raise _GaveUp
            return compared(operator, value, against)
        return None

    def _may_fail(self, frame: _Frame, instruction: Instruction) -> bool:
        """Whether an instruction may raise something, as far as operands are known."""
        op, operands = instruction.op, instruction.operands
        if op in ("arithmetic", "compare"):
            values = operands[1] if op == "arithmetic" else operands[1:]
            known = all(isinstance(self._operand(frame, each), int) for each in values)
            return not known or operands[0] not in _NEVER_FAIL
        if op in ("load", "store", "require"):
            value = self._operand(frame, operands[0])
            if isinstance(value, Null):
                return False  # it does, or it does not
            return not isinstance(value, Thing) or (value.instance and not value.kind.startswith("|"))
        return op in _FAIL

    def _value_of(self, frame: _Frame, instruction: Instruction) -> Known:
        op, operands = instruction.op, instruction.operands
        handler = _HANDLERS.get(op)
        if handler is not None:
            return handler(self, frame, *operands)
        match op:
            case "const":
                known = operands[0]
                return (
                    Null(frame.function.name, instruction.number)
                    if known.kind == "null"
                    else self._operand(frame, known)
                )
            case "nothing":
                return Null(frame.function.name, instruction.number)
            case "allocate" | "tuple":
                changed(*(self._operand(frame, each) for each in operands[-1]))
                return Thing()
            case "call" | "invoke":
                return self._called(frame, instruction)
            case "caught":
                return frame.raised if not isinstance(frame.raised, Unknown | Null) else Thing()
            case "declare" | "signature" | "annotate" | "compare":
                return UNKNOWN
            case "closure" | "import":
                return Thing()
        raise _GaveUp

    def _get(self, frame: _Frame, name: str) -> Known:
        variable = frame.function.variables[name]
        if variable.home == "local":
            return frame.variables.get(name, UNKNOWN)
        plain = name.partition("#")[0]
        return Thing(plain, instance=False) if plain in self._file.classes and variable.type == ANY else UNKNOWN

    def _set(self, frame: _Frame, name: str, operand: Operand) -> Known:
        if frame.function.variables[name].home != "local":
            raise _GaveUp
        frame.variables[name] = self._operand(frame, operand)
        return UNKNOWN

    def _load(self, frame: _Frame, base: Operand, name: str) -> Known:
        of = self._present(frame, base, "load")
        if isinstance(of, Thing) and not of.instance:
            inner = f"{of.kind}.{name}"
            return Thing(inner, instance=False) if inner in self._file.classes else UNKNOWN
        return of.fields.get(name, UNKNOWN) if isinstance(of, Thing) else UNKNOWN

    def _store(self, frame: _Frame, base: Operand, name: str, operand: Operand) -> Known:
        of, value = self._present(frame, base, "store"), self._operand(frame, operand)
        if isinstance(of, Thing) and of.instance:
            of.fields[name] = value
        else:
            changed(value)
        return UNKNOWN

    def _arithmetic(self, frame: _Frame, operator: str, operands: tuple[Operand, ...]) -> Known:
        known = computed(operator, [self._operand(frame, each) for each in operands])
        return UNKNOWN if isinstance(known, int) and self._file.bits is None else known

    def _test(self, frame: _Frame, predicate: Predicate) -> Known:
        known = self._asks(frame, predicate)
        return UNKNOWN if known is None else int(known)

    def _require(self, frame: _Frame, operand: Operand, *_: object) -> Known:
        self._present(frame, operand, "require")
        return UNKNOWN

    def _convert(self, frame: _Frame, operand: Operand, _: Type, how: str) -> Known:
        value = self._operand(frame, operand)
        if how in ("boxed", "asserted"):
            return value if isinstance(value, Thing) else Thing()
        return UNKNOWN if isinstance(value, int) else value

    def _copy(self, frame: _Frame, operand: Operand) -> Known:
        return self._operand(frame, operand)

    def _element(self, frame: _Frame, base: Operand, *_: object) -> Known:
        self._present(frame, base, "element")
        return UNKNOWN

    def _put(self, frame: _Frame, base: Operand, _: Operand, operand: Operand) -> Known:
        self._present(frame, base, "put")
        changed(self._operand(frame, operand))
        return UNKNOWN

    # Calls.

    def _called(self, frame: _Frame, instruction: Instruction) -> Known:
        arguments = instruction.operands[-1]
        if any(each.name for each in arguments):
            raise _GaveUp
        given = [self._operand(frame, each.value) for each in arguments]
        if instruction.op == "call":
            return self._made_by(frame, instruction.operands[0], given)
        base, name, _ = instruction.operands
        by = self._instruction(frame, base)
        if by is not None and by.op == "super":
            return self._of_base(frame, by, name, given)
        this = self._present(frame, base, "invoke")
        found = self._method(frame, this, base, name, len(given))
        if found is None and isinstance(this, Thing) and this.empty is not None:
            known = self._of_container(this.empty, name, len(given))
            if known is not None:
                return known
        if found is None:
            changed(this, *given)
            self._may_throw()
            return UNKNOWN
        return self.function(found, UNKNOWN if "static" in found.flags else this, given)

    def _instruction(self, frame: _Frame, operand: Operand) -> Instruction | None:
        """The instruction that gives an operand."""
        return frame.made_by.get(operand) if isinstance(operand, int) else None

    def _method(self, frame: _Frame, this: Known, base: Operand, name: str, count: int) -> Function | None:
        """The method of the file that a call runs, if that is known."""
        if isinstance(this, Thing) and not this.instance:
            found = [each for each in self._file.found.get((this.kind, name), ()) if takes(each, count)]
            return found[0] if len(found) == 1 and "static" in found[0].flags else None
        if isinstance(this, Thing) and this.kind.startswith("|"):
            return method_of(self._file, this.kind[1:], name, count)
        by = self._instruction(frame, base)
        owner = frame.function.owner
        receiver = next((each.variable for each in frame.function.formals if each.kind == "receiver"), None)
        if by is None or by.op != "get" or by.operands[0] != receiver or owner is None:
            return None
        own = [each for each in self._file.found.get((owner.name, name), ()) if takes(each, count)]
        fixed = len(own) == 1 and not own[0].flags.isdisjoint(("private", "static", "final"))
        return own[0] if fixed else None

    def _of_container(self, empty: bool, name: str, count: int) -> Known | None:
        """What a container gives; None where it has to be treated like any other object."""
        known = self._file.containers
        if known is None or name not in known.looks:
            return None
        if not count and name == known.empty:
            return int(empty)
        return 0 if not count and name == known.size and empty else UNKNOWN

    def _made_by(self, frame: _Frame, callee: Operand, given: list[Known]) -> Known:
        """What calling a class gives."""
        of = self._present(frame, callee, "call")
        by = self._instruction(frame, callee)
        if isinstance(of, Thing) and not of.instance:
            thing = Thing(f"|{of.kind}")
            self._construct(thing, of.kind, given)
            return thing
        changed(*given)
        self._may_throw()
        if by is not None and by.op == "import":
            module, member = by.operands
            return Thing(f"{module}.{member}")
        raise _GaveUp

    def _construct(self, thing: Thing, owner: str, given: list[Known]) -> None:
        """Run a constructor of a class of the file."""
        name = f"{names.CONSTRUCTOR} {owner.rpartition('.')[2]}"
        found = [each for each in self._file.found.get((owner, name), ()) if takes(each, len(given))]
        if len(found) != 1:
            raise _GaveUp
        self.function(found[0], thing, given)

    def _of_base(self, frame: _Frame, made: Instruction, name: str, given: list[Known]) -> Known:
        """A constructor of the base."""
        this = self._operand(frame, made.operands[1])
        bases = [each for each in self._file.bases.get(f"|{made.operands[0]}", ()) if each.startswith("|")]
        if not name.startswith(f"{names.CONSTRUCTOR} ") or not isinstance(this, Thing):
            raise _GaveUp
        owner = next((each[1:] for each in bases if each.rpartition(".")[2].lstrip("|") == name.partition(" ")[2]), "")
        if owner:
            self._construct(this, owner, given)
        else:
            changed(*given)
        return UNKNOWN

    def _may_throw(self) -> None:
        """Anything may be thrown here, which matters where somebody catches it."""
        if self._tries and not self._choose():
            raise _Thrown(UNKNOWN)


_HANDLERS: dict[str, Callable[..., Known]] = {
    "arithmetic": _Run._arithmetic,
    "convert": _Run._convert,
    "copy": _Run._copy,
    "element": _Run._element,
    "get": _Run._get,
    "load": _Run._load,
    "put": _Run._put,
    "require": _Run._require,
    "set": _Run._set,
    "store": _Run._store,
    "super": lambda run, frame, *operands: UNKNOWN,
    "test": _Run._test,
}
