"""What is known of a file before its functions are constructed."""

from __future__ import annotations

from collections import Counter

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import MODULE, Function, Instruction, Unit, Variable

Shared = tuple[str, str]  # the function that a variable is of, and its plain name

_NEVER_NULL = frozenset(
    ("closure", "class", "import", "allocate", "tuple", "test", "arithmetic", "decorate", "super", "caught", "interior")
)


class FileSurvey:
    """stored: names of the fields that it writes; cleared: those of them that it sets to null. rebound: (function,
    variable) of those that a function inside it sets. constant: of its functions, classes, and variables that are only
    set to what is never null. sets: how often a variable is set. imported: variables that an import sets. captured: by
    name of a function, the variables around it that it reads. stars: modules whose names are all imported."""

    def __init__(self, unit: Unit, semantics: Semantics) -> None:
        stored: set[str] = set()
        cleared: set[str] = set()
        given: set[str] = set()  # fields that a function sets when they are written
        self.rebound: set[Shared] = set()
        self.sets: Counter[Shared] = Counter()
        self.imported: set[Shared] = set()
        self.captured: dict[str, list[Shared]] = {}
        self.stars: list[str] = []
        self.functions = {each.name: each for each in unit.functions}
        self.declared: set[str] = set()  # symbols that a function before has declared
        doubtful: set[Shared] = set()
        for function in unit.functions:
            if "setter" in function.flags:
                given.add(function.name.partition("#")[0].rpartition(".")[2])
            self.captured[function.name] = [
                identity(function, each) for each in function.variables.values() if each.home == "captured"
            ]
            for formal in function.formals:
                found = identity(function, function.variables[formal.variable])
                self.sets[found] += 1
                if formal.kind != "receiver":
                    doubtful.add(found)
            by_number: dict[Operand, Instruction] = {}
            for instruction in function.instructions():
                op, operands = instruction.op, instruction.operands
                by_number[instruction.number] = instruction
                if op == "store":
                    base = by_number.get(operands[0])
                    if base is not None and base.op == "class":
                        continue
                    stored.add(operands[1])
                    if _is_null(by_number.get(operands[2]), semantics):
                        cleared.add(operands[1])
                elif op == "address":
                    stored.add("*")
                    cleared.add("*")
                elif op == "set":
                    variable = function.variables[operands[0]]
                    found = identity(function, variable)
                    self.sets[found] += 1
                    if variable.home == "captured":
                        self.rebound.add((variable.owner, variable.name))
                    value = by_number.get(operands[1])
                    if value is not None and value.op == "import" and value.operands[0] != semantics.builtins:
                        self.imported.add(found)
                    if not (isinstance(operands[1], Constant) or (value is not None and value.op in _NEVER_NULL)):
                        doubtful.add(found)
                elif op == "import" and operands[1] == "*":
                    self.stars.append(operands[0])
        self.stored = frozenset(stored - given)
        self.cleared = frozenset(cleared - given)
        self.constant = {(MODULE, each.name) for each in unit.functions if "global" in each.flags}
        self.constant |= {(MODULE, class_.type.name) for class_ in unit.classes}
        if unit.module != ".":  # else another file may set them
            self.constant |= self.sets.keys() - doubtful


def identity(function: Function, variable: Variable) -> Shared:
    """What a variable is called in all functions that share it; one that none shares has a name of its own."""
    if variable.home == "local":
        return function.name, f"{variable.name}, local"
    owner = {"module": MODULE, "captured": variable.owner}.get(variable.home, function.name)
    return owner, variable.name.partition("#")[0]


def _is_null(instruction: Instruction | None, semantics: Semantics) -> bool:
    if instruction is None or instruction.op not in ("const", "zero"):
        return False
    return instruction.operands[0].kind in (semantics.zero_is_null if instruction.op == "zero" else ("null",))
