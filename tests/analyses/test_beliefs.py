"""What a program believes of the fields of its structures, whose declarations are in other files."""

from __future__ import annotations

import pytest
from in_memory import compared, evaluate

HEADER = """
typedef struct session SESSION;
typedef struct channel { SESSION *session; struct queue *queue; } CHANNEL;
struct queue { struct queue *next; char name[20]; };
struct session { struct key *key; char *name; };
struct table { struct key *key; };
struct key { int size; };
"""
ASKING = """
#include "all.h"
int one(CHANNEL *c) { return c->session->key == NULL; }
int two(SESSION *s) { return s->key ? 1 : 0; }
int three(struct session *s) { return s->name && s->name[0]; }
int four(SESSION *s) { if (!s->name) return 0; return s->name[0]; }
"""


def _feared(use: str) -> bool:
    """Whether a function that uses something of a structure is told that it may be null."""
    evaluation, places = evaluate({"all.h": HEADER, "asking.c": ASKING, "use.c": f'#include "all.h"\n{use}\n'})
    symbols = evaluation.strings(evaluation.rows("null_dereference")[:, 0])
    return any(places[symbol].file == "use.c" for symbol in symbols)


def test_a_structure_is_one_by_all_its_names() -> None:
    assert _feared("int use(struct session *s) { return s->key->size; }")
    assert _feared("int use(SESSION *s) { return s->key->size; }")
    assert _feared("int use(CHANNEL *c) { return c->session->key->size; }")


def test_a_field_of_another_structure_is_not_believed_to_be_null() -> None:
    assert not _feared("int use(struct table *t) { return t->key->size; }")


def test_an_array_is_not_null() -> None:
    assert _feared("int use(SESSION *s) { return s->name[0]; }")
    assert not _feared("int use(CHANNEL *c) { return c->queue->name[0]; }")
    assert not _feared("int use(struct queue *q) { return q->next->name[0]; }")


@pytest.mark.parametrize(
    ("before", "verdict"),
    [
        ("if (s->key == k) return 1;", "witnessed"),
        ("if (s->key != k) s->key->size++;", "witnessed"),
        ("struct key *old = s->key;", "witnessed"),
        ("if (s->name == 0) return 1;", "witnessed"),
        ("if (s->key == k && s->key) return 1; if (!k) return 2;", "witnessed"),
        ("if (s->key == 0) return 1;", "refuted"),
        ("if (s->key == k) return 1; if (k == 0) return 2; s->key = k;", ""),
        ("if (s->key != k || k == 0) return 1;", "refuted"),
    ],
)
def test_a_field_that_is_read_again_holds_the_same_null(before: str, verdict: str) -> None:
    use = f'#include "all.h"\nint use(SESSION *s, struct key *k) {{ {before} return s->key->size; }}\n'
    files = {"all.h": HEADER, "asking.c": ASKING, "use.c": use}
    found = [finding for finding in compared({}, files) if finding.file == "use.c"]
    assert {each.witness.verdict for each in found if each.witness is not None} == ({verdict} if verdict else set())


@pytest.mark.parametrize(("made", "told"), [("PurePath(path)", False), ("path.made()", True)])
def test_an_attribute_of_a_known_library_class_is_not_believed_by_its_name(made: str, told: bool) -> None:
    source = f"""
from pathlib import PurePath

def one(node):
    return node.parent.name if node.parent is not None else ""

def two(node):
    if node.parent is None:
        return ""
    return node.parent.name

def parts(path):
    return {made}.parent.parts
"""
    evaluation, _ = evaluate({"a.py": source})
    sites = evaluation.strings(evaluation.rows("null_dereference")[:, 0])
    assert any("|parts|" in site for site in sites) == told
