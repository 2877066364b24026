"""Places: what an expression names in memory, and the values that are known there without lowering it."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN
from pliant.extractors.c.entities import Frame, Member, Place, Variable
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.macros import Macro
from pliant.extractors.lowering.base import MOST_LINKS
from pliant.extractors.lowering.source import elements, only, text
from pliant.extractors.ssa import UNDEFINED, Key, Value

_LINK_STEPS = 4  # of a link of a path that is followed (`budget`)
_PLACES = ("field_expression", "subscript_expression", "pointer_expression")


def stripped(node: Node) -> Node:
    """The node without the parentheses around it."""
    while node.type == "parenthesized_expression" and (inner := only(node)) is not None:
        node = inner
    return node


def named(lo: Lowering, node: Node, name: str) -> tuple[Node, Frame | None] | None:
    """What an identifier with this text stands for, the argument or the body of a macro, and the frame in which that is
    read; None where it is a name of its own."""
    bound = lo.bound(name)
    if bound is not None:
        return bound.node, bound.frame
    macro = lo.macros.get(name) if lo.variable(name) is None else None
    if macro is None or macro.parameters is not None or lo.expanding(macro):
        return None
    body = macro.read(lo.parser)
    return (body, lo.open_frame(macro, [], node)) if body is not None and macro.form == "expression" else None


def keys_of(lo: Lowering, node: Node, links: int = MOST_LINKS) -> list[Key]:
    """The variables and paths whose value the expression is, so that a test of it is a test of them. links: that a path
    has at most."""
    kind = node.type
    if kind == "identifier":
        name = text(node)
        meant = named(lo, node, name)
        if meant is not None:
            with lo.within(meant[1]):
                return keys_of(lo, meant[0], links)
        variable = lo.variable(name)
        if variable is None or variable.function:
            return []
        if variable.address is not None:
            if lo.in_memory_whole(variable):
                return []
            key = lo.path_key(Place(node, None, lo.address(variable), "*", "*"))
            return [key] if key is not None else []
        return [variable.key]
    lo.fn.spend(_LINK_STEPS if kind in _PLACES else 1)
    if kind == "parenthesized_expression":
        inner = only(node)
        return keys_of(lo, inner, links) if inner is not None else []
    if kind == "cast_expression":
        value = node.child_by_field_name("value")
        return keys_of(lo, value, links) if value is not None else []
    if kind == "assignment_expression":
        left = node.child_by_field_name("left")
        return keys_of(lo, left, links) if left is not None else []
    if kind == "comma_expression":
        right = node.child_by_field_name("right")
        return keys_of(lo, right, links) if right is not None else []
    if kind in _PLACES:
        place = quiet_place(lo, node, links) if links else None
        key = lo.path_key(place) if place is not None else None
        return [key] if key is not None else []
    return []


def quiet_place(lo: Lowering, node: Node, links: int = MOST_LINKS) -> Place | None:
    """The place of an expression as far as it is known without lowering it: None where something in it is not."""
    kind = node.type
    if kind == "field_expression":
        argument, name = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if argument is None or name is None:
            return None
        field = text(name)
        outer = quiet_place(lo, argument, links - 1) if links > 1 and not _arrow(node) else None
        if outer is not None:
            return Place(node, None, outer.base, field, _nested(outer.path, field), outer.homes)
        if not _arrow(node) and _is_place(lo, argument):
            return None
        base = quiet_value(lo, argument, links - 1)
        return Place(node, None, base, field, field) if base else None
    if kind == "pointer_expression" and operator_of(node) == "*":
        argument = node.child_by_field_name("argument")
        base = quiet_value(lo, argument, links - 1) if argument is not None else UNDEFINED
        return Place(node, None, base, "*", "*") if base else None
    if kind == "subscript_expression":
        argument, index = node.child_by_field_name("argument"), node.child_by_field_name("index")
        if argument is None or index is None:
            return None
        base = quiet_value(lo, argument, links - 1)
        if not base:
            return None
        if index.type == "number_literal":
            return Place(node, None, base, "*", _element(index))
        if index.type == "identifier":
            at = quiet_value(lo, index, links - 1)
            if at and at != lo.fn.opaque:
                return Place(node, None, base, "*", f"[{text(index)}]#{lo.fn.root(at)}", (lo.fn.root(at),))
        return None
    if kind == "parenthesized_expression":
        inner = only(node)
        return quiet_place(lo, inner, links) if inner is not None else None
    if kind == "identifier":
        bound = lo.bound(text(node))
        if bound is not None:
            with lo.within(bound.frame):
                return quiet_place(lo, bound.node, links)
    return None


def _is_place(lo: Lowering, node: Node) -> bool:
    """Whether `quiet_place` has been asked for all that is known of an expression."""
    node = stripped(node)
    bound = lo.bound(text(node)) if node.type == "identifier" else None
    if bound is None:
        return node.type in _PLACES
    with lo.within(bound.frame):
        return _is_place(lo, bound.node)


def quiet_value(lo: Lowering, node: Node, links: int = MOST_LINKS) -> Value:
    """The value that an expression has, if it is known; nothing is lowered."""
    if node.type in ("parenthesized_expression", "cast_expression"):
        inner = node.child_by_field_name("value") if node.type == "cast_expression" else None
        inner = inner or only(node)
        lo.fn.spend(1)
        return quiet_value(lo, inner, links) if inner is not None else UNDEFINED
    if node.type == "identifier":
        name = text(node)
        bound = lo.bound(name)
        if bound is not None:
            with lo.within(bound.frame):
                return quiet_value(lo, bound.node, links)
        variable = lo.variable(name)
        if variable is not None and variable.address is not None and lo.in_memory_whole(variable):
            return lo.address(variable)
    if node.type == "compound_literal_expression":
        return lo.literals.get(node.id, UNDEFINED)
    for key in keys_of(lo, node, links):
        value = lo.fn.content(key) if isinstance(key, tuple) else lo.fn.read(key)
        if value != UNDEFINED:
            return value
    return UNDEFINED


def _arrow(node: Node) -> bool:
    return operator_of(node) == "->"


def operator_of(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def _element(index: Node) -> str:
    """The path of an element with a constant index; the first is what a pointer to the array points to."""
    return f"[{text(index)}]" if text(index) != "0" else "*"


def _nested(path: str, field: str) -> str:
    return f"{path}.{field}" if path != "*" else field


def place_of(lo: Lowering, node: Node) -> Place:
    """Lower what leads to a place; a place without a base is one of which nothing is known."""
    kind = node.type
    if kind == "identifier":
        name = text(node)
        meant = named(lo, node, name)
        if meant is not None:
            with lo.within(meant[1]):
                return place_of(lo, meant[0])
        return Place(node, lo.variable(name) or external_variable(lo, name))
    if kind == "parenthesized_expression":
        inner = only(node)
        if inner is not None:
            return place_of(lo, inner)
    if kind == "cast_expression":
        value = node.child_by_field_name("value")
        if value is not None:
            return place_of(lo, value)
    if kind == "field_expression":
        argument, name_node = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if argument is not None and name_node is not None:
            field = text(name_node)
            if _arrow(node):
                base = pointed(lo, argument, f"->{field}", "member", node)
                return Place(node, None, base, field, field)
            outer, homes, path = member_base(lo, argument)
            return Place(node, None, outer, field, _nested(path, field) if path else field, homes)
    if kind == "pointer_expression" and operator_of(node) == "*":
        argument = node.child_by_field_name("argument")
        if argument is not None:
            return Place(node, None, pointed(lo, argument, "*", "pointer", node), "*", "*")
    if kind == "subscript_expression":
        return subscript_place(lo, node)
    if kind == "call_expression":
        macro = called_macro(lo, node)
        if macro is not None:
            body = macro.read(lo.parser)
            arguments = node.child_by_field_name("arguments")
            if body is not None and macro.form == "expression" and arguments is not None:
                with lo.within(lo.open_frame(macro, elements(arguments), node)):
                    return place_of(lo, body)
    lo.expression(node)
    return Place(node)


def external_variable(lo: Lowering, name: str) -> Variable:
    """A variable of another file."""
    known = lo.globals.get(name)
    if known is None:
        lo.external(name)
        known = lo.globals[name] = Variable(name, f"{name}#extern", UNKNOWN, None, f"|<module>|extern {name}|1")
    return known


def member_base(lo: Lowering, node: Node) -> tuple[Value, tuple[Value, ...], str]:
    """The address of the struct that `node.field` is about, and the path from it to the struct."""
    inner = stripped(node)
    if inner.type in ("field_expression", "subscript_expression", "pointer_expression"):
        place = place_of(lo, inner)
        if place.base:
            if place.path == "*":
                return place.base, (), ""
            return place.base, place.homes, place.path
        return lo.fn.opaque, (), ""
    return address_of(lo, inner), (), ""


def pointed(lo: Lowering, node: Node, what: str, kind: str, use: Node) -> Value:
    """The pointer `node`, which is followed here. `*p++` follows `p` before it goes on."""
    inner = stripped(node)
    if inner.type == "update_expression":
        argument = inner.child_by_field_name("argument")
        postfix = inner.children and inner.children[0].type not in ("++", "--")
        if argument is not None and postfix:
            place = place_of(lo, argument)
            value = lo.read(place, text_of(place))
            lo.dereference(value, what, kind, use, keys_of(lo, argument))
            step(lo, place, inner)
            return value
    value = lo.expression(node)
    lo.dereference(value, what, kind, use, keys_of(lo, node))
    return value


def text_of(place: Place) -> str:
    """What a value that is read from the place is called."""
    if place.variable is not None:
        return place.variable.name
    if place.field == "*":
        return "[]" if place.node.type == "subscript_expression" else "*"
    return f"->{place.field}"


def subscript_place(lo: Lowering, node: Node) -> Place:
    argument, index = node.child_by_field_name("argument"), node.child_by_field_name("index")
    if argument is None or index is None:
        return Place(node)
    if argument.type == "number_literal":  # 0[a]
        argument, index = index, argument
    homes: tuple[Value, ...] = ()
    path = ""
    base = pointed(lo, argument, "[]", "subscript", node)
    if index.type == "number_literal":
        path = _element(index)
    else:
        at = lo.expression(index)
        if index.type == "identifier" and at != lo.fn.opaque:
            root = lo.fn.root(at)
            path, homes = f"[{text(index)}]#{root}", (root,)
        else:
            path = f"[]#{lo.unique_key(index, '')}"
            homes = (lo.fn.unnamed(),)
    return Place(node, None, base, "*", path, homes)


def address_of(lo: Lowering, node: Node) -> Value:
    """`&node`, or the address by which a struct or an array is known."""
    kind = node.type
    fn = lo.fn
    if kind == "parenthesized_expression" and (inner := only(node)) is not None:
        return address_of(lo, inner)
    if kind == "identifier":
        name = text(node)
        meant = named(lo, node, name)
        if meant is not None:
            with lo.within(meant[1]):
                return address_of(lo, meant[0])
        variable = lo.variable(name) or external_variable(lo, name)
        if variable.function:
            return lo.read_variable(variable, node)
        lo.mentioned.add(variable.key)
        if variable.address is None and not variable.cell:
            return fn.opaque  # a register variable of a macro, or one that is not in memory
        if variable.cell and variable.type is UNKNOWN:
            value = fn.fixed_value(variable.cell)
            fn.nonnull.add(value)
            return value
        return lo.address(variable)
    if kind in ("compound_literal_expression", "call_expression", "conditional_expression", "assignment_expression"):
        return lo.expression(node)
    if kind == "pointer_expression" and operator_of(node) == "*":
        argument = node.child_by_field_name("argument")
        return lo.expression(argument) if argument is not None else fn.opaque
    if kind == "subscript_expression":
        argument, index = node.child_by_field_name("argument"), node.child_by_field_name("index")
        if argument is None or index is None:
            return fn.opaque
        base = lo.expression(argument)
        lo.expression(index)
        return lo.interior(base, "&[]", node)
    if kind == "field_expression":
        argument, name_node = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if argument is None or name_node is None:
            return fn.opaque
        field = text(name_node)
        base = lo.expression(argument) if _arrow(node) else address_of(lo, argument)
        if base in (UNDEFINED, fn.opaque):
            return fn.opaque
        root = fn.root(base)
        known = lo.interiors.get((root, field))
        if known is not None and fn.homes[known] == fn.block:
            return known
        value = lo.interior(base, f"&->{field}", node)
        if _arrow(node) and not lo.is_nonnull(base):
            lo.members[value] = Member(base, field, node, keys_of(lo, argument))
        elif base in lo.members:
            lo.members[value] = lo.members[base]
        fn.nonnull.add(value)  # an offset from null is no null that anything tests for
        lo.interiors[(root, field)] = value
        if field in fn.fields_of.get(root, ()):
            fn.write((root, field), fn.unknown)  # whoever has the address may write it
        return value
    lo.expression(node)
    return fn.opaque


def called_macro(lo: Lowering, node: Node) -> Macro | None:
    """The macro of this file that a call expands."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "identifier":
        return None
    return macro_named(lo, text(function))


def renamed(lo: Lowering, name: str) -> str:
    """The function that a name means by macros of this file: `#define release free`."""
    seen = {name}
    while lo.variable(name) is None and name not in lo.varied:
        macro = lo.macros.get(name)
        body = macro.body if macro is not None and macro.parameters is None else ""
        if not body.isidentifier() or body in seen:
            break
        seen.add(body)
        name = body
    return name


def macro_named(lo: Lowering, name: str) -> Macro | None:
    """The macro with parameters that a name means."""
    macro = lo.macros.get(name)
    if macro is None or macro.parameters is None or lo.variable(name) is not None or lo.expanding(macro):
        return None
    return macro


def write_anew(lo: Lowering, place: Place, value: Value, node: Node) -> None:
    """Write what was made of the value that is there."""
    key = place.variable.key if place.variable is not None and place.variable.address is None else ""
    before = lo.fn.read(key) if key else UNDEFINED
    lo.write(place, value, node)
    if key:
        lo.made_from[lo.fn.read(key)] = before


def step(lo: Lowering, place: Place, node: Node) -> Value:
    """Move on to the next (or the one before); returns the value from before."""
    if place.variable is None and not place.base:
        return lo.opaque()
    if (
        place.variable is not None
        and lo.types.resolve(place.variable.type).arithmetic
        and place.variable.address is None
    ):
        write_anew(lo, place, lo.stepped(place.variable, node), node)
        return lo.opaque()
    old = lo.read(place, text_of(place))
    if place.variable is None and place.field in lo.arithmetic_fields:
        lo.write(place, lo.opaque(), node)
        return lo.opaque()
    moved = lo.interior(old, text_of(place), node) if old != lo.opaque() else lo.fn.unnamed()
    lo.write(place, moved, node)
    return old
