"""How often programs test for null what a function of the library gives, before they use it.

`library_tests.json` has counts over many programs, made by benchmarks/fixes/practice.py: by language and function, how
many calls there are whose result is tested for null, and how many whose result may be used as null without a test. A
function whose result everybody uses at once gives null only where nobody calls it ("Bugs as deviant behavior", Engler
et al., SOSP 2001). Few counts say little: `prior` is added to both, as of a beta distribution that was fitted to them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import log
from typing import Any


def log_odds(language: str, function: str) -> float:
    """Of a result being tested. function: its full name, such as `re.match`."""
    data = _data()
    tested, used = data["functions"].get(language, {}).get(function, (0, 0))
    for_tested, for_used = data["prior"]
    return log((tested + for_tested) / (used + for_used))


@cache
def _data() -> Mapping[str, Any]:
    text = files("pliant.analyses").joinpath("library_tests.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data
