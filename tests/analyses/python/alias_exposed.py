"""A method hands out its object's own container."""


class Cart:
    def __init__(self):
        self._items = []
        self._prices = {}

    def items(self):
        return self._items

    def items_copied(self):
        return list(self._items)

    def items_as_tuple(self):
        return tuple(self._items)

    def prices(self):
        prices = self._prices
        return prices

    def total(self):
        return sum(self._prices.values())


def append_bad():
    cart = Cart()
    items = cart.items()
    items.append(1)  # alias.exposed-internal


def store_bad():
    prices = Cart().prices()
    prices["a"] = 1  # alias.exposed-internal


def sorted_in_place_bad(cart: Cart):
    items = cart.items()
    items.sort()  # alias.exposed-internal
    return items


def through_second_name_bad(cart: Cart):
    items = cart.items()
    mine = items
    mine.append(1)  # alias.exposed-internal


def copied_ok(cart: Cart):
    items = cart.items_copied()
    items.append(1)


def copied_by_caller_ok(cart: Cart):
    items = list(cart.items())
    items.append(1)


def tuple_ok(cart: Cart):
    items = cart.items_as_tuple()
    return items.count(1)


def read_ok(cart: Cart):
    items = cart.items()
    return [item for item in items], cart.total()


def chained_ok(cart: Cart):
    """Changing what a call gives without naming it says what it does."""
    cart.items().append(1)


class Maker:
    def items(self):
        items = []
        return items

    def new_container_ok(self):
        items = self.items()
        items.append(1)
        return items


class Ledger:
    def __init__(self):
        self._bookings = []

    def bookings(self):
        return self._bookings


def of_unknown_class_bad(ledger):
    shown = ledger.bookings()
    shown.sort()  # alias.exposed-internal
    return shown


def copy_of_unknown_class_ok(ledger):
    shown = sorted(ledger.bookings())
    shown.append(1)
    return shown
