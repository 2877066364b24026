"""Classes, inheritance, properties, class and static methods."""

import abc
import functools
import os
from dataclasses import dataclass


class Finder:
    def find(self, name):
        if name:
            return name
        return None

    def find_sure(self, name):
        return name or "a"

    def own_method_bad(self, name):
        return self.find(name).upper()  # null.attribute

    def own_method_ok(self, name):
        return self.find_sure(name).upper()

    def own_method_checked_ok(self, name):
        found = self.find(name)
        if found is None:
            return ""
        return found.upper()


class Sub(Finder):
    def inherited_bad(self, name):
        return self.find(name).upper()  # null.attribute

    def inherited_super_bad(self, name):
        return super().find(name).upper()  # null.attribute

    def inherited_ok(self, name):
        return self.find_sure(name).upper()


class Overrides(Finder):
    def find(self, name):
        return name or "b"

    def overridden_ok(self, name):
        return self.find(name).upper()

    def overridden_super_bad(self, name):
        return super().find(name).upper()  # null.attribute


def made_here_bad(name):
    return Finder().find(name).upper()  # null.attribute


def made_here_ok(name):
    return Overrides().find(name).upper()


def either_class_bad(name, flag):
    finder = Finder() if flag else Overrides()
    return finder.find(name).upper()  # null.attribute


class Abstract(abc.ABC):
    @abc.abstractmethod
    def value(self):
        """The value."""

    def uses_abstract_ok(self):
        return self.value().upper()


class NotImplementedYet:
    def value(self):
        raise NotImplementedError

    def uses_unimplemented_ok(self):
        return self.value().upper()


class Stub:
    def value(self):
        pass

    def uses_stub_ok(self):
        return self.value().upper()


class Properties:
    def __init__(self, name):
        self._name = name

    @property
    def name_or_none(self):
        if self._name:
            return self._name
        return None

    @property
    def sure_name(self):
        return self._name or "a"

    @functools.cached_property
    def cached_or_none(self):
        return os.environ.get("HOME")

    @property
    def settable(self):
        return self._name or "a"

    @settable.setter
    def settable(self, value):
        self._name = value

    def property_bad(self):
        return self.name_or_none.upper()  # null.attribute

    def property_ok(self):
        return self.sure_name.upper()

    def property_checked_ok(self):
        if self.name_or_none is not None:
            return self.name_or_none.upper()
        return ""

    def cached_property_bad(self):
        return self.cached_or_none.upper()  # null.attribute

    def settable_ok(self):
        self.settable = None
        return self.settable.upper()


class Makers:
    @staticmethod
    def find(name):
        return os.environ.get(name)

    @classmethod
    def make(cls, name):
        if not name.isdigit():
            return None
        return cls()

    @classmethod
    def make_sure(cls):
        return cls()

    def label(self):
        return "a"

    @classmethod
    def of_class_bad(cls, name):
        return cls.make(name).label()  # null.attribute


def static_method_bad():
    return Makers.find("HOME").upper()  # null.attribute


def static_method_of_instance_bad():
    return Makers().find("HOME").upper()  # null.attribute


def class_method_bad():
    return Makers.make("a").label()  # null.attribute


def class_method_ok():
    return Makers.make_sure().label()


class ClassAttributes:
    default = None
    name = "a"

    def class_attribute_ok(self):
        return self.name.upper()

    def class_attribute_none_bad(self):
        return self.default.upper()  # null.attribute


class Callable:
    def __call__(self, name):
        return os.environ.get(name)


def called_object_bad():
    lookup = Callable()
    return lookup("HOME").upper()  # null.attribute


@dataclass
class Record:
    name: str
    parent: "Record | None" = None


def dataclass_ok(record):
    return record.parent.name


def dataclass_field_ok():
    return Record("a").name.upper()


class Fluent:
    def __init__(self):
        self.parts = []

    def add(self, part):
        self.parts.append(part)
        return self

    def forgets(self, part):
        self.parts.append(part)


def fluent_ok():
    return Fluent().add("a").add("b").parts


def fluent_bad():
    return Fluent().forgets("a").parts  # null.attribute


class Constructor:
    def __init__(self, name=None):
        self.length = len(name or "")
        self.upper_bad(name)

    def upper_bad(self, name):
        return name.upper()  # null.attribute


def constructed_ok():
    return Constructor().length


class ConstructorArgument:
    def __init__(self, name):
        self.given_name_bad(name)

    def given_name_bad(self, name):
        self.name = name.upper()  # null.attribute


def constructor_argument_ok():
    return ConstructorArgument(os.environ.get("HOME"))


class Meta(type):
    def make(cls):
        return None


class WithMeta(metaclass=Meta):
    pass


class Slots:
    __slots__ = ("value",)

    def __init__(self):
        self.value = None

    def slot_bad(self):
        self.value = None
        return self.value.real  # null.attribute


class Outer:
    class Inner:
        def find(self):
            return os.environ.get("HOME")

    def nested_class_bad(self):
        return self.Inner().find().upper()  # null.attribute


def local_class_bad():
    class Local:
        def find(self):
            return os.environ.get("HOME")

    return Local().find().upper()  # null.attribute


class First:
    def which(self):
        return os.environ.get("HOME")


class Second:
    def which(self):
        return "b"


class Both(First, Second):
    def first_base_counts_bad(self):
        return self.which().upper()  # null.attribute


class BothTurned(Second, First):
    def first_base_counts_ok(self):
        return self.which().upper()
