"""Absolute imports."""

import shop
import shop.lookup
import shop.lookup as lookup
from shop import find_alias, find_order
from shop.lookup import sure_order

try:
    from shop.lookup import OrderBook
except ImportError:
    OrderBook = None


def from_package_bad():
    return find_order("a").name  # null.attribute


def from_package_renamed_bad():
    return find_alias("a").name  # null.attribute


def attribute_of_package_bad():
    return shop.find_order("a").name  # null.attribute


def attribute_of_module_bad():
    return shop.lookup.find_order("a").name  # null.attribute


def module_alias_bad():
    return lookup.find_order("a").name  # null.attribute


def sure_ok():
    return sure_order("a").name


def optional_import_ok():
    return OrderBook().first()


if __name__ == "__main__":
    from_package_bad()
