"""What formats say of a rule as such: its title, what it means, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from pliant.analyses.registry import KINDS

_NULL_USES = {
    "attribute": "an attribute or method of it is used",
    "method": "a method of it is called",
    "call": "it is called",
    "subscript": "it is subscripted",
    "iteration": "it is iterated over",
    "unpack": "it is unpacked",
    "operator": "it is an operand",
    "context": "it is entered by `with`",
    "await": "it is awaited",
    "member": "a member of it is reached",
    "pointer": "it is followed",
    "argument": "it is passed to a function that needs a value",
}


@dataclass(frozen=True, slots=True)
class Described:
    title: str
    text: str
    help: str


def described(rule: str) -> Described:
    family, _, name = rule.partition(".")
    of_rule = next((kind for kind in KINDS.values() if kind.rule == rule), None)
    title = f"{rule.replace('.', ': ').replace('-', ' ').replace('_', ' ').capitalize()}."
    if of_rule is not None:
        text = f"{of_rule.message[0].upper()}{of_rule.message[1:]}."
    elif family == "null":
        text = f"A value may be null where {_NULL_USES.get(name, 'it is used')}."
    else:
        text = title
    what = "a value that may be null reaches a use" if family == "null" else "two names stand for one object"
    help_text = (
        f"{text} The code flow leads from the origin to the line that fails; the related locations are the changed "
        f"lines by which {what}. Check the value on the way, or change its origin."
    )
    return Described(title, text, help_text)
