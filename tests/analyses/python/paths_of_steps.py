"""Attributes of attributes, tested before they are used."""

import os


class Leaf:
    def __init__(self):
        self.kind = "leaf"

    @property
    def parent(self):
        return Leaf() if os.environ else None

    @property
    def sibling(self):
        return Leaf() if os.name else None


def chain_ok(leaf: Leaf):
    return leaf.parent and leaf.parent.sibling and leaf.parent.sibling.kind


def chain_condition_ok(leaf: Leaf):
    if leaf.parent is not None and leaf.parent.sibling is not None:
        return leaf.parent.sibling.kind
    return ""


def chain_bad(leaf: Leaf):
    return leaf.parent and leaf.parent.sibling.kind  # null.attribute


def isinstance_ok(leaf: Leaf):
    return leaf.sibling.kind if isinstance(leaf.sibling, Leaf) else ""


def comprehension_ok():
    return [leaf.sibling.kind for leaf in (Leaf(), Leaf()) if isinstance(leaf.sibling, Leaf)]


def loop_ok(leaf: Leaf):
    while leaf.kind and leaf.sibling is not None:
        leaf = leaf.sibling
    return leaf.kind


def loop_bad(leaf: Leaf):
    while leaf.kind:  # null.attribute
        leaf = leaf.sibling
    return leaf.kind


async def awaited_twice_ok(asyncio):
    await (asyncio.sleep(1))
