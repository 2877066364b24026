"""`match`: patterns test the subject and bind its parts."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.conditions import branch
from pliant.extractors.python.expressions import keys_of
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.python.statements import handles
from pliant.extractors.ssa import Key, Refinement, Value

_SUBJECT = "$subject"  # prefix of the keys of what is matched


@handles("match_statement")
def match(lo: Lowering, node: Node) -> None:
    fn = lo.fn
    subjects = node.children_by_field_name("subject")
    body = node.child_by_field_name("body")
    if not subjects or body is None:
        return
    values = [lo.expression(subject) for subject in subjects]
    subject = values[0]
    keys: list[tuple[Key, Value]] = []
    if len(subjects) == 1:
        keys = [(key, fn.root(subject)) for key in (f"{_SUBJECT}#{node.start_byte}", *keys_of(lo, subjects[0]))]
        fn.write(keys[0][0], subject)
    after = fn.new_block()
    for clause in elements(body):
        if clause.type != "case_clause" or not fn.reachable():
            continue
        patterns = [child for child in elements(clause) if child.type == "case_pattern"]
        pattern = patterns[0] if len(patterns) == 1 else None
        guard = clause.child_by_field_name("guard")
        null = pattern is not None and _is_none(pattern)
        irrefutable = pattern is not None and _irrefutable(pattern)
        here = fn.block
        no = fn.new_block(*([] if irrefutable and guard is None else [here]))
        yes = fn.new_block(here)
        fn.seal(yes)
        fn.block = yes
        if null or not irrefutable:
            lo.refine([(key, root, not null) for key, root in keys])
        if pattern is not None:
            _bind(lo, pattern, fn.read(keys[0][0]) if keys else subject)
        else:
            for index, part in enumerate(patterns):
                item = lo.value("item", part)
                lo.emit("element", item, subject, index)
                _bind(lo, part, item)
        if guard is not None:
            for condition in elements(guard)[:1]:
                holds, fails = branch(lo, condition)
                if fn.reachable(fails):
                    fn.edge(fails, no)
                fn.block = holds
        lo.block(clause.child_by_field_name("consequence"))
        fn.jump(after)
        fn.start(no)
        if null and guard is None:
            refinements: list[Refinement] = [(key, root, True) for key, root in keys]
            lo.refine(refinements)
    fn.jump(after)
    fn.start(after)


def _only(node: Node) -> Node:
    while node.type == "case_pattern" and len(elements(node)) == 1:
        node = elements(node)[0]
    return node


def _is_none(pattern: Node) -> bool:
    inner = _only(pattern)
    return inner.type == "none"


def _irrefutable(pattern: Node) -> bool:
    """A bare name or `_`."""
    inner = _only(pattern)
    if inner.type == "case_pattern":  # `_` has no named child
        return text(inner) == "_"
    return inner.type == "dotted_name" and len(elements(inner)) == 1


def _bind(lo: Lowering, pattern: Node, value: Value) -> None:
    """Bind the names that a pattern captures from `value`, which matches it."""
    pattern = _only(pattern)
    kind = pattern.type
    children = elements(pattern)
    if kind == "dotted_name":
        if len(children) == 1:
            lo.bind(text(children[0]), value, pattern)
    elif kind == "as_pattern":
        for child in children:
            if child.type == "identifier":
                lo.bind(text(child), value, child)
            else:
                _bind(lo, child, value)
    elif kind == "union_pattern":
        for child in children:
            _bind(lo, child, value)
    elif kind in ("list_pattern", "tuple_pattern"):
        fixed = True
        for index, child in enumerate(children):
            item = lo.value("item", child)
            fixed = fixed and _only(child).type != "splat_pattern"
            if fixed:
                lo.emit("element", item, value, index)
            else:
                lo.emit("subscript", item, value)
            _bind(lo, child, item)
    elif kind == "class_pattern":
        for child in children[1:]:
            inner = _only(child)
            parts = elements(inner)
            item = lo.value("item", child)
            if inner.type == "keyword_pattern" and len(parts) == 2:
                lo.emit("load", item, value, text(parts[0]))
                _bind(lo, parts[1], item)
            else:
                _bind(lo, child, item)
    elif kind == "dict_pattern":
        for child in pattern.children_by_field_name("value"):
            item = lo.value("item", child)
            lo.emit("subscript", item, value)
            _bind(lo, child, item)
        for child in children:
            if child.type == "splat_pattern":
                _bind(lo, child, value)
    elif kind == "splat_pattern":
        for child in children:
            if child.type == "identifier" and text(child) != "_":
                rest = lo.value("list", child)
                lo.container(rest, "builtins.list")
                lo.bind(text(child), rest, child)
