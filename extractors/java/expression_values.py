"""What expressions give while a method is evaluated, on one way through it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node

from pliant.extractors.java.declarations import Class, Method
from pliant.extractors.java.expressions import constant
from pliant.extractors.java.known_values import (
    NULL,
    UNKNOWN,
    Known,
    Spec,
    Thing,
    arithmetic,
    bounded,
    changed,
    of_container,
    same,
)
from pliant.extractors.java.members import candidates, cannot_be_overridden, derived, find_class, inherited
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, text

_STEPS = 600  # statements and expressions of one way


class GaveUp(Exception):
    """Something is not modelled."""


class Thrown(Exception):
    def __init__(self, value: Known) -> None:
        super().__init__()
        self.value = value


class Returned(Exception):
    def __init__(self, value: Known, place: int) -> None:
        super().__init__()
        self.value = value
        self.place = place


class Jump(Exception):
    """`break`, or `continue`."""

    def __init__(self, *, again: bool) -> None:
        super().__init__()
        self.again = again


@dataclass(slots=True)
class Frame:
    class_: Class
    this: Known
    names: dict[str, Known]
    types: dict[str, str] = field(default_factory=dict)
    tries: int = 0  # around what is run


def part(node: Node) -> Node:
    """The one part of a node; a part that is missing or does not parse ends the attempt."""
    parts = elements(node)
    if len(parts) != 1 or node.has_error:
        raise GaveUp
    return parts[0]


class Expressions(ABC):
    """choices: the sides taken of the first conditions that are not known; later ones hold."""

    def __init__(self, classes: dict[str, Class], choices: list[bool]) -> None:
        self.classes = classes
        self.given = len(choices)
        self.choices = choices
        self.steps = 0
        self.depth = 0
        self.asked = 0
        self.made: dict[Spec, Known] = {}
        self._frame: Frame | None = None

    @property
    def frame(self) -> Frame:
        if self._frame is None:
            raise GaveUp
        return self._frame

    def choose(self) -> bool:
        self.asked += 1
        if self.asked > len(self.choices):
            self.choices.append(True)
        return self.choices[self.asked - 1]

    def step(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise GaveUp

    @abstractmethod
    def method(self, class_: Class, method: Method, this: Known, given: list[Known]) -> tuple[Known, int]:
        """Run a method; what it gives, and where."""

    @abstractmethod
    def construct(self, class_: Class, thing: Thing, given: list[Known]) -> None:
        """Run a constructor."""

    def condition(self, node: Node | None) -> bool:
        value = self.expression(node) if node is not None else UNKNOWN
        return bool(value) if isinstance(value, int) else self.choose()

    def expression(self, node: Node) -> Known:
        self.step()
        kind = node.type
        if kind == "null_literal":
            return NULL
        literal = constant(node)
        if literal is not None:
            return int(literal) if isinstance(literal, bool) else literal
        handler = _HANDLERS.get(kind)
        if handler is not None:
            return handler(self, node)
        if kind.endswith("_literal"):
            return UNKNOWN if kind != "class_literal" else Thing("Class")
        raise GaveUp

    def arguments(self, node: Node) -> list[Known]:
        return [self.expression(child) for child in elements(node.child_by_field_name("arguments"))]

    def identifier(self, node: Node) -> Known:
        name = text(node)
        if name in self.frame.names:
            return self.frame.names[name]
        if isinstance(self.frame.this, Thing) and name in self.frame.this.fields:
            return self.frame.this.fields[name]
        for class_ in self.frame.class_.chain():
            known = class_.fields.get(name)
            if known is not None:
                number = constant(known.value) if known.final and known.static and known.value is not None else None
                return number if number is not None else UNKNOWN
        return UNKNOWN

    def this(self, node: Node) -> Known:
        return self.frame.this

    def parenthesized(self, node: Node) -> Known:
        return self.expression(part(node))

    def unary(self, node: Node) -> Known:
        operand = node.child_by_field_name("operand")
        operator = node.child_by_field_name("operator")
        value = self.expression(operand) if operand is not None else UNKNOWN
        if not isinstance(value, int) or operator is None:
            return UNKNOWN
        return int(not value) if text(operator) == "!" else -value if text(operator) == "-" else UNKNOWN

    def update(self, node: Node) -> Known:
        target = part(node)
        before = self.expression(target)
        step = 1 if b"++" in (node.text or b"") else -1
        after = bounded(before + step) if isinstance(before, int) else UNKNOWN
        self.assign(target, after)
        return after if node.children[0].type in ("++", "--") else before

    def assignment(self, node: Node) -> Known:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            raise GaveUp
        value = self.expression(right)
        if text(operator) != "=":
            value = arithmetic(text(operator)[:-1], self.expression(left), value)
        self.assign(left, value)
        return value

    def assign(self, target: Node, value: Known) -> None:
        if target.type == "identifier":
            name = text(target)
            if name in self.frame.names:
                self.frame.names[name] = value
            elif isinstance(self.frame.this, Thing):
                self.frame.this.fields[name] = value
            else:
                changed(value)
        elif target.type == "field_access":
            base, name_node = target.child_by_field_name("object"), target.child_by_field_name("field")
            if base is None or name_node is None:
                raise GaveUp
            of = self.receiver(base)
            if isinstance(of, Thing):
                of.fields[text(name_node)] = value
            else:
                changed(value)
        else:
            raise GaveUp

    def receiver(self, node: Node) -> Known:
        """What a field or a method is asked of; null fails there."""
        value = self.expression(node)
        if value == NULL:
            raise Thrown(Thing("NullPointerException"))
        return value

    def binary(self, node: Node) -> Known:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            raise GaveUp
        what = text(operator)
        if what in ("&&", "||"):
            return int(self.condition(right)) if self.condition(left) == (what == "&&") else int(what == "||")
        a, b = self.expression(left), self.expression(right)
        if what in ("==", "!="):
            equal = same(a, b)
            return UNKNOWN if equal is None else int(equal == (what == "=="))
        return arithmetic(what, a, b)

    def ternary(self, node: Node) -> Known:
        taken = "consequence" if self.condition(node.child_by_field_name("condition")) else "alternative"
        arm = node.child_by_field_name(taken)
        if arm is None:
            raise GaveUp
        return self.expression(arm)

    def cast(self, node: Node) -> Known:
        value = node.child_by_field_name("value")
        if value is None:
            raise GaveUp
        found = self.expression(value)
        return found if not isinstance(found, int) else UNKNOWN

    def instanceof(self, node: Node) -> Known:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or node.child_by_field_name("pattern") is not None:
            raise GaveUp
        value = self.expression(left)
        outcome = self.is_a(value, erased(right))
        taken = self.choose() if outcome is None else outcome
        if (name := node.child_by_field_name("name")) is not None:
            self.frame.names[text(name)] = value if value != UNKNOWN else Thing()
        return int(taken)

    def is_a(self, value: Known, name: str) -> bool | None:
        """Whether a value is an object of a class."""
        if value == NULL:
            return False
        if not isinstance(value, Thing) or not value.kind:
            return None
        if value.kind == name:
            return True
        return derived(self.classes, value.class_, name) if value.class_ is not None else None

    def creation(self, node: Node) -> Known:
        declared = node.child_by_field_name("type")
        if declared is None or any(child.type == "class_body" for child in node.named_children):
            raise GaveUp
        if node.named_children[0] != declared:  # `outer.new Inner()`, annotations
            raise GaveUp
        name = erased(declared)
        given = self.arguments(node)
        class_ = find_class(self.classes, self.frame.class_, name)
        thing = Thing(name, class_)
        if class_ is None:
            changed(*given)
            self.may_throw()
        else:
            self.construct(class_, thing, given)
        return thing

    def field_access(self, node: Node) -> Known:
        base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
        if base is None or name_node is None:
            raise GaveUp
        if base.type == "identifier" and text(base)[:1].isupper() and text(base) not in self.frame.names:
            return UNKNOWN
        of = self.receiver(base)
        return of.fields.get(text(name_node), UNKNOWN) if isinstance(of, Thing) else UNKNOWN

    def call(self, node: Node) -> Known:
        name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
        if name_node is None or any(child.type == "super" for child in node.children):
            raise GaveUp
        name = text(name_node)
        frame = self.frame
        this: Known = frame.this
        found: tuple[Class, Method] | None = None
        static = base is not None and base.type == "identifier" and text(base)[:1].isupper()
        static = static and base is not None and text(base) not in frame.names
        if base is not None and not static and base.type != "this":
            this = self.receiver(base)
        given = self.arguments(node)
        if isinstance(this, Thing) and not static:
            found = inherited(self.classes, this.class_, name, len(given)) if this.class_ is not None else None
            if this.class_ is None and (known := of_container(this, name, given)) is not None:
                return known
        if found is None and (base is None or base.type == "this" or static):
            around = find_class(self.classes, frame.class_, text(base)) if static and base is not None else None
            for class_ in [around] if around is not None else frame.class_.chain() if not static else ():
                if some := candidates(class_, name, len(given)):
                    if len(some) == 1 and (cannot_be_overridden(class_, some[0])):
                        found = class_, some[0]
                    break
        if found is None:
            changed(this, *given)
            self.may_throw()
            return UNKNOWN
        return self.method(*found, UNKNOWN if found[1].static else this, given)[0]

    def may_throw(self) -> None:
        """What was called is not known: it may have thrown anything, where somebody catches it."""
        if self.frame.tries and not self.choose():
            raise Thrown(UNKNOWN)


_HANDLERS: dict[str, Callable[[Expressions, Node], Known]] = {
    "identifier": Expressions.identifier,
    "this": Expressions.this,
    "parenthesized_expression": Expressions.parenthesized,
    "unary_expression": Expressions.unary,
    "update_expression": Expressions.update,
    "assignment_expression": Expressions.assignment,
    "binary_expression": Expressions.binary,
    "ternary_expression": Expressions.ternary,
    "cast_expression": Expressions.cast,
    "instanceof_expression": Expressions.instanceof,
    "object_creation_expression": Expressions.creation,
    "field_access": Expressions.field_access,
    "method_invocation": Expressions.call,
}
