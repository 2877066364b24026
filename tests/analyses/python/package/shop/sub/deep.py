"""Relative imports."""

from .. import find_order
from .. import lookup
from ..lookup import OrderBook, given_order_bad
from ..lookup import find_order as find


def through_package_bad():
    return find_order("a").name  # null.attribute


def through_module_bad():
    return lookup.find_order("a").name  # null.attribute


def through_module_ok():
    return lookup.sure_order("a").name


def renamed_bad():
    return find("a").name  # null.attribute


def method_bad():
    return OrderBook().first().name  # null.attribute


def passes_none_ok():
    return given_order_bad(find("a"))


class Derived(OrderBook):
    def inherited_bad(self):
        return self.first().name  # null.attribute


def imported_inside_bad():
    from ..lookup import find_order as local

    return local("a").name  # null.attribute


def imported_value_ok():
    from ..lookup import default_order

    return default_order.name
