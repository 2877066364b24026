"""Symbols in the words of the source: what an entity's name says to a reader."""

from __future__ import annotations

import re
from urllib.parse import unquote

from pliant.extractors.languages import language_of

_VERSIONS = re.compile(r" (?:joined|not null|null|at entry|after calls|settled)$")


# How a use fails, by its kind; `{what}` is what is written at the site.
_USES = {
    "attribute": "when `{what}` is read",
    "set": "when `{what}` is set",
    "method": "when `{what}` is called",
    "unboxing": "when it is unboxed",
    "switch": "when it is switched on",
    "lock": "when it is locked",
    "throw": "when it is thrown",
    "call": "when it is called",
    "subscript": "when it is subscripted",
    "iteration": "when it is iterated over",
    "unpack": "when it is unpacked",
    "operator": "as an operand of `{what}`",
    "context": "when it is entered by `with`",
    "await": "when it is awaited",
    "member": "when `{what}` is reached",
    "pointer": "when it is followed",
    "argument": "when it is passed to `{what}`",
    "free": "when it is freed",
}


def use(kind: str, site: str) -> str:
    """What is done with a value at a site, as the end of a sentence."""
    what = what_of(site)
    if kind == "attribute" and what.endswith((" =", "()")):
        kind = "set" if what.endswith(" =") else "method"
    elif what == "unpack":
        kind = "unpack"
    return _USES[kind].format(what=what.removesuffix(" ="))


def null_word(symbol: str) -> str:
    """How the language of the file that an entity belongs to writes its null."""
    language = language_of(file_of(symbol))
    return language.null if language is not None else "null"


def function_of(symbol: str) -> str:
    """The qualified name of the function that an entity belongs to, without the ordinal of a redefinition."""
    parts = symbol.split("|")
    return parts[1].split("#")[0] if len(parts) > 1 else ""


def shown_function(symbol: str) -> str:
    """The function as reports name it: empty at module level."""
    name = function_of(symbol)
    return "" if name == "<module>" else name


def file_of(symbol: str) -> str:
    """The path of the file that an entity belongs to."""
    return unquote(symbol.partition("|")[0], errors="surrogateescape")


def what_of(symbol: str) -> str:
    """What an entity is, without its function and ordinal."""
    parts = symbol.split("|")
    if len(parts) < 4:
        return parts[2] if len(parts) == 3 else symbol
    return "|".join(parts[2:-1])


def stable_name(symbol: str) -> str:
    """What an entity is, without what a local or a parameter is called."""
    return "formal" if symbol.endswith("|formal") else what_of(symbol)


def callable_name(symbol: str) -> str:
    """A function of the repository or of the library, as a call."""
    name = function_of(symbol) if "|" in symbol else symbol
    return f"`{name}()`"


def value_name(symbol: str) -> str:
    """A value as a reader would call it."""
    what = what_of(symbol)
    while (shorter := _VERSIONS.sub("", what)) != what:
        what = shorter
    field, of, base = what.partition(" of ")
    if of and field == "*":
        return f"`{base[1:]}`" if base[:1] == "&" else f"what `{base}` points to"
    if of:
        return f"`{base}.{field}`"
    if what.endswith("."):  # a variable of the instructions alone
        return "the value"
    if what.endswith("()"):
        return f"the result of `{what.lstrip('.')}`"
    if what.startswith("."):
        return f"the attribute `{what[1:]}`"
    if what.startswith("import "):  # the module, and what is imported from it
        return f"`{what.rpartition(' ')[2]}`"
    if what.startswith("->"):
        return f"the member `{what[2:]}`"
    return {
        "[]": "the element",
        "*": "what is pointed to",
        "+": "the pointer",
        "-": "the pointer",
        "item": "the element",
        "await": "the awaited result",
        "with": "the context",
        "or left": "the value",
        "value": "the value",
        "$result": "the value",
        "None": "None",
        "null": "null",
        "cast": "the value",
        "chosen": "the value",
    }.get(what, f"`{what}`")
