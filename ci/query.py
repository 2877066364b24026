"""`pliant query`: a query, or rules, over the relations of a commit's state, in strata on top of it.

Nothing of the analyses is evaluated again: `Evaluation.extended` shares what the state has. Symbols of the answer are
shown with the places that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pliant.analyses.sentences import named
from pliant.ci.commits import Progress, State, no_progress
from pliant.ci.comparison import Comparison, Request, on_sound_states
from pliant.ci.errors import UserError, read_bounded, visible, visible_path
from pliant.ci.explain import Line, lines_of, proof_text
from pliant.ci.git import Repository
from pliant.ci.revision import WORKTREE
from pliant.ci.side_sources import Sources
from pliant.ci.steps import Places
from pliant.ci.wording import counted
from pliant.engine import DatalogError, Evaluation, Program, TooLarge
from pliant.engine.datalog.syntax import QUERY
from pliant.engine.fact_files import ascending
from pliant.extractors.blobs import Location
from pliant.extractors.facts import OWN

_MOST_BYTES: Final = 1 << 24  # of a file of rules
_ESCAPES: Final = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


@dataclass(frozen=True, slots=True)
class Question:
    """`body`: the query; without one the outputs of the rules are asked for. `proved`: the number of a row, from 1.
    `most`: how many rows of each relation are looked up; None for all."""

    body: str = ""
    rules: Sequence[Path] = ()
    proved: int | None = None
    most: int | None = None


@dataclass(slots=True)
class Relation:
    """Rows in ascending order, as columns: `most` of `size`."""

    name: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    values: list[Any]
    size: int
    shown: int


@dataclass(slots=True)
class Answer:
    """places: of the symbols that stand somewhere. whole: relations of the rules that could not be demanded -> why."""

    commit: str
    relations: list[Relation]
    places: dict[str, Location]
    whole: Mapping[str, str]
    proof: list[Line] = field(default_factory=list)


def query(
    folder: Path,
    revision: str,
    question: Question,
    state: Path | None,
    config: Path | None,
    say: Callable[[str], None],
    progress: Progress = no_progress,
    places: Callable[[Repository], Places] | None = None,
) -> Answer:
    """What holds in a commit, or in the work tree. places: who chooses where it is evaluated; None for this process."""
    base = "HEAD" if revision == WORKTREE else revision
    request = Request(folder, base, revision, state, config=config, places=places)
    sources = {str(path): _read(path) for path in question.rules}
    return on_sound_states(lambda comparison: _query(comparison, question, sources, progress), request, say, progress)


def _query(comparison: Comparison, question: Question, sources: dict[str, str], progress: Progress) -> Answer:
    program = _compiled(comparison.commits.program, question, sources)
    found = comparison.base()
    if comparison.sides.head.commit is None:
        found = State(found.evaluation, found.snapshot, "")
        comparison.commits.advance(found, comparison.target(found.snapshot), comparison.read)
    progress("deriving")
    try:
        evaluation = found.evaluation.extended(program)
    except TooLarge as error:
        name = "the query" if error.relation == QUERY else error.relation
        raise UserError(
            f"the query may join {error.most:,} rows, and needs more; {name} has most, {error.size:,}: "
            "bind more of its columns"
        ) from None
    side = Sources(found.snapshot, comparison.commits.cache, comparison, stored=comparison.stored)
    outputs = program.outputs[len(found.evaluation.program.outputs) :]
    answer = Answer(comparison.sides.head.commit or WORKTREE, [], {}, program.whole)
    first = None
    for name in outputs:
        rows, values = ascending(evaluation, name, evaluation.rows(name))
        size = len(rows)
        shown = size if question.most is None else min(size, question.most)
        schema = program.stored[name]
        values = [column.slice(0, shown) for column in values]
        answer.relations.append(Relation(name, schema.columns, schema.kinds, values, size, shown))
        first = rows if first is None else first
        for column, kind in zip(values, schema.kinds, strict=True):
            symbols = column.unique().to_pylist() if kind == "symbol" else []
            places = {symbol: side.locate(symbol) for symbol in symbols if OWN in symbol}
            answer.places.update((symbol, place) for symbol, place in places.items() if place is not None)
    if question.proved is not None and first is not None:
        answer.proof = _proved(evaluation, answer.relations[0], first, question.proved, side)
    return answer


def _compiled(base: Program, question: Question, sources: dict[str, str]) -> Program:
    try:
        program = base.extended(sources, question.body)
    except DatalogError as error:
        raise mistaken(error) from None
    outputs = program.outputs[len(base.outputs) :]
    if not outputs:
        raise UserError("the rules have no .output relation: add one, or give a query, such as 'name(x, y)'")
    if question.proved is not None and len(outputs) > 1:
        raise UserError("--explain is of one relation, and the rules have several outputs: give a query as well")
    return program


def mistaken(error: DatalogError) -> UserError:
    """What is wrong with a query or its rules, in one line."""
    first, others = error.diagnostics[0], len(error.diagnostics) - 1
    more = f" (and {counted(others, 'more mistake')})" if others else ""
    at = f"{first.source}:{first.line}:{first.column}"
    return UserError(visible(f"{at}: {first.message}{more}"))


def _read(path: Path) -> str:
    try:
        return read_bounded(path, _MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{visible(str(path))} is not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise UserError(f"the rules {visible(str(path))} cannot be read: {error.strerror}") from None


def _proved(evaluation: Evaluation, relation: Relation, rows: Any, number: int, side: Sources) -> list[Line]:
    if number > relation.size:
        raise UserError(f"--explain {number}: the answer has {counted(relation.size, 'row')}")
    [proof] = evaluation.prove_many([(relation.name, tuple(rows[number - 1].tolist()))])
    assert proof is not None
    return list(lines_of(proof, evaluation, side))


def as_text(answer: Answer) -> str:
    """Each relation as a table, then the proof."""
    lines: list[str] = []
    for relation in answer.relations:
        if len(answer.relations) > 1:
            lines += [""] * bool(lines) + [relation.name]
        lines += _table(relation, answer.places)
    if answer.proof:
        lines.append("the proof, each line with what it rests on below it (-: a fact of the source):")
        lines += proof_text(answer.proof)
    return "".join(f"{line}\n" for line in lines)


def _table(relation: Relation, places: Mapping[str, Location]) -> list[str]:
    if not relation.columns:
        return ["it holds" if relation.size else "it does not hold"]
    columns = [
        [name, *(_cell(value, places) if kind == "symbol" else str(value) for value in values.to_pylist())]
        for name, kind, values in zip(relation.columns, relation.kinds, relation.values, strict=True)
    ]
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    left = relation.size - relation.shown
    more = f"; {left} more are not shown (--limit)" if left else ""
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:], f"{counted(relation.size, 'row')}{more}"]


def _cell(symbol: str, places: Mapping[str, Location]) -> str:
    place = places.get(symbol)
    if place is None:
        return visible(symbol)
    return f"{visible_path(place.file)}:{place.line} {visible(named(symbol))}"


def as_dict(answer: Answer) -> dict[str, Any]:
    return {
        "schema": "pliant-query/1",
        "commit": answer.commit,
        "relations": [
            {
                "name": relation.name.removeprefix("@"),
                "columns": [
                    {"name": name, "type": kind} for name, kind in zip(relation.columns, relation.kinds, strict=True)
                ],
                "rows": list(map(list, zip(*(column.to_pylist() for column in relation.values), strict=True)))
                if relation.columns
                else [[]] * relation.size,
            }
            for relation in answer.relations
        ],
        "places": {symbol: {"file": place.file, "line": place.line} for symbol, place in answer.places.items()},
        "whole": dict(answer.whole),
        "proof": [asdict(line) for line in answer.proof],
    }


def as_table(answer: Answer) -> pa.Table:
    """The one relation of the answer. A column with symbols that stand somewhere is followed by one with their places:
    `x` by `x:place`."""
    if len(answer.relations) != 1:
        raise UserError("this format takes one relation, and the rules have several outputs: give a query as well")
    [relation] = answer.relations
    table: dict[str, Any] = {}
    for name, values in zip(relation.columns, relation.values, strict=True):
        table[name] = values
        if pa.types.is_large_string(values.type):
            of = {symbol: answer.places.get(symbol) for symbol in values.unique().to_pylist()}
            if any(of.values()):
                shown = {symbol: place and f"{visible_path(place.file)}:{place.line}" for symbol, place in of.items()}
                table[f"{name}:place"] = pa.array([shown[symbol] for symbol in values.to_pylist()], pa.large_string())
    if not table:
        raise UserError("this format takes columns, and the query has no variables: text and json say whether it holds")
    return pa.table(table)


def as_tsv(answer: Answer) -> str:
    """The names of the columns, then the rows; tabs, line ends and backslashes escaped."""
    table = as_table(answer)
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    lines = ["\t".join("" if each is None else str(each).translate(_ESCAPES) for each in row) for row in rows]
    return "".join(f"{line}\n" for line in ["\t".join(table.column_names), *lines])
