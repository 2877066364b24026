"""What values are declared to be, as far as their file shows."""

from __future__ import annotations

from pliant.analyses.witness.programs import Code
from pliant.extractors.ir.operands import ANY, Constant, Operand, Type


def declared(code: Code, operand: Operand, depth: int = 8) -> Type:
    """What an operand is declared to be."""
    if isinstance(operand, Constant) or not depth:
        return ANY
    instruction = code.instruction(operand)
    operands = instruction.operands
    match instruction.op:
        case "get":
            variable = code.function.variables.get(operands[0])
            return variable.type if variable is not None else ANY
        case "address":
            variable = code.function.variables.get(operands[0])
            return Type("pointer", of=(variable.type,)) if variable is not None else ANY
        case "convert":
            kind: Type = operands[1]
            return kind
        case "zero" | "allocate":
            kind = operands[0]
            return kind
        case "load":
            return declared_part(code, declared(code, operands[0], depth - 1), operands[1])
        case "interior":
            part = declared_part(code, declared(code, operands[0], depth - 1), operands[1])
            return part if part.kind in ("class", "array", "any") else Type("pointer", of=(part,))
        case "element":
            return declared_part(code, declared(code, operands[0], depth - 1), "*")
        case "offset":
            kind = declared(code, operands[0], depth - 1)
            inner = declared_part(code, kind, "*")
            return inner if inner.kind == "array" else kind
        case "copy":
            return declared(code, operands[0], depth - 1)
        case "call":
            callee = declared(code, operands[0], depth - 1)
            callee = callee.of[0] if callee.kind == "pointer" and callee.of else callee
            return callee.of[0] if callee.kind == "function" and callee.of else ANY
    return ANY


def declared_part(code: Code, kind: Type, field: str) -> Type:
    """What a field of a value of a type is declared to be; `*` is what it points to."""
    inner = kind.of[0] if kind.kind in ("pointer", "array") and kind.of else kind
    if field == "*":
        return inner if kind.kind in ("pointer", "array", "class") else ANY
    fields = code.fields_of(inner.name) if inner.kind == "class" else None
    return fields.get(field, ANY) if fields is not None else ANY
