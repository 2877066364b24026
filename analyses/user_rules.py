"""A user's own rules: Datalog over the facts and relations of the analyses, without any Python.

Each `.output name` of such a program, with columns (site, origin), both symbols, becomes the rule `user.name` (with
dashes): a finding at `site` that comes from `origin`. The comment behind its `.decl` is the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pliant.engine import Program
from pliant.extractors.schema import RELATIONS

_OF_REPORTS = frozenset(("hidden", "assumed"))  # inputs of the analyses that no file has
_OUTPUT = re.compile(r"^[ \t]*\.output[ \t]+(\w+)", re.M)
_MESSAGE = re.compile(r"^[ \t]*\.decl[ \t]+(\w+)[ \t]*\([^)]*\)[ \t]*//[ \t]*(\S.*?)[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class FindingKind:
    """An output relation (site, origin) whose rows are findings.

    rule: its id; empty if the kind of the dereference says it. message: what is wrong, at the site. origin: a sentence
    on the place of the origin. `{origin}` and `{site}` stand for their names. file: of a user's rule, the program.
    """

    relation: str
    rule: str = ""
    message: str = ""
    origin: str = ""
    file: str = ""


class UserRuleError(ValueError):
    """A program of a user's is not of the shape that rules have; the message says which and why."""


def user_kinds(files: tuple[tuple[str, str], ...], program: Program) -> dict[str, FindingKind]:
    """The rules of a user's programs, by relation. Raises UserRuleError."""
    kinds = {}
    for file, text in files:
        messages = dict(_MESSAGE.findall(text))
        outputs = _OUTPUT.findall(text)
        if not outputs:
            raise UserRuleError(f"{file} has no .output relation, so it is no rule: add `.output name`")
        for name in outputs:
            found = program.schemas[name].kinds
            if found != ("symbol", "symbol"):
                raise UserRuleError(
                    f"{file}: .output {name}({', '.join(found)}): "
                    "a rule has two columns, (site: symbol, origin: symbol)"
                )
            message = messages.get(name, f"rule `{name}` holds here")
            kinds[name] = FindingKind(name, f"user.{name.replace('_', '-')}", message, "it comes from here", file)
    foreign = set(program.input_storage) - set(RELATIONS) - _OF_REPORTS
    if foreign:
        raise UserRuleError(f"{files[0][0]}: .input {min(foreign)}: a rule reads facts of the source alone")
    return kinds
