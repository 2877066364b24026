"""What a program is compiled to, as text: its strata, and for each rule its plans and why they take their order.

Without an evaluation the order is the one that is best if nothing is known of the relations: fewest new variables,
then most bound columns. With one it is the order that its statistics choose now, and the fan-outs that decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .plan import HEAD, BodyAtom, Compare, CompiledRule, Extension, Lookup, Node, Operand, Plan, Step
from .program import Program, Stratum

if TYPE_CHECKING:
    from ..evaluation import Evaluation


def explain(program: Program, evaluation: Evaluation | None = None) -> str:
    """The strata, lowest first, and each rule's plans: one for each atom that may change, and the one from the head."""
    return "\n".join(_Explainer(program, evaluation).lines()) + "\n"


class _Explainer:
    def __init__(self, program: Program, evaluation: Evaluation | None):
        self.program, self.evaluation = program, evaluation

    def lines(self) -> Iterator[str]:
        yield f"inputs: {', '.join(self.sized(name) for name in self.program.input_storage.values()) or 'none'}"
        yield f"outputs: {', '.join(self.program.outputs) or 'none'}"
        for name, why in self.program.whole.items():
            yield f"evaluated whole: {name}: {why}"
        for stratum in self.program.strata:
            yield ""
            yield from self.stratum(stratum)

    def stratum(self, stratum: Stratum) -> Iterator[str]:
        kind = "recursive" if stratum.recursive else "not recursive"
        yield f"stratum {stratum.index}, {kind}: {', '.join(map(self.sized, stratum.relations))}"
        made = stratum.aggregation
        if made is not None:
            by = f"by column{_s(len(made.group))} {', '.join(map(str, made.group))}" if made.group else "as one group"
            yield f"  {self.sized(made.source)} {by}: {made.text}"
        projection = self.program.projections.get(stratum.relations[0])
        if projection is not None:
            named = ", ".join(self.program.stored[projection.name].columns)
            yield f"  the distinct ({named}) of {projection.relation}, for atoms that leave its other columns unnamed"
        for rule in stratum.rules:
            yield f"  rule {rule.index}: {self.rule(rule)}"
            if rule.source is not None:
                yield f"    at {rule.source.position}"
            for driver in (*range(len(rule.body)), HEAD):
                yield from self.plan(self.program.plan(rule, driver))

    def plan(self, plan: Plan) -> Iterator[str]:
        rule, driver = plan.rule, plan.driver
        if driver == HEAD:
            yield f"    from given tuples of {self.atom(rule, rule.head, rule.head_operands)}"
        else:
            yield f"    from changes of {self.literal(rule, rule.body[driver])}"
        conditions = [f"column {column} is {self.constant(constant)}" for column, constant in plan.scan.constants]
        conditions += [f"columns {first} and {second} are equal" for first, second in plan.scan.equal_columns]
        if conditions:
            yield f"      where {' and '.join(conditions)}"
        node = plan.start
        while True:
            for step in node.filters:
                yield f"      {self.filter(rule, step)}"
            if not node.choices:
                return
            chosen = self.chosen(node)
            yield from self.join(rule, node, chosen)
            node = plan.after(node, chosen)

    def chosen(self, node: Node) -> Lookup:
        if self.evaluation is None or len(node.choices) == 1:
            return node.choices[0]
        return self.evaluation.choices.at(node).lookup

    def join(self, rule: CompiledRule, node: Node, chosen: Lookup) -> Iterator[str]:
        """The join that is chosen, and why it and no other."""
        others = [choice for choice in node.choices if choice is not chosen]
        why = self.weight(rule, chosen)
        if not others:
            apart = [index for index, atom in enumerate(rule.body)
                     if not (atom.negated or node.done >> index & 1 or index == chosen.literal)]  # fmt: skip
            why = "the only atom that shares a variable" if apart else "the last atom"
        elif self.evaluation is not None:
            counted = self.evaluation.choices.at(node).fanout
            if counted != self.evaluation.choices.fanout(chosen):
                why += f", {counted:.1f} when last counted"
        if not any(operand >= 0 for operand in chosen.key_operands):
            why = "no atom shares a variable" + (f"; {why}" if others else "")
        yield f"      join {self.lookup(rule, chosen)}: {why}"
        if others:
            over = (f"{self.lookup(rule, other)}: {self.weight(rule, other)}" for other in others)
            yield f"        rather than {'; '.join(over)}"
        yield from (f"        {self.extension(rule, each)}" for each in node.extensions)

    def extension(self, rule: CompiledRule, extension: Extension) -> str:
        """Who proposes values of the variable; all others validate what one proposes."""
        told: dict[bool, list[str]] = {True: [], False: []}
        for each in extension.proposals:
            atom = self.literal(rule, rule.body[each.proposing.literal])
            keys = [each.columns[column] for column in each.proposing.key_columns]
            by = f" by column{_s(len(keys))} {', '.join(map(str, keys))}" if keys else ""
            told[bool(keys)].append(f"{atom}{by}")
        text = f"or, where fewer, extend by {rule.names[extension.variable]}, proposed by "
        text += " or ".join(told[True])
        return text + (f", validated by {' and '.join(told[False])}" if told[False] else "")

    def weight(self, rule: CompiledRule, lookup: Lookup) -> str:
        """What choices are compared by."""
        if self.evaluation is not None:
            return f"fan-out {self.evaluation.choices.fanout(lookup):.1f}"
        operands = rule.body[lookup.literal].operands
        keys = len(lookup.key_columns)
        free = [operand for column, operand in enumerate(operands) if column not in lookup.key_columns]
        new = len(set(free) - {None}) + free.count(None)
        return f"{new} new value{_s(new)}, {keys} bound column{_s(keys)}"

    def filter(self, rule: CompiledRule, step: Step) -> str:
        if isinstance(step, Compare):
            each = step.comparison
            return f"keep where {self.operand(rule, each.left)} {each.operator} {self.operand(rule, each.right)}"
        if step.absent:
            return f"keep where absent: {self.lookup(rule, step)}"
        return f"keep where present: {self.lookup(rule, step)}"

    def lookup(self, rule: CompiledRule, lookup: Lookup) -> str:
        atom = self.atom(rule, lookup.relation, rule.body[lookup.literal].operands)
        keys = lookup.key_columns
        return f"{atom} by column{_s(len(keys))} {', '.join(map(str, keys))}" if keys else f"{atom}, every row"

    def rule(self, rule: CompiledRule) -> str:
        head = self.atom(rule, rule.head, rule.head_operands)
        body = [self.literal(rule, atom) for atom in rule.body]
        body += [f"{self.operand(rule, each.left)} {each.operator} {self.operand(rule, each.right)}"
                 for each in rule.comparisons]  # fmt: skip
        return f"{head} :- {', '.join(body)}." if body else f"{head}."

    def literal(self, rule: CompiledRule, atom: BodyAtom) -> str:
        return f"{'!' if atom.negated else ''}{self.atom(rule, atom.relation, atom.operands)}"

    def atom(self, rule: CompiledRule, relation: str, operands: Sequence[Operand | None]) -> str:
        return f"{relation}({', '.join(self.operand(rule, operand) for operand in operands)})"

    def operand(self, rule: CompiledRule, operand: Operand | None) -> str:
        if operand is None:
            return "_"
        return rule.names[operand] if operand >= 0 else self.constant(~operand)

    def constant(self, index: int) -> str:
        kind, value = self.program.constants[index]
        if kind != "symbol":
            return str(value)
        escaped = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'

    def sized(self, name: str) -> str:
        if self.evaluation is None:
            return name
        size = self.evaluation.size(name)
        return f"{name} ({size:,} row{_s(size)})"


def _s(number: int) -> str:
    return "" if number == 1 else "s"
