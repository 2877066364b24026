"""Lookups."""

default_order = None


def find_order(name):
    if name.isdigit():
        return Order(name)
    return None


def sure_order(name):
    return Order(name)


class Order:
    def __init__(self, name):
        self.name = name


class OrderBook:
    def first(self):
        return find_order("a")


def given_order_bad(order):
    return order.name  # null.attribute
