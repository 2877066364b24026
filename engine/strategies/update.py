"""Update: brings one stratum from its old state to the state that Bootstrap builds on the new input.

Equal tuple by tuple, level by level, count by count. Only levels at which something happens are visited, lowest first:

    schedule -1, derivations that used what the lower strata lost;  then +1, those that use what they gained
    while something is pending, at its lowest level k, for each head h with net change d:
        h present below k       -> nothing: only the first level of a tuple is kept
        h present at k          -> count += d; at 0 h is dead
        h absent, and d > 0     -> h arrives at k with count d
        h above k, and d > 0    -> h is lowered to k with count d
    schedule -1, derivations that use the dead;  take them out of the view
    those that are still derived at k + 1 are raised; the others that are still derived have fallen
    move what is lowered: its derivations that now fire at another level, -1 there and +1 here
    put the arrivals in at level k and the raised at k + 1;  schedule +1, derivations that use them
    what fell at k - 1 and is still absent: forget what is pending for it; schedule +1, its derivations if it has any

What dies at one level is often derived at the next, or what derives it dies there as well. So of a tuple that loses its
level only the derivations that fire one level on are looked at, and all the others only a level later. Whatever lies
below the level at hand is final, hence what is raised stays. How many fire one level on is kept with each tuple as they
come and go (`Relation.above`). Of a tuple that was raised it is not known; such a one is asked when it dies again.

A negated atom loses where its relation gains. Each derivation is met once: literals before the driver leave the
driving set out, literals after it have it in. While the stratum is updated, NEW marks what is in its current view.

A tuple's total is the number of instantiations of the current view that derive it, at whatever level. It is kept as
they come and go, and spares most of the dead the search: without support from a cycle or a higher level it is 0.

"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded import kernels
from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.execute import (
    AFTER,
    AFTER_BUT_DELTA,
    BEFORE,
    BEFORE_OR_AFTER,
    BETWEEN,
    Driving,
    Executor,
    Instantiations,
    Shared,
    View,
)
from ..backends.embedded.kernels import Divided, Outlook
from ..backends.embedded.keys import Column
from ..backends.embedded.relation import DELTA, NEW, Relation
from ..datalog.plan import HEAD, CompiledRule
from ..datalog.program import Stratum
from ..errors import EngineError
from .barred import newly_barred
from .heads import Heads, by_relation, looked_up
from .interface import Outcome, Plans, Strategy, Task
from .pending import Change, Pending, Waiting
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS

_ALL: Final = 0xFF  # bits of a state
_LEAVING: Final = _ALL & ~(DELTA | NEW)
_UNMARKED: Final = _ALL & ~DELTA


def update(
    program: Plans,
    stratum: Stratum,
    relations: Mapping[str, Relation],
    executor: Executor,
    visiting: Callable[[int], None] | None = None,
) -> Outcome:
    """Raises BudgetSpent past the executor's budget; the OLD view of the stratum's relations is then still intact.
    `visiting` is told each level before it is visited."""
    updating = LevelledUpdate(program, stratum, relations, executor)
    updating.visiting = visiting
    return updating.run()


class LevelledUpdate:
    keeps_above = True  # how many derivations fire one level above each tuple's own

    def __init__(self, program: Plans, stratum: Stratum, relations: Mapping[str, Relation], executor: Executor):
        self.program, self.stratum, self.executor = program, stratum, executor
        self.relations = relations
        loaded = (relations.get(name) for name in stratum.relations)
        self.pending = Pending(relation for relation in loaded if relation is not None)
        self.visited = 0
        self.visiting: Callable[[int], None] | None = None
        self.lower: tuple[View, View] = (AFTER, AFTER)  # which rows of lower relations there are, and which bar
        self.touched: dict[str, list[Column]] = {}
        if not self.keeps_above:
            for name in stratum.relations:
                self.relations[name].above = None

    def run(self) -> Outcome:
        work, fired = self.executor.work, self.executor.instantiations
        self.propagate()
        self.finish()
        return Outcome(self.executor.instantiations - fired, self.executor.work - work, self.visited)

    def propagate(self) -> None:
        self.from_below(-1)
        self.from_below(+1)
        self.settle()

    def settle(self) -> None:
        """Visit the levels at which something waits until there is none."""
        while self.pending:
            level, waiting = self.pending.lowest()
            if self.visiting is not None:
                self.visiting(level)
            self.visit(level, waiting)
            self.visited += 1

    def from_below(self, sign: int) -> None:
        """Derivations lost (or gained) by changes of lower relations, in their views before (or after) all changes."""
        self.take(self.using_lower(sign), sign)

    def using_lower(self, sign: int) -> Iterator[tuple[CompiledRule, Instantiations]]:
        shared: dict[str, Shared] = {}
        for rule, literal, rows, driver, size, views in self.lower_drivers(sign):
            answers = None if rows is None else shared.setdefault(rule.body[literal].relation, {})
            plan = self.program.plan(rule, literal)
            for found in self.executor.run(plan, Driving(driver, size), views, levelled=True, shared=answers):
                yield rule, found

    def lower_drivers(
        self, sign: int
    ) -> Iterator[tuple[CompiledRule, int, Column | None, Sequence[Column | None], int, list[View]]]:
        """What the literals of lower relations range over when these change: rule, literal, rows (None of a negated
        one), their columns, how many, and what the other literals see."""
        for uses, negated in ((self.stratum.positive_uses, False), (self.stratum.negated_uses, True)):
            for name, places in uses.items():
                relation = self.relations.get(name)  # one that is not loaded has not changed
                if relation is None or name in self.stratum.relations:
                    continue
                rows = relation.deleted if (sign < 0) != negated else relation.inserted
                if not len(rows):
                    continue
                for rule, literal in places:
                    views = _views_below(rule, literal, sign)
                    if not negated:
                        yield rule, literal, rows, _at(relation, rows), len(rows), views
                        continue
                    driver, size = newly_barred(self.executor, relation, rule, literal, rows, sign)
                    if size:
                        yield rule, literal, None, driver, size, views

    def take(
        self, instantiations: Iterable[tuple[CompiledRule, Instantiations]], sign: int, counted: bool = True
    ) -> None:
        """Schedule instantiations that came (or went). Rules derive the same heads, so all are looked up together."""
        for name, found in by_relation(instantiations):
            relation = self.relations[name]
            heads = looked_up(relation, found, sign)
            self.executor.search(relation, len(heads.rows), to_stay=True)
            self.schedule(relation, heads, heads.counts if sign > 0 else -heads.counts, counted)

    def schedule(self, relation: Relation, heads: Heads, changes: NDArray[np.int64], counted: bool) -> None:
        """Note by how many instantiations heads changed. `counted`: in their totals too."""
        self.pending.put(relation, heads.rows, heads.levels, changes, unique=heads.unique, counted=counted)

    def reschedule(self, instantiations: Iterable[tuple[CompiledRule, Instantiations]]) -> None:
        """Note that each instantiation fires at another level than before."""
        for name, found in by_relation(instantiations):
            relation = self.relations[name]
            heads = looked_up(relation, found, -1)
            self.executor.search(relation, len(heads.rows), to_stay=True)
            assert heads.former is not None
            self.move(relation, heads, heads.former)

    def move(self, relation: Relation, heads: Heads, former: Column) -> None:
        """Let changes wait for heads that are derived at other levels than before."""
        self.pending.put(relation, heads.rows, former, -heads.counts, former=True)
        self.pending.put(relation, heads.rows, heads.levels, heads.counts)

    def visit(self, level: int, waiting: Waiting) -> None:
        moves = {}
        for name, changes in waiting.changes.items():
            move = self.moves(name, changes, level)
            if move is not None:
                moves[name] = move
        raised = self.bury({name: move.dead for name, move in moves.items() if len(move.dead)}, level)
        self.shift({name: (move.lowered, move.lowered_sums) for name, move in moves.items()}, level)
        coming = {name: [rows] for name, (rows, _) in raised.items()}
        for name, (rows, counts) in raised.items():
            self.relations[name].enter(rows, counts, level + 1, above=0)
        for name, move in moves.items():
            if len(move.arrivals):
                self.arrive(self.relations[name], move, level, waiting.fallen.get(name))
                coming.setdefault(name, []).append(move.arrivals)
        self.derivations_using({name: concatenate(parts) for name, parts in coming.items()}, +1)
        self.search(waiting.fallen)

    def bury(self, dead: Mapping[str, Column], level: int) -> Mapping[str, tuple[Column, NDArray[np.int64]]]:
        """Take dead tuples out of the view. Those that fire again at the next level, with their counts there, are not
        in it yet."""
        if not dead:
            return {}
        self.derivations_using(dead, -1)
        self.leave(dead)
        raised, fallen = {}, {}
        for name, rows in dead.items():
            found = self.outlook(name, rows, level)
            if len(found.raised):
                raised[name] = found.raised, found.counts
            if len(found.fallen):
                fallen[name] = found.fallen
        self.forget(fallen)
        for name, rows in fallen.items():
            self.pending.at(level + 1).fallen[name] = rows
        return raised

    def search(self, fallen: Mapping[str, Column]) -> None:
        """Ask for the derivations of tuples that died one level below, have not come back at this one, and still have
        any: what else died by now was often all that they had."""
        if not fallen:
            return
        fallen = {name: rows[(self.relations[name].state[rows] & NEW) == 0] for name, rows in fallen.items()}
        self.forget(fallen)
        for name, rows in fallen.items():
            total = self.relations[name].total
            assert total is not None
            derived = rows[total.take(rows) > 0]
            if len(derived):
                self.derivations_of(name, derived)

    def leave(self, leaving: Mapping[str, Column]) -> None:
        for name, rows in leaving.items():
            if len(rows):
                self.relations[name].own()
                kernels.mark(self.relations[name].state, rows, _LEAVING, 0)
                self.relations[name].uniform = False

    def outlook(self, name: str, rows: Column, level: int) -> Outlook:
        """What becomes of tuples that died at `level`, and are still derived; what is not known is asked."""
        relation = self.relations[name]
        assert relation.total is not None
        found = kernels.outlook(rows, relation.total, relation.above)
        if not len(found.unknown):
            return found
        counts = self.asked_next(name, found.unknown, level)
        again = counts > 0
        return Outlook(
            np.concatenate([found.raised, found.unknown[again]]), np.concatenate([found.counts, counts[again]]),
            np.concatenate([found.fallen, found.unknown[~again]]), found.unknown[:0],
        )  # fmt: skip

    def asked_next(self, name: str, rows: Column, level: int) -> NDArray[np.int64]:
        """How many derivations of each given tuple fire at the level after `level`, at which it died."""
        counts = np.zeros(len(rows), np.int64)
        columns = _at(self.relations[name], rows)
        limits = np.full(len(rows), level + 1, np.int32)
        shared: Shared = {}
        for rule in self.stratum.rules_of[name]:
            if rule.from_input or (level and not any(atom.same_stratum for atom in rule.body)):
                continue  # it fires at level 0, or at 1
            plan, views = self.program.plan(rule, HEAD), self.views(rule, HEAD)
            for found in self.executor.run(
                plan, Driving(columns, len(rows), limits=limits), views, origins=True, shared=shared
            ):
                assert found.origins is not None
                counts += np.bincount(found.origins, minlength=len(rows))
        return counts

    def shift(self, moving: Mapping[str, tuple[Column, NDArray[np.int64]]], level: int) -> None:
        """Move tuples that are in the view, with what they derive, down to `level`, with their counts there."""
        moving = {name: move for name, move in moving.items() if len(move[0])}
        if not moving:
            return
        former, ceiling = {}, level
        for name, (rows, counts) in moving.items():
            former[name] = self.relations[name].lower(rows, counts, level)
            ceiling = max(ceiling, int(former[name].max()))
        driving = {name: rows for name, (rows, _) in moving.items()}
        self.reschedule(self.drive(driving, former, ceiling))
        for name, rows in driving.items():
            self.relations[name].moved(rows)

    def moves(self, name: str, changes: list[Change], level: int) -> Divided | None:
        relation = self.relations[name]
        rows, sums = self.net(name, changes)
        if not len(rows):
            return None
        found = relation.change(rows, sums, level)
        if found.owing:
            raise EngineError(f"internal error: a tuple of {name} lost more derivations than it had")
        if not len(found.dead) and not len(found.lowered) and not len(found.arrivals):
            return None
        self.touched.setdefault(name, []).extend((found.dead, found.arrivals))
        return found

    def net(self, name: str, changes: list[Change]) -> tuple[Column, NDArray[np.int64]]:
        """The sum of what waits for each row of a relation at the level that is visited."""
        return self.pending.net(self.relations[name], changes)

    def forget(self, fallen: Mapping[str, Column]) -> None:
        self.pending.forget((self.relations[name], rows) for name, rows in fallen.items())

    def arrive(self, relation: Relation, move: Divided, level: int, fallen: Column | None) -> None:
        """`fallen`: rows that fell one level below. Of those that are here again nobody asked what else derives them;
        what derives the others at the next level is waiting there."""
        relation.enter(move.arrivals, move.arrival_sums, level, above=1)
        if relation.above is not None and fallen is not None:
            relation.put("above", fallen[(relation.state.take(fallen) & NEW) != 0], 0)

    def derivations_using(self, driving: Mapping[str, Column], sign: int) -> None:
        """The instantiations of the current view with a body tuple among `driving`."""
        if driving:
            self.take(self.drive(driving), sign)

    def drive(
        self, driving: Mapping[str, Column], former: Mapping[str, Column] | None = None, ceiling: int = 0
    ) -> Iterator[tuple[CompiledRule, Instantiations]]:
        """Each instantiation with a body tuple among `driving` once; if these come from `former` levels, those that
        fire at another level than before. No level that moves is above `ceiling`."""
        for name, rows in driving.items():
            relation = self.relations[name]
            relation.own()
            kernels.mark(relation.state, rows, _ALL, DELTA)
            relation.uniform = False
        for name, rows in driving.items():
            relation = self.relations[name]
            places = self.stratum.positive_uses.get(name, ())
            if not places:
                continue
            assert relation.level is not None
            columns, levels = _at(relation, rows), kernels.take(relation.level, rows)
            driver_former = None if former is None else former[name]
            shared: Shared = {}
            for rule, literal in places:
                plan, views = self.program.plan(rule, literal), self.views(rule, literal)
                for found in self.executor.run(
                    plan,
                    Driving(columns, len(rows), levels=levels, former=driver_former, ceiling=ceiling),
                    views,
                    levelled=True,
                    shared=shared,
                ):
                    yield rule, found
        for name, rows in driving.items():
            kernels.mark(self.relations[name].state, rows, _UNMARKED, 0)

    def views(self, rule: CompiledRule, driver: int) -> list[View]:
        """What a derivation inside the stratum sees: lower relations as `lower` says, the stratum's own as they are
        now, and each derivation once for all the atoms that may drive it."""
        views = []
        for literal, atom in enumerate(rule.body):
            if atom.same_stratum:
                views.append(AFTER_BUT_DELTA if literal < driver else AFTER)
            else:
                views.append(self.lower[atom.negated])
        return views

    def derivations_of(self, name: str, rows: Column) -> None:
        """Schedule all derivations of the given tuples that the current view has."""
        self.take(self.deriving(name, rows), +1, counted=False)

    def deriving(self, name: str, rows: Column) -> Iterator[tuple[CompiledRule, Instantiations]]:
        columns = _at(self.relations[name], rows)
        shared: Shared = {}
        for rule in self.stratum.rules_of[name]:
            plan, views = self.program.plan(rule, HEAD), self.views(rule, HEAD)
            for found in self.executor.run(plan, Driving(columns, len(rows)), views, levelled=True, shared=shared):
                yield rule, found

    def finish(self) -> None:
        """Mark in the rows what this stratum gained and lost, for the strata above. An index that later updates profit
        from is made now: it can take as long as the update, which might have been dropped before. One that took more
        than its budget leaves it to a cheaper one."""
        for name, parts in self.touched.items():
            relation = self.relations[name]
            if not self.executor.overdrawn:
                relation.whole().improve()
            relation.own()
            relation.uniform = False
            relation.deleted, relation.inserted = kernels.settle(relation.state, parts)


def _at(relation: Relation, rows: Column) -> list[Column | None]:
    return [kernels.take(column, rows) for column in relation.columns]


def _views_below(rule: CompiledRule, driver: int, sign: int) -> list[View]:
    views = []
    for literal, atom in enumerate(rule.body):
        if atom.same_stratum:
            views.append(AFTER)
        elif literal > driver:
            views.append(BEFORE if sign < 0 else AFTER)
        else:
            views.append(BEFORE_OR_AFTER if atom.negated else BETWEEN)
    return views


def maintain(task: Task) -> Outcome:
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    return update(task.program, task.stratum, task.relations, task.executor)


UPDATE = Strategy("update", "Propagate every change level by level, however much work it is.", start, maintain)
