"""Methods found by points-to of the receiver, and by name where nothing is known of it."""

import os


class Index:
    def look_up_entry(self, name):
        return os.environ.get(name)


class Cache:
    def __init__(self):
        self.index = Index()
        self.by_name = {"a": Index()}
        self.listed = [Index()]

    def field_receiver_bad(self):
        return self.index.look_up_entry("HOME").upper()  # null.attribute

    def element_receiver_bad(self):
        return self.by_name["a"].look_up_entry("HOME").upper()  # null.attribute

    def iterated_receiver_bad(self):
        for index in self.listed:
            index.look_up_entry("HOME").upper()  # null.attribute

    def method_value_bad(self):
        look_up = self.index.look_up_entry
        return look_up("HOME").upper()  # null.attribute


def unknown_receiver_bad(index):
    return index.look_up_entry("HOME").upper()  # null.attribute


def made_by_function():
    return Index()


def receiver_from_call_bad():
    return made_by_function().look_up_entry("HOME").upper()  # null.attribute


def receiver_from_argument_bad(index):
    return index.look_up_entry("HOME").upper()  # null.attribute


def passes_receiver_ok():
    return receiver_from_argument_bad(Index())


def unbound_bad():
    return Index.look_up_entry(Index(), "HOME").upper()  # null.attribute


class Left:
    def ambiguous(self):
        return os.environ.get("HOME")


class Right:
    def ambiguous(self):
        return "a"


def ambiguous_name_ok(thing):
    return thing.ambiguous().upper()


def left_receiver_bad():
    return Left().ambiguous().upper()  # null.attribute


def right_receiver_ok():
    return Right().ambiguous().upper()


class Getter:
    def get(self, name):
        return None


def name_of_builtin_method_ok(thing):
    return thing.get("a").upper()


class Registry:
    entries = {}

    def register_bad(self, name, index):
        self.entries[name] = index  # alias.class-attribute

    def registered_bad(self, name):
        self.register_bad("a", Index())
        return self.entries[name].look_up_entry(name).upper()  # null.attribute


class Chain:
    def __init__(self, following):
        self.following = following

    def end(self):
        return None

    def chained_bad(self):
        return Chain(Chain(self)).following.end().real  # null.attribute


def typed_receiver_bad(index: Index):
    return index.look_up_entry("HOME").upper()  # null.attribute


def isinstance_receiver_bad(index):
    if isinstance(index, Index):
        return index.look_up_entry("HOME").upper()  # null.attribute
    return ""


def instance_from_list_bad():
    indexes = [Index(), Index()]
    return indexes[0].look_up_entry("HOME").upper()  # null.attribute


def class_from_table_bad(kind):
    classes = {"a": Index}
    return classes[kind]().look_up_entry("HOME").upper()  # null.attribute


class Operator:
    def __getitem__(self, name):
        return os.environ.get(name)

    def __add__(self, other):
        return None


def fn_item_method():
    return Operator()["HOME"].upper()  # missed: null.attribute


def fn_operator_method():
    return (Operator() + 1).real  # missed: null.attribute


class Told:
    def tell_ok(self, event, *rest):
        return event.upper()

    def ask_bad(self, event, *rest):
        return event.upper()  # null.attribute


tell = Told().tell_ok
ask = Told().ask_bad


def a_method_that_is_kept_has_its_object_ok(rest=None):
    return tell("event", rest)


def a_method_that_is_kept_has_its_object_too_ok(event=None):
    return ask(event, "rest")
