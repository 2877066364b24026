"""Imports from another root."""

import store.items


def from_tools_bad():
    return store.items.find_item("a").upper()  # null.attribute
