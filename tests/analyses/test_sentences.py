"""Proofs are told in sentences: no name of a relation stands in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from in_memory import evaluate

from pliant.analyses.paths import walk
from pliant.analyses.registry import kinds_of
from pliant.analyses.sentences import sentence

FOLDER = Path(__file__).parent
_BARE = re.compile(r"^\w+\(")
PROGRAMS = (
    *("c/alias_restrict.c", "c/alias_stack.c", "c/function_pointers.c", "c/out_parameters.c", "c/fields.c"),
    *("java/alias_builder.java", "java/alias_exposed.java", "java/chosen_methods.java", "java/heap.java"),
    *("java/alias_stored.java", "java/own_receivers.java", "java/constants.java", "java/doubted_fields.java"),
    *("python/alias_class_attribute.py", "python/alias_constant.py", "python/alias_default.py", "python/suspicion.py"),
    *("python/calls.py", "python/closures.py", "python/elements_of_objects.py", "python/properties.py"),
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_step_of_a_proof_is_a_sentence(name: str) -> None:
    path = FOLDER / name
    evaluation, _ = evaluate({path.name: path.read_text(encoding="utf-8")})
    kinds = kinds_of(evaluation.program)
    rows = [(relation, tuple(row)) for relation in kinds for row in evaluation.rows(relation).tolist()]
    assert rows
    parts = [part for proof in evaluation.prove_many(rows) if proof is not None for part in walk(proof)]
    told = {
        sentence(
            part.relation,
            part.row,
            evaluation.program.schema(part.relation).kinds,
            lambda entry: evaluation.strings([entry])[0] if 0 <= entry < len(evaluation.symbols) else "",
        )
        for part in parts
        if part.aggregation is None
    }
    assert [text for text in told if _BARE.match(text)] == []
