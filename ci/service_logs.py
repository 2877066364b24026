"""What CI services read out of the output of a step, and output in which no line is a command of its own.

GitHub takes a line for a command that starts with `::`, and `##[` wherever it stands; Azure Pipelines takes `##vso[`
and `##[`, TeamCity `##teamcity[`. Text from a repository may hold any of these, so each kind of output is written in a
way that its readers take for the same text, if they decode it, and services do not know.
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r"##(?=[a-z]*\[)", re.IGNORECASE)
_AT_START = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)


def plain(text: str) -> str:
    """Text for people: the second sign of what could be a command is shown by its number."""
    return _AT_START.sub(r"\1\\x3a", in_line(text)) if "::" in text else in_line(text)


def in_line(text: str) -> str:
    """The same for a part of a line that does not begin it."""
    return _COMMAND.sub(r"#\\x23", text) if "##" in text else text


def json(text: str) -> str:
    """JSON: a `#` stands in strings alone, and may stand there by its number. No line of it starts with a colon."""
    return text.replace("##", "#\\u0023")


def xml(text: str) -> str:
    """XML: a reference to a character is the character."""
    return _AT_START.sub(r"\1&#58;", text.replace("##", "#&#35;"))
