"""Variables of a file: what they hold at first. Static variables of functions are among them."""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.declarations import CType, declarator, specifiers
from pliant.extractors.c.translation.body import Body
from pliant.extractors.c.translation.declarations import read_type
from pliant.extractors.c.translation.initializers import initial
from pliant.extractors.c.translation.kinds import is_whole
from pliant.extractors.lowering.source import span, text

_WORD = re.compile(rb"[A-Za-z_]\w*+")
_SMALL = frozenset(("expression_statement", "return_statement", "parameter_list"))  # no declaration is in these


class Started(NamedTuple):
    """A variable that holds something at first: what `initial` says, or zero. place: of its name."""

    name: str
    kind: CType
    initial: Node | None
    place: Node


class Initials:
    """The initial values of a file's variables, for when all names are known."""

    def __init__(self) -> None:
        self._variables: list[Started] = []

    def add(self, variable: Started) -> None:
        self._variables.append(variable)

    def write(self, body: Body) -> None:
        """Set all variables: zeros first. A structure or an array that an initial value before its own, or that one,
        mentions is there beforehand."""
        file = body.file
        mentioned: set[str] = set()
        first: dict[str, Started] = {}
        valued: dict[str, Started] = {}
        early: set[str] = set()
        for each in self._variables:
            if each.initial is None:
                first.setdefault(each.name, each)
                continue
            valued[each.name] = each
            found = _WORD.findall(file.source, each.initial.start_byte, each.initial.end_byte)
            mentioned.update(word.decode() for word in found)
            if is_whole(each.kind) and each.name in mentioned:
                early.add(each.name)
                first[each.name] = each
        for name, each in first.items():
            if name in early or name not in valued:
                file.attempt(each.place, partial(_initialise, body, each, None, in_place=False))
        for name, each in valued.items():
            file.attempt(each.place, partial(_initialise, body, each, each.initial, in_place=name in early))
        self._variables.clear()

    def add_statics(self, body: Body, function: str, block: Node) -> None:
        """The static variables of a function."""
        todo = [block]
        while todo:
            node = todo.pop()
            if node.type != "declaration":
                if node.type not in _SMALL:
                    todo += reversed(node.named_children)
                continue
            parts = specifiers(node)
            for child in node.children_by_field_name("declarator") if "static" in parts.storage else ():
                one = declarator(child)
                if one.name is None or one.levels[:1] == ("function",):
                    continue
                if parts.node is not None:
                    read_type(body, parts.node)
                name = body.file.unique(f"{function}.{text(one.name)}")
                body.file.statics[one.name.start_byte] = name
                kind = body.kinds.resolve(CType(parts.base, one.levels))
                self.add(Started(name, kind, one.initial, one.name))


def _initialise(body: Body, variable: Started, given: Node | None, *, in_place: bool) -> None:
    """in_place: whether the object is there, and gets its content."""
    name, kind, at = variable.name, variable.kind, span(variable.place)
    local = body.meaning(name) or body.declare(name, kind, body.module_variable(name, kind, here=True))
    value = initial(body, kind, given) if given is not None else body.new("zero", kind, at)
    if in_place:
        body.builder.do("store", body.builder.get(local.variable, at), "*", value, span=at)
    else:
        body.builder.set(local.variable, value, at)
