"""Tests of classes that can have one outcome only: by what made a value, what tests have shown of it before, and what
it is declared to be. Of a class of another file no more is known than its name."""

from __future__ import annotations

from dataclasses import dataclass

from pliant.extractors.ir.operands import Operand, Predicate, Type
from pliant.extractors.passes.names import class_symbol
from pliant.extractors.passes.ways_out import WaysOut
from pliant.extractors.ssa import UNDEFINED, Value

_KIND = "$kind"  # the field under which it is followed what tests have shown of the class of a value


@dataclass(frozen=True, slots=True)
class _Shown:
    """Classes that a value is an instance of, and those that it is none of."""

    of: frozenset[str] = frozenset()
    not_of: frozenset[str] = frozenset()


class Kinds(WaysOut):
    """What is known of the classes of values."""

    def prepare(self) -> None:
        super().prepare()
        self._kinds: dict[Value, _Shown] = {}  # by the values that stand for what was shown

    def is_instance(self, operand: Operand, kind: Type) -> bool | None:
        """Whether an operand is an instance of a class; None where it may be or not."""
        if not self.semantics.classes_tell or kind.kind != "class":
            return None
        value, wanted = self.fn.resolve(self.value(operand)), class_symbol(kind)
        if value in self.guards.literal_null or value in self.guards.known_null:
            return False
        made = self._made(value)
        if made:
            above, whole = self._above(made)
            return True if wanted in above else False if whole else None
        shown = self._shown_of(self.fn.root(value))
        for known in shown.of:
            if wanted in self._above(known)[0]:
                return True
            if self._apart(known, wanted):
                return False
        if not shown.not_of.isdisjoint(self._above(wanted)[0]):
            return False
        declared = self.type_of(operand)
        if value in self.fn.nonnull and declared.kind == "class" and wanted in self._above(class_symbol(declared))[0]:
            return True
        return None

    def note_kind(self, leaf: Predicate, holds: bool) -> None:
        """Note that here an operand is an instance of a class, or that it is none."""
        subject, kind = leaf.operands
        if isinstance(subject, int) and isinstance(kind, Type) and kind.kind == "class":
            root = self.fn.root(self.value(subject))
            if root == UNDEFINED:
                return
            before, name = self._shown_of(root), frozenset((class_symbol(kind),))
            token = self.fn.unnamed()
            self._kinds[token] = (
                _Shown(before.of | name, before.not_of) if holds else _Shown(before.of, before.not_of | name)
            )
            self.fn.write((root, _KIND), token)

    def _shown_of(self, root: Value) -> _Shown:
        return self._kinds.get(self.fn.content((root, _KIND)), _Shown())

    def _made(self, value: Value) -> str:
        """The class of a value that is a new object."""
        instruction = self.results.get(self.fn.root(value))
        if instruction is None or instruction.op != "call":
            return ""
        kind = self.type_of(instruction.number)
        return class_symbol(kind) if kind.kind == "class" else ""

    def _apart(self, one: str, other: str) -> bool:
        """Whether nothing can be of both classes: neither is derived from the other, and both have one base."""
        found = [self.survey.classes.get(name.removeprefix("|")) for name in (one, other)]
        if any(class_ is None or class_.kind == "interface" for class_ in found):
            return False
        above, whole = self._above(one)
        beyond, rest = self._above(other)
        return whole and rest and other not in above and one not in beyond

    def _above(self, name: str) -> tuple[set[str], bool]:
        """A class and what it is derived from, and whether that is all."""
        found, whole = {name, *self.semantics.all_classes}, True
        todo, seen = [name], set[str]()
        while todo:
            bases = self.survey.bases.get(current := todo.pop())
            whole &= bases is not None
            if current not in seen:
                seen.add(current)
                self.fn.spend(1)
                found.update(bases or ())
                todo += bases or ()
        return found, whole
