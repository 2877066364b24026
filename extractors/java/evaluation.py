"""What a small method of the file does where some of what it is passed is known: it is run on that.

Numbers, truths, strings, null and objects of classes of the file are known; everything else is UNKNOWN. Where a
condition is not known, the method is run once for each side. What is not modelled ends the attempt: nothing is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from pliant.extractors.java.declarations import Class, Method, elements
from pliant.extractors.java.expressions import constant
from pliant.extractors.java.types import erased, is_primitive
from pliant.extractors.lowering.source import is_small, text

_WAYS = 16  # through a method, with those that it calls
_STEPS = 600  # statements and expressions of one way
_DEPTH = 5  # calls in calls
_LARGEST = 2**31


@dataclass(slots=True, eq=False)
class Thing:
    """An object. kind: the name of its class, if that is known; class_: that, if it is one of the file; fields: those
    that are known; empty: of a container."""

    kind: str = ""
    class_: Class | None = None
    fields: dict[str, Known] = field(default_factory=dict)
    empty: bool | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    name: str


UNKNOWN: Final = Mark("unknown")
NULL: Final = Mark("null")
Known = int | str | Thing | Mark
# What is known of a value before a method is run: a number or a string, "null", "some" for what is not null, the class
# of an object, the class and the arguments of one that is new, whether a container is empty, or nothing.
Spec = tuple[object, ...]


@dataclass(slots=True)
class Way:
    """How a method was left: what it gave (None where it threw), and where that is written."""

    result: Known | None
    place: int


class _GaveUp(Exception):
    """Something is not modelled."""


class _Thrown(Exception):
    def __init__(self, value: Known) -> None:
        super().__init__()
        self.value = value


class _Returned(Exception):
    def __init__(self, value: Known, place: int) -> None:
        super().__init__()
        self.value = value
        self.place = place


class _Jump(Exception):
    """`break`, or `continue`."""

    def __init__(self, *, again: bool) -> None:
        super().__init__()
        self.again = again


@dataclass(slots=True)
class _Frame:
    class_: Class
    this: Known
    names: dict[str, Known]
    types: dict[str, str] = field(default_factory=dict)
    tries: int = 0  # around what is run


def ways(classes: dict[str, Class], class_: Class, method: Method, this: Spec, given: Sequence[Spec]) -> list[Way]:
    """All ways through a method; none where it cannot be run. classes: those at the top of the file."""
    found: list[Way] = []
    pending: list[list[bool]] = [[]]
    while pending:
        if len(found) == _WAYS:
            return []
        run = _Run(classes, pending.pop())
        try:
            receiver, passed = run.make(this), [run.make(spec) for spec in given]
            result, place = run.method(class_, method, receiver, passed)
            found.append(Way(result, place))
        except _Thrown:
            found.append(Way(None, -1))
        except (_GaveUp, RecursionError):
            return []
        pending += run.others()
    return found


def value_made(classes: dict[str, Class], spec: Spec) -> Known:
    """What a specification of a new object makes, in one way."""
    run = _Run(classes, [])
    try:
        value = run.make(spec)
    except (_GaveUp, _Thrown, RecursionError):
        return UNKNOWN
    return value if run.asked == 0 else UNKNOWN


def candidates(class_: Class, name: str, count: int) -> list[Method]:
    return [method for method in class_.methods.get(name, ()) if f"{name}/{count}" in method.keys]


def find_class(classes: dict[str, Class], near: Class | None, name: str) -> Class | None:
    """The class of the file that a name means in the code of `near`."""
    for class_ in near.chain() if near is not None else ():
        if name in class_.inner:
            return class_.inner[name]
        if name == class_.name:
            return class_
    return classes.get(name)


def inherited(classes: dict[str, Class], class_: Class, name: str, count: int) -> tuple[Class, Method] | None:
    """The method that an object of exactly that class has; None where the file does not tell."""
    seen = 0
    todo: list[Class | None] = [class_]
    while todo and seen < 20:
        current = todo.pop(0)
        seen += 1
        if current is None:
            return None
        found = candidates(current, name, count)
        if found:
            return (current, found[0]) if len(found) == 1 else None
        todo += [find_class(classes, current, erased(base)) for base in current.bases]
    return None


def derived(classes: dict[str, Class], class_: Class, name: str) -> bool | None:
    """Whether a class is `name` or derived from it; None where the file does not tell."""
    seen: set[int] = set()
    todo: list[Class | None] = [class_]
    whole = True
    while todo:
        current = todo.pop()
        if current is None:
            whole = False
        elif id(current) not in seen:
            seen.add(id(current))
            if name in (current.name, "Object") or any(erased(base) == name for base in current.bases):
                return True
            todo += [find_class(classes, current, erased(base)) for base in current.bases]
    return False if whole else None


def cannot_be_overridden(class_: Class, method: Method) -> bool:
    return method.static or method.private or method.final or class_.final


class _Run:
    """One way. choices: the sides taken of the first conditions that are not known; later ones hold."""

    def __init__(self, classes: dict[str, Class], choices: list[bool]) -> None:
        self.classes = classes
        self.given = len(choices)
        self.choices = choices
        self.steps = 0
        self.depth = 0
        self.asked = 0
        self.made: dict[Spec, Known] = {}
        self._frame: _Frame | None = None

    @property
    def frame(self) -> _Frame:
        if self._frame is None:
            raise _GaveUp
        return self._frame

    def others(self) -> Iterator[list[bool]]:
        """The choices of the ways that part from this one."""
        for number in range(self.given, len(self.choices)):
            yield [*self.choices[:number], not self.choices[number]]

    def choose(self) -> bool:
        self.asked += 1
        if self.asked > len(self.choices):
            self.choices.append(True)
        return self.choices[self.asked - 1]

    def make(self, spec: Spec) -> Known:
        """A value of which that is known; two of one specification that names an object are the same."""
        if spec not in self.made:
            self.made[spec] = self.make_new(*spec)
        return self.made[spec]

    def make_new(self, what: object, *of: object) -> Known:
        first = of[0] if of else None
        if what == "is" and isinstance(first, int | str):
            return first
        if what == "null":
            return NULL
        if what in ("new", "made") and isinstance(first, Class):
            thing = Thing(first.name, first)
            if what == "new":
                self.construct(first, thing, [self.make(spec) for spec in of[1:] if isinstance(spec, tuple)])
            return thing
        if what == "made" and isinstance(first, str):
            return Thing(first)
        if what == "empty" and isinstance(first, bool):
            return Thing(empty=first)
        return Thing() if what == "some" else UNKNOWN

    def step(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise _GaveUp

    # Methods.

    def method(self, class_: Class, method: Method, this: Known, given: list[Known]) -> tuple[Known, int]:
        body = method.node.child_by_field_name("body") if method.node is not None else None
        if body is None or method.node is None or not is_small(method.node) or self.depth == _DEPTH:
            raise _GaveUp
        if any(parameter.rest for parameter in method.parameters):
            raise _GaveUp
        names = dict(zip((parameter.name for parameter in method.parameters), given, strict=True))
        types = {parameter.name: parameter.type_name for parameter in method.parameters}
        outer, self.depth = self._frame, self.depth + 1
        self._frame = _Frame(class_, this, names, types)
        try:
            self.block(body)
        except _Returned as left:
            return left.value, left.place
        except _Jump as error:
            raise _GaveUp from error
        finally:
            self._frame, self.depth = outer, self.depth - 1
        return UNKNOWN, -1

    def construct(self, class_: Class, thing: Thing, given: list[Known]) -> None:
        """Run a constructor."""
        found = candidates(class_, class_.constructor, len(given))
        if class_.initialisers or class_.kind not in ("class", "record") or len(found) != 1 or self.depth == _DEPTH:
            raise _GaveUp
        method = found[0]
        body = method.node.child_by_field_name("body") if method.node is not None else None
        statements = elements(body)
        first = statements[0] if statements and statements[0].type == "explicit_constructor_invocation" else None
        which = first.child_by_field_name("constructor") if first is not None else None
        names = dict(zip((parameter.name for parameter in method.parameters), given, strict=True))
        outer, self.depth = self._frame, self.depth + 1
        self._frame = _Frame(class_, thing, names, {each.name: each.type_name for each in method.parameters})
        try:
            passed = self.arguments(first) if first is not None else []
            if which is not None and which.type == "this":
                self.construct(class_, thing, passed)
            else:
                if (base := self.base_of(class_)) is not None:
                    self.construct(base, thing, passed)
                else:
                    _changed(*passed)
                self.initialise(class_, thing)
            if class_.kind == "record":
                if method.node is not None:
                    raise _GaveUp
                thing.fields.update(names)
            for statement in statements[first is not None :]:
                self.statement(statement)
        except _Returned:
            pass
        finally:
            self._frame, self.depth = outer, self.depth - 1

    def base_of(self, class_: Class) -> Class | None:
        bases = [find_class(self.classes, class_, erased(base)) for base in class_.bases]
        return next((base for base in bases if base is not None and base.kind == "class"), None)

    def initialise(self, class_: Class, thing: Thing) -> None:
        for known in class_.fields.values():
            if not known.static:
                unset: Known = 0 if is_primitive(known.type_name) else NULL
                thing.fields[known.name] = self.expression(known.value) if known.value is not None else unset

    # Statements.

    def block(self, node: Node) -> None:
        for child in elements(node):
            self.statement(child)

    def statement(self, node: Node) -> None:
        self.step()
        kind = node.type
        if kind in ("block", "constructor_body"):
            self.block(node)
        elif kind == "expression_statement":
            for child in elements(node):
                self.expression(child)
        elif kind == "local_variable_declaration":
            self.declare(node)
        elif kind == "if_statement":
            self.if_(node)
        elif kind == "return_statement":
            self.return_(node)
        elif kind == "throw_statement":
            raise _Thrown(self.expression(elements(node)[0]))
        elif kind == "try_statement":
            self.try_(node)
        elif kind in ("while_statement", "for_statement", "do_statement"):
            self.loop(node)
        elif kind in ("break_statement", "continue_statement") and not elements(node):
            raise _Jump(again=kind == "continue_statement")
        elif kind != ";":
            raise _GaveUp

    def declare(self, node: Node) -> None:
        declared = node.child_by_field_name("type")
        for declarator in node.children_by_field_name("declarator"):
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is None or declarator.child_by_field_name("dimensions") is not None:
                raise _GaveUp
            self.frame.types[text(name)] = erased(declared) if declared is not None else ""
            self.frame.names[text(name)] = self.expression(value) if value is not None else UNKNOWN

    def if_(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        branch = node.child_by_field_name("consequence" if self.condition(condition) else "alternative")
        if branch is not None:
            self.statement(branch)

    def return_(self, node: Node) -> None:
        """Of `a ? null : b` the side that is given is told, as where it is lowered."""
        children = elements(node)
        if not children:
            raise _Returned(UNKNOWN, -1)
        arm = children[0]
        while True:
            condition = arm.child_by_field_name("condition")
            arms = [arm.child_by_field_name(name) for name in ("consequence", "alternative")]
            if arm.type == "parenthesized_expression" and len(elements(arm)) == 1:
                arm = elements(arm)[0]
            elif condition is not None and any(each is not None and each.type == "null_literal" for each in arms):
                taken = arms[0] if self.condition(condition) else arms[1]
                if taken is None:
                    raise _GaveUp
                arm = taken
            else:
                break
        raise _Returned(self.expression(arm), arm.start_byte)

    def loop(self, node: Node) -> None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        for child in node.children_by_field_name("init"):
            if child.type == "local_variable_declaration":
                self.declare(child)
            else:
                self.expression(child)
        first = node.type == "do_statement"
        while first or condition is None or self.condition(condition):
            first = False
            self.step()
            try:
                if body is not None:
                    self.statement(body)
            except _Jump as jump:
                if not jump.again:
                    break
            for child in node.children_by_field_name("update"):
                self.expression(child)

    def try_(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        final = next((child for child in node.children if child.type == "finally_clause"), None)
        if body is None:
            raise _GaveUp
        try:
            self.frame.tries += 1
            frame = self.frame
            try:
                self.block(body)
            finally:
                frame.tries -= 1
        except _Thrown as thrown:
            if not self.catch(node, thrown.value, final):
                self.finish(final)
                raise
        except (_Returned, _Jump):
            self.finish(final)
            raise
        self.finish(final)

    def catch(self, node: Node, thrown: Known, final: Node | None) -> bool:
        for clause in node.children:
            if clause.type != "catch_clause":
                continue
            parameter = next((child for child in elements(clause) if child.type == "catch_formal_parameter"), None)
            types = next((child for child in elements(parameter) if child.type == "catch_type"), None)
            caught = [self.is_a(thrown, erased(each)) for each in elements(types)]
            taken = True if True in caught else self.choose() if None in caught else False
            name = parameter.child_by_field_name("name") if parameter is not None else None
            body = clause.child_by_field_name("body")
            if taken and name is not None and body is not None:
                self.frame.names[text(name)] = thrown if isinstance(thrown, Thing) else Thing()
                try:
                    self.block(body)
                except (_Thrown, _Returned, _Jump):
                    self.finish(final)
                    raise
                return True
        return False

    def finish(self, final: Node | None) -> None:
        for child in elements(final):
            self.statement(child)

    # Expressions.

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
        raise _GaveUp

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
        return self.expression(elements(node)[0])

    def unary(self, node: Node) -> Known:
        operand = node.child_by_field_name("operand")
        operator = node.child_by_field_name("operator")
        value = self.expression(operand) if operand is not None else UNKNOWN
        if not isinstance(value, int) or operator is None:
            return UNKNOWN
        return int(not value) if text(operator) == "!" else -value if text(operator) == "-" else UNKNOWN

    def update(self, node: Node) -> Known:
        target = elements(node)[0]
        before = self.expression(target)
        step = 1 if b"++" in (node.text or b"") else -1
        after = _bounded(before + step) if isinstance(before, int) else UNKNOWN
        self.assign(target, after)
        return after if node.children[0].type in ("++", "--") else before

    def assignment(self, node: Node) -> Known:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            raise _GaveUp
        value = self.expression(right)
        if text(operator) != "=":
            value = _arithmetic(text(operator)[:-1], self.expression(left), value)
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
                _changed(value)
        elif target.type == "field_access":
            base, name_node = target.child_by_field_name("object"), target.child_by_field_name("field")
            if base is None or name_node is None:
                raise _GaveUp
            of = self.receiver(base)
            if isinstance(of, Thing):
                of.fields[text(name_node)] = value
            else:
                _changed(value)
        else:
            raise _GaveUp

    def receiver(self, node: Node) -> Known:
        """What a field or a method is asked of; null fails there."""
        value = self.expression(node)
        if value == NULL:
            raise _Thrown(Thing("NullPointerException"))
        return value

    def binary(self, node: Node) -> Known:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            raise _GaveUp
        what = text(operator)
        if what in ("&&", "||"):
            return int(self.condition(right)) if self.condition(left) == (what == "&&") else int(what == "||")
        a, b = self.expression(left), self.expression(right)
        if what in ("==", "!="):
            same = _same(a, b)
            return UNKNOWN if same is None else int(same == (what == "=="))
        return _arithmetic(what, a, b)

    def ternary(self, node: Node) -> Known:
        taken = "consequence" if self.condition(node.child_by_field_name("condition")) else "alternative"
        arm = node.child_by_field_name(taken)
        if arm is None:
            raise _GaveUp
        return self.expression(arm)

    def cast(self, node: Node) -> Known:
        value = node.child_by_field_name("value")
        if value is None:
            raise _GaveUp
        found = self.expression(value)
        return found if not isinstance(found, int) else UNKNOWN

    def instanceof(self, node: Node) -> Known:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or node.child_by_field_name("pattern") is not None:
            raise _GaveUp
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
            raise _GaveUp
        if node.named_children[0] != declared and node.named_children[0].type not in ("type_arguments",):
            raise _GaveUp
        name = erased(declared)
        given = self.arguments(node)
        class_ = find_class(self.classes, self.frame.class_, name)
        thing = Thing(name, class_)
        if class_ is None:
            _changed(*given)
            self.may_throw()
        else:
            self.construct(class_, thing, given)
        return thing

    def field_access(self, node: Node) -> Known:
        base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
        if base is None or name_node is None:
            raise _GaveUp
        if base.type == "identifier" and text(base)[:1].isupper() and text(base) not in self.frame.names:
            return UNKNOWN
        of = self.receiver(base)
        return of.fields.get(text(name_node), UNKNOWN) if isinstance(of, Thing) else UNKNOWN

    def call(self, node: Node) -> Known:
        name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
        if name_node is None or any(child.type == "super" for child in node.children):
            raise _GaveUp
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
            if this.class_ is None and (known := _of_container(this, name, given)) is not None:
                return known
        if found is None and (base is None or base.type == "this" or static):
            around = find_class(self.classes, frame.class_, text(base)) if static and base is not None else None
            for class_ in [around] if around is not None else frame.class_.chain() if not static else ():
                if some := candidates(class_, name, len(given)):
                    if len(some) == 1 and (cannot_be_overridden(class_, some[0])):
                        found = class_, some[0]
                    break
        if found is None:
            _changed(this, *given)
            self.may_throw()
            return UNKNOWN
        return self.method(*found, UNKNOWN if found[1].static else this, given)[0]

    def may_throw(self) -> None:
        """What was called is not known: it may have thrown anything, where somebody catches it."""
        if self.frame.tries and not self.choose():
            raise _Thrown(UNKNOWN)


_HANDLERS: dict[str, Callable[[_Run, Node], Known]] = {
    "identifier": _Run.identifier,
    "this": _Run.this,
    "parenthesized_expression": _Run.parenthesized,
    "unary_expression": _Run.unary,
    "update_expression": _Run.update,
    "assignment_expression": _Run.assignment,
    "binary_expression": _Run.binary,
    "ternary_expression": _Run.ternary,
    "cast_expression": _Run.cast,
    "instanceof_expression": _Run.instanceof,
    "object_creation_expression": _Run.creation,
    "field_access": _Run.field_access,
    "method_invocation": _Run.call,
}


def _bounded(number: int) -> Known:
    return number if -_LARGEST <= number < _LARGEST else UNKNOWN


def _same(a: Known, b: Known) -> bool | None:
    """Whether `a == b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if NULL in (a, b):
        other = b if a == NULL else a
        return True if other == NULL else None if other == UNKNOWN else False
    return a is b if isinstance(a, Thing) and isinstance(b, Thing) else None


def _arithmetic(operator: str, a: Known, b: Known) -> Known:
    if not isinstance(a, int) or not isinstance(b, int):
        return Thing("String") if operator == "+" and (isinstance(a, str) or isinstance(b, str)) else UNKNOWN
    if operator in ("+", "-", "*"):
        return _bounded(a + b if operator == "+" else a - b if operator == "-" else a * b)
    if operator in ("<", "<=", ">", ">="):
        return int(a < b if operator == "<" else a <= b if operator == "<=" else a > b if operator == ">" else a >= b)
    return UNKNOWN


def _changed(*values: Known) -> None:
    """Others have got objects: nothing is known of what is in them from there on."""
    for value in values:
        if isinstance(value, Thing):
            inside = list(value.fields.values())
            value.fields.clear()
            value.empty = None
            _changed(*inside)


def _of_container(thing: Thing, name: str, given: list[Known]) -> Known | None:
    """What a container gives; None where it has to be treated like any other object."""
    if thing.empty is None:
        return None
    if not given and name == "isEmpty":
        return int(thing.empty)
    if not given and name == "size" and thing.empty:
        return 0
    if name in ("get", "getFirst", "getLast", "peek", "contains", "containsKey", "indexOf", "size"):
        return UNKNOWN
    return None
