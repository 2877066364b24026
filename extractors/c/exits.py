"""How control leaves a C function: what callers can tell from it of the arguments, of shared variables, and which
addresses of variables outlive them."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.c.entities import FREED, NONNULL, Exit, Way
from pliant.extractors.c.memory import Memory
from pliant.extractors.lowering.correlation import unguarded
from pliant.extractors.lowering.ranges import EVERYTHING, RESULTS, meet, point
from pliant.extractors.ssa import UNDEFINED, Value


class Exits(Memory):
    def leave_with(self, value: Value | None, node: Node, ways: Sequence[Way] = (Way(None),)) -> None:
        """Control leaves the function with `value`, by one of some ways."""
        fn = self.fn
        if not fn.reachable():
            fn.stop()
            return
        live = self.live()
        pointer = value is not None and value != fn.opaque and not self.types.resolve(self.returns).arithmetic
        for way in ways:
            left = self.value("exit", node)
            symbol = fn.names[fn.resolve(value)] if value is not None and pointer and way.given == point(0) else None
            blocks = [fn.block, *way.came.values()]
            call = fn.root(fn.by_way(unguarded(self, value), way.came)) if value is not None else UNDEFINED
            handed_on = call if call in self.call_info else UNDEFINED
            self.exits.append(Exit(left, live, blocks, self._paths(way), way.given, symbol or "", handed_on))
        for key, formal in self.macro_parameters.items():
            current = fn.resolve(fn.read(key))
            if current != UNDEFINED and (fn.root(current) != formal or current in self.behind_macros):
                self.emit("macro_left", formal, current)
        self._leave_shared(value, left, live)

    def _paths(self, way: Way) -> list[tuple[Value, str, Value]]:
        """What parameters lead to where it is left by `way`, as far as it may be null."""
        fn = self.fn
        found = []
        for formal in fn.formals:
            for name in fn.fields_of.get(formal, ()):
                if name.startswith("$") or name not in self.cleared:
                    continue
                content = fn.by_way(fn.content((formal, name)), way.came)
                if content != UNDEFINED and content not in fn.nonnull:
                    found.append((formal, name, content))
        return found

    def _leave_shared(self, value: Value | None, left: Value, live: Value) -> None:
        fn = self.fn
        for key, variable in self.shared.items():
            content = fn.read(key)
            if content in (UNDEFINED, fn.opaque) or self.is_nonnull(content):
                self.emit("variable_set", variable.cell)
            else:
                self.emit("variable_left", variable.cell, content, live)
        self._leave_kept(value, left, live)
        quiet = value == fn.opaque or self.types.resolve(self.returns).arithmetic
        self.leave(None if quiet else value)

    def _leave_kept(self, value: Value | None, left: Value, live: Value) -> None:
        """Addresses of variables that end here and are still held by what does not."""
        fn = self.fn
        for key in dict.fromkeys(self.kept):
            for stored in self._alternatives(fn.read(key)):
                target = self.object_of(stored)
                if target in self.stack and stored != target:
                    self.emit("outlives", stored, target, live)
        for returned in self._alternatives(value) if value is not None and self.stack else ():
            target = self.object_of(returned)
            if target in self.stack:
                self.emit("outlives", left, target, live)

    def _alternatives(self, value: Value) -> list[Value]:
        """The values that a phi joins, or the value itself."""
        operands = self.fn.operands(value)
        return [self.fn.resolve(operand) for operand in operands] if operands is not None else [self.fn.resolve(value)]

    def _write_freed(self) -> None:
        """Write what is left of the objects of the parameters, as far as calls may have freed them."""
        fn = self.fn
        reached = [(formal, formal, "") for formal in fn.formals]
        reached += [(value, formal, name) for value, (formal, name) in self.first_reads.items()]
        for value, formal, name in reached:
            if value not in self.touched:
                continue
            for left in self.exits:
                state = fn.content((value, FREED), left.blocks[0])
                if state == UNDEFINED and fn.content((formal, FREED), left.blocks[0]) != fn.opaque:
                    state = self.alive
                if state not in (UNDEFINED, fn.opaque):
                    self.emit("freed_exit", self.symbol, formal, name, state, left.live)

    def _write_truths(self) -> None:
        """Parameters that are true, or false, wherever it is left: what a condition has to be that is passed."""
        fn = self.fn
        for formal in fn.formals if self.exits else ():
            for mark, truth in ((NONNULL, "true"), (FREED, "false")):  # there is nothing to free where it is null
                known = mark in fn.fields_of.get(formal, ()) and formal not in fn.nonnull
                if known and all(
                    any(fn.content((formal, mark), block) == fn.opaque for block in left.blocks) for left in self.exits
                ):
                    self.emit("left_only", formal, truth)

    def write_exits(self) -> None:
        """Write how the function is left, as far as that tells callers something."""
        fn = self.fn
        self._write_freed()
        if not self.exits:
            for variable in self.shared.values():
                self.emit("variable_set", variable.cell)
        open_ones = [formal for formal in fn.formals if formal not in fn.nonnull]
        shown = [
            {
                formal
                for formal in open_ones
                if any(fn.content((formal, NONNULL), block) == fn.opaque for block in left.blocks)
            }
            for left in self.exits
        ]
        self._write_truths()
        told = set().union(*shown)
        if not told and not any(left.paths for left in self.exits):
            return
        for left, known in zip(self.exits, shown, strict=True):
            self.emit("exit", left.value, self.symbol, left.live)
            for low, high in meet(left.given or EVERYTHING, (RESULTS,)) or (RESULTS,):
                self.emit("exit_result", left.value, int(low), int(high))
            if left.call != UNDEFINED and left.paths:
                self.emit("exit_of_call", left.value, left.call)
            for formal in fn.formals:
                if formal in told:
                    self.emit("exit_shown" if formal in known else "exit_unknown", left.value, formal)
            for formal, name, content in left.paths:
                self.emit("exit_path", left.value, formal, name, content)
