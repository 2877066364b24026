"""What a program believes of the fields of its structures, whose declarations are in other files."""

from __future__ import annotations

from in_memory import evaluate

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
