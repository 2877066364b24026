"""What instructions do that neither call nor move control."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pliant.analyses.witness.bounds import LOOKED_UP
from pliant.analyses.witness.cells import Cells
from pliant.analyses.witness.kinds import FUNCTION
from pliant.analyses.witness.state import CONTENT, ELEMENTS
from pliant.analyses.witness.terms import Node, content_of
from pliant.extractors.ir.operands import Constant, Operand, Predicate, Type
from pliant.extractors.ir.unit import Instruction

_METHOD = "()"  # the name of a method ends so, where it is read like a field: `a::name`


class Instructions(Cells):
    """Methods of the names in DOES; each takes the instruction."""

    def _enters(self, instruction: Instruction, base: Node) -> bool:
        """Enter the function that reading a field runs, where that is on the way of the null; says whether it is."""
        raise NotImplementedError

    def _predicate(self, predicate: Predicate) -> Node:
        terms = self.terms
        match predicate.operator:
            case "and" | "or" | "not":
                parts = [self._predicate(each) for each in predicate.operands if isinstance(each, Predicate)]
                if predicate.operator == "not":
                    return terms.opposite(parts[0])
                return terms.both(*parts) if predicate.operator == "and" else terms.any_of(*parts)
            case "is":
                operand, kind = predicate.operands
                assert isinstance(kind, Type) and not isinstance(operand, Type | Predicate)
                return self._ask(self._is_of(self._value(operand), kind), "is", operand, kind)
        operands = [each for each in predicate.operands if not isinstance(each, Type | Predicate)]
        values = [self._value(each) for each in operands]
        if predicate.operator == "truth" and self.semantics.pointers:
            holds = terms.opposite(terms.is_zero(values[0]))
        elif predicate.operator == "truth" and self._is_number(operands[0]):
            holds = terms.opposite(terms.is_equal(terms.constant(_ZERO), values[0]))
        elif predicate.operator in ("<", "<="):
            holds = self._less(operands, values, or_equal=predicate.operator == "<=")
        else:
            holds = self._answer(predicate.operator, values)
        if predicate.operator == "==" and all(map(self._may_be_boxed, operands, values)):
            holds = terms.both(holds, terms.open("one object"))
        return self._ask(holds, predicate.operator, *operands)

    def _answer(self, question: str, values: Sequence[Node]) -> Node:
        terms = self.terms
        match question:
            case "always" | "truth":
                return terms.is_true(values[0])
            case "null":
                return terms.is_null(values[0])
            case "==":
                return terms.is_equal(*values)
            case "in" if values[0].op == "constant" and (names := self._names(values[1])) is not None:
                return terms.true if values[0].args[0].content in names else terms.false  # type: ignore[attr-defined]
            case "in" if (items := self.run.items.get(values[1])) is not None:
                return terms.any_of(*(terms.is_equal(values[0], each) for each in items))
            case "in":
                return terms.is_in(values[0], values[1], terms.held(self.state.get(CONTENT), values[1]))
        raise ValueError(question)

    def _less(self, operands: Sequence[Operand], values: Sequence[Node], *, or_equal: bool) -> Node:
        """Whether a value is less than another one."""
        return self.terms.is_less(*values, or_equal=or_equal)

    def _is_number(self, operand: Operand) -> bool:
        """Whether an operand is declared to be a number, or computed as one."""
        if isinstance(operand, Constant):
            return False
        instruction = self.code.index.numbered[operand]
        if instruction.op == "get" and (variable := self.function.variables.get(instruction.operands[0])) is not None:
            return variable.type.kind == "number"
        return instruction.op == "convert" and instruction.operands[1].kind == "number"

    def _may_be_boxed(self, operand: Operand, value: Node) -> bool:
        """Whether an operand is an object that holds a number, of which there may be several with one number."""
        once = self.semantics.boxed_once
        if once is None or not isinstance(operand, int) or value.op != "constant":
            return False
        instruction, content = self.code.index.numbered[operand], value.args[0].content  # type: ignore[attr-defined]
        if not isinstance(content, int) or content in once:
            return False
        variable = self.function.variables.get(instruction.operands[0]) if instruction.op == "get" else None
        return variable is None or variable.type.kind != "number"

    def _const(self, instruction: Instruction) -> None:
        self._gives(instruction, self.terms.constant(instruction.operands[0]))

    def _nothing(self, instruction: Instruction) -> None:
        self._gives(instruction, self.terms.null)

    def _zero(self, instruction: Instruction) -> None:
        kind = instruction.operands[0].kind
        value = self.terms.null if kind in self.semantics.zero_is_null else self.terms.not_null("zero")
        if kind in _ZEROS:
            value = self.terms.constant(_ZEROS[kind])
        self._gives(instruction, value)

    def _get(self, instruction: Instruction) -> None:
        name = instruction.operands[0]
        value, variable = self.state.get(self._cell(name)), self.function.variables.get(name)
        if value.op in ("some", "other") and variable is not None and variable.home in ("import", "module"):
            self.terms.steps.spend(LOOKED_UP)
            if self.run.derived.is_never_null(self.code.path, variable.name):
                value = self.terms.pure(f"variable {self.code.path} {variable.name}", [])
        self._gives(instruction, value)

    def _set_variable(self, instruction: Instruction) -> None:
        self._set(self._cell(instruction.operands[0]), self._value(instruction.operands[1]))

    def _load(self, instruction: Instruction) -> None:
        operand, name = instruction.operands
        base = self._value(operand)
        if name not in self.semantics.of_null and "load" in self.semantics.needs:
            base = self._needs(instruction, operand)
        if self._enters(instruction, base):
            return
        if name == _CLASS:
            self._gives(instruction, self.terms.pure(name, [base]))
        elif (constant := self.run.kinds.constant(self.code, operand, name)) is not None:
            self._gives(instruction, self.terms.constant(constant))
        elif name in self.code.outline.volatile:
            self._gives(instruction, self.terms.some(name))
        elif self.semantics.virtual and name.endswith(_METHOD):
            self._gives(instruction, self._a_function())
        else:
            value = self.terms.held(self.state.get(self.run.kinds.field(self.code, operand, name)), base)
            self._declare(value, instruction.number)
            self._gives(instruction, self._read(instruction, value))

    def _a_function(self) -> Node:
        """A new object that is no instance of a class of the program: a lambda, a reference to a method."""
        value = self.terms.not_null("closure")
        self.terms.declare(value, FUNCTION)
        return value

    def _import(self, instruction: Instruction) -> None:
        """What is imported is the same each time, where that is a class."""
        what = "|".join(map(str, instruction.operands))
        virtual = self.semantics.virtual
        self._gives(instruction, self.terms.pure(what, []) if virtual else self.terms.not_null(instruction.op))

    def _store(self, instruction: Instruction) -> None:
        operand, name, value = instruction.operands
        base = self._needs(instruction, operand)
        for cell in {("field", name), self.run.kinds.field(self.code, operand, name)}:
            self._change(cell, partial(self.terms.stored, base=base, value=self._value(value)))

    def _element(self, instruction: Instruction) -> None:
        operand, key = instruction.operands
        base = self._needs(instruction, operand) if "element" in self.semantics.needs else self._value(operand)
        items = self.run.items.get(base, ())
        if isinstance(key, Constant) and isinstance(key.content, int) and 0 <= key.content < len(items):
            self._gives(instruction, items[key.content])
            return
        element = self.terms.held(self.terms.held(self.state.get(ELEMENTS), base), self._value(key))
        self._gives(instruction, self._read(instruction, element))

    def _put(self, instruction: Instruction) -> None:
        operand, key, value = instruction.operands
        base = self._needs(instruction, operand) if instruction.op == "put" else self._value(operand)
        self._put_at(base, self._value(key), self._value(value))
        self._changes(base, self._value(key) if instruction.op == "put" else None)
        if instruction.op == "fill":
            self.run.filled.setdefault(base, []).append((self.holds, self._value(value)))

    def _delete(self, instruction: Instruction) -> None:
        operand, key = instruction.operands
        base = self._needs(instruction, operand)
        self._put_at(base, self._value(key), self.terms.some("deleted"))
        self._changes(base)

    def _put_at(self, base: Node, key: Node, value: Node) -> None:
        terms = self.terms

        def put(elements: Node) -> Node:
            return terms.stored(elements, base, terms.stored(terms.held(elements, base), key, value))

        self._change(ELEMENTS, put)

    def _changes(self, base: Node, key: Node | None = None) -> None:
        """What an object holds is another from here on. key: one that it has then, where it is a mapping, with
        those that it had before."""
        terms = self.terms

        def changes(content: Node) -> Node:
            new = terms.some("content") if key is None else terms.with_key(terms.held(content, base), key)
            return terms.stored(content, base, new)

        self._change(CONTENT, changes)

    def _item(self, instruction: Instruction) -> None:
        operand, number = instruction.operands
        self._gives(instruction, self.terms.held(self.state.get(("items", number.content)), self._value(operand)))

    def _next(self, instruction: Instruction) -> None:
        self._needs(instruction, instruction.operands[0]) if "next" in self.semantics.needs else None
        self._gives(instruction, self.terms.other("next"))

    def _slice(self, instruction: Instruction) -> None:
        if "slice" in self.semantics.needs:
            self._needs(instruction, instruction.operands[0])
        self._gives(instruction, self.terms.other("slice"))

    def _allocate(self, instruction: Instruction) -> None:
        new = self.terms.new("new")
        if instruction.number in self.code.stay_empty:
            self.terms.empty.add(new)
        for number, operand in enumerate(instruction.operands[1]):
            key = self.terms.constant(Constant("integer", number))
            self._put_at(new, key, self._value(operand))
        self._gives(instruction, new)

    def _tuple(self, instruction: Instruction) -> None:
        self._gives(instruction, self._several([self._value(each) for each in instruction.operands[0]]))

    def _convert(self, instruction: Instruction) -> None:
        operand, _, how = instruction.operands
        if how == "boxed":
            self._gives(instruction, self.terms.not_null("boxed"))
            return
        self._gives(instruction, self._value(operand))

    def _arithmetic(self, instruction: Instruction) -> None:
        sign, operands = instruction.operands
        values = [self._value(each) for each in operands]
        for operand in operands[: self.semantics.arithmetic.get(sign, 0)]:
            self._needs(instruction, operand)
        self._gives(instruction, self._computed(sign, values) or self.terms.arithmetic(sign, values))

    def _computed(self, sign: str, values: Sequence[Node]) -> Node | None:
        """The result of an operation on integers that are known."""
        compute, known = _COMPUTED.get(sign.removesuffix("=")), [content_of(each) for each in values]
        if compute is None or len(known) != 2 or known[0] is None or known[1] is None:
            return None
        result = compute(known[0], known[1])
        return self.terms.constant(Constant("integer", result)) if abs(result) < _OVERFLOWS else None

    def _test(self, instruction: Instruction) -> None:
        self._gives(instruction, self.terms.boolean(self._predicate(instruction.operands[0])))

    def _require(self, instruction: Instruction) -> None:
        self._needs(instruction, instruction.operands[0])

    def _compare(self, instruction: Instruction) -> None:
        _, left, right = instruction.operands
        first, second = self._value(left), self._value(right)
        if instruction.number == self._site:
            for value in (first, second):
                self._saw(value)
        for value, other in ((first, right), (second, left)):
            if isinstance(other, Constant):  # of objects, the class may have a method that takes null
                self.holds = self.terms.survives(self.holds, value)

    def _some(self, instruction: Instruction) -> None:
        """A value of which nothing is known."""
        for operand in instruction.uses():
            if instruction.op in self.semantics.needs:
                self._needs(instruction, operand)
        self._gives(instruction, self.terms.some(instruction.op))

    def _yields(self, instruction: Instruction) -> None:
        self._forget(None, elements=True)

    def _waits(self, instruction: Instruction) -> None:
        self._some(instruction)
        self._yields(instruction)


_ZERO = Constant("integer", 0)
_COMPUTED: Mapping[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_OVERFLOWS = 2**31  # integers from here on may, in some language
_CLASS = "class"  # no field, in no language
_ZEROS = {
    "number": Constant("integer", 0),
    "boolean": Constant("boolean", False),
    "string": Constant("string", ""),
}

DOES: dict[str, Callable[[Instructions, Instruction], None]] = {
    "const": Instructions._const,
    "get": Instructions._get,
    "nothing": Instructions._nothing,
    "zero": Instructions._zero,
    "copy": Instructions._some,
    "import": Instructions._import,
    "load": Instructions._load,
    "element": Instructions._element,
    "slice": Instructions._slice,
    "item": Instructions._item,
    "next": Instructions._next,
    "allocate": Instructions._allocate,
    "tuple": Instructions._tuple,
    "convert": Instructions._convert,
    "arithmetic": Instructions._arithmetic,
    "test": Instructions._test,
    "set": Instructions._set_variable,
    "store": Instructions._store,
    "put": Instructions._put,
    "fill": Instructions._put,
    "delete": Instructions._delete,
    "require": Instructions._require,
    "compare": Instructions._compare,
    "await": Instructions._waits,
    "enter": Instructions._some,
    "leave": Instructions._some,
    "yield": Instructions._yields,
}
