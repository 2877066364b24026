"""Tests made by helper functions, methods and properties."""

import os


class Session:
    def __init__(self):
        self.connection = None

    def is_open(self):
        return self.connection is not None

    @property
    def ready(self):
        return self.connection is not None

    @property
    def closed(self):
        return self.connection is None

    def is_closed(self):
        return not self.connection

    def clear(self):
        self.connection = None

    def helper_method_ok(self):
        self.clear()
        if self.is_open():
            return self.connection.send()
        return ""

    def helper_method_wrong_side_bad(self):
        self.clear()
        if not self.is_open():
            return self.connection.send()  # null.attribute
        return ""

    def helper_method_return_ok(self):
        self.clear()
        if not self.is_open():
            return ""
        return self.connection.send()

    def helper_closed_ok(self):
        self.clear()
        if self.is_closed():
            return ""
        return self.connection.send()

    def property_ok(self):
        self.clear()
        if self.ready:
            return self.connection.send()
        return ""

    def property_closed_ok(self):
        self.clear()
        if self.closed:
            raise ValueError
        return self.connection.send()

    def unrelated_helper_bad(self, other):
        self.clear()
        if other.is_open():
            return self.connection.send()  # null.attribute
        return ""

    def open(self):
        if self.connection is None:
            self.connection = Connection()
        return self.connection

    def opened_by_helper_ok(self):
        self.clear()
        self.open()
        return self.connection.send()


class Connection:
    def send(self):
        return "sent"


class Tree:
    """A property that may be None, behind another that tells."""

    def __init__(self, names):
        self.names = names

    @property
    def first(self):
        return self.names[0] if self.names else None

    @property
    def has_first(self):
        return self.first is not None

    def tested_property_ok(self):
        if self.has_first:
            return self.first.upper()
        return ""

    def untested_property_bad(self):
        return self.first.upper()  # null.attribute


def is_set(value):
    return value is not None


def function_ok():
    home = os.environ.get("HOME")
    if is_set(home):
        return home.upper()
    return ""


def require(value):
    if value is None:
        raise ValueError


def require_ok():
    home = os.environ.get("HOME")
    require(home)
    return home.upper()


def require_other_bad(value):
    home = os.environ.get("HOME")
    require(value)
    return home.upper()  # null.attribute
