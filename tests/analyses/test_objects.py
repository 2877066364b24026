"""Which objects are one: `ask(x, y)` in the programs of `objects/`, each on a line that ends in `// one` or `// apart`.

`gap: why` stands where the two are apart, and are not known to be.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from in_memory import evaluate

PROGRAMS = sorted((Path(__file__).parent / "objects").iterdir())
_RULES = """
.decl put(call: symbol, v: symbol, w: symbol)
.decl one(site: symbol, origin: symbol)  // both arguments may be one object
.output one
put(call, v, w) :- call_method(call, _, "ask/2"), actual(call, 0, v), actual(call, 1, w).
question(f, v) :- put(call, v, _), call(call, f, _).
question(f, w) :- put(call, _, w), call(call, f, _).
one(call, call) :- put(call, v, w), one_object(v, w).
"""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_objects(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    evaluation, places = evaluate({path.name: source}, (("asked.dl", _RULES),))
    calls = evaluation.strings(evaluation.rows("put")[:, 0])
    together = set(evaluation.strings(evaluation.rows("one")[:, 0]))
    expected = {
        number: "apart" if line.endswith("// apart") else "one"
        for number, line in enumerate(source.splitlines(), 1)
        if line.strip().startswith("ask(")
    }
    found = {places[call].line: "one" if call in together else "apart" for call in calls}
    assert found == expected
