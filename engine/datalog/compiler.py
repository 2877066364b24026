"""From checked rules to a program: strata, projections, and rules with numbered variables and constants."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import DatalogError, Diagnostic
from .check import Below, Checked, check
from .magic import Demanded, demand
from .parameters import Parametrized, parametrized
from .parse import parse, parse_query
from .plan import BodyAtom, Comparison, CompiledRule, Operand
from .program import Program, Stratum
from .projections import Projection, project
from .strata import Component, stratify
from .syntax import QUERY, Constant, Kind, Rule, Schema, Syntax, Term, Variable, Wildcard

LANGUAGE_VERSION = 2  # part of a program's hash: raised when the same text comes to mean something else


def compiled(sources: Mapping[str, str], outputs: tuple[str, ...] | None) -> Program:
    """`Program.parse` of sources that are not stored."""
    checked = check(parse(sources), sources)
    wanted = checked.outputs if outputs is None else outputs
    unknown = [name for name in wanted if name not in checked.schemas]
    if unknown:
        first = next(iter(sources), "")
        raise DatalogError([Diagnostic(f"output {name} is not declared", first, 1, 1, "") for name in unknown])
    return _Compiler(checked, wanted, sources).program()


def extended(base: Program, sources: Mapping[str, str], query: str) -> Program:
    """`Program.extended`."""
    addition = _Addition.of(base, sources, query)
    return addition.program(addition.syntax, (QUERY,) if query else None)


@dataclass(frozen=True, slots=True)
class _Addition:
    """Rules, and a query if it is not empty, to add to a program. `sources`: the query is one, by the name `query`."""

    base: Program
    sources: Mapping[str, str]
    syntax: Syntax

    @classmethod
    def of(cls, base: Program, sources: Mapping[str, str], query: str) -> _Addition:
        syntax = parse(sources) if sources else Syntax([], [], [], [])
        if query:
            sources = {**sources, "query": query}
            syntax.rules.extend(parse_query("query", query))
        return cls(base, sources, syntax)

    def checked(self, syntax: Syntax, parameters: Parametrized | None = None) -> Checked:
        base = self.base
        known = {name: schema for name, schema in base.schemas.items() if name in base.stored}
        below = Below(known, frozenset(base.schemas.keys() - known.keys()), len(base.auxiliary))
        return check(syntax, self.sources, below, parameters)

    def program(
        self, syntax: Syntax, outputs: tuple[str, ...] | None, parameters: Parametrized | None = None
    ) -> Program:
        checked = self.checked(syntax, parameters)
        wanted = checked.outputs if outputs is None else outputs
        return _Compiler(checked, wanted, self.sources, self.base).program()


class SharedQuery:
    """A query on top of a program, so that those who ask it with other constants share it.

    key: the same for all of them. constants: of this one, which are a row of the relation PARAMETERS, after the number
    of who asks; that number is the first column of the answer, before the variables of the query.
    """

    def __init__(self, base: Program, sources: Mapping[str, str], query: str):
        """Raises DatalogError as `Program.extended` does."""
        self._addition = addition = _Addition.of(base, sources, query)
        self.schema = addition.checked(addition.syntax).schemas[QUERY]
        rules = [rule for rule in addition.syntax.rules if rule.head.relation == QUERY]
        self._parametrized = parametrized(rules)
        self.constants = self._parametrized.constants
        self.key = hashlib.sha256(repr([sorted(sources.items()), self._parametrized.shape]).encode()).hexdigest()

    def program(self) -> Program:
        """The program that all of them share."""
        syntax = self._addition.syntax
        others = [rule for rule in syntax.rules if rule.head.relation != QUERY]
        syntax = replace(syntax, rules=[*others, *self._parametrized.rules])
        return self._addition.program(syntax, (QUERY,), self._parametrized)


@dataclass(slots=True)
class _Parts:
    """What a program consists of so far. index: of the next rule."""

    input_storage: dict[str, str]
    stored: dict[str, Schema]
    strata: list[Stratum]
    projections: dict[str, Projection]
    index: int

    def next(self) -> int:
        """The index of a rule that is added."""
        self.index += 1
        return self.index - 1


class _Compiler:
    """`base`: the program that the rules are added to."""

    def __init__(
        self, checked: Checked, outputs: tuple[str, ...], sources: Mapping[str, str], base: Program | None = None
    ):
        self.checked, self.outputs, self.sources, self.base = checked, outputs, sources, base
        self.schemas = {**checked.schemas, **checked.auxiliary}
        constants = () if base is None else base.constants
        self.constants: dict[tuple[Kind, str | int], int] = {each: number for number, each in enumerate(constants)}

    def program(self) -> Program:
        checked, base = self.checked, self.base
        aggregations = checked.aggregations
        # Mistakes in what no output needs are mistakes, too.
        stratify(checked.rules, self.schemas, self.sources, aggregations)
        demanded = self.demanded()
        self.schemas |= demanded.schemas
        components = stratify(demanded.rules, self.outputs, self.sources, aggregations)
        by_head: dict[str, list[Rule]] = {}
        for rule in demanded.rules:
            by_head.setdefault(rule.head.relation, []).append(rule)
        parts = self._begun(by_head)
        for component in components:
            if base is None or component.relations[0] not in base.stored:
                self._add(component, by_head, parts)
        inputs = {name: checked.schemas[name].kinds for name in checked.inputs} if base is None else base.inputs
        outputs = self.outputs if base is None else (*base.outputs, *self.outputs)
        program = Program(
            schemas=checked.schemas,
            inputs=inputs,
            outputs=outputs,
            io=checked.io,
            strata=tuple(parts.strata),
            stored=parts.stored,
            input_storage=parts.input_storage,
            projections=parts.projections,
            constants=tuple(self.constants),
            aggregations=aggregations,
            auxiliary=frozenset(checked.auxiliary),
            hash=_hash(inputs, outputs, parts.stored, parts.strata, tuple(self.constants)),
            demanded=demanded.relations,
            magic=demanded.magic,
            whole=demanded.whole,
        )
        if base is not None:
            program.schemas = {**base.schemas, **program.schemas}
            program.aggregations = {**base.aggregations, **aggregations}
            program.auxiliary |= base.auxiliary
            program.demanded, program.magic = {**base.demanded, **demanded.relations}, base.magic | demanded.magic
            program.bound = base.bound
            program._plans = dict(base._plans)
        program.stratum_of.update((name, stratum.index) for stratum in parts.strata for name in stratum.relations)
        return program

    def _begun(self, headed: Container[str]) -> _Parts:
        """The parts of the program that the rules are added to, or of an empty one. headed: relations with rules."""
        checked, base = self.checked, self.base
        if base is not None:
            index = 1 + max((rule.index for stratum in base.strata for rule in stratum.rules), default=-1)
            return _Parts(dict(base.input_storage), dict(base.stored), list(base.strata), dict(base.projections), index)
        storage = {name: f"{name}@input" if name in headed else name for name in checked.inputs}
        return _Parts(storage, {storage[name]: checked.schemas[name] for name in checked.inputs}, [], {}, 0)

    def _add(self, component: Component, by_head: Mapping[str, Sequence[Rule]], parts: _Parts) -> None:
        """Add a stratum, after those of the projections that its rules need."""
        aggregations, stored, strata = self.checked.aggregations, parts.stored, parts.strata
        stored.update((name, self.schemas[name]) for name in component.relations)
        rules: list[CompiledRule] = []
        for name in component.relations:
            if parts.input_storage.get(name, name) != name:
                rules.append(self.input_rule(parts.next(), name, parts.input_storage[name]))
            for rule in by_head.get(name, ()):
                compiled, projected = project(self.rule(parts.next(), rule, component.relations), aggregations)
                rules.append(compiled)
                for each in projected:
                    if each.name not in parts.projections:
                        parts.projections[each.name] = each
                        of = stored[each.relation]
                        stored[each.name] = each.schema(of)
                        alone = Component((each.name,), recursive=False)
                        strata.append(Stratum.of(len(strata), alone, [each.rule(parts.next(), of)], None))
        aggregation = aggregations.get(component.relations[0])
        if rules or aggregation:
            strata.append(Stratum.of(len(strata), component, rules, aggregation))

    def demanded(self) -> Demanded:
        """The rules to evaluate, on demand where that is asked for."""
        checked = self.checked
        if checked.asked is None:
            return Demanded(checked.rules, {}, {}, frozenset(), {})
        return demand(
            checked.rules, self.outputs, self.schemas, checked.aggregations, checked.inputs, checked.asked
        )  # fmt: skip

    def input_rule(self, index: int, name: str, storage: str) -> CompiledRule:
        schema = self.checked.schemas[name]
        operands = tuple(range(schema.arity))
        body = (BodyAtom(storage, operands, False, False),)
        return CompiledRule(index, name, operands, body, (), True, None, schema.columns)

    def rule(self, index: int, rule: Rule, together: Sequence[str]) -> CompiledRule:
        variables: dict[str, int] = {}
        kinds: dict[str, Kind] = {}

        def operand(term: Term, kind: Kind) -> Operand | None:
            match term:
                case Variable(name):
                    kinds.setdefault(name, kind)
                    return variables.setdefault(name, len(variables))
                case Constant(value, _):
                    return ~self.constants.setdefault((kind, value), len(self.constants))
                case Wildcard():
                    return None

        def operands(relation: str, terms: tuple[Term, ...]) -> tuple[Operand | None, ...]:
            return tuple(map(operand, terms, self.schemas[relation].kinds))

        head = tuple(each for each in operands(rule.head.relation, rule.head.terms) if each is not None)
        body = tuple(
            BodyAtom(
                literal.atom.relation,
                operands(literal.atom.relation, literal.atom.terms),
                literal.negated,
                not literal.negated and literal.atom.relation in together,
            )
            for literal in rule.literals
        )
        comparisons = []
        for each in rule.constraints:
            if each.operator == "=" and each.left == each.right:
                continue  # solved
            sides = (each.left, each.right)
            kind: Kind = next(
                (kinds[side.name] for side in sides if isinstance(side, Variable)),
                next((side.kind for side in sides if isinstance(side, Constant) and side.kind != "number"), "number"),
            )
            left, right = operand(each.left, kind), operand(each.right, kind)
            assert left is not None and right is not None
            comparisons.append(Comparison(each.operator, left, right, kind))
        return CompiledRule(index, rule.head.relation, head, body, tuple(comparisons), False, rule, tuple(variables))


def _hash(
    inputs: Mapping[str, tuple[Kind, ...]],
    outputs: tuple[str, ...],
    stored: Mapping[str, Schema],
    strata: Sequence[Stratum],
    constants: tuple[tuple[Kind, str | int], ...],
) -> str:
    """Of what the program means: not of its comments, its layout or the names of its variables and columns."""
    meaning: list[object] = [LANGUAGE_VERSION, sorted(inputs.items()), outputs, constants]
    meaning.append([(name, schema.kinds) for name, schema in stored.items()])
    for stratum in strata:
        meaning.append((stratum.relations, stratum.recursive))
        if stratum.aggregation is not None:
            made = stratum.aggregation
            meaning.append((made.relation, made.source, made.group, made.target, made.operator, made.kind))
        meaning.extend(
            (
                rule.head,
                rule.head_operands,
                rule.from_input,
                [(atom.relation, atom.operands, atom.negated) for atom in rule.body],
                [(each.operator, each.left, each.right, each.kind) for each in rule.comparisons],
            )
            for rule in stratum.rules
        )
    return hashlib.blake2b(repr(meaning).encode(), digest_size=16).hexdigest()
