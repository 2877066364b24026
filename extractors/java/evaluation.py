"""What a small method of the file does where some of what it is passed is known: it is run on that.

Numbers, truths, strings, null and objects of classes of the file are known; everything else is UNKNOWN. Where a
condition is not known, the method is run once for each side. What is not modelled ends the attempt: nothing is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from pliant.extractors.java.declarations import Class, Method
from pliant.extractors.java.expression_values import Expressions, Frame, GaveUp, Jump, Returned, Thrown, part
from pliant.extractors.java.known_values import NULL, UNKNOWN, Known, Spec, Thing, changed
from pliant.extractors.java.members import candidates, find_class
from pliant.extractors.java.types import erased, is_primitive
from pliant.extractors.lowering.source import elements, is_small, text

_WAYS = 16  # through a method, with those that it calls
_DEPTH = 5  # calls in calls
_STEP = 4  # steps of the budget that a statement or expression takes


@dataclass(slots=True)
class Way:
    """How a method was left: what it gave (None where it threw), and where that is written."""

    result: Known | None
    place: int


def ways(
    classes: dict[str, Class],
    class_: Class,
    method: Method,
    this: Spec,
    given: Sequence[Spec],
    spend: Callable[[int], None],
) -> list[Way]:
    """All ways through a method; none where it cannot be run. classes: those at the top of the file. spend: counts the
    steps that this takes."""
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
        except Thrown:
            found.append(Way(None, -1))
        except (GaveUp, RecursionError):
            return []
        finally:
            spend(_STEP * (run.steps + 1))
        pending += run.others()
    return found


def value_made(classes: dict[str, Class], spec: Spec) -> Known:
    """What a specification of a new object makes, in one way."""
    run = _Run(classes, [])
    try:
        value = run.make(spec)
    except (GaveUp, Thrown, RecursionError):
        return UNKNOWN
    return value if run.asked == 0 else UNKNOWN


class _Run(Expressions):
    """One way."""

    def others(self) -> Iterator[list[bool]]:
        """The choices of the ways that part from this one."""
        for number in range(self.given, len(self.choices)):
            yield [*self.choices[:number], not self.choices[number]]

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

    # Methods.

    def method(self, class_: Class, method: Method, this: Known, given: list[Known]) -> tuple[Known, int]:
        body = method.node.child_by_field_name("body") if method.node is not None else None
        if body is None or method.node is None or not is_small(method.node) or self.depth == _DEPTH:
            raise GaveUp
        if method.node.has_error or any(parameter.rest for parameter in method.parameters):
            raise GaveUp
        names = dict(zip((parameter.name for parameter in method.parameters), given, strict=True))
        types = {parameter.name: parameter.type_name for parameter in method.parameters}
        outer, self.depth = self._frame, self.depth + 1
        self._frame = Frame(class_, this, names, types)
        try:
            self.block(body)
        except Returned as left:
            return left.value, left.place
        except Jump as error:
            raise GaveUp from error
        finally:
            self._frame, self.depth = outer, self.depth - 1
        return UNKNOWN, -1

    def construct(self, class_: Class, thing: Thing, given: list[Known]) -> None:
        """Run a constructor."""
        found = candidates(class_, class_.constructor, len(given))
        if class_.initialisers or class_.kind not in ("class", "record") or len(found) != 1 or self.depth == _DEPTH:
            raise GaveUp
        method = found[0]
        broken = method.node is not None and method.node.has_error
        if broken or any(parameter.rest for parameter in method.parameters):
            raise GaveUp
        body = method.node.child_by_field_name("body") if method.node is not None else None
        statements = elements(body)
        first = statements[0] if statements and statements[0].type == "explicit_constructor_invocation" else None
        which = first.child_by_field_name("constructor") if first is not None else None
        names = dict(zip((parameter.name for parameter in method.parameters), given, strict=True))
        outer, self.depth = self._frame, self.depth + 1
        self._frame = Frame(class_, thing, names, {each.name: each.type_name for each in method.parameters})
        try:
            passed = self.arguments(first) if first is not None else []
            if which is not None and which.type == "this":
                self.construct(class_, thing, passed)
            else:
                if (base := self.base_of(class_)) is not None:
                    self.construct(base, thing, passed)
                else:
                    changed(*passed)
                self.initialise(class_, thing)
            if class_.kind == "record":
                if method.node is not None:
                    raise GaveUp
                thing.fields.update(names)
            for statement in statements[first is not None :]:
                self.statement(statement)
        except Returned:
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
            raise Thrown(self.expression(part(node)))
        elif kind == "try_statement":
            self.try_(node)
        elif kind in ("while_statement", "for_statement", "do_statement"):
            self.loop(node)
        elif kind in ("break_statement", "continue_statement") and not elements(node):
            raise Jump(again=kind == "continue_statement")
        elif kind != ";":
            raise GaveUp

    def declare(self, node: Node) -> None:
        declared = node.child_by_field_name("type")
        for declarator in node.children_by_field_name("declarator"):
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is None or declarator.child_by_field_name("dimensions") is not None:
                raise GaveUp
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
            raise Returned(UNKNOWN, -1)
        arm = children[0]
        while True:
            condition = arm.child_by_field_name("condition")
            arms = [arm.child_by_field_name(name) for name in ("consequence", "alternative")]
            if arm.type == "parenthesized_expression" and len(elements(arm)) == 1:
                arm = elements(arm)[0]
            elif condition is not None and any(each is not None and each.type == "null_literal" for each in arms):
                taken = arms[0] if self.condition(condition) else arms[1]
                if taken is None:
                    raise GaveUp
                arm = taken
            else:
                break
        raise Returned(self.expression(arm), arm.start_byte)

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
            except Jump as jump:
                if not jump.again:
                    break
            for child in node.children_by_field_name("update"):
                self.expression(child)

    def try_(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        final = next((child for child in node.children if child.type == "finally_clause"), None)
        if body is None:
            raise GaveUp
        try:
            self.frame.tries += 1
            frame = self.frame
            try:
                self.block(body)
            finally:
                frame.tries -= 1
        except Thrown as thrown:
            if not self.catch(node, thrown.value, final):
                self.finish(final)
                raise
        except (Returned, Jump):
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
                except (Thrown, Returned, Jump):
                    self.finish(final)
                    raise
                return True
        return False

    def finish(self, final: Node | None) -> None:
        for child in elements(final):
            self.statement(child)
