"""Resources: on which ways out of a function what a call has opened may be lost before it is closed.

What a call returns is followed along the ways that control takes from there: through local variables, copies and
conversions, until it escapes (it is returned, raised, stored, captured or put into a new object), until a context
manager takes it, or until the function is left. Which names open and close is for the rules to say; here is written
which calls get it in which order, and where the function is left behind them. Ways are told apart by constants in
local variables and by the answers to questions about those. Exceptions are followed where `raise` raises them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pliant.extractors.ir.operands import NULL, Constant, Operand, Predicate, Type
from pliant.extractors.ir.unit import Block, Instruction
from pliant.extractors.model_names import names
from pliant.extractors.passes.index import Index, last_name_called
from pliant.extractors.passes.questions import BY_TEXT, answered, leaves
from pliant.extractors.passes.steps import Steps
from pliant.extractors.passes.survey import FileSurvey
from pliant.extractors.ssa import UNDEFINED, Value

RECEIVER, NOT_PASSED = -1, -2  # where a call gets the resource
_MOST_STEPS = 200_000  # instructions that are gone over for one function; past that nothing is written
_SAME = frozenset(("copy", "convert", "await"))
_TAKING = _SAME | {"get", "item", "tuple"}
_READS = frozenset(
    ("require", "load", "element", "next", "declare", "compare", "leave", "store", "put", "delete", "arithmetic")
)
_UNCLEAR = BY_TEXT | {"other"}  # kinds of constants of which it does not show what equals them
_CALLS = frozenset(("call", "invoke", "defer"))

Name = Operand | str  # a value or a variable
Answers = dict[str, object]  # `x`: the constant that x is; `x?` whether it is true, `x!` whether null, `x^` its class
Row = tuple[int, int, int]  # last call that got the resource, next one, and as what; or where the function is left
_ANSWERS = ("", "?", "!", "^")
_LEFT, _RETURNED = -3, -4  # instead of where a call gets it


HELD, VIEW, TOLD = "held", "view", "told"  # the resource; what uses it; what is null since it was opened


class _Way(NamedTuple):
    """Where a way has come to. start: in the block, of the next instruction. last: the last call that got the resource.
    roles: what values and variables are to it."""

    block: int
    start: int
    last: int
    roles: frozenset[tuple[Name, str]]
    known: frozenset[tuple[str, object]]


class Resources(Steps):
    """The function under construction."""

    def prepare(self) -> None:
        super().prepare()
        self._may_end: set[Value] = set()  # calls that may not come back

    def live_from(self, call: Value) -> None:
        super().live_from(call)
        self._may_end.add(call)

    def write_resources(self, before: Sequence[list[int]], dominators: Mapping[int, int]) -> None:
        """Write where the results go of the calls that may open something. before: predecessors of blocks; dominators:
        the immediate ones."""
        calls = _opening_calls(self)
        if not calls:
            return
        values, fn = self.values, self.fn
        ends = {number for number, value in values.items() if value in self._may_end}
        ways = _Ways(self, ends, before, dominators)
        exits: dict[int, Value] = {}
        for call in calls:
            for last, following, position in sorted(ways.from_call(call)):
                behind = values.get(call.number, UNDEFINED), values.get(last, UNDEFINED)
                if position == _RETURNED:
                    fn.emit("resource_returned", *behind, self.symbol)
                elif position != _LEFT:
                    fn.emit("resource_next", *behind, values.get(following, UNDEFINED), position)
                else:
                    if following not in exits:
                        exits[following] = self._way_out_at(following)
                    fn.emit("resource_left", *behind, exits[following])

    def _way_out_at(self, number: int) -> Value:
        """A place for an instruction by which the function is left; the end of the function if it has none."""
        place = self.named(self.index.numbered[number], "way out")
        spans = self.function.spans
        if number not in spans:
            last = self.function.extent or max(spans.values(), key=lambda span: span[2:], default=None)
            if last is not None:
                self.fn.spans[place] = (last[2], max(last[3] - 1, 0), last[2], last[3])
        return place


def _opening_calls(function: Resources) -> list[Instruction]:
    """The calls whose results may be resources: by the name of what they call, or since something closes the result."""
    index, language = function.index, function.survey.language
    opening, closing, named = _opening(function.survey), names(language, "opens")[1], index.calls_named()
    if named.keys().isdisjoint(opening) and named.keys().isdisjoint(closing):
        return []
    closed: set[Operand] = set()
    for name in closing.intersection(named):
        for each in named[name]:
            closed.update(value for value, _ in each.operands[-1])
            if each.op != "call":
                closed.add(each.operands[0])
    variables = {index.numbered[each].operands[0] for each in closed if function.op(each) == "get"}  # type: ignore[index]
    if variables:
        closed.update(each.operands[1] for each in index.of("set") if each.operands[0] in variables)
    closed.update([index.numbered[each].operands[0] for each in closed if function.op(each) in ("item", "convert")])  # type: ignore[index]
    return [
        each
        for each in index.of("call", "invoke")
        if each.number in closed or last_name_called(index.numbered, each) in opening
    ]


class _Ways:
    """The ways through a function. ends: calls that may not come back. asked: variables that branches ask for. across:
    values that are used in other blocks than their own. closing, viewing, borrowing:
    names, by models."""

    def __init__(
        self, function: Resources, ends: set[int], before: Sequence[list[int]], dominators: Mapping[int, int]
    ) -> None:
        self.function = function
        self.ends = ends
        self._steps = 0
        self._before, self._dominators = before, dominators
        language, index = function.survey.language, function.index
        self.closing, self.viewing = names(language, "opens")[1], names(language, "views")[0]
        self.borrowing = names(language, "borrows")[0]
        self._sets = Counter[str](each.operands[0] for each in index.of("set"))
        self._sets.update(formal.variable for formal in function.function.formals)
        self._addressed = {each.operands[0] for each in index.of("address")}
        self.asked = {
            index.numbered[operand].operands[0]  # type: ignore[index]
            for block in function.function.blocks
            for operand in _deciding(block.instructions[-1])
            if function.op(operand) == "get"
        }
        self.across = {
            operand
            for each in index.numbered[1:]
            for operand in each.uses()
            if isinstance(operand, int) and index.block_of(operand) != index.block_of(each.number)
        }

    def from_call(self, call: Instruction) -> dict[Row, None]:
        """The calls on the ways from a call on, and where those leave the function; nothing if they are never lost."""
        rows: dict[Row, None] = {}
        index, blocks = self.function.index, self.function.function.blocks
        block = index.block_of(call.number)
        start = call.number - blocks[block].instructions[0].number + 1
        roles = () if index.on("item", call.number) else ((call.number, HELD),)
        todo = [_Way(block, start, call.number, frozenset[tuple[Name, str]](roles), self._known_at(block))]
        seen = set(todo)
        while todo:
            way = todo.pop()
            instructions = blocks[way.block].instructions
            self._steps += len(instructions) + len(way.known)
            if self._steps > _MOST_STEPS:
                return {}
            state = _State(self, way, call.number, rows)
            if all(map(state.take, instructions[way.start : -1])):
                further = [each for each in dict.fromkeys(state.leave(blocks[way.block])) if each not in seen]
                seen.update(further)
                todo += further
        numbered, wrapping = index.numbered, names(self.function.survey.language, "wraps")[0]
        tells = any(at <= _LEFT or last_name_called(numbered, numbered[event]) in wrapping for _, event, at in rows)
        return rows if tells else {}

    def _known_at(self, block: int) -> frozenset[tuple[str, object]]:
        """What branches on every way to a block have shown of variables that never change."""
        known: Answers = {}
        while (above := self._dominators.get(block, block)) not in (block, -1):
            last = self.function.function.blocks[above].instructions[-1]
            if last.op == "branch" and block in last.operands[1:] and self._before[block] == [above]:
                for name, answer in self.shown_of(last.operands[0], outcome=block == last.operands[1]).items():
                    if self._sets[name.rstrip("?!^")] == 1:
                        known[name] = answer
            block = above
        return frozenset(known.items())

    def shown_of(self, predicate: Predicate, *, outcome: bool) -> Answers:
        """What it shows of local variables that a predicate holds, or does not."""
        found: Answers = {}
        for leaf, holds in answered(predicate, outcome):
            subject = leaf.operands[0]
            if not isinstance(subject, int) or self.function.op(subject) != "get":
                continue
            name = self.function.index.numbered[subject].operands[0]
            if not self.is_followed(name):
                continue
            if leaf.operator == "truth":
                found[f"{name}?"] = holds
            elif leaf.operator == "null":
                found[f"{name}!"] = holds
            elif leaf.operator == "==" and holds and isinstance(leaf.operands[1], Constant):
                found[name] = leaf.operands[1]
        return found

    def is_followed(self, name: str) -> bool:
        """Whether nothing but this function's own instructions changes a variable."""
        return self.function.function.variables[name].home == "local" and name not in self._addressed


class _State:
    """What is known on a way through a block."""

    def __init__(self, ways: _Ways, way: _Way, opened: int, rows: dict[Row, None]) -> None:
        self.ways = ways
        self.opened = opened
        self.rows = rows
        self.last = way.last
        self.roles: dict[Name, str] = dict(way.roles)
        self.known: Answers = dict(way.known)
        self.got: dict[int, str] = {}  # values that are what variables hold now
        self.values: dict[int, Answers] = {}  # what is known of values of this block

    def take(self, each: Instruction) -> bool:
        """Go over an instruction; says whether the resource may still be lost behind it."""
        op, number, operands = each.op, each.number, each.operands
        self.roles.pop(number, None)
        if op == "get":
            self._get(number, operands[0])
        elif op == "set":
            return self._set(*operands)
        elif op in _CALLS:
            return self._call(each)
        elif op == "item":
            if operands[0] == self.opened:
                self.roles[number] = TOLD if _number(operands[1]) else HELD
        elif op in _SAME:
            self._give(number, operands[0])
        elif op == "const":
            self.values[number] = {"": operands[0]}
        elif op == "caught" and "^" in self.known:
            self.values[number] = {"^": self.known.pop("^")}
        elif op == "test":
            outcome = self.decide(operands[0])
            if outcome is not None:
                self.values[number] = {"": Constant("boolean", outcome)}
        elif op == "address":
            return not self._is_kept(operands[0])
        elif op == "load" and self._is(operands[0], HELD):
            return operands[1].partition("(")[0] not in self.ways.closing
        elif op == "enter":
            return not self._is(operands[0], HELD)
        elif any(map(self._is_kept, each.uses())):
            return op in _READS and not any(map(self._is_kept, operands[1:]))
        return True

    def _is(self, operand: Name | None, role: str) -> bool:
        return operand is not None and self.roles.get(operand) == role

    def _is_kept(self, operand: Name | None) -> bool:
        """Whether what gets an operand may keep the resource."""
        return self._is(operand, HELD) or self._is(operand, VIEW)

    def _give(self, name: Name, operand: Name) -> None:
        """Something is from here on what an operand is."""
        role = self.roles.get(operand)
        if role is not None:
            self.roles[name] = role
        else:
            self.roles.pop(name, None)
        if isinstance(name, int) and isinstance(operand, int) and operand in self.values:
            self.values[name] = self.values[operand]

    def _get(self, number: int, name: str) -> None:
        self._give(number, name)
        self.got[number] = name
        known = {suffix: self.known[f"{name}{suffix}"] for suffix in _ANSWERS if f"{name}{suffix}" in self.known}
        if known:
            self.values[number] = known

    def _set(self, name: str, operand: Operand) -> bool:
        followed = self.ways.is_followed(name)
        if self._is_kept(operand) and not followed:
            return False
        self._give(name, operand)
        for suffix in _ANSWERS:
            self.known.pop(f"{name}{suffix}", None)
        self.got = {number: other for number, other in self.got.items() if other != name}
        if name in self.ways.asked and followed:
            for suffix, answer in self._of(operand).items():
                self.known[f"{name}{suffix}"] = answer
        return True

    def _of(self, operand: Operand) -> Answers:
        """What is known of an operand."""
        return {"": operand} if isinstance(operand, Constant) else self.values.get(operand, {})

    def _call(self, each: Instruction) -> bool:
        function, operands = self.ways.function, each.operands
        passed = [position for position, (value, _) in enumerate(operands[-1]) if self._is_kept(value)]
        method = each.op == "invoke" or (each.op == "defer" and operands[1])
        if self._is(operands[0], HELD) and not method:
            return False
        if each.op == "call" and function.library_name(each) in function.semantics.never_return:
            return False
        name = last_name_called(function.index.numbered, each)
        if passed:
            self._next(each.number, passed[0])
            if name in self.ways.viewing:
                self.roles[each.number] = VIEW
            return name in self.ways.viewing or name in self.ways.borrowing
        if any(self._is(value, TOLD) for value, _ in operands[-1]):
            self.roles[each.number] = TOLD  # what is asked of an error, or made of it, is nothing where there is none
        if self._is(operands[0], HELD):
            self._next(each.number, RECEIVER)
            return name not in self.ways.closing
        if each.number in self.ways.ends:
            self._next(each.number, NOT_PASSED)
        return True

    def _next(self, number: int, position: int) -> None:
        self.rows[self.last, number, position] = None
        self.last = number

    def leave(self, block: Block) -> Iterator[_Way]:
        """Where control goes at the end of the block."""
        last = block.instructions[-1]
        if last.op == "branch":
            predicate, yes, no = last.operands
            decided = self.decide(predicate)
            for outcome, target in ((True, yes), (False, no)):
                if decided is not (not outcome):
                    shown = self.ways.shown_of(predicate, outcome=outcome) if decided is None else {}
                    stale = {name for name in shown if name.rstrip("?!^") not in self.got.values()}
                    yield self._way(target, {name: shown[name] for name in shown.keys() - stale})
        elif last.op == "switch":
            value, cases, other = last.operands
            known = self._of(value).get("")
            chosen = [target for constant, target in cases if constant == known] or [other]
            for target in chosen if known is not None else dict.fromkeys([*(target for _, target in cases), other]):
                yield self._way(target, {})
        elif last.op in ("exit", "raise"):
            given = last.operands[0] if last.op == "exit" else last.operands
            if any(map(self._is_kept, given)):
                if last.op == "exit" and self._is(given[0], HELD):
                    self.rows[self.last, last.number, _RETURNED] = None
                return
            if last.op == "raise" and block.handler is not None:
                yield self._way(block.handler, {"^": self._raised(last)})
            elif last.op == "exit" or self._is_raised(last):
                self.rows[self.last, last.number, _LEFT] = None
        else:
            for target in block.successors():
                yield self._way(target, {})

    def _is_raised(self, last: Instruction) -> bool:
        """Whether it is an exception that callers may handle: no assertion, and no end of the program."""
        semantics = self.ways.function.semantics
        return bool(semantics.everything) and self._raised(last) != semantics.assertion

    def _raised(self, last: Instruction) -> str:
        """The name of the class of what is raised; empty where it does not show."""
        value = last.operands[0]
        known = self._of(value).get("^")
        if isinstance(known, str):
            return known
        made = self.ways.function.index.numbered[value] if isinstance(value, int) else last
        return self.ways.function.texts.called(made.operands[0] if made.op == "call" else value)

    def _way(self, target: int, shown: Answers) -> _Way:
        across = self.ways.across
        return _Way(
            target,
            0,
            self.last,
            frozenset([each for each in self.roles.items() if isinstance(each[0], str) or each[0] in across]),
            frozenset((self.known | shown).items()),
        )

    def decide(self, predicate: Predicate) -> bool | None:
        """The outcome of a predicate, if there is but one."""
        operator, operands = predicate.operator, predicate.operands
        if operator == "not":
            inner = self.decide(operands[0])  # type: ignore[arg-type]
            return None if inner is None else not inner
        if operator in ("and", "or"):
            parts = [self.decide(each) for each in operands]  # type: ignore[arg-type]
            if (operator == "or") in parts:
                return operator == "or"
            return None if None in parts else operator == "and"
        if operator == "always":
            return bool(operands[0].content)  # type: ignore[union-attr]
        subject = operands[0]
        known = self._of(subject)  # type: ignore[arg-type]
        constant = known.get("")
        if operator in ("null", "truth"):
            if self._is(subject, HELD) or self._is(subject, TOLD):  # type: ignore[arg-type]
                return (operator == "null") == self._is(subject, TOLD)  # type: ignore[arg-type]
            if isinstance(constant, Constant):
                null = constant == NULL
                return null if operator == "null" else self._is_true(constant)
            answer = known.get("!" if operator == "null" else "?")
            return answer if isinstance(answer, bool) else None
        if operator == "is":
            return True if isinstance(operands[1], Type) and known.get("^") == operands[1].name else None
        if operator == "==":
            if self._is(subject, HELD) != self._is(operands[1], HELD):  # type: ignore[arg-type]
                return False  # it is new: nothing else is the same object
            other = self._of(operands[1]).get("")  # type: ignore[arg-type]
            if (
                isinstance(constant, Constant)
                and isinstance(other, Constant)
                and _UNCLEAR.isdisjoint((constant.kind, other.kind))
            ):
                return constant.content == other.content
        return None

    def _is_true(self, constant: Constant) -> bool | None:
        if constant.kind in _UNCLEAR:
            return None
        return constant != NULL and constant.content not in self.ways.function.semantics.false


def _number(operand: object) -> int:
    content = operand.content if isinstance(operand, Constant) else operand
    return content if isinstance(content, int) else 0


def _deciding(last: Instruction) -> list[Operand]:
    """The operands that say where control goes."""
    if last.op == "switch":
        return [last.operands[0]]
    if last.op != "branch":
        return []
    return [operand for leaf in leaves(last.operands[0]) for operand in leaf.operands if isinstance(operand, int)]


def _opening(survey: FileSurvey) -> frozenset[str]:
    """The names by which something may be opened: those of models, and of the file's functions that return such."""
    if survey.opening is not None:
        return survey.opening
    found = set(names(survey.language, "opens")[0] | names(survey.language, "wraps")[0])
    more = True
    while more:
        returning = {
            name.rpartition(".")[2].partition("#")[0]
            for name, index in survey.indices.items()
            if not index.calls_named().keys().isdisjoint(found) and _returns(index, found)
        }
        more = not returning <= found
        found |= returning
    survey.opening = frozenset(found)
    return survey.opening


def _returns(index: Index, opening: set[str]) -> bool:
    """Whether a function may return what it has opened."""
    opened: set[Name] = set()
    for each in index.numbered[1:]:
        if each.op in ("call", "invoke") and last_name_called(index.numbered, each) in opening:
            opened.add(each.number)
        elif each.op == "set" and each.operands[1] in opened:
            opened.add(each.operands[0])
        elif each.op in _TAKING:
            taken = each.operands[0] if each.op == "tuple" else each.operands[:1]
            if not opened.isdisjoint(taken):
                opened.add(each.number)
        elif each.op == "exit" and not opened.isdisjoint(each.operands[0]):
            return True
    return False
