"""What objects of classes give by a subscript: elements that were put there, or whatever a method returns."""

from somewhere import Settings


class Table(dict):
    pass


class Layers(Settings):
    pass


class Keeper:
    def __init__(self, table: Table, layers: Layers):
        self.table = table
        self.layers = layers

    def fill(self):
        self.table["a"] = {"b": {"c": 1}}
        self.layers["a"] = {"b": {"c": 1}}

    def of_container_bad(self, key):
        found = self.table["a"].get(key)
        return found.items()  # null.attribute

    def of_unknown_base_ok(self, key):
        found = self.layers["a"].get(key)
        return found.items()
