"""Types of operands, as far as the file shows them: those that are declared, and those of what is made here."""

from __future__ import annotations

from pliant.extractors.ir.operands import ANY, BOOLEAN, NUMBER, STRING, Constant, Operand, Type
from pliant.extractors.ir.unit import Function, Instruction
from pliant.extractors.passes import names
from pliant.extractors.passes.variables import Variables

_CONSTANTS = {"boolean": BOOLEAN, "integer": NUMBER, "float": NUMBER, "string": STRING}
_SEEN_THROUGH = frozenset(("copy", "enter"))


class Types(Variables):
    """What is known of the type of an operand, once for each instruction."""

    def type_of(self, operand: Operand) -> Type:
        if isinstance(operand, Constant):
            return _CONSTANTS.get(operand.kind, ANY)
        known = self._types.get(operand)
        if known is None:
            self._types[operand] = ANY  # of what is computed from itself
            known = self._types[operand] = self._of(self.instructions[operand])
        return known

    def class_named(self, operand: Operand) -> str:
        """The class of the file that an operand is, not an instance of it; empty where it is none."""
        if isinstance(operand, Constant):
            return ""
        op, operands = self.instructions[operand].op, self.instructions[operand].operands
        if op == "get":
            name = operands[0].partition("#")[0]
            return name if name in self.survey.classes and self.function.variables[operands[0]].type == ANY else ""
        if op == "class":
            return str(operands[0])
        return self._inner_class(operand, *operands) if op == "load" else ""

    def _inner_class(self, load: int, base: Operand, field: str) -> str:
        known = self._inner.get(load)
        if known is None:
            outer = self.class_named(base)
            inner = f"{outer}.{field}"
            known = self._inner[load] = inner if outer and inner in self.survey.classes else ""
        return known

    def _of(self, instruction: Instruction) -> Type:
        op, operands = instruction.op, instruction.operands
        match op:
            case "get":
                return self.function.variables[operands[0]].type
            case "convert":
                kind: Type = operands[1]
                return kind
            case "allocate":
                kind = operands[0]
                return kind
            case "test":
                return BOOLEAN
            case "arithmetic":
                return STRING if operands[0] == "concat" else self._computed(operands[1])
            case "load":
                return self._of_field(*operands)
            case "element" | "next":
                kind = self.type_of(operands[0])
                return kind.of[0] if kind.kind == "array" and kind.of else ANY
            case "call":
                return self._of_made(operands[0])
            case "invoke":
                return self._of_result(operands[0], operands[1], len(operands[2]))
        return self.type_of(operands[0]) if op in _SEEN_THROUGH else ANY

    def _computed(self, operands: tuple[Operand, ...]) -> Type:
        kinds = {self.type_of(each).name for each in operands}
        return next((Type("number", name) for name in ("double", "float", "long", "int") if name in kinds), NUMBER)

    def _of_field(self, base: Operand, field: str) -> Type:
        of_class = self.class_named(base)
        kind = self.type_of(base)
        if kind.kind == "array" and field == "length":
            return Type("number", "int")
        class_ = self.survey.classes.get(of_class or (kind.name if not kind.module else ""))
        return class_.fields.get(field, ANY) if class_ is not None else ANY

    def _of_made(self, callee: Operand) -> Type:
        name = self.class_named(callee)
        if name:
            return self.survey.classes[name].type
        if self.op(callee) == "import":
            module, member = self.instructions[callee].operands  # type: ignore[index]
            return Type("class", member, module) if member else ANY
        return ANY

    def _of_result(self, base: Operand, name: str, count: int) -> Type:
        """What a method of the file gives, if those that may be meant agree."""
        found = {each.result for each in self.meant(base, name, count)}
        return found.pop() if len(found) == 1 else ANY

    def meant(self, base: Operand, name: str, count: int) -> list[Function]:
        """The methods of the file that a call may mean."""
        kind = self.type_of(base)
        owner = self.class_named(base) or (kind.name if kind.kind == "class" and not kind.module else "")
        return [each for each in self.survey.found.get((owner, name), ()) if takes(each, count)]


def takes(function: Function, count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    formals = names.taken(function)
    many = bool(formals) and formals[-1].kind == "rest"
    return count >= len(formals) - 1 if many else count == len(formals)
