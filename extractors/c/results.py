"""Results of calls that conditions test: `if (find(key, &value) != 0) return;` shows in which way `find` was left."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from pliant.extractors.c.entities import LARGEST
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.operands import literal_number
from pliant.extractors.c.places import keys_of, operator_of, stripped
from pliant.extractors.lowering.conditions import OPPOSITES
from pliant.extractors.lowering.ranges import RESULTS, TURNED
from pliant.extractors.ssa import UNDEFINED, Block, Value

LOW, HIGH = RESULTS
Range = tuple[int, int]
EVERY: list[Range] = [(LOW, HIGH)]


def tested(lo: Lowering, node: Node, value: Value) -> tuple[Value, list[Range], list[Range]] | None:
    """The call whose result is tested, and the ranges of the result where the test holds and where it does not."""
    node, fn = stripped(node), lo.fn
    call = fn.root(value)
    if call in lo.call_info:
        return call, [(LOW, -1), (1, HIGH)], [(0, 0)]
    if node.type != "binary_expression":
        return None
    operator = operator_of(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or operator not in TURNED:
        return None
    number = literal_number(lo, right)
    if number is None:
        number = literal_number(lo, left)
        left, operator = right, TURNED[operator]
    if number is None or abs(number) > LARGEST:
        return None
    subjects = [fn.read(key) for key in keys_of(lo, left)] or [lo.compared.get(node.id, UNDEFINED)]
    for call in map(fn.root, subjects):
        if call in lo.call_info:
            below, above = [(LOW, number - 1)], [(number + 1, HIGH)]
            equal = [(number, number)]
            sides = {
                "==": (equal, below + above),
                "<": (below, equal + above),
                ">": (above, below + equal),
            }
            yes, no = sides[OPPOSITES.get(operator, operator)]
            return (call, no, yes) if operator in OPPOSITES else (call, yes, no)
    return None


def known(lo: Lowering, call: Value, ranges: list[Range], came: Mapping[Block, Block]) -> None:
    """The result of `call` lies in one of `ranges` here: its arguments, and what it wrote through them, are what they
    are when it ends so. came: of joins behind the call, from which of their predecessors control came."""
    fn = lo.fn
    info = lo.call_info[call]
    for argument, keys in zip(info.arguments, info.keys, strict=True):
        root = fn.root(argument)
        for key in keys:
            current = fn.read(key)
            if current in (UNDEFINED, fn.opaque, fn.unknown) or fn.root(current) != root or lo.is_nonnull(current):
                continue
            what = f"{fn.key_name(key)} after calls"
            shown = fn.value(lo.writer.name(lo.qualname, what), root=fn.root(current))
            lo.objects[shown] = current
            fn.define(shown, "assign_object", shown, current)
            fn.define(shown, "assign_null", shown, current)
            for low, high in ranges:
                fn.define(shown, "shown", shown, call, argument, low, high)
            fn.write(key, shown)
        if ranges == EVERY:
            continue
        fields = dict.fromkeys([*(["*"] if lo.is_address(argument) else []), *fn.fields_of.get(root, ())])
        for field in fields:
            if field.startswith("$"):
                continue
            left = fn.left_by(call, fn.by_way(fn.content((root, field)), came), root)
            if left is None:
                continue
            content, since = left
            after = fn.value(lo.writer.name(lo.qualname, f"{field} of {fn.what(root)} after calls"))
            fn.carried[after] = call
            before, calls = fn.carried_from[content]
            if before != fn.unknown and before not in fn.nonnull:
                fn.define(after, "carry", after, before, field)
                for crossed in calls:
                    fn.define(after, "carry_across", after, crossed)
            fn.carried_from[after] = before, calls
            for low, high in ranges:
                fn.define(after, "path_result_when", call, argument, field, after, low, high)
            fn.write((root, field), fn.across((root, field), after, since, fn.block) if since else after)
