"""Random programs and facts for property tests, and states in a form that can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from examples import share as examples  # noqa: F401 - for the tests of this folder
from hypothesis import strategies as st
from oracle import Fact, Facts, State

from pliant.engine import Batch, EngineError, Evaluation, Program
from pliant.engine.backends.embedded import kernels
from pliant.engine.backends.embedded.kernels import in_numpy
from pliant.engine.backends.embedded.relation import NEW

SYMBOLS = ["a", "b", "", "a long sýmbol of more than eight bytes"]
VALUES: dict[str, list[str | int]] = {
    "symbol": [*SYMBOLS],
    "number": [1, 1, -1, -1, 0, 2**31 - 1, -(2**31)],
    "unsigned": [1, 1, 7, 7, 0, 2**31, 2**32 - 1],
}
NAMES = {"symbol": ["x", "y", "z"], "number": ["m", "n"], "unsigned": ["u", "v"]}  # of variables
LOCAL = {"symbol": ["k", "l"], "number": ["i", "j"], "unsigned": ["g", "h"]}  # inside aggregates
OPERATORS = ["!=", "<", "<=", ">", ">=", "="]
Kinds = dict[str, tuple[str, ...]]
Bound = dict[str, list[str]]  # kind -> variables that have values


@dataclass
class Random:
    """A program's text, the kinds of its relations' columns, and which relations take facts."""

    text: str
    kinds: Kinds
    inputs: list[str]


def by_numpy(patch: pytest.MonkeyPatch) -> None:
    """The engine's inner loops are calls of numpy, also where they are compiled."""
    for name in in_numpy.__all__:
        patch.setattr(kernels, name, getattr(in_numpy, name))


def value(kind: str) -> st.SearchStrategy[str | int]:
    return st.sampled_from(VALUES[kind])


def one_in(number: int) -> st.SearchStrategy[bool]:
    return st.integers(1, number).map(lambda drawn: drawn == number)


def written(constant: str | int) -> str:
    if isinstance(constant, str):
        return f'"{constant}"'
    return f"{constant}u" if constant >= 2**31 else str(constant)  # Soufflé crashes on some that have no `u`


@st.composite
def programs(draw: st.DrawFn) -> Random:
    """One to three inputs and up to three layers of derived relations: negation only reaches below a layer."""
    kinds: Kinds = {}
    widths = [("symbol",) * 2] * 6 + [("symbol",), ("number",), ("symbol", "number"), (), ("symbol",) * 3]
    widths += [("symbol", "number", "symbol"), ("symbol",) * 4, ("symbol", "symbol", "number", "symbol", "symbol")]
    widths += [("symbol", "unsigned"), ("number", "unsigned"), ("symbol", "number")]
    layers: list[list[str]] = [[f"e{index}" for index in range(draw(st.integers(1, 3)))]]
    number = 0
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 2))
        layers.append([f"d{number + index}" for index in range(size)])
        number += size
    for name in (name for layer in layers for name in layer):
        kinds[name] = draw(st.sampled_from(widths))
    inputs = list(layers[0])
    lines = []
    below: list[str] = list(layers[0])
    for layer in layers[1:]:
        for name in layer:
            if draw(one_in(3)):
                inputs.append(name)
            lines.append(draw(rules([name], below, [], kinds)))
            for _ in range(draw(st.integers(1, 3))):
                heads = [name, *(other for other in layer if other != name and draw(one_in(4)))]
                lines.append(draw(rules(heads, below, layer, kinds)))
        below = below + layer
    declarations = [
        f".decl {name}({', '.join(f'c{index}: {kind}' for index, kind in enumerate(of_name))})"
        for name, of_name in kinds.items()
    ]
    directives = [f".input {name}" for name in inputs] + [f".output {name}" for name in kinds]
    return Random("\n".join([*declarations, *directives, *lines]), kinds, inputs)


@st.composite
def rules(draw: st.DrawFn, heads: list[str], below: list[str], layer: list[str], kinds: Kinds) -> str:
    """A rule over `below` and `layer`; negation and aggregates are over `below` alone."""
    bound: Bound = {kind: [] for kind in NAMES}
    sure: Bound = {kind: [] for kind in NAMES}  # bound by atoms of `below` alone
    recursive: set[str] = set()  # Soufflé binds them in an aggregate by what there is of `layer` so far
    body = []
    for _ in range(draw(st.sampled_from([2, 2, 1, 3]))):
        name = draw(st.sampled_from(below + layer + layer))
        terms = []
        for kind in kinds[name]:
            choice = draw(st.integers(0, 11))
            if choice == 5:
                terms.append("_")
            elif choice == 7:
                terms.append(written(draw(value(kind))))
            else:
                variable = draw(st.sampled_from(NAMES[kind]))
                bound[kind].append(variable)
                if name in below:
                    sure[kind].append(variable)
                else:
                    recursive.add(variable)
                terms.append(variable)
        body.append(f"{name}({', '.join(terms)})")
    sure = {kind: [variable for variable in names if variable not in recursive] for kind, names in sure.items()}
    if draw(one_in(5)):
        kind, text = draw(aggregates(below, kinds, bound, sure))
        if draw(st.booleans()):
            body.append(f"r = {text}")
            bound[kind].append("r")
        else:
            right = draw(st.sampled_from([*bound[kind], written(draw(value(kind)))]))
            body.append(draw(st.sampled_from([f"{text} {operator} {right}" for operator in OPERATORS])))
    if draw(one_in(4)):
        body.append(draw(conditions(below, kinds, bound)))
    if draw(one_in(6)):
        parts = [draw(conditions(below, kinds, bound)) for _ in range(draw(st.integers(2, 3)))]
        body.append(draw(st.sampled_from(["", "!"])) + f"({draw(st.sampled_from([' ; ', ', '])).join(parts)})")
    if draw(one_in(6)) and bound["symbol"]:
        body.append(f"w = {draw(st.sampled_from(bound['symbol']))}")
        bound["symbol"].append("w")
    body = draw(st.permutations(body))
    written_heads = []
    for head in heads:
        arguments = [
            draw(st.sampled_from(bound[kind])) if bound[kind] else written(draw(value(kind))) for kind in kinds[head]
        ]
        written_heads.append(f"{head}({', '.join(arguments)})")
    return f"{', '.join(written_heads)} :- {', '.join(body)}."


@st.composite
def conditions(draw: st.DrawFn, below: list[str], kinds: Kinds, bound: Bound) -> str:
    """A negation, a constraint, or an atom, that binds nothing."""
    kind = draw(st.sampled_from(list(NAMES)))
    if bound[kind] and draw(st.booleans()):
        left = draw(st.sampled_from(bound[kind]))
        right = draw(st.sampled_from([*bound[kind], written(draw(value(kind)))]))
        return f"{left} {draw(st.sampled_from(OPERATORS))} {right}"
    name = draw(st.sampled_from(below))
    terms = [draw(st.sampled_from([*bound[kind], "_", written(draw(value(kind)))])) for kind in kinds[name]]
    return f"{draw(st.sampled_from(['!', '!', '']))}{name}({', '.join(terms)})"


@st.composite
def aggregates(
    draw: st.DrawFn, below: list[str], kinds: Kinds, around: Bound, sure: Bound, depth: int = 0
) -> tuple[str, str]:
    """The kind of an aggregate's value, and its text. Names of `around` are those around it; others are its own."""
    inner: Bound = {kind: [] for kind in NAMES}
    body = []
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        name = draw(st.sampled_from(below))
        terms = []
        for kind in kinds[name]:
            choice = draw(st.integers(0, 11))
            if choice in (5, 6):
                terms.append("_")
            elif choice == 7:
                terms.append(written(draw(value(kind))))
            else:
                # Around a nested aggregate are the names of the outer one, too.
                locals_ = [f"{local}{depth or ''}" for local in LOCAL[kind]]
                names = [] if depth else NAMES[kind]
                terms.append(draw(st.sampled_from([*names, *around[kind], *locals_, *locals_])))
                inner[kind].append(terms[-1])
        body.append(f"{name}({', '.join(terms)})")
    numeric = [(kind, name) for kind in ("number", "unsigned") for name in inner[kind]]
    if numeric and draw(one_in(3)):
        kind, left = draw(st.sampled_from(numeric))
        right = draw(st.sampled_from([*sure[kind], *inner[kind], written(draw(value(kind)))]))
        body.append(f"{left} {draw(st.sampled_from(OPERATORS))} {right}")
    if draw(one_in(5)):
        name = draw(st.sampled_from(below))
        choices = [[*inner[kind], written(draw(value(kind)))] for kind in kinds[name]]  # Soufflé refuses `_` here
        body.append(f"!{name}({', '.join(draw(st.sampled_from(some)) for some in choices)})")
    if not depth and inner["number"] and draw(one_in(6)):
        known = {kind: [*sure[kind], *inner[kind]] for kind in NAMES}
        kind, text = draw(aggregates(below, kinds, known, inner, 1))
        if kind == "number":
            body.append(f"{draw(st.sampled_from(inner['number']))} {draw(st.sampled_from(OPERATORS))} {text}")
    body = draw(st.permutations(body))
    operator = draw(st.sampled_from(["count", "sum", "min", "max"])) if numeric else "count"
    if operator == "count":
        return "number", f"count : {{ {', '.join(body)} }}"
    kind, target = draw(st.sampled_from(numeric))
    return kind, f"{operator} {target} : {{ {', '.join(body)} }}"


@st.composite
def facts(draw: st.DrawFn, random: Random, most: int = 6) -> dict[str, set[Fact]]:
    found = {}
    for name in random.inputs:
        rows = st.tuples(*(value(kind) for kind in random.kinds[name]))
        least = min(most // 2, 3) if random.kinds[name] else 0
        found[name] = set(draw(st.lists(rows, min_size=least, max_size=most)))
    return found


def batch(facts: Facts) -> Batch:
    return Batch.from_tuples({name: sorted(rows, key=repr) for name, rows in facts.items()})


def state(evaluation: Evaluation, names: list[str] | None = None) -> State:
    """Level and count of every tuple, in Python values; a count that is not known is 0."""
    program = evaluation.program
    unknown = set(evaluation.uncounted())
    found: State = {}
    for name in names or list(program.schemas):
        rows = evaluation.rows(name)
        columns: list[list[str | int]] = [
            evaluation.strings(rows[:, index]) if kind == "symbol" else rows[:, index].tolist()  # type: ignore[misc]
            for index, kind in enumerate(program.schemas[name].kinds)
        ]
        levels = evaluation.levels(name)
        counts = np.zeros_like(levels) if name in unknown else evaluation.levels_counts(name)[1]
        tuples = list(zip(*columns, strict=True)) if columns else [()] * len(rows)
        assert len(set(tuples)) == len(tuples)
        found[name] = dict(zip(tuples, zip(levels.tolist(), counts.tolist(), strict=True), strict=True))
    return found


def check_state(evaluation: Evaluation, expected: State) -> None:
    """The state is as expected; of relations without counts the tuples and levels are, and nobody tells a count."""
    for name in set(evaluation.uncounted()) & expected.keys():
        expected = {**expected, name: {row: (level, 0) for row, (level, _) in expected[name].items()}}
        with pytest.raises(EngineError, match=f"counts of .*{name}.* are not known"):
            evaluation.levels_counts(name)
    assert state(evaluation) == expected


def totals(evaluation: Evaluation) -> dict[str, dict[tuple[int, ...], int]]:
    """How many instantiations derive each tuple, at any level. Only for evaluations that share their ids."""
    found = {}
    for name in evaluation.program.stored:
        relation = evaluation._relations[name]
        if relation.total is not None:
            rows = map(tuple, evaluation.rows(name).tolist())
            found[name] = dict(zip(rows, relation.total[relation.rows_in(NEW)].tolist(), strict=True))
            assert not relation.total[: relation.size][(relation.state[: relation.size] & NEW) == 0].any()
    return found


def check_numbers(evaluation: Evaluation) -> None:
    """Totals, and what is known of derivations one level above each tuple, are as after a Bootstrap of the same facts,
    which knows all of them."""
    fresh = rebuilt(evaluation)
    assert totals(evaluation) == totals(fresh)
    for name in evaluation.program.stored:
        known, all_known = (_above(each, name) for each in (evaluation, fresh))
        assert all(all_known.values())
        assert {row: number for row, number in known.items() if number} == {
            row: number for row, number in all_known.items() if known.get(row)
        }


def _above(evaluation: Evaluation, name: str) -> dict[tuple[int, ...], int]:
    relation = evaluation._relations[name]
    if relation.above is None:
        return {}
    rows = map(tuple, evaluation.rows(name).tolist())
    return dict(zip(rows, relation.above[relation.rows_in(NEW)].tolist(), strict=True))


def rebuilt(evaluation: Evaluation, strategy: str = "bootstrap") -> Evaluation:
    """Bootstrap over the facts that an evaluation has now, with the same ids."""
    inputs = evaluation.program.input_storage
    facts = {name: evaluation.rows(storage) for name, storage in inputs.items()}
    symbols = evaluation.strings(range(len(evaluation.symbols)))
    return Evaluation.bootstrap(evaluation.program, Batch(symbols, facts), strategy)


def fresh(text: str, facts: Facts) -> Evaluation:
    return Evaluation.bootstrap(Program.parse({"program.dl": text}), batch(facts))
