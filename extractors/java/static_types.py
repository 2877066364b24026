"""Types of expressions that are known without other files."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java.scope import Scope
from pliant.extractors.java.types import erased, is_primitive
from pliant.extractors.lowering.source import elements, text

_RESULTS = {
    **dict.fromkeys(("size", "length", "indexOf", "lastIndexOf", "hashCode", "compareTo", "compare", "ordinal"), "int"),
    **dict.fromkeys(("equals", "isEmpty", "contains", "containsKey", "hasNext", "startsWith", "endsWith"), "boolean"),
    **dict.fromkeys(("equalsIgnoreCase", "matches", "isPresent", "containsValue", "isBlank"), "boolean"),
    **dict.fromkeys(("intValue", "parseInt", "nextInt", "bitCount"), "int"),
    **dict.fromkeys(("longValue", "parseLong", "currentTimeMillis", "nanoTime", "nextLong"), "long"),
    **dict.fromkeys(("doubleValue", "parseDouble", "nextDouble", "sqrt", "pow", "sin", "cos", "exp", "log"), "double"),
    **dict.fromkeys(("charAt", "charValue"), "char"),
    **dict.fromkeys(("trim", "toString", "substring", "toLowerCase", "toUpperCase", "concat", "format"), "String"),
}
_BOOLEAN_OPERATORS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_LITERAL_TYPES = {
    "string_literal": "String",
    "decimal_integer_literal": "int",
    "hex_integer_literal": "int",
    "octal_integer_literal": "int",
    "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double",
    "hex_floating_point_literal": "double",
    "character_literal": "char",
    "true": "boolean",
    "false": "boolean",
    "instanceof_expression": "boolean",
}


class StaticTypes(Scope):
    def static_type(self, node: Node) -> str:
        """The type of an expression as far as this file tells; empty where it does not."""
        kind = node.type
        known = _LITERAL_TYPES.get(kind)
        if known is not None:
            return known
        if kind == "identifier":
            return self._type_of_name(text(node))
        known = self.static_types.get(node.id)
        if known is None:
            known = self.static_types[node.id] = self._type_of(node, kind)
        return known

    def _type_of_name(self, name: str) -> str:
        key = self.local(name)
        if key is not None:
            return self.types[key]
        captured = self.captured(name)
        if captured is not None:
            return captured.type_name
        owner = self.field_owner(name)
        return owner[1].type_name if owner is not None else ""

    def _type_of(self, node: Node, kind: str) -> str:
        if kind == "parenthesized_expression":
            inner = elements(node)
            return self.static_type(inner[0]) if inner else ""
        if kind in ("cast_expression", "object_creation_expression"):
            declared = node.child_by_field_name("type")
            return erased(declared) if declared is not None else ""
        if kind == "field_access":
            base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
            if name_node is None or base_node is None:
                return ""
            if text(name_node) == "length":
                return "int"
            if base_node.type == "this":
                known_field = self.class_.fields.get(text(name_node)) if self.class_ is not None else None
                return known_field.type_name if known_field is not None else ""
            return ""
        if kind == "array_access":
            array = node.child_by_field_name("array")
            name = self.static_type(array) if array is not None else ""
            return name[:-2] if name.endswith("[]") else ""
        if kind == "method_invocation":
            return self._result_type(node)
        if kind == "binary_expression":
            return self._binary_type(node)
        if kind in ("unary_expression", "update_expression"):
            inner = elements(node)
            operand = self.static_type(inner[-1]) if inner else ""
            return operand if is_primitive(operand) else "int"
        if kind == "assignment_expression":
            left = node.child_by_field_name("left")
            return self.static_type(left) if left is not None else ""
        if kind == "ternary_expression":
            consequence = node.child_by_field_name("consequence")
            return self.static_type(consequence) if consequence is not None else ""
        return ""

    def _binary_type(self, node: Node) -> str:
        operator = node.child_by_field_name("operator")
        what = text(operator) if operator is not None else ""
        if what in _BOOLEAN_OPERATORS:
            return "boolean"
        operands = [node.child_by_field_name("left"), node.child_by_field_name("right")]
        kinds = [self.static_type(operand) if operand is not None else "" for operand in operands]
        if what == "+" and "String" in kinds:
            return "String"
        if what == "+" and "" in kinds:
            return ""
        return next((kind for kind in kinds if is_primitive(kind)), "int" if what != "+" else "")

    def _result_type(self, node: Node) -> str:
        name_node, base_node = node.child_by_field_name("name"), node.child_by_field_name("object")
        name = text(name_node) if name_node is not None else ""
        if base_node is None or base_node.type == "this":
            arguments = elements(node.child_by_field_name("arguments"))
            for class_ in self.class_.chain() if self.class_ is not None else ():
                if name in class_.methods:
                    self.fn.spend(2 * len(class_.methods[name]))
                    found = {m.type_name for m in class_.methods[name] if len(m.parameters) == len(arguments)}
                    return found.pop() if len(found) == 1 else ""
        return _RESULTS.get(name, "")
