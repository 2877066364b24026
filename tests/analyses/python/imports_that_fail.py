"""A module that may not be there, and fields of a named tuple."""

from typing import NamedTuple

try:
    import yaml
except ImportError:
    yaml = None


class Results(NamedTuple):
    failed: dict = {}


class Shared:
    failed = {}


def absent_module_ok(text):
    return yaml.load(text)


class Reader:
    def __init__(self):
        if yaml is None:
            raise RuntimeError


def named_tuple_field_ok(results: Results, name):
    results.failed[name] = 1


def class_attribute_bad(shared: Shared, name):
    shared.failed[name] = 1  # alias.class-attribute


try:
    import never_tested
except ImportError as problem:
    never_tested = None

try:
    import with_flag

    has_flag = True
except ImportError:
    has_flag = False
    with_flag = None


def never_tested_bad(text):
    return never_tested.dump(text)  # null.attribute


def with_flag_ok(text):
    if not has_flag:
        return ""
    return with_flag.dump(text)


loaded_late = None


def load():
    """Until this has run, the variable is None; that is no import that fails."""
    global loaded_late
    import loaded_late


def loaded_late_ok(text):
    load()
    return loaded_late.dump(text)
