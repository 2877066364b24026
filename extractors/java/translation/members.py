"""Classes and what they consist of: fields and their initialisers, methods, constructors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.ir.operands import ANY, OTHER, Argument, Operand, Type
from pliant.extractors.ir.unit import MODULE, Class, Formal, Function
from pliant.extractors.java.translation.arrays import valued
from pliant.extractors.java.translation.body import Body, outer_field
from pliant.extractors.java.translation.creation import constructor_name, create, field_type
from pliant.extractors.java.translation.formals import formals, said_of_null
from pliant.extractors.java.translation.frames import THIS, Declared, Field, Frame, Method, Parameter
from pliant.extractors.java.translation.places import store_field
from pliant.extractors.java.translation.promises import makes_body, promised
from pliant.extractors.java.translation.types_of import fitted
from pliant.extractors.java.translation.written import array_of, type_parameters
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, span

if TYPE_CHECKING:
    from pliant.extractors.java.translation.file import File

INITIALISER = "<init>"  # runs the initialisers of an instance
_OF_CLASS = "<clinit>"  # and those of the class
_FLAGS = ("static", "private", "final", "synchronized")
_HOW = ("final", "private", "volatile", "processed")


def define(body: Body, class_: Declared) -> Operand:
    """Make a class, and those inside it; its functions wait to be translated."""
    build, name = body.builder, class_.type.name
    within, build.within = build.within, name
    frame, body.frame = body.frame, class_.frame
    bases = [body.type_value(erased(node), span(node)) for node in class_.bases]
    value = build.give("class", name, tuple(each for each in bases if each != OTHER), span=span(class_.place))
    if class_.holder is None:
        build.set(body.class_variable(class_), value)
    elif class_.outer is None or class_.outer.holder is not class_.holder:
        build.set(class_.holder.variable, value)
    made = Class(class_.type, "interface" if class_.kind == "interface" else "class", span=span(class_.place))
    body.file.unit.classes.append(made)
    if class_.outer is not None and not class_.static:
        made.fields[outer_field(class_.outer)] = class_.outer.type
    for known in class_.fields.values():
        made.fields[known.name] = field_type(body.file, class_, known)
        body.file.fields.add(known.name)
        how = ["shared"] * known.static + [word for word in _HOW if word in known.words]
        if known.nullness or how:
            build.do("annotate", value, known.name, said_of_null(known.nullness), " ".join(how), span=span(known.node))
    around = None if body.function.name == MODULE else body
    for static, symbol in ((False, INITIALISER), (True, _OF_CLASS)):
        if any(of_class == static for of_class, _ in class_.code):
            _initialisers(body.file, class_, symbol, around, static=static)
    for method in class_.constructors:
        _method(body, class_, method, around, constructor=True)
    for methods in class_.methods.values():
        for method in methods:
            _method(body, class_, method, around, constructor=False)
    for inner in class_.inner.values():
        build.do("store", value, inner.simple, define(body, inner))
    body.frame, build.within = frame, within
    return value


# Functions.


def _waiting(
    file: File,
    class_: Declared,
    name: str,
    node: Node,
    place: Node,
    around: Body | None,
    run: Callable[[Body], None] | None,
) -> Body:
    """A function of a class, whose code is translated later. node: what of the file it is; run: translates the code, if
    there is any."""
    made = Function(name, owner=class_.type, span=span(place), extent=span(node) if node != class_.node else None)
    body = Body(file, made, Frame(class_.frame, parameters=type_parameters(node)), around)
    body.class_ = class_
    if run is not None:
        file.wait(node, body, lambda: run(body))
    else:
        file.unit.functions.append(made)
    return body


def receiver(body: Body, class_: Declared) -> None:
    local = body.declare_as(THIS, class_.type)
    body.function.formals.append(Formal(local.variable, class_.type, "receiver"))


def _method(body: Body, class_: Declared, method: Method, around: Body | None, *, constructor: bool) -> None:
    node = method.node
    flags = {word for word in _FLAGS if word in method.words}
    code = node.child_by_field_name("body") if node is not None else None

    def run(inner: Body) -> None:
        if constructor:
            _constructor(inner, class_, method)
        elif node is None:
            _provided(inner, class_, method)
        else:
            promised(inner, node)
            inner.block(code)

    declared = node is not None and not constructor and code is None and not makes_body(node)
    whole = node or method.place
    made = _waiting(body.file, class_, method.symbol, whole, method.place, around, None if declared else run)
    flags |= {"declared"} if declared else set()
    if constructor:
        flags |= {"constructor"}
        takes = method.parameters or [
            Parameter(f"argument{number}", None, 0, method.place, frozenset(), False) for number in range(class_.arity)
        ]
    else:
        takes = method.parameters
        flags |= {"refuses"} if code is not None and _only_refuses(code) else set()
    if not method.static:
        receiver(made, class_)
    said = formals(made, takes)
    made.result = made.function.result = _result(made, class_, method)
    said += [Argument(value, "return") for value in said_of_null(method.nullness)]
    made.function.flags = frozenset(flags)
    if said:
        body.builder.do("signature", method.symbol, tuple(said), span=span(method.place))


def _result(body: Body, class_: Declared, method: Method) -> Type:
    if method.name == "values" and method.node is None and class_.kind == "enum":
        return array_of(class_.type, 1)
    if method.name == "valueOf" and method.node is None and class_.kind == "enum":
        return class_.type
    return body.type(method.type) if method.type is not None else ANY


def _only_refuses(code: Node) -> bool:
    """Whether a body only throws UnsupportedOperationException or the like: subclasses do the work."""
    statements = elements(code)
    return len(statements) == 1 and statements[0].type == "throw_statement" and b"Unsupported" in (code.text or b"")


def _provided(body: Body, class_: Declared, method: Method) -> None:
    """What the language provides: a record's accessors, an enum's `values` and `valueOf`."""
    build = body.builder
    if class_.kind != "enum":
        value: Operand = build.give("load", body.this(), method.name, span=span(method.place))
    else:
        holder = body.class_value(class_)
        if method.name == "values":
            constants = [known for known in class_.fields.values() if _is_constant(known)]
            loaded = [build.give("load", holder, known.name, span=span(known.node)) for known in constants]
            value = build.give("allocate", array_of(class_.type, 1), tuple(loaded), span=span(method.place))
        else:
            every = build.invoke(holder, "values", [], span(method.place))
            value = build.give("next", every, "element", span=span(method.place))
    build.do("exit", (value,))


def _is_constant(known: Field) -> bool:
    return known.value is not None and known.value.type == "enum_constant"


# Constructors and initialisers.


def _constructor(body: Body, class_: Declared, method: Method) -> None:
    code = method.node.child_by_field_name("body") if method.node is not None else None
    statements = elements(code)
    explicit = statements[0] if statements and statements[0].type == "explicit_constructor_invocation" else None
    which = explicit.child_by_field_name("constructor") if explicit is not None else None
    with body.scope():
        if explicit is not None:
            body.statement(explicit)
        elif class_.superclass is not None:
            _implicit_super(body, class_, method)
        if (which is None or which.type != "this") and class_.initialiser:
            body.builder.invoke(body.this(), f"{INITIALISER} of fields", [], span(method.place))
        for each in statements[explicit is not None :]:
            body.statement(each)
    compact = method.node is None or method.node.type.startswith("compact")
    if class_.kind == "record" and compact and body.builder.reachable:
        for parameter in method.parameters:
            value = body.get(body.frame.names[parameter.name])
            store_field(body, body.this(), parameter.name, value, span(parameter.node))


def _implicit_super(body: Body, class_: Declared, method: Method) -> None:
    assert class_.superclass is not None
    build, at = body.builder, span(method.place)
    given = [Argument(build.get(each.variable)) for each in body.function.formals[1:]] if class_.arity else []
    base = build.give("super", class_.type.name, body.this(), span=at)
    simple = erased(class_.superclass).rpartition(".")[2]
    build.invoke(base, constructor_name(simple), given, at)


def _initialisers(file: File, class_: Declared, name: str, around: Body | None, *, static: bool) -> None:
    """The initialisers of fields and blocks, as a function: constructors call that of instances."""
    symbol = file.unique(f"{class_.type.name}.{name}")

    def run(body: Body) -> None:
        for of_class, each in class_.code:
            if of_class != static:
                continue
            if isinstance(each, Field):
                _initialise(body, class_, each)
            else:
                body.block(each if each.type == "block" else next(iter(elements(each)), None))

    body = _waiting(file, class_, symbol, class_.node, class_.place, around, run)
    if static:
        body.function.flags = frozenset(("static",))
    else:
        class_.initialiser = symbol
        receiver(body, class_)


def _initialise(body: Body, class_: Declared, known: Field) -> None:
    assert known.value is not None
    base = body.class_value(class_) if known.static else body.this()
    if known.value.type == "enum_constant":
        inside = known.value.child_by_field_name("body")
        name = f"{class_.type.name}.{known.name}"
        value = create(body, known.value, class_, inside, name)
    else:
        kind = field_type(body.file, class_, known)
        value = fitted(body, known.value, valued(body, known.value, kind), kind, "=")
    store_field(body, base, known.name, value, span(known.node))
