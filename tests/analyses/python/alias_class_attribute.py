"""Objects made in a class body and changed through an instance."""

import typing
from collections import defaultdict

from pydantic import BaseModel
from unknown_package import BaseThing


class Cart:
    items = []
    prices = {}
    counts = defaultdict(int)
    limits = (1, 2)
    name = "a"

    def append_bad(self, item):
        self.items.append(item)  # alias.class-attribute

    def store_bad(self, item):
        self.prices[item] = 1  # alias.class-attribute

    def library_container_bad(self, item):
        self.counts[item] = 2  # alias.class-attribute

    def through_local_bad(self, item):
        items = self.items
        items.append(item)  # alias.class-attribute

    def read_ok(self):
        return [item for item in self.items], self.prices.get("a")

    def immutable_ok(self):
        return self.limits + (3,), self.name.upper()

    def copy_ok(self):
        items = list(self.items)
        items.append(1)
        return items


def from_outside_bad():
    cart = Cart()
    cart.items.append(1)  # alias.class-attribute


class Sub(Cart):
    def inherited_bad(self):
        self.items.clear()  # alias.class-attribute


class OwnList:
    items = []

    def __init__(self):
        self.items = []

    def own_ok(self, item):
        self.items.append(item)


class Registry:
    """Changed through the class: meant to be shared."""

    known = []
    shared: typing.ClassVar[list[str]] = []

    @classmethod
    def register_ok(cls, item):
        cls.known.append(item)

    def through_class_name_ok(self, item):
        Registry.known.append(item)

    def declared_shared_ok(self, item):
        self.shared.append(item)

    def through_type_ok(self, item):
        type(self).known.append(item)


class Unused:
    items = []

    def count_ok(self):
        return len(self.items)


class Model(BaseModel):
    """The library gives each object a copy."""

    tags: list = []

    def copied_ok(self, tag):
        self.tags.append(tag)


class Special(Model):
    marks: list = []

    def copied_below_ok(self, tag):
        self.marks.append(tag)


class Thing(BaseThing):
    tags: list = []

    def of_unknown_base_bad(self, tag):
        self.tags.append(tag)  # alias.class-attribute
