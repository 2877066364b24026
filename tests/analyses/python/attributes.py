"""Attributes of objects: what is stored in one function and read in another."""

import os


class Connection:
    def __init__(self, name):
        self.name = name

    def send(self, text):
        return text


class Late:
    """An attribute that starts as None, set by a method and tested by another one."""

    def __init__(self):
        self.connection = None

    def connect(self):
        self.connection = Connection("a")

    def wait(self):
        while self.connection is None:
            pass

    def send_bad(self, text):
        return self.connection.send(text)  # null.attribute


class Client:
    """An attribute that is set back to None, and that several methods test."""

    def __init__(self):
        self.connection = None

    def connect(self):
        self.connection = Connection("a")

    def send_bad(self, text):
        return self.connection.send(text)  # null.attribute

    def send_checked_ok(self, text):
        if self.connection is not None:
            return self.connection.send(text)
        return None

    def cleared_bad(self, text):
        self.connection = None
        return self.connection.send(text)  # null.attribute

    def cleared_and_set_ok(self, text):
        self.connection = None
        self.connection = Connection("b")
        return self.connection.send(text)

    def cleared_on_one_path_bad(self, flag, text):
        self.connection = Connection("c")
        if flag:
            self.connection = None
        return self.connection.send(text)  # null.attribute

    def cleared_then_connected_ok(self, text):
        self.connection = None
        self.connect()
        return self.connection.send(text)

    def close(self):
        self.connection = None

    def closed_by_helper_bad(self, text):
        self.connect()
        self.close()
        return self.connection.send(text)  # null.attribute

    def known_to_be_none_bad(self, text):
        if self.connection is None:
            return self.connection.send(text)  # null.attribute
        return ""

    def lazily_made_ok(self, text):
        if self.connection is None:
            self.connection = Connection("d")
        return self.connection.send(text)

    def guard_returns_ok(self, text):
        if not self.connection:
            return ""
        return self.connection.send(text)

    def guard_raises_ok(self, text):
        if self.connection is None:
            raise ValueError("not connected")
        return self.connection.send(text)


def local_object_bad():
    client = Client()
    client.connection = None
    return client.connection.send("a")  # null.attribute


def local_object_ok():
    client = Client()
    client.connection = Connection("a")
    return client.connection.send("a")


def stored_nullable_bad():
    client = Client()
    client.connection = os.environ.get("HOME")
    return client.connection.upper()  # null.attribute


def stored_nullable_ok():
    client = Client()
    client.connection = os.environ.get("HOME")
    if client.connection:
        return client.connection.upper()
    return ""


def local_alias_bad():
    client = Client()
    client.connection = None
    connection = client.connection
    return connection.send("a")  # null.attribute


def two_objects_ok():
    first, second = Client(), Client()
    first.connection = None
    second.connection = Connection("b")
    return second.connection.send("a"), first


def two_steps_bad():
    client = Client()
    client.connection = Connection("a")
    client.connection.name = None
    return client.connection.name.upper()  # null.attribute


def two_steps_ok():
    client = Client()
    client.connection = Connection("a")
    client.connection.name = None
    client.connection.name = "b"
    return client.connection.name.upper()


def base_replaced_ok():
    client = Client()
    client.connection = None
    client = Client()
    client.connection = Connection("a")
    return client.connection.send("a")


def argument_attribute_bad(client):
    if client.connection is None:
        print("not connected")
    return client.connection.send("a")  # null.attribute


def argument_attribute_ok(client):
    if client.connection is None:
        print("not connected")
        return ""
    return client.connection.send("a")


def chained_guard_ok(client):
    if client and client.connection and client.connection.name:
        return client.connection.name.upper()
    return ""


def getattr_default_bad(client):
    return getattr(client, "connection", None).send("a")  # null.attribute


def getattr_ok(client):
    return getattr(client, "connection").send("a")


def getattr_default_ok(client):
    return getattr(client, "name", "a").upper()


class Node:
    def __init__(self, following=None):
        self.following = following
        self.label = "a"


def linked_ok(node):
    while node is not None:
        print(node.label)
        node = node.following


def linked_two_steps_ok(node):
    while node and node.following:
        print(node.following.label)
        node = node.following


def cleared_by_other_function(client):
    client.connection = None


def cleared_by_other_function_bad():
    client = Client()
    client.connection = Connection("a")
    cleared_by_other_function(client)
    return client.connection.send("a")  # null.attribute
