"""Where the addresses of a function's variables and new objects go: what only the function itself can lead to."""

from __future__ import annotations

from dataclasses import dataclass, field

from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Rests
from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Instruction

_DEPTH = 3  # of calls through which an address is followed
Source = tuple[str, str | int]  # `&` and a variable, `new` and the instruction that makes an object, `formal` and one
_NEW = frozenset(("zero", "allocate", "copy"))
_THROUGH = frozenset(("interior", "offset", "convert", "arithmetic"))
_USES = frozenset(
    ("load", "element", "require", "test", "branch", "switch", "raise", "const", "get", "jump", "choose", "delete")
)


def is_by_value(code: Code, operand: Operand) -> bool:
    """Whether what is stored is a structure, known by its address, and not that address."""
    if isinstance(operand, Constant):
        return False
    made = code.instruction(operand)
    if made.op in ("zero", "allocate"):
        return made.operands[0].kind in ("class", "array")
    return made.op == "copy"


@dataclass(slots=True)
class Lent:
    """of: by value, the sources from which it may be made. escaped: those that may be kept somewhere, by instructions,
    of parameters also by what is none. calls: by source, the calls that get it, and as which argument."""

    of: dict[int, frozenset[Source]] = field(default_factory=dict)
    escaped: dict[Source, set[int]] = field(default_factory=dict)
    calls: dict[Source, set[tuple[int, int]]] = field(default_factory=dict)

    def sources(self, operand: Operand) -> frozenset[Source]:
        return frozenset() if isinstance(operand, Constant) else self.of.get(operand, frozenset())


class Lending:
    """Of the functions of one side."""

    def __init__(self, programs: Programs, derived: Derived) -> None:
        self._programs, self._derived = programs, derived
        self._lent: dict[str, Lent] = {}
        self._private: dict[tuple[str, Source, int], tuple[bool, Rests]] = {}
        self._lent_on: dict[tuple[str, int, int], tuple[bool, Rests]] = {}

    def of(self, code: Code) -> Lent:
        """Without what other functions do with it."""
        found = self._lent.get(code.symbol)
        if found is None:
            found = self._lent[code.symbol] = _lent(code)
        return found

    def is_private(self, code: Code, source: Source, depth: int = _DEPTH) -> bool:
        """Whether nothing keeps the address, or gives it back, neither the function nor what it calls."""

        def find() -> bool:
            lent = self.of(code)
            return source not in lent.escaped and not any(
                self._keeps(code, call, position, depth) for call, position in lent.calls.get(source, ())
            )

        return self._programs.reads.kept(self._private, (code.symbol, source, depth), find)

    def is_alone(self, code: Code, source: Source, call: int) -> bool:
        """Whether nothing has kept the address where a call is made, nor does that call."""
        lent = self.of(code)
        kept = set(lent.escaped.get(source, ()))
        if source in lent.escaped and not kept:
            return False
        for by, position in lent.calls.get(source, ()):
            if self._keeps(code, by, position, _DEPTH):
                kept.add(by)
        return call not in kept and not any(code.comes_before(each, call) for each in kept)

    def own(self, code: Code, given: frozenset[str]) -> frozenset[Operand]:
        """The values that point, if anywhere, to private variables of a function, or to where those parameters do that
        are `given` and point to such of its callers."""
        local = {name for name, each in code.function.variables.items() if each.home == "local"} - code.addressed
        known = local - {each.variable for each in code.function.formals} | (local & given)
        while True:
            found: set[Operand] = set()
            left = set(known)
            for each in code.function.instructions():
                if each.op == "address":
                    is_own = self.is_private(code, ("&", each.operands[0]))
                elif each.op == "get":
                    is_own = each.operands[0] in known
                elif each.op in ("interior", "offset", "convert"):
                    is_own = each.operands[0] in found
                else:
                    is_own = each.op == "const" and each.operands[0].kind == "null"
                if is_own:
                    found.add(each.number)
                elif each.op == "set" and each.operands[1] not in found:
                    left.discard(each.operands[0])
            if left == known:
                return frozenset(found)
            known = left

    def is_lent(self, code: Code, call: int, position: int, depth: int = _DEPTH) -> bool:
        """Whether a call passes an argument on to a function of which nobody knows what it writes; as far as `depth`
        calls say."""
        callees = self._derived.callees(code.symbol_of(code.instruction(call)))
        if not callees.bodies:
            return callees.library not in code.semantics.memory.names
        return depth > 0 and any(self._is_passed_on(body, position, depth - 1) for body in callees.bodies)

    def _is_passed_on(self, function: str, position: int, depth: int) -> bool:
        code = self._programs.code(function)
        formals = [] if code is None else code.function.formals
        if code is None or position >= len(formals) or formals[position].kind != "one":
            return False
        if formals[position].type.kind in ("number", "boolean"):
            return False
        calls = self.of(code).calls.get(("formal", formals[position].variable), ())

        def find() -> bool:
            return any(self.is_lent(code, call, at, depth) for call, at in calls)

        return self._programs.reads.kept(self._lent_on, (function, position, depth), find)

    def _keeps(self, code: Code, call: int, position: int, depth: int) -> bool:
        callees = self._derived.callees(code.symbol_of(code.instruction(call)))
        memory = code.semantics.memory
        if not callees.bodies:
            return callees.library not in memory.names or callees.library in memory.gives_back
        if not callees.known or not depth:
            return True
        for body in callees.bodies:
            inner = self._programs.code(body)
            formals = [] if inner is None else inner.function.formals
            if inner is None or position >= len(formals) or formals[position].kind != "one":
                return True
            if not self.is_private(inner, ("formal", formals[position].variable), depth - 1):
                return True
        return False


def _lent(code: Code) -> Lent:
    lent = Lent()
    held: dict[str, frozenset[Source]] = {}
    local = {name for name, each in code.function.variables.items() if each.home == "local"} - code.addressed
    for formal in code.function.formals:
        source: Source = ("formal", formal.variable)
        held[formal.variable] = frozenset((source,))
        if formal.variable not in local:
            lent.escaped[source] = set()
    instructions = list(code.function.instructions())
    known = -1
    while known != (known := sum(map(len, held.values()))):
        for each in instructions:
            _follow(each, lent, held, local)
    for each in instructions:
        _ends(code, each, lent, local)
    return lent


def _follow(each: Instruction, lent: Lent, held: dict[str, frozenset[Source]], local: set[str]) -> None:
    found: frozenset[Source] = frozenset()
    if each.op == "get":
        found = held.get(each.operands[0], found)
    elif each.op == "address":
        found = frozenset((("&", each.operands[0]),))
    elif each.op in _NEW:
        found = frozenset((("new", each.number),))
    elif each.op in _THROUGH:
        found = found.union(*map(lent.sources, each.uses()))
    elif each.op == "set" and each.operands[0] in local:
        name = each.operands[0]
        held[name] = held.get(name, found) | lent.sources(each.operands[1])
    if found:
        lent.of[each.number] = found


def _ends(code: Code, each: Instruction, lent: Lent, local: set[str]) -> None:
    """What an instruction does to addresses beyond using them."""
    if each.op in ("call", "invoke"):
        for position, argument in enumerate(each.operands[-1]):
            for source in lent.sources(argument.value):
                lent.calls.setdefault(source, set()).add((each.number, position))
        return
    kept: list[Operand] = []
    if each.op == "set" and each.operands[0] not in local:
        kept = [each.operands[1]]
    elif each.op in ("store", "put"):
        kept = [] if is_by_value(code, each.operands[2]) else [each.operands[2]]
    elif each.op == "copy":
        kept = []
    elif each.op not in _USES and each.op not in _THROUGH and each.op != "set":
        kept = list(each.uses())
    for operand in kept:
        for source in lent.sources(operand):
            lent.escaped.setdefault(source, set()).add(each.number)
