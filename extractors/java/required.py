"""Which parameters of a file's functions must not be null: a function fails on every way if one of them is.

A parameter is required if no way leads from the entry to an exit on which it is null and nothing fails for it: not a
use, not a call that requires it, not a branch that goes on only where it is not null. A failure is the one that a use
has: a function that raises another error for null is none. Calls count of functions of the same class that no other
class can replace, and of those that the language knows to fail for null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pliant.extractors.ir.operands import NULL, Argument, Operand, Predicate
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Block, Function, Instruction, Unit

Required = dict[str, frozenset[int]]
_FIXED = frozenset(("constructor", "private", "static", "final"))


def required(unit: Unit, semantics: Semantics) -> Required:
    """Function -> the numbers of its parameters, without the receiver, that must not be null."""
    called = _by_call(unit.functions)
    found: Required = {each.name: frozenset() for each in unit.functions}
    waiting = [each for each in unit.functions if each.blocks and "declared" not in each.flags]
    changed = True
    while changed:  # a call may require what is found to be required later
        changed = False
        for function in waiting:
            known = found[function.name]
            more = {
                number
                for number, variable in enumerate(_parameters(function))
                if number not in known and not _Search(function, variable, called, found, semantics).comes_back()
            }
            if more:
                found[function.name] = known | more
                changed = True
    return found


def _parameters(function: Function) -> list[str]:
    return [each.variable for each in function.formals if each.kind != "receiver"]


_Calls = Mapping[tuple[str, int], Sequence[Function]]


def _by_call(functions: Sequence[Function]) -> _Calls:
    """The functions that a call may run, by their name as it is called and the number of arguments."""
    found: dict[tuple[str, int], list[Function]] = {}
    for each in functions:
        simple = each.name.partition("#")[0].rpartition(".")[2]
        name = f"<init> {simple}" if "constructor" in each.flags else simple
        found.setdefault((name, len(_parameters(each))), []).append(each)
    return found


class _Search:
    """Whether a function comes back although a parameter is null."""

    def __init__(
        self, function: Function, variable: str, called: _Calls, found: Required, semantics: Semantics
    ) -> None:
        self._function = function
        self._variable = variable
        self._called = called
        self._found = found
        self._semantics = semantics
        self._made = {each.number: each for each in function.instructions()}
        self._null = {each.number for each in self._made.values() if each.op == "get" and each.operands[0] == variable}

    def comes_back(self) -> bool:
        """A way goes on with whether a branch on it was taken because of the null."""
        blocks = self._function.blocks
        todo, seen = [(0, False)], {(0, False)}
        while todo:
            number, because = todo.pop()
            block = blocks[number]
            targets = [] if block.handler is None else [(block.handler, because)]
            for each in block.instructions:
                if each.op == "exit" or (each.op == "set" and each.operands[0] == self._variable):
                    return True
                if each.op == "raise" and because and not self._is_failure(each.operands[0]):
                    return True
                if self._fails(each):
                    break
            else:
                targets += self._targets(block, because)
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return False

    def _targets(self, block: Block, because: bool) -> list[tuple[int, bool]]:
        """Where control goes from the end of a block if the parameter is null."""
        last = block.instructions[-1]
        holds = self._holds(last.operands[0]) if last.op == "branch" else None
        if holds is not None:
            return [(last.operands[1 if holds else 2], True)]
        return [(target, because) for target in block.successors()] if last.op != "raise" else []

    def _is_failure(self, raised: Operand) -> bool:
        """Whether what is raised is an error of the kind that a use of null raises."""
        made = self._made.get(raised) if raised.__class__ is int else None
        class_ = self._made.get(made.operands[0]) if made is not None and made.op == "call" else None
        return class_ is not None and class_.op == "import" and class_.operands[1] in self._semantics.errors.values()

    def _holds(self, asked: Predicate) -> bool | None:
        """Whether a predicate holds; None if that is not known."""
        if asked.operator == "not":
            inner = self._holds(asked.operands[0])  # type: ignore[arg-type]
            return None if inner is None else not inner
        if asked.operator in ("and", "or"):
            decides = asked.operator == "or"
            answers = [self._holds(each) for each in asked.operands]  # type: ignore[arg-type]
            return decides if decides in answers else None if None in answers else not decides
        if asked.operator == "null" and self._is_null(asked.operands[0]):
            return True
        if asked.operator == "is" and self._is_null(asked.operands[0]):
            return False
        return None

    def _is_null(self, operand: object) -> bool:
        return operand == NULL or (operand.__class__ is int and operand in self._null)

    def _fails(self, each: Instruction) -> bool:
        if each.op == "require" or each.op in self._semantics.needs:
            return self._is_null(each.operands[0]) or (each.op == "invoke" and self._requires(each))
        return each.op == "call" and self._requires(each)

    def _requires(self, call: Instruction) -> bool:
        """Whether a call fails for the parameter, which it gets."""
        arguments: Sequence[Argument] = call.operands[-1]
        given = [number for number, each in enumerate(arguments) if self._is_null(each.value) and each.value != NULL]
        if not given or call.op != "invoke":
            return False
        name, library = call.operands[1], self._semantics.library
        if name in library.requires | library.fails and given[0] == 0:
            return not self._called.get((name, len(arguments)))
        runs = [each for each in self._called.get((name, len(arguments)), ()) if self._is_own(call.operands[0], each)]
        if not runs or not all(_FIXED & each.flags for each in runs):
            return False
        return any(all(number in self._found[each.name] for each in runs) for number in given)

    def _is_own(self, receiver: Operand, function: Function) -> bool:
        """Whether a function may be meant by a call of its name on `receiver`, in the same class."""
        return function.owner == self._function.owner or function.owner is None
