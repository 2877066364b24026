"""Static single assignment of a function, block by block, and the facts of its instructions on the way.

Blocks are taken in reverse postorder. A block that control comes to over several edges is sealed when the last of those
has been seen, as Braun et al. have it (`extractors.ssa`); where a branch goes, guards stand (`guards`). `variables`
says what operands are, `steps` what instructions do.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from pliant.extractors.budget import NODE_STEPS, SHORTEST_STEPS
from pliant.extractors.ir.graph import dominators, edges, loops, loops_first, predecessors
from pliant.extractors.ir.operands import Constant, Operand, Predicate, Type, asked
from pliant.extractors.ir.semantics import SCALARS
from pliant.extractors.ir.unit import MODULE, Formal, Instruction, Span
from pliant.extractors.lowering.correlation import correlate, unguarded
from pliant.extractors.passes import names
from pliant.extractors.passes.assignment import definitely_assigned
from pliant.extractors.passes.exits import BOUNDS
from pliant.extractors.passes.handlers import NOTHING_CAUGHT, handlers
from pliant.extractors.passes.questions import answered, content_of, leaves
from pliant.extractors.passes.rounds import Rounds
from pliant.extractors.passes.steps import STEPS
from pliant.extractors.passes.survey import identity
from pliant.extractors.passes.variables import NEVER_NULL
from pliant.extractors.ssa import LIVE, UNDEFINED, Block, Here, Key, Path, Refinement, Value

_SIDES = frozenset(("jump", "branch", "switch"))  # each way that leads on is a block of its own
_SMALL = 40  # instructions of a function whose parameters' objects are followed
_REJOINED = 16  # joins that are looked through
_RAISING = frozenset(
    (
        *("load", "element", "slice", "call", "invoke", "store", "put", "delete", "require"),
        *("next", "convert", "arithmetic"),
        *("await", "import", "compare", "enter", "decorate"),
    )
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a loop does not write: variables, and fields that the file does not write."""

    variables: frozenset[str]
    tracked: frozenset[str]

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, tuple):
            return key in self.variables
        return key[1][:1] not in "$.[=" and key[1] not in self.tracked


class Construction(Rounds):
    """The blocks of a function on their way to facts."""

    steps: ClassVar[Mapping[str, Callable[[Any, Instruction], None]]] = STEPS

    def where(self) -> Span | None:
        """The last instruction that has been taken and that has a place."""
        spans = self.function.spans
        return next((spans[number] for number in reversed(self.values) if number in spans), None)

    def run(self, most_steps: int, in_all: int) -> None:
        """most_steps: that the blocks may take; in_all: with what is left to do then."""
        self.fn.most_steps = most_steps
        self.fn.spend(SHORTEST_STEPS + NODE_STEPS * len(self.index))
        self.prepare()
        self._enter()
        order = self._lay_out()
        if self._missing[0]:  # a loop begins where the function does
            self._ends[-1] = self.fn.here()
            self._immediate[0] = -1
            self._places[0] = self.fn.new_block(self.fn.block)
        started: set[int] = set()
        for number in order:
            if number in self._places:
                self._start(number, started)
            started.add(number)
            self._leave(number, started)
        fn = self.fn
        fn.most_steps = in_all
        if self.semantics.tests_tell:
            self.write_exits()
        if self.semantics.effects:
            self.write_effects()
        self.write_partly_known()
        self._write_assigned()
        self.write_resources(self._before, self._immediate)
        fn.finish()
        self.share_holders()

    def _lay_out(self) -> Sequence[int]:
        """What the graph of blocks says before they are taken; returns their order."""
        fn, blocks = self.fn, self.function.blocks
        self._edges = edges(blocks)
        self._before = before = predecessors(self._edges)
        self._immediate: dict[int, int] = {0: 0}
        self._inside: dict[int, set[int]] = {}
        order: Sequence[int] = range(len(blocks))
        if any(before):
            self._immediate = dominators(self._edges)
            if any(source >= target for target, sources in enumerate(before) for source in sources):
                self._inside = loops(before, self._immediate, fn.spend)
                order = loops_first(self._edges, self._inside)
        # What a loop does not write is asked for at its header when all of its blocks have been taken.
        self._closing: dict[int, list[int]] = {}  # last block of loops -> their headers
        if self._inside:
            place_of = {number: place for place, number in enumerate(order)}
            for header, loop in self._inside.items():
                self._closing.setdefault(max(loop, key=place_of.__getitem__), []).append(header)
        self._suppressed = frozenset(
            each.number
            for each in (self.index.of("leave") if self.semantics.suppressing else ())
            if self._suppresses(each)
        )
        self._asserting = self._assertions()
        self._caught = handlers(self.function, self.semantics, self._suppressed, fn.spend)
        self._missing = [len(sources) for sources in before]  # edges that have not been seen yet
        self._loops: dict[int, Value] = {}  # headers of loops over the elements of something
        self._places: dict[int, Block] = {}
        self._ends: dict[int, Here] = {}
        self._numbers: dict[Block, int] = {}  # of the blocks of the function, by those that are their ends
        # Block -> fields of parameters that a branch to it has shown not to be null.
        self._shown: dict[int, set[Path]] = {}
        return order

    def _start(self, number: int, started: set[int]) -> None:
        """Begin a block to which something leads. started: blocks that were taken before."""
        fn, place, before = self.fn, self._places[number], self._before
        fn.start(place)
        if not self._missing[number]:
            if len(before[number]) > 1:
                fn.joins(place, self._ends[self._immediate[number]])
            return
        of_loop = self._inside.get(number, set())
        # What nothing leads to is no loop, unless control can come in at another block of it.
        if fn.reachable(place) or not started.union(of_loop).issuperset(before[number]):
            header = self._places[number] = fn.block = fn.new_block(place)
            if of_loop:
                if self.semantics.sums:
                    self._rise(of_loop, place)
                fn.keep(header, self._unwritten(of_loop))

    def _leave(self, number: int, started: set[int]) -> None:
        """Take a block, and the edges that leave it. started: blocks that were taken before, and this one."""
        fn, blocks, before, missing = self.fn, self.function.blocks, self._before, self._missing
        left: dict[int, dict[Block, None]] = {}
        self._number = number
        for target, source in self._block(number):
            left.setdefault(target, {})[source] = None
        self._numbers[fn.block] = number
        for target in self._edges[number]:
            place = self._places.setdefault(target, -1)
            if place == -1:
                sources = left.get(target, {})
                own = target != blocks[number].handler and blocks[number].instructions[-1].op in _SIDES
                if own and len(before[target]) == len(sources) == 1 and all(map(fn.sealed, sources)):
                    [self._places[target]] = sources  # the block of that side of the branch
                    missing[target] = 0
                    continue
                place = self._places[target] = fn.new_block()
            for source in left.get(target, ()):
                if fn.reachable(source):
                    fn.edge(source, place)
            missing[target] -= 1
            if not missing[target] and target in started:
                fn.seal(place)
        for header in self._closing.get(number, ()):
            if not missing[header]:
                fn.joins(self._places[header], self._ends[self._immediate[header]])

    def _rise(self, loop: set[int], before: Block) -> None:
        """At the head of a loop: numbers that it only makes larger are not less than they were at first."""
        blocks, fn = self.function.blocks, self.fn
        sets: dict[str, bool] = {}
        fn.spend(len(loop))
        for number in loop:
            for each in blocks[number].instructions:
                if each.op == "set":
                    sets[each.operands[0]] = sets.get(each.operands[0], True) and self._is_step(*each.operands)
        for name, rises in sets.items():
            if rises and self.function.variables[name].home == "local" and name not in self._addresses:
                self.risen(name, before)

    def _is_step(self, name: str, operand: Operand) -> bool:
        """Whether a variable is set to itself and a positive constant."""
        made = self.instructions[operand] if isinstance(operand, int) else None
        if made is None or made.op != "arithmetic" or made.operands[0].removesuffix("=") != "+":
            return False
        [*operands] = made.operands[1]
        if len(operands) != 2 or not isinstance(operands[1], Constant) or self.op(operands[0]) != "get":
            return False
        content = operands[1].content
        return type(content) is int and content > 0 and self.instructions[operands[0]].operands[0] == name

    def after_search(self, block: int) -> bool:
        """Whether control comes to a block from a loop alone: from its head, where it ends, or out of it. And that loop
        leaves the function by another way, too."""
        if not self._inside or any(block in loop for loop in self._inside.values()):
            return False
        found: list[tuple[int, set[int]]] = []  # what leads there out of loops, and the heads of these
        todo, seen = [block], {block}
        while todo:
            for source in self._before[todo.pop()]:
                self.fn.spend(1 + len(self._inside))
                around = {header for header, loop in self._inside.items() if source in loop}
                if around:
                    found.append((source, around))
                elif len(self.function.blocks[source].instructions) > 1:
                    return False
                elif source not in seen:
                    seen.add(source)
                    todo.append(source)
        common = set.intersection(*(around for _, around in found)) if found else set()
        return any(
            any(source == header for source, _ in found) and self._leaves_for_others(self._inside[header], seen)
            for header in common
        )

    def _leaves_for_others(self, loop: set[int], others: set[int]) -> bool:
        """Whether a loop is left for another block than these."""
        self.fn.spend(len(loop))
        return any(target not in loop and target not in others for number in loop for target in self._edges[number])

    def _unwritten(self, loop: set[int]) -> Container[Key]:
        """The variables to which nothing in a loop gives another value."""
        blocks = self.function.blocks
        self.fn.spend(len(loop) + len(self.function.variables))
        written = {each.operands[0] for number in loop for each in blocks[number].instructions if each.op == "set"}
        kept = frozenset(self.function.variables.keys() - written)
        return Kept(kept, self.fn.tracked) if self.semantics.effects else kept

    def _suppresses(self, instruction: Instruction) -> bool:
        """Whether leaving a context manager ends an exception."""
        context = instruction.operands[0]
        if self.op(context) not in ("call", "invoke"):
            return False
        made = self.instructions[context]
        name = made.operands[1] if made.op == "invoke" else self.texts.called(made.operands[0])
        return name in self.semantics.suppressing

    def _block(self, number: int) -> list[tuple[int, Block]]:
        """Take the instructions of a block; returns the edges that leave it: target, and the block they come from."""
        block, fn = self.function.blocks[number], self.fn
        edges: list[tuple[int, Block]] = []
        self.held_by = {}
        self.caught = self._caught.get(block.handler, NOTHING_CAUGHT)
        if block.handler is not None:  # control may leave it before its end: a join behind it begins here
            self._ends[number] = fn.here()
        within = self.function.within if not self.semantics.pointers else {}
        steps, pointers = self.steps, self.semantics.pointers
        for instruction in block.instructions[:-1]:
            op = instruction.op
            if pointers and not fn.reachable():
                self.values[instruction.number] = fn.opaque
                continue
            if block.handler is not None and op in _RAISING:
                edges.append((block.handler, fn.split()))
            if within:
                self.guards.place = within.get(instruction.number, self.function.name)
            steps[op](self, instruction)
        last = block.instructions[-1]
        if block.handler is not None and last.op in ("branch", "raise", "exit"):
            edges.append((block.handler, fn.split()))
        if last.op == "branch":
            return edges + self._branch(number, *last.operands)
        if last.op == "switch":
            return edges + self._switch(number, *last.operands)
        if last.op == "exit":
            self.at_exit()
            self.exit(last)
        self._ends.setdefault(number, fn.here())
        edges += [(target, fn.block) for target in block.successors()]
        return edges

    def _branch(self, number: int, predicate: Predicate, yes: int, no: int) -> list[tuple[int, Block]]:
        fn, guards = self.fn, self.guards
        asserts = number in self._asserting
        for leaf in leaves(predicate):
            if self.semantics.tests_tell:
                self.doubt(leaf, asserts=asserts)
            if not asserts:
                self.ask(leaf)
        for leaf in leaves(predicate) if self.semantics.states else ():
            if leaf.operator == "==":
                self.compared_state(*asked(leaf))
        shown = guards.shown(predicate, self)
        constant = self._decided(predicate)
        test = self.scalar_test(predicate) if constant is None and self.semantics.typed_members else None
        before = self.live() if test is not None else UNDEFINED
        where = self.function.spans.get(self.function.blocks[number].instructions[-1].number)
        if number not in self._inside:
            self.tested_late(self.function.blocks[number].instructions[-1], shown, where)
        self._ends.setdefault(number, fn.here())
        here = [fn.block] if fn.reachable() else []
        edges = []
        for outcome, target in ((True, yes), (False, no)):
            fn.start(fn.new_block(*(here if constant is None or constant is outcome else [])))
            if fn.reachable():
                guards.suspect = where if self.semantics.suspects and not asserts else None
                guards.refine(shown[0 if outcome else 1])
                guards.suspect = None
                if self.semantics.tests_tell and not self.semantics.suspects and not asserts:
                    self._tested_null(
                        shown[0 if outcome else 1], where, ends_loop=target not in self._inside.get(number, {target})
                    )
                    for leaf, holds in answered(predicate, outcome):
                        if leaf.operator == "null" and isinstance(leaf.operands[0], int):
                            self.tested_field(leaf.operands[0], where, null=holds)
                guards.remember(predicate, outcome, self)
                self.show_numbers(predicate, holds=outcome)
                if test is not None:
                    self.note_scalar(test, before, outcome=outcome)
                for leaf, holds in answered(predicate, outcome):
                    self._answer(leaf, holds)
            self._shown[target] = self.fields_of(shown[0 if outcome else 1]) if target not in self._shown else set()
            edges.append((target, fn.block))
        return edges

    def _tested_null(self, shown: list[Refinement], where: Span | None, *, ends_loop: bool) -> None:
        """Note that a parameter, or what a call gave, is null here by a test that the function goes on after. So is
        a variable that a loop sets, where the loop ends because it is null."""
        fn = self.fn
        for key, root, nonnull in shown:
            if nonnull or not isinstance(key, str):
                continue
            if root not in fn.formals and root not in self.results and not (ends_loop and fn.is_joined(root)):
                continue
            current = fn.read(key)
            if ends_loop and current in self.guards.known_null and fn.root(current) == root not in fn.formals:
                if where is not None:
                    fn.spans[current] = where
                fn.define(current, "null", current, "tested")
            elif current in self.guards.known_null and fn.root(current) == root and not self._is_sure(root):
                test = fn.value(self.writer.name(self.guards.place, "test for null"), where)
                fn.define(current, "null", test, "tested")
                fn.define(current, "tested_null", current, test)

    def _is_sure(self, root: Value) -> bool:
        """Whether a value is what a method gives that is declared not to give null: to ask is only careful."""
        call = self.results.get(root)
        if call is None or call.op != "invoke":
            return False
        base, name, arguments = call.operands
        found = self.meant(base, name, len(arguments))
        return bool(found) and all(each.name in self.survey.sure for each in found)

    def assume(self, predicate: Predicate, *, outcome: bool) -> None:
        if self._decided(predicate) not in (None, outcome):
            self.fn.stop()
            return
        self.guards.refine(self.guards.shown(predicate, self)[0 if outcome else 1])
        self.guards.remember(predicate, outcome, self)
        for leaf, holds in answered(predicate, outcome):
            self._answer(leaf, holds)

    def _answer(self, leaf: Predicate, holds: bool) -> None:
        """What else it shows that a question is answered so."""
        subject = leaf.operands[0]
        if leaf.operator == "is" and self.semantics.classes_tell:
            self.note_kind(leaf, holds)
        if leaf.operator in ("<", "<=") and self.semantics.states:
            self._note_bounds(asked(leaf), holds)
        if not isinstance(subject, int) or leaf.operator not in ("null", "truth"):
            return
        if leaf.operator == "truth":
            self.asked_empty(subject, holds)
            self.settle(subject, "true" if holds else "false")
            self.asked(subject, holds)
            if self.op(subject) in ("call", "invoke"):
                self.after_call(self.instructions[subject], self.value(subject), holds)
            elif self.semantics.synonyms:
                called = self.results.get(value := self.fn.root(self.value(subject)))
                if called is not None:
                    self.after_call(called, value, holds)
            return
        if holds:
            self.settle(subject, "null")
        self.found_null(subject, holds)

    def _note_bounds(self, sides: list[Operand], holds: bool) -> None:
        """Note that a parameter is a number out of bounds, where a comparison with a bound has shown that."""
        fn = self.fn
        for index, bound, outside in ((*sides, False), (*reversed(sides), True)):
            if holds == outside and self.op(index) == "get" and self.op(bound) not in ("", "get"):
                root = fn.root(self.value(index))
                if root in fn.formals:
                    fn.write((root, BOUNDS), fn.unnamed())

    def _assertions(self) -> frozenset[int]:
        """The blocks whose branches are of the condition of an assertion: one side of them, or of those that they lead
        to, raises its exception, and they have the other side in common."""
        if not self.semantics.assertion:
            return frozenset()
        blocks = self.function.blocks
        raising = {self.index.block_of(each.number) for each in self.index.of("raise") if self._asserts(each)}
        found: set[int] = set()
        todo = list(raising)
        while todo:
            for number in self._before[todo.pop()]:
                if number in found or blocks[number].instructions[-1].op != "branch":
                    continue
                sides = set(blocks[number].successors())
                inner = [side for side in sides & found if set(blocks[side].successors()) & (sides - {side})]
                if sides & raising or inner:
                    found.add(number)
                    todo.append(number)
        return frozenset(found)

    def _asserts(self, instruction: Instruction) -> bool:
        """Whether what is raised is the exception of an assertion."""
        value = instruction.operands[0]
        if self.op(value) != "import":
            return False
        raised: Instruction = self.instructions[value]
        return bool(raised.operands[1] == self.semantics.assertion)

    def _switch(
        self, number: int, operand: Operand, cases: tuple[tuple[Constant, int], ...], other: int
    ) -> list[tuple[int, Block]]:
        """Each case is reached with what variables were where the value became its constant."""
        fn = self.fn
        self._ends.setdefault(number, fn.here())
        here = [fn.block] if fn.reachable() else []
        self.compared_state(operand)
        value = self.value(operand)
        contents = {content_of(constant) for constant, _ in cases}
        found = self.constants_of(value)
        edges = []
        for content, target in (*((content_of(constant), target) for constant, target in cases), (None, other)):
            possible = found is None or (content in found if content is not None else not found <= contents)
            fn.start(fn.new_block(*(here if possible else [])))
            if fn.reachable():
                correlate(self.guards, value, partial(self._goes, content, contents))
                self._by_way(value, partial(self._goes, content, contents))
                if self.semantics.sums and type(content) is int:
                    self.show_number("==", operand, Constant("integer", content), outcome=True)
            edges.append((target, fn.block))
        return edges

    def shown_before(self, block: Block) -> set[Path]:
        """What branches have shown that lead from what dominates the end of the function to there by way of a block."""
        number, found = self._numbers.get(block, -1), set[Path]()
        while number not in (-1, self._immediate[self._number]):
            self.fn.spend(1)
            found |= self._shown.get(number, set())
            number = self._immediate[number]
        return found

    def _by_way(self, chosen: Value, possible: Callable[[Value, Block], bool]) -> None:
        """`correlate`, through branches that have told apart what a variable is, and joined it again. chosen: what says
        which way led here; possible: whether it can be a value."""
        fn, guards = self.fn, self.guards
        homes: dict[Block, None] = {}
        for phi in self._joined(chosen):
            homes[fn.homes[phi]] = None
        keys: set[str] = set()
        for home in homes:
            written = fn.written_before(home).union(guards.holders.get(home, {}))
            fn.spend(len(written))
            keys.update(key for key in written if isinstance(key, str) and key != LIVE)
        for key in sorted(keys):
            fn.spend(NODE_STEPS)
            current = fn.resolve(fn.read(key))
            if current in fn.nonnull or fn.homes[current] not in homes or not fn.is_phi(current):
                continue
            every: set[Value] = set()
            left: set[Value] = set()
            self._leaves(current, chosen, possible, every, left, set())
            if not left or left == every or left & {UNDEFINED, fn.unknown}:
                continue
            if len(left) == 1:
                fn.write(key, guards.alone(key, left.pop()))
                continue
            merged = fn.value(self.writer.name(guards.place, f"{fn.key_name(key)} by way"))
            for each in sorted(left):
                fn.define(merged, "assign", merged, each)
            if left <= fn.nonnull:
                fn.nonnull.add(merged)
            fn.write(key, merged)

    def _joined(self, value: Value) -> list[Value]:
        """The phis that a value is of, one behind the other."""
        found: dict[Value, None] = {}
        todo = [value]
        while todo and len(found) < _REJOINED:
            phi = unguarded(self.guards, todo.pop())
            sources = self.fn.sources(phi)
            if sources is not None and phi not in found:
                found[phi] = None
                todo += [operand for _, operand in sources]
        return list(found)

    def _leaves(
        self,
        current: Value,
        chosen: Value,
        possible: Callable[[Value, Block], bool],
        every: set[Value],
        left: set[Value],
        seen: set[tuple[Value, Value]],
    ) -> None:
        """Find what a variable, `current` now, was on each way (every), and on those on which `chosen` became something
        that is possible (left). seen: pairs of the two."""
        fn = self.fn
        phi = unguarded(self.guards, chosen)
        if (current, phi) in seen:
            return
        seen.add((current, phi))
        sources = fn.sources(phi) if len(seen) < _REJOINED else None
        if sources is None:
            every.add(current)
            if possible(phi, -1):
                left.add(current)
            return
        joined = current if current in fn.nonnull else unguarded(self.guards, current)
        taken = dict(fn.sources(joined) or ()) if fn.homes[joined] == fn.homes[phi] else {}
        for pred, operand in sources:
            self._leaves(taken.get(pred, current), operand, possible, every, left, seen)

    def _goes(self, content: object, contents: Set[object], value: Value, _: Block) -> bool:
        """Whether a value goes to the case of a constant; of None, to that of all others."""
        known = self.fn.constants.get(value)
        return known is None or (known == content if content is not None else known not in contents)

    def _decided(self, predicate: Predicate) -> bool | None:
        """The outcome of a predicate that has but one."""
        subject = predicate.operands[0]
        if predicate.operator == "not" and isinstance(subject, Predicate):
            decided = self._decided(subject)
            return None if decided is None else not decided
        if predicate.operator == "is" and isinstance(kind := predicate.operands[1], Type):
            return self.is_instance(subject, kind) if isinstance(subject, int) else None
        if predicate.operator == "null" and self.semantics.classes_tell and self.is_receiver(subject):
            return False
        if predicate.operator == "truth" and isinstance(subject, int) and self.op(subject) == "leave":
            return None if subject in self._suppressed else False
        return self.decided(predicate)

    def _is_followed(self, formal: Formal) -> bool:
        """Whether the object that a parameter is may be changed by the function."""
        return formal.type.kind not in NEVER_NULL and (formal.type.kind != "class" or not self.is_dull(formal.type))

    def _given_twice(self, formal: Formal, value: Value) -> None:
        """An array that is passed to two constructors: an object that callers own stands for it."""
        given = 0
        for call in self.index.of("call"):
            for operand, _ in call.operands[1]:
                given += self.op(operand) == "get" and self.instructions[operand].operands[0] == formal.variable
        if given > 1:
            self.fn.emit("new", value, value, self.semantics.containers["array"])
            self.fn.emit("made_in", value, self.symbol)

    def _enter(self) -> None:
        fn, rest = self.fn, self.semantics.rest
        position = 0
        self.enter_cells()
        for formal in self.function.formals:
            what = formal.variable.partition("#")[0]
            value = fn.fixed_value(names.formal_symbol(self.function.name, what))
            fn.homes[value] = fn.entry
            if formal.kind == "rest" and self.semantics.arrays_passed:
                fn.emit("new", value, value, self.semantics.containers["array"])
                fn.emit("formal_rest", self.symbol, value)
                fn.emit("formal_array", self.symbol, len(names.taken(self.function)) - 1, value)
            elif formal.kind == "rest" and self.semantics.pointers:
                fn.nonnull.add(value)
                fn.emit("new", value, value, "va_list")
                fn.emit("formal_rest", self.symbol, value)
            elif formal.kind in ("rest", "names"):
                fn.nonnull.add(value)
                if rest:
                    fn.emit("new", value, value, rest[formal.kind])
                    fn.emit("made_in", value, self.symbol)
                    fn.emit("formal_rest" if formal.kind == "rest" else "formal_rest_names", self.symbol, value)
                else:
                    fn.emit("formal_array", self.symbol, position, value)
            else:
                fn.formals[value] = None
                self.begin_object(what, value, formal.type)
                if formal.type.kind == "pointer" and formal.type.name:  # what it points to, it alone leads to
                    fn.emit("restrict", self.symbol, position, formal.type.name)
                if formal.kind != "named":
                    fn.emit("formal", self.symbol, position, value)
                    position += 1
                if not self.semantics.arity and not self.semantics.pointers:
                    fn.emit("formal_name", self.symbol, what, value)
                if formal.default:
                    fn.emit("omissible", value)
                if self.semantics.kind_of is not None and self.semantics.kind_of(formal.type) in SCALARS:
                    fn.emit("plain", value)
            if self.semantics.objects and formal.kind == "receiver" and self.function.owner is not None:
                self._receive(value, names.class_symbol(self.function.owner))
            if not self.semantics.virtual or (formal.kind != "receiver" and "private" not in self.function.flags):
                self.declare_type(value, formal.type)
            elif formal.type.kind in NEVER_NULL:
                fn.nonnull.add(value)
            self.write(formal.variable, value)
            if self.semantics.versions and formal.kind != "rest" and self._is_followed(formal):
                fn.follow_object(value, len(self.index) <= _SMALL)
            if self.semantics.arrays_passed and formal.type.kind == "array" and formal.kind == "one":
                self._given_twice(formal, value)
        self.enter_known()
        self.begin_unset()

    def _receive(self, value: Value, owner: str) -> None:
        """The parameter that is the object, or the class, that a method is called on."""
        self.fn.nonnull.add(value)
        if self.function.flags.isdisjoint(("class_method", "static")):
            self.fn.emit("new", value, f"{owner}|instance", owner)
        else:
            self.fn.emit("holds", value, owner)

    def _write_assigned(self) -> None:
        """Tell which attributes that are null in a class body a method always sets."""
        for field in definitely_assigned(self.function, self.index, self.survey.null_in_bodies):
            self.fn.emit("assigns_always", self.symbol, field)

    def at_exit(self) -> None:
        """What fields keep; where the file has been loaded, that variables that are set once are what they are."""
        self.leave_stored()
        if self.function.name != MODULE or not self.semantics.tests_tell or self.semantics.pointers:
            return
        for variable in self.function.variables.values():
            if variable.home != "module" or self.survey.sets[identity(self.function, variable)] != 1:
                continue
            value = self.fn.read(variable.name)
            if value != UNDEFINED and value not in self.guards.literal_null:
                self.fn.emit("assign", self.cell(variable), value)
                if value in self.fn.nonnull:
                    self.survey.constant.add(identity(self.function, variable))

    def sets_flag(self, instruction: Instruction) -> bool:
        blocks, own = self.function.blocks, self.index.block_of(instruction.number)
        for handler in {block.handler for block in blocks if block.handler is not None}:
            if handler not in self._dominating(own):
                continue
            for number, block in enumerate(blocks):
                if block.handler == handler or handler in self._dominating(number):
                    for each in block.instructions:
                        if (
                            each.op == "set"
                            and isinstance(each.operands[1], Constant)
                            and (each.operands[1].kind == "boolean")
                        ):
                            return True
        return False

    def _dominating(self, number: int) -> set[int]:
        """The blocks that control has come through where it comes to a block."""
        found = {number}
        while number in self._immediate and self._immediate[number] != number and number >= 0:
            number = self._immediate[number]
            found.add(number)
        return found
