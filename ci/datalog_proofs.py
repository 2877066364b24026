"""`pliant datalog prove`: why a tuple holds, or which epoch removed it and how; as text and as JSON."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.ci.datalog import load, start, step
from pliant.ci.errors import UserError, visible
from pliant.engine import EngineError, Evaluation, Program, Proof, TooMuch
from pliant.engine.removal import Fact, Removal
from pliant.engine.strategies.elastic import DEFAULT_SWITCH

_MOST_ROWS = 1 << 26  # of joins, to find all derivations of a removed tuple


@dataclass(slots=True)
class Answer:
    """`proof`: of the tuple as it holds now or, if an epoch removed it, as it held before that: then `removed` has the
    number of the epoch and the changes, and `after` the state that it led to."""

    texts: Texts
    proof: Proof | None = None
    removed: tuple[int, Removal] | None = None
    after: Evaluation | None = None

    @property
    def holds(self) -> bool:
        return self.proof is not None and self.removed is None

    def gone(self, fact: Fact) -> bool:
        if self.after is None:
            return False
        demanded = self.after.program.demanded
        parts = [name for name, of in demanded.items() if of == fact[0] and name not in self.after.program.magic]
        if any(self.after.contains(name, np.array([fact[1]], np.int64))[0] for name in parts or [fact[0]]):
            return False
        made = self.after.program.aggregations.get(fact[0])
        if made is None or made.operator in ("min", "max") or fact[1][-1] != 0:
            return True
        groups = self.after.rows(fact[0])[:, :-1]  # one without rows has the value 0
        return bool((groups == np.array(fact[1][:-1], np.int64)).all(axis=1).any())


def prove(
    path: Path, text: str, facts: Path, updates: Sequence[Path], strategy: str, switch: float = DEFAULT_SWITCH
) -> Answer:
    """Why the tuple that is written as `text` holds after the last epoch, or which epoch removed it and how."""
    program = load(path)
    name, values = _target(program, text)
    if name not in program.outputs:
        program = load(path, [*program.outputs, name])
    run = start(program, facts, strategy)
    answer = Answer(Texts(run.evaluation))
    for folder in updates:
        before = run.evaluation.copy()
        step(run, folder, strategy, switch)
        fact = _fact(run.evaluation, name, values)
        if fact is not None and _holds(before, fact) and not _holds(run.evaluation, fact):
            try:
                removal = before.explain_removal(run.evaluation, *fact, _MOST_ROWS)
            except TooMuch as error:
                raise UserError(f"epoch {len(run.epochs) - 1} removed it, and {error}") from None
            answer.removed = len(run.epochs) - 1, removal
            [answer.proof] = before.prove_many([fact])
            answer.after = run.evaluation.copy()
    fact = _fact(run.evaluation, name, values)
    if fact is not None and _holds(run.evaluation, fact):
        [answer.proof] = run.evaluation.prove_many([fact])
        answer.removed = answer.after = None
    return answer


def _target(program: Program, text: str) -> tuple[str, tuple[str | int, ...]]:
    """The relation and the values of a tuple written as `rel("a", 1)`."""
    from pliant.engine.datalog.parse import parse
    from pliant.engine.datalog.syntax import Constant

    try:
        rules = parse({"tuple": f"{text.strip().removesuffix('.')}."}).rules
    except EngineError as error:
        reason = visible(str(error).splitlines()[0])
        raise UserError(f'{visible(text)} is no tuple such as rel("a", 1): {reason}') from None
    head = rules[0].head if len(rules) == 1 and not rules[0].literals and not rules[0].constraints else None
    terms = [] if head is None else [term for term in head.terms if isinstance(term, Constant)]
    if head is None or len(terms) != len(head.terms):
        raise UserError(f'{visible(text)} is no tuple: a relation with constants is expected, such as rel("a", 1)')
    schema = program.schemas.get(head.relation)
    if schema is None:
        likely = difflib.get_close_matches(head.relation, program.schemas, 1)
        raise UserError(f"relation {head.relation} is not declared{f'; did you mean {likely[0]}?' if likely else ''}")
    if len(terms) != schema.arity:
        raise UserError(f"relation {head.relation} has {schema.arity} columns, and {len(terms)} are given")
    for index, (term, kind) in enumerate(zip(terms, schema.kinds, strict=True), 1):
        if (term.kind == "symbol") != (kind == "symbol"):
            raise UserError(f"column {index} of {head.relation} is a {kind}; found {term.value!r}")
    return head.relation, tuple(term.value for term in terms)


def _fact(evaluation: Evaluation, name: str, values: Sequence[str | int]) -> Fact | None:
    """The tuple with ids; None where it has a string that the evaluation has never seen."""
    ids = [int(evaluation.symbol_ids([value])[0]) if isinstance(value, str) else value for value in values]
    return None if any(i < 0 and isinstance(v, str) for i, v in zip(ids, values, strict=True)) else (name, tuple(ids))


def _holds(evaluation: Evaluation, fact: Fact) -> bool:
    return bool(evaluation.contains(fact[0], np.array([fact[1]], np.int64))[0])


class Texts:
    """Tuples as they are written in a program."""

    def __init__(self, evaluation: Evaluation):
        self.evaluation = evaluation

    def row(self, name: str, row: Sequence[int | None]) -> str:
        kinds = self.evaluation.program.schema(name).kinds
        written = []
        for kind, value in zip(kinds, row, strict=True):
            if value is None:
                written.append("_")
            elif kind == "symbol":
                written.append(json.dumps(self.evaluation.strings([value])[0], ensure_ascii=False))
            else:
                written.append(str(value))
        made = self.evaluation.program.aggregations.get(name)
        if made is None:
            return visible(f"{name}({', '.join(written)})")
        of_group = f" for ({', '.join(written[:-1])})" if made.group else ""
        return visible(f"`{made.text}` = {written[-1]}{of_group}")


def proof_text(proof: Proof, texts: Texts, gone: Callable[[Fact], bool] | None = None) -> str:
    """A proof as a tree; what was shown before is not shown again. `gone` marks tuples that no longer hold."""
    lines: list[str] = []
    shown: set[int] = set()
    todo: list[tuple[Proof | str, str, str]] = [(proof, "", "")]
    while todo:
        node, first, rest = todo.pop()
        if isinstance(node, str):
            lines.append(first + node)
            continue
        line = first + texts.row(node.relation, node.row)
        if gone is not None and gone((node.relation, node.row)):
            line += "  [removed]"
        if node.is_input:
            lines.append(f"{line}  input")
            continue
        again = id(node) in shown
        if node.rule is not None:
            line += f"  level {node.level}, {'shown above' if again else _by(node)}"
        elif again or node.omitted:
            line += "  shown above" if again else f"  over these and {node.omitted} other rows"
        lines.append(line)
        if again:
            continue
        shown.add(id(node))
        below: list[Proof | str] = [*node.body]
        below.extend(f"!{texts.row(name, row)}  absent" for name, row in node.absent)
        for index, each in reversed(list(enumerate(below))):
            last = index == len(below) - 1
            todo.append((each, rest + ("└── " if last else "├── "), rest + ("    " if last else "│   ")))
    return "\n".join(lines) + "\n"


def _by(node: Proof) -> str:
    assert node.rule is not None
    where = node.rule.position
    return f"by {visible(f'{where.source}:{where.line}')}: {visible(' '.join(node.rule.text.split()))}"


def proof_json(proof: Proof, texts: Texts) -> dict[str, Any]:
    """A proof as a list of nodes that name each other by number: a proof may be too high for nested objects."""
    numbers: dict[int, int] = {id(proof): 0}
    order = [proof]
    for node in order:
        for below in node.body:
            if id(below) not in numbers:
                numbers[id(below)] = len(order)
                order.append(below)
    nodes = []
    for node in order:
        entry: dict[str, Any] = {"tuple": texts.row(node.relation, node.row), "level": node.level}
        if node.aggregation is not None:
            entry["aggregate"] = node.aggregation.text
            entry["body"] = [numbers[id(below)] for below in node.body]
            entry["omitted"] = node.omitted
        if node.rule is not None:
            entry["rule"] = " ".join(node.rule.text.split())
            entry["position"] = str(node.rule.position)
            entry["body"] = [numbers[id(below)] for below in node.body]
            entry["absent"] = [texts.row(name, row) for name, row in node.absent]
        nodes.append(entry)
    return {"nodes": nodes}


def removal_text(removal: Removal, texts: Texts) -> str:
    others = removal.tuples - 1
    through = f" (through {others} other removed {'tuple' if others == 1 else 'tuples'})" if others else ""
    lines = [f"what took its last derivation{through}:"]
    lines.extend(f"  - {texts.row(*fact)}  deleted" for fact in removal.deleted)
    lines.extend(f"  + {texts.row(*fact)}  now holds" for fact in removal.gained)
    return "\n".join(lines) + "\n"


def answer_text(answer: Answer, asked: str) -> str:
    if answer.proof is None:
        return f"{visible(asked)} does not hold\n"
    if answer.removed is None:
        return proof_text(answer.proof, answer.texts)
    epoch, removal = answer.removed
    name = answer.texts.row(answer.proof.relation, answer.proof.row)
    before = proof_text(answer.proof, answer.texts, answer.gone)
    return f"{name} was removed by epoch {epoch}; {removal_text(removal, answer.texts)}\nits proof before:\n{before}"


def answer_json(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {"schema": "pliant-proof-1", "holds": answer.holds}
    found["proof"] = None if answer.proof is None else proof_json(answer.proof, answer.texts)
    if answer.removed is not None:
        epoch, removal = answer.removed
        facts = {"deleted": removal.deleted, "gained": removal.gained}
        found["removed"] = {
            "epoch": epoch,
            **{key: [answer.texts.row(*fact) for fact in some] for key, some in facts.items()},
            "tuples": removal.tuples,
        }
    return found
