"""Calls: methods and constructors, and calls that show something about their arguments."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import guards, helpers, kept, numbers, outcomes, rereads, state, type_arguments
from pliant.extractors.java.classes import define
from pliant.extractors.java.conditions import branch
from pliant.extractors.java.declarations import Parameter, constructor_name
from pliant.extractors.java.expressions import handles, names_type, super_
from pliant.extractors.java.library import always_set
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.operators import unboxed
from pliant.extractors.java.paths import argument_text, follow, keys_of
from pliant.extractors.java.types import erased, is_boxed, is_primitive, kind_of
from pliant.extractors.lowering.passed_conditions import conditions_held
from pliant.extractors.lowering.source import COMMENTS, elements, span, text
from pliant.extractors.ssa import Refinement, Value

# Methods that raise an exception if their argument is null, and give it back if they give anything.
_REQUIRE = frozenset(("requireNonNull", "checkNotNull", "notNull", "assertNotNull", "verifyNotNull", "checkNonNull"))
# Methods that raise an exception if their argument is false (or true).
_CHECKS = frozenset(
    ("checkArgument", "checkState", "isTrue", "assertTrue", "state", "validState", "verify", "check", "assumeTrue")
)
_REFUSALS = frozenset(("assertFalse", "assumeFalse", "isFalse"))
_REFUSALS_OF_NULL = frozenset(("isNull", "isNullOrEmpty", "isEmpty", "isBlank", "isNullOrBlank", "nullOrEmpty"))
_TESTS_OF_NULL = frozenset(("nonNull", "isNotEmpty", "isNotBlank", "hasText", "hasLength", "isNotNull"))
_FIRSTS = ("poll", "peek", "pollFirst", "peekFirst", "pollLast", "peekLast", "firstEntry", "lastEntry", "firstKey")
# Tests that show what other methods, with the same arguments, give.
_TELLS = {
    "containsKey": ("get", "remove"),
    "isAnnotationPresent": ("getAnnotation", "getDeclaredAnnotation"),
    "hasMoreElements": ("nextElement",),
    "isArray": ("getComponentType",),
}
_LEAVING = frozenset(("break_statement", "return_statement", "throw_statement"))


@handles("method_invocation")
def call(lo: Lowering, node: Node) -> Value:
    name_node, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if name_node is None:
        return lo.opaque()
    name = text(name_node)
    given = elements(arguments)
    live = lo.live()
    base_node = node.child_by_field_name("object")
    own, dotted, of_super = base_node is None, "", False
    if base_node is None:
        receiver = _implicit_receiver(lo, name, len(given))
    elif of_super := any(child.type == "super" for child in node.children):
        receiver = super_(lo, node)
    elif dotted := names_type(lo, base_node):
        receiver = lo.type_value(dotted)
    else:
        receiver = lo.expression(base_node)
        lo.dereference(receiver, f".{name}()", "method", node, keys_of(lo, base_node))
    refused = name in _CHECKS or name in _REFUSALS
    if refused:
        given = [_checked(lo, argument, name in _CHECKS) for argument in given]
    value = lo.call_method(f"{name}()" if own else f".{name}()", node, live, receiver, f"{name}/{len(given)}")
    primitive = _primitive_parameters(lo, name, len(given)) if own else frozenset()
    passed = pass_arguments(lo, value, given, primitive)
    if len(given) == 1 and text(given[0]).strip('"') in always_set(f"{name}/1"):
        lo.fn.define(value, "nonnull", value)
    if not of_super:
        lo.invoked[value] = node, len(given)
        outcomes.note(lo, base_node, name, dotted, receiver, given, passed, value)
    empty = kept.is_empty(lo, receiver) if name in kept.TOLD else None
    lo.fn.called(value, [receiver, *passed])
    kept.called(lo, base_node, name, receiver, given, passed, value, empty)
    lo.fn.passed(value, [receiver, *passed])
    if (own or dotted) and _gets_name(node):
        lo.fn.made(value)
    if lo.fn.is_made_here(receiver):
        for number, argument in enumerate(given):
            if argument.type in ("decimal_integer_literal", "string_literal"):
                lo.emit("actual_literal", value, number, text(argument))
    _note_loops(lo, node, value)
    if not given:
        state.note_call(lo, value, receiver)
    follow(lo, node, value, "")
    if not given:
        rereads.note_read(lo, node, value)
    if lo.annotated:
        type_arguments.note_call(lo, node, value, passed)
    if base_node is None or base_node.type == "this" or names_type(lo, base_node):
        lo.calls_made[value] = receiver, given, passed
        helpers.came_back(lo, value)
        helpers.ensured(lo, name, len(given))
    conditions_held(lo, value, given, passed)
    held = [_outcome(lo, argument, each) for argument, each in zip(given, passed, strict=True)] if refused else []
    if (name in _REFUSALS) in held:
        lo.fn.stop()
    _tests(lo, node, name, base_node, receiver, given, passed, value, arguments)
    return value


def _gets_name(node: Node) -> bool:
    """Whether an object is given a name by which it can be changed, or returned."""
    parent = node.parent
    if parent is None or parent.type == "return_statement":
        return parent is not None
    declaration = parent.parent
    if parent.type != "variable_declarator" or declaration is None:
        return parent.type == "assignment_expression"
    declared = declaration.child_by_field_name("type")
    if declaration.type != "local_variable_declaration" or declared is None:
        return False
    return not is_primitive(text(declared))


def _checked(lo: Lowering, argument: Node, holds: bool) -> Node:
    """Go on where a condition that is passed to a check holds, if it is about null; the argument itself."""
    source = argument.text or b""
    if argument.type in ("binary_expression", "unary_expression", "instanceof_expression") and (
        b"null" in source.lower() or b"instanceof" in source
    ):
        yes, no = branch(lo, argument)
        lo.fn.block = no if holds else yes
        if lo.fn.reachable():
            lo.may_raise()
        lo.fn.block = yes if holds else no
    return argument


def _outcome(lo: Lowering, argument: Node, value: Value) -> bool | None:
    """Whether a condition that is passed holds, by the numbers in it."""
    test = numbers.compared(lo, argument)
    return numbers.verdict(lo, test) if test is not None else lo.decided.get(value)


def _implicit_receiver(lo: Lowering, name: str, count: int) -> Value:
    """The object or class whose method an unqualified name is."""
    static = lo.static
    for class_ in lo.class_.chain() if lo.class_ is not None else ():
        if name in class_.methods:
            lo.fn.spend(2 * len(class_.methods[name]))
            found = [m for m in class_.methods[name] if f"{name}/{count}" in m.keys] or class_.methods[name]
            if static or all(method.static for method in found):
                return lo.class_value(class_)
            return lo.this_of(class_)
        static = static or class_.static
    if name in lo.static_imports:
        package, names = lo.static_imports[name]
        return lo.type_value(".".join([package, *names]))
    inherits = lo.inherits()
    if inherits is not None:
        return lo.class_value(inherits) if lo.static else lo.this_of(inherits)
    if len(lo.static_stars) == 1:
        package, names = lo.static_stars[0]
        return lo.type_value(".".join([package, *names]))
    return lo.this() if lo.class_ is not None and not lo.static else lo.opaque()


_THERE = ("string_literal", "object_creation_expression", "class_literal", "this", "lambda_expression")


def _primitive_parameters(lo: Lowering, name: str, count: int) -> frozenset[int]:
    """Which arguments an unqualified call of a method of this file passes as primitives, by every overload."""
    for class_ in lo.class_.chain() if lo.class_ is not None else ():
        if name in class_.methods:
            lo.fn.spend(2 * len(class_.methods[name]))
            found = [method for method in class_.methods[name] if f"{name}/{count}" in method.keys]
            kinds = [
                {number for number in range(count) if _takes_primitive(method.parameters, number)} for method in found
            ]
            return frozenset.intersection(*map(frozenset, kinds)) if kinds else frozenset()
    return frozenset()


def _takes_primitive(parameters: list[Parameter], number: int) -> bool:
    last = parameters[-1] if parameters else None
    if last is not None and last.rest and number >= len(parameters) - 1:
        return is_primitive(last.type_name.removesuffix("[]"))
    return number < len(parameters) and is_primitive(parameters[number].type_name)


def pass_arguments(
    lo: Lowering, called: Value, given: list[Node], primitive: frozenset[int] = frozenset()
) -> list[Value]:
    """primitive: numbers of arguments that are unboxed."""
    passed: list[Value] = []
    outer, lo.anonymous = lo.anonymous, True
    for number, argument in enumerate(given):
        value = lo.expression(argument)
        passed.append(value)
        lo.emit("actual", called, number, value)
        if kind := "null" if argument.type == "null_literal" else kind_of(lo.static_type(argument)):
            lo.emit("actual_kind", called, number, kind)
        if number in primitive and not lo.static_type(argument).endswith("[]"):
            unboxed(lo, argument, value, "argument")
        if argument.type in ("true", "false"):
            lo.emit("actual_truth", called, number, argument.type)
        elif not lo.fn.names[lo.fn.resolve(value)] and argument.type in ("identifier", "binary_expression"):
            lo.emit("actual_truth", called, number, "unknown")
        elif argument.type in _THERE or (argument.type == "identifier" and lo.fn.resolve(value) in lo.fn.nonnull):
            lo.emit("actual_truth", called, number, "true")
    lo.anonymous = outer
    if given and lo.static_type(given[-1]).endswith("[]"):
        lo.emit("actual_array", called, len(given) - 1, passed[-1])
    lo.emit("arguments", called, len(given))
    return passed


def _note_loops(lo: Lowering, node: Node, value: Value) -> None:
    """Note the loops that go on after a call in them."""
    if not lo.loops:
        return
    statement, levels = node, 0
    while (parent := statement.parent) is not None and parent.type not in ("block", "switch_block_statement_group"):
        statement, levels = parent, levels + 1
    lo.fn.spend(levels * levels >> 4)  # a parent is found from the root of the tree
    behind = statement.next_named_sibling
    while behind is not None and behind.type in COMMENTS:
        behind = behind.next_named_sibling
    if behind is None or behind.type not in _LEAVING:
        for loop in lo.loops:
            lo.emit("in_loop", value, loop)


def _tests(
    lo: Lowering,
    node: Node,
    name: str,
    base_node: Node | None,
    receiver: Value,
    given: list[Node],
    passed: list[Value],
    value: Value,
    arguments: Node | None,
) -> None:
    """What a call, or the truth of its result, shows."""
    fn = lo.fn
    if passed and name in _REQUIRE:
        for argument, argument_value in zip(given, passed, strict=True):
            lo.refine(lo.tested(argument, argument_value, nonnull=True))
        if lo.is_literal_null(passed[0]):
            lo.fn.stop()
        if name != "assertNotNull":
            lo.emit("assign_object", value, passed[0])
            lo.emit("nonnull", value)
        fn.nonnull.add(value)
        fn.roots[value] = fn.root(passed[0])
        return
    guards.checked_by_library(lo, name, base_node, given, passed)
    guards.note_map(lo, name, receiver, given, passed)
    yes: list[Refinement] = []
    no: list[Refinement] = []
    if name == "isEmpty" and not given:
        for first in _FIRSTS:
            no += _content(lo, fn.path(receiver, f".{first}()"))
    elif name in _TELLS:
        for shown in _TELLS[name]:
            yes += _content(lo, fn.path(receiver, f".{shown}{argument_text(lo, arguments) if arguments else '()'}"))
    elif name in ("equals", "isInstance") and len(given) == 1:
        same = numbers.equal(lo, base_node, given[0]) if base_node is not None and name == "equals" else None
        if same is not None:
            lo.decided[value] = same
        yes += lo.tested(given[0], passed[0], nonnull=True)
    elif len(given) == 1 and (base_node is None or names_type(lo, base_node)):
        if name in _REFUSALS_OF_NULL:
            no += lo.tested(given[0], passed[0], nonnull=True)
        elif name in _TESTS_OF_NULL:
            yes += lo.tested(given[0], passed[0], nonnull=True)
    if yes or no:
        fn.tests[value] = (yes, no)


def _content(lo: Lowering, path: tuple[Value, str] | None) -> list[Refinement]:
    """That the content of a path is not null."""
    if path is None:
        return []
    current = lo.fn.read(path)
    return [(path, lo.fn.root(current) if current else current, True)]


# Constructors.

_BEFORE_TYPE = frozenset(("marker_annotation", "annotation", "type_arguments", "line_comment", "block_comment"))


@handles("object_creation_expression")
def creation(lo: Lowering, node: Node) -> Value:
    live = lo.live()
    declared, arguments = node.child_by_field_name("type"), node.child_by_field_name("arguments")
    first = node.named_children[0] if node.named_children else None
    if first is not None and first != declared and first.type not in _BEFORE_TYPE:  # `outer.new Inner()`
        outer = lo.expression(first)
        lo.dereference(outer, ".new", "method", node, keys_of(lo, first))
    name = erased(declared) if declared is not None else ""
    given = elements(arguments)
    body = next((child for child in node.named_children if child.type == "class_body"), None)
    if body is not None and declared is not None:
        class_ = lo.declare_local_class(body, f"{lo.symbol[1:]}.new {name}")
        class_.static = lo.static
        class_.bases.append(declared)
        lo.writer.place(lo.writer.symbol(class_.symbol), span(declared))
        class_.captures = lo.capture(class_.symbol, body)
        define(lo, class_, arity=len(given))
        kind, class_name = lo.class_value(class_), class_.constructor
    else:
        kind, class_name = lo.type_value(name), constructor_name(name)
    value = lo.call_value(f"new {name}", node, live, kind)
    lo.fn.nonnull.add(value)
    lo.emit("construction", value, f"{class_name}/{len(given)}")
    if body is None:
        lo.made[value] = name
        content = numbers.form(lo, given[0]) if is_boxed(name) and len(given) == 1 else None
        if content is not None and not content.factor:
            lo.boxed[value] = content.constant
    lo.emit("made_in", value, lo.symbol)
    passed = pass_arguments(lo, value, given)
    if body is None and (made_here := lo.find_class(name)) is not None:
        lo.created[value] = made_here, given, passed
    lo.fn.called(value, [value, *passed])
    if body is not None:
        lo.functions.add(value)
    kept.constructed(lo, value, name if body is None else "", given, passed)
    if _gets_name(node):
        lo.fn.made(value)
    lo.fn.passed(value, [value, *passed])
    _note_loops(lo, node, value)
    return value
