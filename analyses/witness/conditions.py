"""Under which conditions a use fails, in terms of the source: of what was asked on the way, what it follows from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from pliant.analyses.findings import Condition
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.run import Asked
from pliant.analyses.witness.solve import Formula
from pliant.analyses.witness.terms import Node, Terms
from pliant.analyses.witness.z3_terms import STEPS, Solver, Term
from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.unit import Span

_MOST_QUESTIONS = 500  # among which the conditions are looked for
_MOST_TRIED = 40  # of those that the solver names, to do without them
_MOST_TEXT = 60  # characters of a condition
_RAISED = "raised."  # how the variables begin that hold exceptions on their way to handlers
_AND_THEN = " and then "
_SWAPPED = {"<": ">", "<=": ">="}


def needed(terms: Terms, fails: Node, asked: Sequence[Asked]) -> list[tuple[Asked, bool]]:
    """A part of what was asked, with answers from which it follows that `fails` holds, together with what the source
    does not ask (that no exception comes before); they can be given together. Empty where nobody knows one."""
    with Solver() as solver:
        return _needed(solver, Formula(terms, solver), terms, fails, asked)


def _needed(
    solver: Solver, formula: Formula, terms: Terms, fails: Node, asked: Sequence[Asked]
) -> list[tuple[Asked, bool]]:
    fails = formula.plain(fails)
    is_so = formula.condition(fails)
    questions: dict[Node, Asked | None] = {**is_asked(formula, terms, asked)}
    atoms = formula.atoms()
    for atom in atoms:
        if formula.plain(atom) is atom:
            questions.setdefault(atom, None)
    if len(questions) > _MOST_QUESTIONS:
        return []
    solver.push()
    solver.add(is_so)
    # No round more, no exception.
    plainest = [solver.opposite(formula.condition(atom)) for atom in atoms if atom.op == "open"]
    if not solver.can_hold(*plainest) and not solver.can_hold():
        return []
    conditions = [formula.condition(node) for node in questions]
    answers = solver.answers(conditions)
    solver.pop()
    solver.add(solver.opposite(is_so))
    names = [solver.constant(solver.condition) for _ in conditions]
    for name, condition, answer in zip(names, conditions, answers, strict=True):
        solver.add(solver.implies(name, condition if answer else solver.opposite(condition)))
    left = _follows(solver, names, range(len(names)))
    solver.take_at_most(STEPS // _MOST_TRIED)
    known = list(questions.values())
    of_source = {number for number, question in enumerate(known) if question is not None}
    # What the source does not ask goes first, so that of what says the same it is the source that is told.
    for number in sorted(left or (), key=of_source.__contains__)[:_MOST_TRIED]:
        if left is not None and number in left:
            others = set(left) if number in of_source else of_source.union(left)
            left = _follows(solver, names, sorted(others - {number})) or left
    told = [(known[number], answers[number]) for number in left or ()]
    return [(question, answer) for question, answer in told if question is not None]


def is_asked(formula: Formula, terms: Terms, asked: Sequence[Asked]) -> dict[Node, Asked]:
    """The questions on which a condition depends, by what is asked; of those that ask the same, the first."""
    found: dict[Node, Asked] = {}
    for each in asked:
        plain = formula.plain(each.holds)
        if plain not in (terms.true, terms.false) and formula.has(plain):
            found.setdefault(plain, each)
    return found


def _follows(solver: Solver, names: Sequence[Term], numbers: Sequence[int]) -> list[int] | None:
    """Those of the answers, by number, from which it follows; None where it does not follow from all."""
    assumed = [names[number] for number in numbers]
    if solver.can_hold(*assumed) is not False:
        return None
    return [numbers[number] for number in solver.contradicting(assumed)]


def in_source(programs: Programs, answers: Sequence[tuple[Asked, bool]]) -> tuple[Condition, ...]:
    """What questions and answers are in the source. What rounds of a loop ask is told once."""
    found: dict[tuple[str, int, str], Condition] = {}
    for asked, holds in answers:
        told = condition(programs, asked, holds=holds)
        key = (told.file, told.line, told.text)
        before = found.setdefault(key, told)
        if told.value not in before.value.split(_AND_THEN):
            found[key] = replace(before, value=f"{before.value}{_AND_THEN}{told.value}")
    return tuple(found.values())


def condition(programs: Programs, asked: Asked, *, holds: bool) -> Condition:
    """A question and its answer as they are in the source."""
    code, operands = asked.code, asked.operands
    texts = [each.name if isinstance(each, Type) else _text(programs, code, each) for each in operands]
    text, value = texts[0], "true" if holds else "false"
    match asked.question:
        case "null":
            value = code.null if holds else f"not {code.null}"
        case "is":
            value = f"{'of' if holds else 'not of'} type {texts[1]}"
        case "item":
            value = "not at its end" if holds else "at its end"
        case "==" | "<" | "<=" | "in":
            word: str = asked.question
            if word != "in" and isinstance(operands[0], Constant):
                texts.reverse()
                word = _SWAPPED.get(word, word)
            text = f"{texts[0]} {word} {texts[1]}"
    spans = [code.function.spans.get(each) for each in (*operands, asked.number) if isinstance(each, int)]
    line = next((span[0] for span in spans if span is not None), None)
    if line is None:  # what is before it has a place
        before = max((each for each in code.function.spans if each < asked.number), default=0)
        line = code.function.spans[before][0] if before else 0
    return Condition(code.path, line, code.shown, text, value)


def _text(programs: Programs, code: Code, operand: Operand) -> str:
    if isinstance(operand, Constant):
        return code.null if operand.kind == "null" else json.dumps(operand.content, default=str, ensure_ascii=False)
    instruction = code.instruction(operand)
    if instruction.op == "get" and instruction.operands[0].startswith(_RAISED):
        return "the exception"
    span = code.function.spans.get(operand)
    return code.texts.what(instruction, code.null) if span is None else _source(programs, code.path, span)


def _source(programs: Programs, path: str, span: Span) -> str:
    """What is written at a span, in one line. Columns are of bytes."""
    first, begin, last, end = span
    lines = programs.lines(path)[first - 1 : last]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    text = " ".join(b" ".join(lines).decode("utf-8", "replace").split())
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 3]}..."
