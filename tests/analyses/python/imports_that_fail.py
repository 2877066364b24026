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


def named_tuple_field_ok(results: Results, name):
    results.failed[name] = 1


def class_attribute_bad(shared: Shared, name):
    shared.failed[name] = 1  # alias.class-attribute
