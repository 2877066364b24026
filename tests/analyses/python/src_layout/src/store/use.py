"""Imports by the package's own name."""

from store.items import find_item


def src_layout_bad():
    return find_item("a").upper()  # null.attribute
