"""What Javadoc says of null: whether a result may be it, and which arguments must not be."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RESULT = re.compile(r"(?:^|\n)\s*@return\b(.*?)(?=\n\s*@\w|\Z)", re.DOTALL)
_IN_LINE = re.compile(r"\{@return\b((?:[^{}]|\{[^{}]*\})*)\}")
_FOR_NULL = re.compile(  # what is null for null alone, or a text
    r"\bnull (?:if|when|iff)\b[^.,;]*\b(?:is|was|are|were|returns|returned|==) (?:also )?null\b"
    r"|\b(?:if|when)\b[^.,;]*\b(?:is|was|are|were) null,? (?:then )?(?:null is returned|returns? null)"
    r"|\"null\""
)
_NULL = re.compile(r"\bnull\b(?! (?:arguments?|bytes?|characters?|components?|elements?|keys?|terminat\w+)\b)")
_DENIED = re.compile(  # in front of a null that is not given: `never null`, `if x is null`, `set to null`
    r"\b(?:not|never|non|no|than|without|nor|cannot|if|unless|considers|to|with)[ -]"
    r"(?:(?:be|a|the|return|returns|value) )*$"
    r"|\b(?:if|when|unless|where|whether)\b[^,.;:]*\b(?:is|was|are|were|being|==) $"
)
_SENTENCE = re.compile(  # of a description, that speaks of the result
    r"\b(?:this(?: method)?|otherwise,? it) (?:will )?returns? null\b|\b(?:then|otherwise),? null is returned\b"
)


def may_be_null(documentation: str) -> bool | None:
    """Whether the result may be null, by what a comment says of it; None if it says nothing."""
    description = re.split(r"(?m)^\s*@\w", documentation, maxsplit=1)[0]
    if _SENTENCE.search(_FOR_NULL.sub("", _plain(description))) is not None:
        return True
    found = _RESULT.search(documentation) or _IN_LINE.search(documentation)
    if found is None or "@inheritDoc" in found[1]:
        return None
    said = _FOR_NULL.sub("", _plain(found[1]))
    return any(_DENIED.search(said[: each.start()]) is None for each in _NULL.finditer(said))


def _plain(said: str) -> str:
    """Without markup: tags of HTML, `{@code x}` and `{@link a b}`."""
    said = re.sub(r"<table\b.*?</table>|<[^>]*>|[`*]", " ", said, flags=re.DOTALL | re.IGNORECASE)
    said = re.sub(r"\{@\w+\s+([^{}]*)\}", r"\1", said)
    return " ".join(said.lower().split())


_REFUSAL = re.compile(r"@(?:throws|exception)\s+(?:java\.lang\.)?NullPointerException\b(.*?)(?=\n\s*@\w|\Z)", re.DOTALL)
_REFUSED = re.compile(r"(?:if|when) (.*?) (?:is|are|equals) null[.;]?")
_FILLERS = frozenset(
    "the a any either one both of or and , specified given supplied argument parameter value".split()  # noqa: SIM905
)
_ANY_ARGUMENT = frozenset(("the argument", "any argument", "either argument", "any of the arguments", "any parameter"))


def must_not_be_null(documentation: str, names: Sequence[str]) -> frozenset[int]:
    """The numbers of the parameters for whose null a function fails, by what a comment says. names: of parameters."""
    found: set[int] = set()
    places = {name.lower(): number for number, name in enumerate(names)}
    for refusal in _REFUSAL.finditer(documentation):
        said = _REFUSED.fullmatch(_plain(refusal[1]))
        if said is None:
            continue
        words = said[1].replace(",", " , ").split()
        if "and" in words:  # perhaps only if both are
            continue
        if said[1] in _ANY_ARGUMENT:
            found.update(places.values())
        elif all(word in places or word in _FILLERS for word in words):
            found.update(places[word] for word in words if word in places)
    return frozenset(found)
