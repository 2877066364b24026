"""Functions that give the same for the same: they write nothing but variables of their own, and all that they read is
known. What they do where they do not come back, as making an exception, does not count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.kinds import Kinds
from pliant.analyses.witness.lending import Lending
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Rests
from pliant.analyses.witness.state import CONTENT, ELEMENTS, Cell
from pliant.extractors.ir.operands import ANY, Argument, Operand, Predicate, Type
from pliant.extractors.ir.unit import MODULE, Instruction

_DEPTH = 3  # of calls that are followed
_MOST_INSTRUCTIONS = 500
# What changes nothing and makes nothing that can be told from another one.
_QUIET = frozenset(
    (
        *("const", "nothing", "copy", "get", "item", "convert", "arithmetic", "test", "set", "require", "compare"),
        *("declare", "signature", "annotate", "jump", "branch", "switch", "exit", "raise", "caught", "import"),
    )
)
_OF_MEMORY = frozenset(("interior", "offset", "choose"))  # of languages that have addresses


def _types(operand: Predicate | Type) -> Iterator[Type]:
    """The types that a predicate asks for."""
    if isinstance(operand, Type):
        yield operand
    for each in operand.operands if isinstance(operand, Predicate) else ():
        if isinstance(each, Predicate | Type):
            yield from _types(each)


class Repeats:
    """Those of one side."""

    def __init__(self, programs: Programs, derived: Derived, kinds: Kinds, lending: Lending) -> None:
        self._programs, self._derived, self._kinds, self._lending = programs, derived, kinds, lending
        self._found: dict[str, tuple[frozenset[Cell] | None, Rests]] = {}

    def reads(self, code: Code) -> frozenset[Cell] | None:
        """On which cells, besides its arguments, the result of a function depends; None where it may depend on others,
        or change something."""
        return self._programs.reads.kept(self._found, code.symbol, lambda: self._read(code))

    def reads_of(self, codes: Sequence[Code | None]) -> frozenset[Cell] | None:
        """The same of several, of which the first argument decides which one runs."""
        found = [self.reads(code) if code is not None else None for code in codes]
        known = [each for each in found if each is not None]
        return frozenset().union(*known) if len(known) == len(codes) else None

    def _read(self, code: Code) -> frozenset[Cell] | None:
        if "kept" in code.function.flags:  # whatever it reads, it is what its first call has given
            return frozenset()
        found: set[Cell] = set() if code.semantics.pointers else {CONTENT}
        start = (code, frozenset[str]())  # with the parameters that point to variables of those that call it
        todo, seen, size = [(start, 0)], {start}, 0
        while todo:
            (each, given), depth = todo.pop()
            size += each.size
            if not each.is_plain or size > _MOST_INSTRUCTIONS or depth > _DEPTH:
                return None
            own = self._lending.own(each, given) if code.semantics.pointers else frozenset()
            for instruction in each.returning:
                cells = self._of(each, instruction, own)
                if cells is None:
                    return None
                found |= cells
            for callee, arguments in self._callees(each):
                if callee is None:
                    return None
                at = enumerate(arguments)
                lent = {number for number, argument in at if not argument.name and argument.value in own}
                formals = enumerate(callee.function.formals)
                inner = (callee, frozenset(formal.variable for number, formal in formals if number in lent))
                if inner not in seen:
                    seen.add(inner)
                    todo.append((inner, depth + 1))
        return frozenset(found)

    def _of(self, code: Code, instruction: Instruction, own: frozenset[Operand]) -> set[Cell] | None:
        """What an instruction reads, its calls of functions of the repository aside. own: the values that point to
        variables of the function, or of those that call it."""
        op, operands = instruction.op, instruction.operands
        if op in ("get", "set") and not self._is_own(code, operands[0], written=op == "set"):
            return None
        if code.semantics.pointers and (op in _OF_MEMORY or op in ("address", "store", "put")):
            is_quiet = op in _OF_MEMORY or (instruction.number if op == "address" else operands[0]) in own
            return set() if is_quiet else None
        if op == "load":
            symbol = code.symbol_of(instruction)
            # Where fields are read by name, too, a class may compute them: of a load without a symbol nobody knows.
            computed = self._derived.is_computed(symbol) if symbol else bool(code.semantics.getter)
            return None if computed or operands[1] in code.outline.volatile else {self._kinds.field(code, *operands)}
        if op == "element":
            return {("field", "*")} if code.semantics.pointers else {ELEMENTS}
        if op in ("test", "branch", "zero") and not code.semantics.objects and ANY in _types(operands[0]):
            return None  # a parameter of the function that stands for a type
        if op in ("call", "invoke"):
            callees = self._derived.callees(code.symbol_of(instruction))
            if callees.library in code.semantics.memory.reads:
                return {("field", "*")}
            if not callees.bodies and op == "invoke" and self._only_asks(code, *operands[:2]):
                return {ELEMENTS}
            return (
                set()
                if callees.reads or (not callees.makes and self._kinds.are_all(code, instruction, callees))
                else None
            )
        return set() if op in _QUIET else None

    def _only_asks(self, code: Code, base: Operand, name: str) -> bool:
        """Whether a method of the library changes nothing, and depends on what its object holds at most."""
        semantics = code.semantics
        if name in semantics.pure.calls or any(
            name in semantics.pure.of.get(each, ()) for each in self._kinds.of_library(code, base)
        ):
            return True
        return (
            semantics.containers_of is not None
            and name in semantics.containers_of.looks
            and self._kinds.is_container(code, base)
        )

    def _is_own(self, code: Code, variable: str, *, written: bool) -> bool:
        known = code.function.variables.get(variable)
        if known is None or known.home == "local":
            if variable not in code.addressed:
                return True
            return code.semantics.pointers and self._lending.is_private(code, ("&", variable))
        if code.semantics.pointers and (known.home == "import" or variable in code.outline.pointed):
            return known.type.kind == "function" and not written
        of_file = known.home == "import" or (known.home == "module" and (MODULE, variable) not in code.outline.rebound)
        return of_file and not written

    def _callees(self, code: Code) -> Iterator[tuple[Code | None, Sequence[Argument]]]:
        for instruction in code.returning:
            if instruction.op in ("call", "invoke"):
                for body in self._derived.callees(code.symbol_of(instruction)).bodies:
                    if not (code.semantics.virtual and self._programs.is_abstract(body)):
                        yield self._programs.code(body), instruction.operands[-1]
