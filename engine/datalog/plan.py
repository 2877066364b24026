"""Rules to plans: a driver that supplies rows, then lookups, absences and comparisons, as early as they can be made.

A plan is delta-first: the driver is one literal of the body, or the head, for plans that ask how given tuples are
derived. From there on a plan is not one order but a graph of them, made as it is walked: a node says what is filtered
once certain literals are joined, and which literals may be joined next. Whoever runs the plan chooses, by what it
knows of the relations; every way through gives the same instantiations. Plans hold no data and no symbol ids: a
constant is an index into the program's constants, so that a plan outlives the evaluation that asked for it.

Where the body is cyclic a plan may also extend by one variable at a time: the atoms that have the variable propose its
values, each from the distinct prefixes of its rows, and the one with fewest for a row is asked; the others validate.
That bounds what is put out by what the worst case of the whole body can be (the argument of worst-case-optimal joins),
which whole atoms of more than one new variable do not. The hypergraph that is tested has the driver's variables as an
edge, too, the head's for plans from the head: a row of the driver binds them, but the bound is on the sum over rows.

An operand is an int: a variable if it is >= 0, else the constant `~operand`. None stands for `_`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from .hypergraph import is_cyclic
from .syntax import Kind, Operator, Rule

Operand = int
HEAD = -1  # as a driver: the plan binds the head first
Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BodyAtom:
    """`same_stratum`: the atom's tuples have levels that count in this rule's stratum."""

    relation: str
    operands: tuple[Operand | None, ...]
    negated: bool
    same_stratum: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: Operator
    left: Operand
    right: Operand
    kind: Kind


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """`from_input`: the rule that puts input rows into a relation that also has rules; it fires at level 0.
    `written`: the rule as it is written, if it is, or what gives it. `names`: how the source calls each variable."""

    index: int
    head: str
    head_operands: tuple[Operand, ...]
    body: tuple[BodyAtom, ...]
    comparisons: tuple[Comparison, ...]
    from_input: bool
    written: Rule | Callable[[], Rule] | None = field(compare=False)
    names: tuple[str, ...]

    @property
    def source(self) -> Rule | None:
        return self.written() if callable(self.written) else self.written


@dataclass(frozen=True, slots=True)
class Scan:
    """What a driver's columns give: variables, and conditions on constants and on repeated variables."""

    binds: tuple[tuple[int, int], ...]  # (column, variable)
    equal_columns: tuple[tuple[int, int], ...]
    constants: tuple[tuple[int, int], ...]  # (column, constant)


@dataclass(frozen=True, slots=True)
class Lookup:
    """Rows of `relation` whose `key_columns` equal `key_operands`; `absent` keeps what has none instead."""

    literal: int
    relation: str
    key_columns: Columns
    key_operands: tuple[Operand, ...]
    binds: tuple[tuple[int, int], ...]
    equal_columns: tuple[tuple[int, int], ...]
    absent: bool
    levelled: bool
    carried: tuple[int, ...]  # variables bound before this step that a later one needs


@dataclass(frozen=True, slots=True)
class Compare:
    comparison: Comparison
    carried: tuple[int, ...]


Step = Lookup | Compare


@dataclass(frozen=True, slots=True)
class Proposal:
    """An atom's say on a variable: the distinct values beside a key, from the projection of its relation on `columns`.

    Both lookups count the projection's columns: `proposing` binds the variable, `validating` looks up a value that
    another atom proposed. They ignore views, so that they may let too much through; the atom itself is joined later.
    `validating` is None where the atom has no other free column: then it is the very next filter.
    """

    columns: Columns
    proposing: Lookup
    validating: Lookup | None


@dataclass(frozen=True, slots=True)
class Extension:
    """Bind `variable` and join no atom yet. Proposals with a key may propose, all may validate."""

    variable: int
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A point of a plan. `done`: a bit for each literal that is joined, once the filters are through.

    `filters` come first: comparisons, negated atoms and atoms all of whose columns are bound; they only remove rows.
    Then one of `choices` is joined; those that share no variable with what is bound are there only if no other is.
    Without choices the instantiations are complete. The first choice is best if nothing is known of the relations.
    """

    rule: CompiledRule = field(repr=False)
    cyclic: bool
    done: int
    bound: frozenset[int]
    filters: tuple[Step, ...]
    choices: tuple[Lookup, ...]

    @cached_property
    def extensions(self) -> tuple[Extension, ...]:
        """They stand beside the choices of a cyclic body where they bind less than an atom would. Few nodes are asked
        for theirs."""
        return _extensions(self.rule, _left(self.rule, self.done), self.bound) if self.cyclic else ()


@dataclass(slots=True, eq=False)
class Plan:
    rule: CompiledRule
    driver: int  # index of the body literal, or HEAD
    scan: Scan
    start: Node
    cyclic: bool
    _nodes: dict[tuple[int, frozenset[int], int], Node] = field(default_factory=dict, repr=False)

    def after(self, node: Node, step: Lookup | Extension) -> Node:
        """The node behind a choice or an extension."""
        bound, done, name = node.bound, node.done, step.literal if isinstance(step, Lookup) else ~step.variable
        key = (done, bound, name)
        found = self._nodes.get(key)
        if found is None:
            if isinstance(step, Lookup):
                done |= 1 << step.literal
                after = bound | _variables(self.rule.body[step.literal].operands)
            else:
                after = bound | {step.variable}
            found = self._nodes[key] = _node(self.rule, done, after, bound, self.cyclic)
        return found


def plan_rule(rule: CompiledRule, driver: int) -> Plan:
    """The plan of `rule` that starts from literal `driver`, or from the head."""
    operands = rule.head_operands if driver == HEAD else rule.body[driver].operands
    scan = _scan(operands)
    bound = frozenset(variable for _, variable in scan.binds)
    edges = [_variables(atom.operands) for atom in rule.body if not atom.negated]
    cyclic = is_cyclic([*edges, bound])
    return Plan(rule, driver, scan, _node(rule, 0 if driver == HEAD else 1 << driver, bound, None, cyclic), cyclic)


def _node(rule: CompiledRule, done: int, bound: frozenset[int], before: frozenset[int] | None, cyclic: bool) -> Node:
    """The node at which the literals of `done` are joined; `before` was bound when filters were last looked for."""
    filters: list[Comparison | int] = []
    later: list[Comparison] = []  # comparisons that are not bound yet
    for each in rule.comparisons:
        if not _is_compared(each, bound):
            later.append(each)
        elif before is None or not _is_compared(each, before):
            filters.append(each)
    left = _left(rule, done)
    for negated in (True, False):  # an absence is found without touching rows
        for index in list(left):
            operands = rule.body[index].operands
            if rule.body[index].negated == negated and all(
                _is_bound(operand, bound) or (negated and operand is None) for operand in operands
            ):
                left.remove(index)
                filters.append(index)
                done |= 1 << index
    needed = _variables(rule.head_operands).union(*(_variables((each.left, each.right)) for each in later))
    wanted = {index: _variables(rule.body[index].operands) for index in left}
    uses = Counter(chain.from_iterable(wanted.values()))
    alone = {variable for variable, count in uses.items() if count == 1} - needed  # in one literal and nowhere else
    needed |= uses.keys()
    choices = [_lookup(rule, index, bound, needed - (wanted[index] & alone)) for index in _order(rule, left, bound)]
    steps: list[Step] = []
    for filter_ in reversed(filters):
        if isinstance(filter_, Comparison):
            steps.append(Compare(filter_, tuple(sorted(needed & bound))))
            needed |= _variables((filter_.left, filter_.right))
        else:
            steps.append(_lookup(rule, filter_, bound, needed))
            needed |= _variables(rule.body[filter_].operands)
    return Node(rule, cyclic, done, bound, tuple(reversed(steps)), tuple(choices))


def _left(rule: CompiledRule, done: int) -> list[int]:
    return [index for index in range(len(rule.body)) if not done >> index & 1]


def _extensions(rule: CompiledRule, left: list[int], bound: frozenset[int]) -> tuple[Extension, ...]:
    """By variables that several of the literals in `left` share and that no keyed one of them has as its last; those
    of most literals first."""
    positive = {index: _variables(rule.body[index].operands) - bound for index in left if not rule.body[index].negated}
    needed = _variables(rule.head_operands).union(
        *(_variables(rule.body[index].operands) for index in left),
        *(_variables((each.left, each.right)) for each in rule.comparisons if not _is_compared(each, bound)),
    )
    holders = {
        variable: [index for index, free in positive.items() if variable in free]
        for variable in sorted(set().union(*positive.values()))
    }
    found = []
    for variable, indices in holders.items():
        proposals = tuple(_proposal(rule, index, variable, bound, needed) for index in indices)
        partial = any(each.validating is not None and each.proposing.key_columns for each in proposals)
        if len(indices) > 1 and partial:
            found.append(Extension(variable, proposals))
    return tuple(sorted(found, key=lambda each: -len(each.proposals)))


def _proposal(rule: CompiledRule, index: int, variable: int, bound: frozenset[int], needed: set[int]) -> Proposal:
    atom = rule.body[index]
    keys = [(column, operand) for column, operand in enumerate(atom.operands)
            if operand is not None and _is_bound(operand, bound)]  # fmt: skip
    values = [*keys, (atom.operands.index(variable), variable)]
    columns = tuple(sorted(column for column, _ in values))
    place = {column: position for position, column in enumerate(columns)}

    def lookup(of: list[tuple[int, Operand]], binds: tuple[tuple[int, int], ...], carried: set[int]) -> Lookup:
        of = sorted(of)
        return Lookup(
            literal=index,
            relation=atom.relation,
            key_columns=tuple(place[column] for column, _ in of),
            key_operands=tuple(operand for _, operand in of),
            binds=binds,
            equal_columns=(),
            absent=False,
            levelled=False,
            carried=tuple(sorted(carried)),
        )

    complete = all(operand == variable or _is_bound(operand, bound) for operand in atom.operands)
    known = needed & bound
    return Proposal(
        columns=columns,
        proposing=lookup(keys, ((place[values[-1][0]], variable),), known),
        validating=None if complete else lookup(values, (), known | {variable}),
    )


def _variables(operands: Iterable[Operand | None]) -> set[int]:
    return {operand for operand in operands if operand is not None and operand >= 0}


def _is_bound(operand: Operand | None, bound: frozenset[int]) -> bool:
    return operand is not None and (operand < 0 or operand in bound)


def _is_compared(comparison: Comparison, bound: frozenset[int]) -> bool:
    return _is_bound(comparison.left, bound) and _is_bound(comparison.right, bound)


def _order(rule: CompiledRule, left: list[int], bound: frozenset[int]) -> list[int]:
    """The positive literals that may be joined next, by how many of their columns are free and bound."""

    def rank(index: int) -> tuple[int, int, int]:
        operands = rule.body[index].operands
        keys = sum(_is_bound(operand, bound) for operand in operands)
        return len(_variables(operands) - bound) + operands.count(None), -keys, index

    positive = [index for index in left if not rule.body[index].negated]
    connected = [index for index in positive if _variables(rule.body[index].operands) & bound]
    return sorted(connected or positive, key=rank)


def _lookup(rule: CompiledRule, index: int, bound: frozenset[int], needed: set[int]) -> Lookup:
    """The lookup of a literal where `bound` is; `needed` are the variables that are wanted after it."""
    atom = rule.body[index]
    keys = [(column, operand) for column, operand in enumerate(atom.operands)
            if operand is not None and (operand < 0 or operand in bound)]  # fmt: skip
    rest = _scan(tuple(None if _is_bound(operand, bound) else operand for operand in atom.operands))
    return Lookup(
        literal=index,
        relation=atom.relation,
        key_columns=tuple(column for column, _ in keys),
        key_operands=tuple(operand for _, operand in keys),
        binds=tuple((column, variable) for column, variable in rest.binds if variable in needed),
        equal_columns=rest.equal_columns,
        absent=atom.negated,
        levelled=atom.same_stratum,
        carried=tuple(sorted(needed & bound)),
    )


def _scan(operands: tuple[Operand | None, ...]) -> Scan:
    first: dict[int, int] = {}
    equal, constants = [], []
    for column, operand in enumerate(operands):
        if operand is None:
            continue
        if operand < 0:
            constants.append((column, ~operand))
        elif operand in first:
            equal.append((first[operand], column))
        else:
            first[operand] = column
    return Scan(tuple((column, variable) for variable, column in first.items()), tuple(equal), tuple(constants))
