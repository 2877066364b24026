"""Random functions of the intermediate representation, made with the builder as a language makes them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from pliant.extractors.ir import ANY, Argument, Builder, Constant, Function, Predicate, Type, Unit
from pliant.extractors.ir.operands import OTHER, Operand
from pliant.extractors.ir.unit import MODULE

NUMBERS = st.integers(-3, 3).map(lambda number: Constant("integer", number))
CONSTANTS = st.one_of(
    NUMBERS,
    st.booleans().map(lambda truth: Constant("boolean", truth)),
    st.text(max_size=4).map(lambda text: Constant("string", text)),
    st.sampled_from([OTHER, Constant("float", "1.5"), Constant("bytes", "a\n")]),
)
TYPES = st.recursive(
    st.sampled_from([ANY, Type("number"), Type("class", "T"), Type("class", "T", "."), Type("class", "a.B", "x/y")]),
    lambda inner: st.builds(
        Type,
        st.sampled_from(["pointer", "array", "map", "tuple"]),
        of=st.lists(inner, min_size=1, max_size=2).map(tuple),
    ),
    max_leaves=4,
)
NAMES = st.sampled_from(["x", "a field", '"', "é", "[]", "*"])


@st.composite
def units(draw: st.DrawFn) -> Unit:
    """A unit of a few functions."""
    unit = Unit("go", draw(st.sampled_from([".", "a/b"])), mentions=draw(st.lists(NAMES, max_size=2, unique=True)))
    unit.variables = {name: draw(TYPES) for name in draw(st.lists(NAMES, max_size=2, unique=True))}
    unit.functions.append(Builder(Function(MODULE)).finish())
    for number in range(draw(st.integers(1, 2))):
        unit.functions.append(_Made(draw).function(f"f{number}"))
    return unit


_DEPTH = 2  # of statements in statements


class _Made:
    """A function whose statements are drawn."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def function(self, name: str) -> Function:
        function = Function(
            name, result=self._draw(TYPES), flags=frozenset(self._draw(st.sets(st.sampled_from(["global"]))))
        )
        self._builder = Builder(function)
        self._variables = [self._builder.variable(self._draw(NAMES), self._draw(TYPES)) for _ in range(3)]
        for variable in self._variables:
            self._builder.set(variable, self._builder.null() if self._draw(st.booleans()) else Constant("integer", 1))
        self._body(_DEPTH)
        if self._draw(st.booleans()):
            self._builder.do("exit", (self._builder.get(self._name()),))
        return self._builder.finish()

    def _body(self, depth: int) -> None:
        for _ in range(self._draw(st.integers(1, 4))):
            self._statement(depth)

    def _value(self) -> Operand:
        builder, draw = self._builder, self._draw
        match draw(st.sampled_from([0, 1, 1, 1, 2, 3, 4, 5, 6, 6, 7])):
            case 0:
                constant: Constant = draw(CONSTANTS)
                return constant
            case 1:
                return builder.null((1, 0, 1, 3))
            case 2:
                return builder.give("load", builder.get(self._name()), draw(NAMES))
            case 3:
                arguments = [
                    Argument(builder.get(self._name()), draw(st.sampled_from(["", "*", "k w"]))) for _ in range(2)
                ]
                return builder.call(builder.get(self._name()), arguments)
            case 4:
                return builder.give("element", builder.get(self._name()), draw(CONSTANTS))
            case 5:
                return builder.give("test", self._predicate())
            case 7:
                operator = draw(st.sampled_from(["+", "-", "*"]))
                return builder.give("arithmetic", operator, (builder.get(self._name()), draw(NUMBERS)))
        return builder.get(self._name())

    def _name(self) -> str:
        name: str = self._draw(st.sampled_from(self._variables))
        return name

    def _predicate(self) -> Predicate:
        draw, builder = self._draw, self._builder
        match draw(st.integers(0, 6)):
            case 0:
                return Predicate("null", (builder.get(self._name()),))
            case 1:
                return Predicate("and", (self._predicate(), Predicate("truth", (builder.get(self._name()),))))
            case 2:
                return Predicate("not", (Predicate("is", (builder.get(self._name()), draw(TYPES))),))
            case 3:
                return Predicate("<=", (builder.get(self._name()), draw(CONSTANTS)))
            case 4:
                return Predicate("==", (builder.get(self._name()), draw(NUMBERS)))
            case 5:
                return Predicate("<", (draw(NUMBERS), builder.get(self._name())))
        return Predicate("always", (Constant("boolean", draw(st.booleans())),))

    def _statement(self, depth: int) -> None:
        builder, draw = self._builder, self._draw
        match draw(
            st.sampled_from(
                [0, 0, 0, 1, 2, 2, *([4, 4, 5, 6, 7, 7] if depth else []), *([3, 8] if depth < _DEPTH else [])]
            )
        ):
            case 0:
                builder.set(self._name(), self._value())
            case 1:
                builder.do("store", builder.get(self._name()), draw(NAMES), builder.get(self._name()))
            case 2:
                builder.do("require", builder.get(self._name()), "call", "()")
            case 3:
                builder.do("exit", tuple(builder.get(self._name()) for _ in range(draw(st.integers(0, 2)))))
            case 4:
                yes, no, after = builder.block(), builder.block(), builder.block()
                builder.branch(self._predicate(), yes, no)
                for arm in (yes, no):
                    builder.start(arm)
                    self._body(depth - 1)
                    builder.jump(after)
                builder.start(after)
            case 5:
                head, body, after = builder.block(), builder.block(), builder.block()
                builder.jump(head)
                builder.start(head)
                builder.branch(self._predicate(), body, after)
                builder.start(body)
                self._body(depth - 1)
                builder.jump(head)
                builder.start(after)
            case 6:
                cases = [builder.block() for _ in range(3)]
                builder.switch(builder.get(self._name()), [(Constant("integer", 1), cases[0])], cases[1])
                for first, second in pairwise(cases):
                    builder.start(first)
                    self._body(depth - 1)
                    builder.jump(second)
                builder.start(cases[-1])
            case 7:
                handler, after = builder.block(), builder.block()
                with builder.handled(handler):
                    self._body(depth - 1)
                builder.jump(after)
                builder.start(handler)
                self._body(depth - 1)
                builder.jump(after)
                builder.start(after)
            case 8:
                builder.do("raise", builder.get(self._name()))
