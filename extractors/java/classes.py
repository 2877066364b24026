"""Classes: their facts, their fields' initialisers, and the functions of their methods."""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from pliant.extractors.java import helpers, scalars, written_types
from pliant.extractors.java.declarations import Class, Field, Method, constructor_name, modifiers_of
from pliant.extractors.java.lowering import ARRAY, Lowering, Pending
from pliant.extractors.java.types import DULL, bare, erased, is_boxed, is_primitive, kind_of
from pliant.extractors.lowering.source import elements, is_small, span, text
from pliant.extractors.ssa import UNDEFINED, Value


def define(lo: Lowering, class_: Class, arity: int = 0) -> None:
    """The facts of a class; its code waits to be lowered. arity: of the constructor that it has without writing it."""
    symbol = class_.symbol
    place = class_.node.child_by_field_name("name")
    if place is not None and class_.outer is None:
        lo.writer.place(lo.writer.symbol(symbol), span(place))
    lo.emit("class_def", symbol, "|")
    lo.emit("instance", symbol, class_.instance)
    lo.emit("virtual", symbol)
    if _is_functional(class_):
        lo.emit("functional_class", symbol)
    outer_class, lo.class_ = lo.class_, class_
    for base in class_.bases:
        lo.emit("class_base", symbol, lo.type_value(erased(base)))
    lo.class_ = outer_class
    for known in class_.fields.values():
        lo.attempt(known.node, partial(_define_field, lo, class_, known))
    for methods in class_.methods.values():
        for method in methods:
            lo.attempt(method.node or method.place, partial(_define_method, lo, class_, method, arity))
    if _has_code(class_, static=False):
        _wait_for_initialiser(lo, class_, static=False)
    if _has_code(class_, static=True):
        _wait_for_initialiser(lo, class_, static=True)
    for name, inner in class_.inner.items():
        if (inner_place := inner.node.child_by_field_name("name")) is not None:
            lo.writer.place(lo.writer.symbol(inner.symbol), span(inner_place))
        lo.emit("class_attribute", symbol, name, lo.class_value(inner))
        define(lo, inner)


def _is_functional(class_: Class) -> bool:
    """Whether a lambda may be an instance: of an interface with one method to write, or perhaps an inherited one."""
    open_ones = [
        method
        for methods in class_.methods.values()
        for method in methods
        if method.node is not None and not method.static and method.node.child_by_field_name("body") is None
    ]
    return class_.kind == "interface" and (len(open_ones) == 1 or (not open_ones and bool(class_.bases)))


def define_function(lo: Lowering, symbol: str, place: Node, count: int) -> None:
    lo.emit("function", symbol, "|")
    lo.emit("functional", symbol, count)
    lo.writer.place(lo.writer.symbol(symbol), span(place))


def _wait(lo: Lowering, pending: Pending) -> None:
    class_ = pending.class_
    if class_ is not None and class_.captures:
        pending.captures = class_.captures
    lo.pending.append(pending)


# Fields.


def _define_field(lo: Lowering, class_: Class, known: Field) -> None:
    if known.primitive:
        scalars.define_field(lo, class_, known)
    if known.primitive or known.node.type == "enum_constant":
        return
    if known.nullable:
        value = lo.fn.value(f"{class_.symbol}|{known.name} annotation|1", span(known.node))
        lo.emit("null", value, "annotation")
        lo.emit("nullable_field", class_.symbol, known.name, value)
    made = known.value is not None and known.value.type in ("object_creation_expression", "array_initializer")
    if made or known.type is None or known.type_name in DULL or known.type_name.endswith("[]"):
        return
    if bare(known.type).type not in ("type_identifier", "scoped_type_identifier"):
        return
    outer, lo.class_ = lo.class_, class_
    value = lo.fn.value(f"{class_.symbol}|{known.name} declared|1")
    lo.fn.nonnull.add(value)
    lo.declared(value, known.type)
    holder = lo.class_value(class_) if known.static else lo.fn.fixed_value(f"{class_.symbol}|any|1")
    if not known.static:
        lo.emit("new", holder, class_.instance, class_.symbol)
        lo.fn.nonnull.add(holder)
    lo.emit("store", holder, known.name, value)
    lo.class_ = outer


def _has_code(class_: Class, *, static: bool) -> bool:
    if any(known.value is not None and known.static == static for known in class_.fields.values()):
        return True
    return any((block.type == "static_initializer") == static for block in class_.initialisers)


def _wait_for_initialiser(lo: Lowering, class_: Class, *, static: bool) -> None:
    """Initialisers of fields and blocks, as a function that constructors (or nothing) call."""
    name = "<clinit>" if static else "<init>"
    symbol = lo.namer(f"{class_.symbol[1:]}.{name}")
    place = class_.node.child_by_field_name("name") or class_.node
    define_function(lo, symbol, place, 0 if static else 1)
    key = f"{name} of fields/0"
    lo.emit("method", class_.symbol, key, symbol)
    lo.emit("class_attribute", class_.symbol, key, _function_value(lo, symbol, key))

    def lower() -> None:
        lo.return_type = "<init>"
        if not static:
            _receiver(lo, class_, symbol, small=True)
        for known in class_.fields.values():
            if known.value is not None and known.static == static:
                _initialise(lo, class_, known, known.value)
        for block in class_.initialisers:
            if (block.type == "static_initializer") == static:
                for child in elements(block) if static else [block]:
                    lo.statement(child)
        lo.fn.leave()

    _wait(lo, Pending(symbol, class_, static, lower, class_.node))


def _initialise(lo: Lowering, class_: Class, known: Field, node: Node) -> None:
    base = lo.class_value(class_) if known.static else lo.this()
    if node.type == "enum_constant":
        _constant(lo, class_, known, node, base)
        return
    value = lo.expression(node)
    if known.primitive:
        return
    if value in lo.call_results:
        lo.emit("named", value)
    lo.store_field(base, known.name, value, known.node)
    if known.static and known.final:
        lo.emit("constant_field", class_.symbol, known.name, value)


def _constant(lo: Lowering, class_: Class, known: Field, node: Node, base: Value) -> None:
    """A constant of an enum: an instance, made with its arguments."""
    given = elements(node.child_by_field_name("arguments"))
    body = node.child_by_field_name("body")
    kind = class_
    if body is not None:
        kind = lo.declare_local_class(body, f"{class_.symbol[1:]}.{known.name}", static=True)
        kind.bases = []
        lo.writer.place(lo.writer.symbol(kind.symbol), span(known.node))
        define(lo, kind, arity=len(given))
        lo.emit("class_base", kind.symbol, lo.class_value(class_))
    value = lo.call_value(f"new {known.name}", node, lo.live(), lo.class_value(kind))
    lo.fn.nonnull.add(value)
    lo.emit("construction", value, f"{kind.constructor}/{len(given)}")
    for number, argument in enumerate(given):
        lo.emit("actual", value, number, lo.expression(argument))
    lo.emit("arguments", value, len(given))
    lo.store_field(base, known.name, value, known.node)


# Methods.


def _function_value(lo: Lowering, symbol: str, name: str) -> Value:
    value = lo.fn.value(f"{symbol}|def {name}|1")
    lo.fn.nonnull.add(value)
    lo.emit("holds", value, symbol)
    return value


def _define_method(lo: Lowering, class_: Class, method: Method, arity: int) -> None:
    symbol, constructor = method.symbol, method.name == class_.constructor
    count = len(method.parameters)
    implicit = constructor and method.node is None and class_.kind != "record"
    keys = [f"{method.name}/{arity}"] if implicit else method.keys
    define_function(lo, symbol, method.place, count + (not method.static))
    lo.emit("method", class_.symbol, method.name, symbol)
    value = _function_value(lo, symbol, method.name)
    for key in keys:
        lo.emit("class_attribute", class_.symbol, key, value)
    if method.static:
        lo.emit("static_method", symbol)
    scalars.define_method(lo, method)
    outer, lo.class_ = lo.class_, class_
    if class_.overloads(method.name, count) > 1:
        for number, parameter in enumerate(method.parameters):
            if kind := kind_of(parameter.type_name):
                lo.emit("formal_kind", symbol, number, kind)
    for parameter in method.parameters:
        formal = f"{symbol}|{parameter.name}|formal"
        if not parameter.rest and not method.private:
            lo.declared(formal, parameter.type)
        if parameter.nullable:
            lo.emit("nullable_formal", formal)
    if method.type is not None and not is_primitive(method.type_name):
        body = method.node.child_by_field_name("body") if method.node is not None else None
        result = lo.fn.value(f"{symbol}|{method.name} declared|1", span(method.type))
        if method.type_name not in DULL:
            lo.declared(result, method.type)
            lo.emit("returns", symbol, result, symbol)
        if method.nullable and body is None:
            nothing = lo.fn.value(f"{symbol}|{method.name} annotation|1", span(method.type))
            lo.emit("null", nothing, "annotation")
            lo.emit("returns", symbol, nothing, symbol)
    lo.class_ = outer

    def lower() -> None:
        if constructor:
            _lower_constructor(lo, class_, method, arity)
        else:
            _lower_method(lo, class_, method)

    _wait(lo, Pending(symbol, class_, method.static, lower, method.node or method.place))


def _receiver(lo: Lowering, class_: Class, symbol: str, small: bool) -> None:
    fn = lo.fn
    value = fn.fixed_value(f"{symbol}|this|formal")
    fn.homes[value] = fn.entry
    fn.formals[value] = None
    fn.nonnull.add(value)
    lo.emit("formal", symbol, 0, value)
    lo.emit("new", value, class_.instance, class_.symbol)
    fn.follow_object(value, small)
    lo.this_value = value


def _formals(lo: Lowering, method: Method, small: bool) -> None:
    fn = lo.fn
    twice = _given_twice(method)
    for position, parameter in enumerate(method.parameters, 0 if method.static else 1):
        value = fn.fixed_value(f"{method.symbol}|{parameter.name}|formal")
        fn.homes[value] = fn.entry
        fn.spans[value] = span(parameter.node)
        if parameter.rest:
            lo.emit("new", value, value, ARRAY)
            lo.emit("formal_rest", method.symbol, value)
            lo.emit("formal_array", method.symbol, len(method.parameters) - 1, value)
        else:
            fn.formals[value] = None
            lo.emit("formal", method.symbol, position, value)
            if not (
                is_primitive(parameter.type_name) or is_boxed(parameter.type_name) or parameter.type_name == "String"
            ):
                fn.follow_object(value, small)
            if is_primitive(parameter.type_name) and parameter.type_name != "boolean":
                fn.nonnull.add(value)
            elif parameter.name in twice:
                lo.emit("new", value, value, ARRAY)
                lo.emit("made_in", value, method.symbol)
        written = written_types.of_parameter(lo, parameter) if lo.annotated else None
        lo.declare_variable(parameter.name, parameter.type_name, value, written)


def _given_twice(method: Method) -> frozenset[str]:
    """Array parameters that are passed to two constructors: an object that callers own stands for each."""
    arrays = [parameter.name for parameter in method.parameters if parameter.type_name.endswith("[]")]
    if not arrays or method.node is None:
        return frozenset()
    counts = dict.fromkeys(arrays, 0)
    todo = [method.node]
    while todo:
        node = todo.pop()
        if node.type == "object_creation_expression":
            for argument in elements(node.child_by_field_name("arguments")):
                if argument.type == "identifier" and text(argument) in counts:
                    counts[text(argument)] += 1
        todo.extend(node.named_children)
    return frozenset(name for name, count in counts.items() if count > 1)


def _lower_method(lo: Lowering, class_: Class, method: Method) -> None:
    symbol, node = method.symbol, method.node
    lo.return_type, lo.return_node = method.type_name, method.type
    small = node is None or is_small(node)
    if not method.static:
        _receiver(lo, class_, symbol, small)
    _formals(lo, method, small)
    if node is None:
        _provided(lo, class_, method)
        return
    helpers.promises(lo, method)
    body = node.child_by_field_name("body")
    if body is not None:
        lo.block(body)
        if _only_refuses(body):
            lo.emit("ends", symbol, symbol)
    if lo.fn.reachable():
        helpers.note_return(lo, None, None)
        lo.leave_written()
        lo.fn.leave()


def _only_refuses(body: Node) -> bool:
    """Whether a body only throws UnsupportedOperationException or the like: subclasses do the work."""
    statements = elements(body)
    return len(statements) == 1 and statements[0].type == "throw_statement" and b"Unsupported" in (body.text or b"")


def _provided(lo: Lowering, class_: Class, method: Method) -> None:
    """What the language provides: a record's accessors, an enum's `values` and `valueOf`."""
    if class_.kind == "enum":
        value = lo.value("constant")
        lo.fn.nonnull.add(value)
        lo.emit("new", value, class_.instance, class_.symbol)
        if method.name == "values":
            array = lo.value("new array")
            lo.fn.nonnull.add(array)
            lo.emit("new", array, array, ARRAY)
            lo.emit("store", array, "[]", value)
            value = array
    else:
        value = lo.value(f".{method.name}", method.place)
        lo.emit("load", value, lo.this(), method.name)
        lo.emit("unknown_content", value)
    lo.leave(value)


# Constructors.


def _lower_constructor(lo: Lowering, class_: Class, method: Method, arity: int) -> None:
    fn = lo.fn
    lo.return_type = "<init>"
    small = method.node is None or is_small(method.node)
    _receiver(lo, class_, method.symbol, small)
    _formals(lo, method, small)
    body = method.node.child_by_field_name("body") if method.node is not None else None
    first = next(iter(elements(body)), None)
    explicit = first if first is not None and first.type == "explicit_constructor_invocation" else None
    which = explicit.child_by_field_name("constructor") if explicit is not None else None
    delegates = which is not None and which.type == "this"
    if not delegates:
        _count_fields(lo, class_)
        for known in class_.fields.values():
            if _may_stay_unset(lo, class_, known):
                path = fn.path(lo.this(), known.name)
                if path is not None:
                    unset = lo.null(f"{known.name} unset", method.place, "unset")
                    lo.unset.add(unset)
                    lo.assign(path, unset)
    if explicit is not None:
        lo.statement(explicit)
    elif class_.bases and class_.kind == "class":
        _implicit_super(lo, class_, method, arity)
    if not delegates and _has_code(class_, static=False):
        call = lo.call_method("initialisers", method.place, lo.live(), lo.this(), "<init> of fields/0")
        lo.emit("arguments", call, 0)
        fn.passed(call, [lo.this()])
    for child in elements(body):
        if child is not explicit and child != explicit:
            lo.statement(child)
    if fn.reachable() and class_.kind == "record" and (method.node is None or "compact" in method.node.type):
        for parameter in method.parameters:
            value = fn.read(lo.local(parameter.name) or parameter.name)
            if value != UNDEFINED and not is_primitive(parameter.type_name):
                lo.store_field(lo.this(), parameter.name, value, method.place)
    lo.leave(None)


def _implicit_super(lo: Lowering, class_: Class, method: Method, arity: int) -> None:
    value = lo.value("super", method.place)
    lo.fn.nonnull.add(value)
    lo.emit("super_of", value, class_.symbol, lo.this())
    lo.fn.same_object(value, lo.this())
    count = arity if method.node is None else 0
    name = constructor_name(erased(class_.bases[0]))
    call = lo.call_method("super()", method.place, lo.live(), value, f"{name}/{count}")
    lo.emit("arguments", call, count)
    lo.fn.passed(call, [value])


def _count_fields(lo: Lowering, class_: Class) -> None:
    """Count the steps of asking for each field whether it may stay unset, and of noting that."""
    lo.fn.spend(len(class_.fields) * (8 + len(class_.initialisers)))


def _may_stay_unset(lo: Lowering, class_: Class, known: Field) -> bool:
    """Whether a field is null unless a constructor sets it; what annotations may set is left out."""
    if known.static or known.primitive or known.value is not None or known.name not in lo.tracked:
        return False
    if class_.kind != "class" or known.type_name == "Void":
        return False
    declaration = known.node.parent.parent if known.node.parent is not None else None
    if declaration is None or modifiers_of(declaration)[1]:
        return False
    name = known.name.encode()
    return not any(name in (block.text or b"") for block in class_.initialisers if block.type == "block")


def note_fields(lo: Lowering) -> None:
    """Where a constructor ends: note what may be in the fields that it has to set."""
    class_ = lo.class_
    if class_ is None or lo.this_value == UNDEFINED or not lo.fn.reachable():
        return
    _count_fields(lo, class_)
    for known in class_.fields.values():
        if _may_stay_unset(lo, class_, known):
            path = lo.fn.path(lo.this_value, known.name)
            content = lo.fn.content(path) if path is not None else UNDEFINED
            if lo.fn.root(content) in lo.unset:
                lo.emit("field_at_exit", lo.symbol, class_.symbol, known.name, content, lo.live())
