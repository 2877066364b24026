"""What a language says of itself beyond its syntax: the one description that passes ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Semantics:
    """null: what a literal null is called. needs: instruction -> the kind of use (as in the relation `dereference`) by
    which it fails where its base, or what it calls, is null; an instruction that is not there takes null.
    truth_is_not_null: whether what counts as true is not null. containers: kind of type -> class of the objects of it.
    zero_is_null: kinds of type of which a variable is null that nothing was assigned to."""

    null: str
    needs: Mapping[str, str]
    truth_is_not_null: bool
    containers: Mapping[str, str]
    zero_is_null: frozenset[str]
