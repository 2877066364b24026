"""Jumps out of nested constructs: loops, labelled blocks, and `finally`, whose body stands once.

A way through a `finally` sets a variable to the number of the way and goes to the body; at the end of the body a switch
over that variable goes on. So the size of a function is linear in that of its source, however deep `finally` is nested;
a pass that knows which value goes with which predecessor tells the ways apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from pliant.extractors.ir.builder import Builder, Place
from pliant.extractors.ir.operands import NUMBER, Constant

Part = Callable[[], None]


@dataclass(slots=True)
class _Jump:
    """What `break` and `continue` leave: a loop, or something labelled. again: None where there is no going on."""

    after: Place
    again: Place | None
    labels: frozenset[str]
    plain: bool  # whether a `break` without a label ends it


@dataclass(slots=True)
class _Finally:
    """ways: how control goes on behind the body, by the number of the way."""

    place: Place
    chosen: str
    ways: list[Part] = field(default_factory=list)


class Flow:
    """The constructs around what is being added to a builder."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._around: list[_Jump | _Finally] = []

    def loop(
        self,
        condition: Callable[[Place, Place], None] | None,
        body: Part,
        *,
        step: Part | None = None,
        otherwise: Part | None = None,
        body_first: bool = False,
        labels: frozenset[str] = frozenset(),
    ) -> None:
        """Run `body` while `condition`, which adds a branch to the two blocks that it gets, holds; for ever without
        one. step: runs before the condition is asked again. otherwise: runs when the condition ends the loop."""
        builder = self._builder
        head, inside, again, ended, after = (builder.block() for _ in range(5))

        def ask() -> None:
            builder.start(head)
            if condition is not None:
                condition(inside, ended)
            else:
                builder.jump(inside)

        builder.jump(inside if body_first else head)
        if not body_first:
            ask()
        builder.start(inside)
        self._around.append(_Jump(after, again, labels, True))
        body()
        self._around.pop()
        builder.jump(again)
        builder.start(again)
        if step is not None:
            step()
        builder.jump(head)
        if body_first:
            ask()
        builder.start(ended)
        if otherwise is not None:
            otherwise()
        builder.jump(after)
        builder.start(after)

    def once(self, body: Callable[[], None]) -> None:
        """Something that runs once, and that `break` and `continue` end: a loop whose condition never holds."""
        after = self._builder.block()
        self._around.append(_Jump(after, after, frozenset(), True))
        body()
        self._around.pop()
        self._builder.jump(after)
        self._builder.start(after)

    def breakable(
        self, body: Callable[[Place], None], labels: frozenset[str] = frozenset(), *, plain: bool = True
    ) -> None:
        """Something that is no loop and that `break` ends; plain: also one without a label. `body` gets the block
        behind it."""
        after = self._builder.block()
        self._around.append(_Jump(after, None, labels, plain))
        body(after)
        self._around.pop()
        self._builder.jump(after)
        self._builder.start(after)

    def leave(self, *, again: bool, label: str = "") -> bool:
        """`break`, or `continue` (again), out of the innermost construct that it fits; says whether there is one."""
        for depth in range(len(self._around) - 1, -1, -1):
            around = self._around[depth]
            if isinstance(around, _Finally):
                continue
            target = around.again if again else around.after
            if target is not None and (label in around.labels if label else around.plain):
                self._through(depth, partial(self._builder.jump, target))
                return True
        return False

    @property
    def direct(self) -> bool:
        """Whether nothing runs between a way out of the function and its end."""
        return not any(isinstance(around, _Finally) for around in self._around)

    def exit(self, way: Part) -> None:
        """Leave the function by `way`, through each `finally` around."""
        self._through(-1, way)

    def _through(self, depth: int, way: Part) -> None:
        """Go by `way` to what is at `depth`, through each `finally` inside it."""
        builder = self._builder
        for position in range(len(self._around) - 1, depth, -1):
            around = self._around[position]
            if isinstance(around, _Finally):
                builder.set(around.chosen, Constant("integer", len(around.ways)))
                builder.jump(around.place)

                def on(depth: int = depth, way: Part = way) -> None:
                    self._through(depth, way)

                around.ways.append(on)
                return
        way()

    def finally_(self, body: Part, final: Part) -> None:
        """`body`, and `final` on every way out of it."""
        builder = self._builder
        chosen = builder.variable("way.", NUMBER)
        caught = builder.variable("raised.")
        place, handler, after = builder.block(), builder.block(), builder.block()
        around = _Finally(place, chosen)
        self._around.append(around)

        def go(way: Part) -> None:
            builder.set(chosen, Constant("integer", len(around.ways)))
            around.ways.append(way)
            builder.jump(place)

        with builder.handled(handler):
            body()
        if builder.reachable:
            go(lambda: builder.jump(after))
        builder.start(handler)
        builder.set(caught, builder.give("caught", ()))
        go(lambda: builder.do("raise", builder.get(caught)))
        self._around.pop()
        builder.start(place)
        final()
        ways = [builder.block() for _ in around.ways]
        numbered = [(Constant("integer", number), way) for number, way in enumerate(ways)]
        builder.switch(builder.get(chosen), numbered[:-1], ways[-1])
        for way, go_on in zip(ways, around.ways, strict=True):
            builder.start(way)
            go_on()
        builder.start(after)
