"""Module-level constants that are changed under another name."""

import copy
import random

DEFAULTS = {"color": "red"}
NAMES = ["a", "b"]
WORDS = ["a"]
CACHE = {}
REGISTRY = ["a"]
LIMITS = (1, 2)


def fill_bad(options):
    options["size"] = 1  # alias.shared-constant


def passes_constant_ok():
    fill_bad(DEFAULTS)


def sort_bad(names):
    names.sort()  # alias.shared-constant
    return names


def passes_names_ok():
    return sort_bad(NAMES)


def local_name_bad():
    words = WORDS
    words.append("c")  # alias.shared-constant


def fill_copy_ok(options):
    options["size"] = 1


def passes_copy_ok():
    fill_copy_ok(dict(DEFAULTS))
    fill_copy_ok({**DEFAULTS})


def cache_ok(key):
    CACHE[key] = 1


def registry_ok(name):
    REGISTRY.append(name)


def register_through_parameter_ok(names):
    names.append("d")


def passes_registry_ok():
    register_through_parameter_ok(REGISTRY)


def read_ok():
    return [name for name in NAMES], DEFAULTS.get("color"), LIMITS[0]


class Theme:
    def __init__(self, options=None):
        self.options = options or DEFAULTS

    def paint_bad(self):
        self.options["color"] = "blue"  # alias.shared-constant


NESTED = {"tags": ["a"], "sizes": {}}
NAMED = {"tags": ["a"]}
SHUFFLED = ["a", "b"]


def shallow_copy_bad(tag):
    options = copy.copy(NESTED)
    options["tags"].append(tag)  # alias.shared-constant
    return options


def literal_copy_bad(name, size):
    options = {**NESTED}
    options["sizes"][name] = size  # alias.shared-constant
    return options


def deep_copy_ok(tag):
    options = copy.deepcopy(NESTED)
    options["tags"].append(tag)
    return options


def other_key_ok(value):
    options = dict(NESTED)
    options["tags"] = [value]
    return options


def part_of_its_own_name_ok(tag):
    NAMED["tags"].append(tag)


def part_that_is_changed_by_its_own_name_too_ok(tag):
    options = dict(NAMED)
    options["tags"].append(tag)
    return options


def changed_by_function_bad():
    names = SHUFFLED
    random.shuffle(names)  # alias.shared-constant
    return names


def changed_copy_ok():
    names = list(SHUFFLED)
    random.shuffle(names)
    return names


class Client:
    OPTIONS = {"retries": 3}
    COPIED = {"retries": 3}

    def set_bad(self, **options):
        self.options = self.OPTIONS
        self.options.update(options)  # alias.shared-constant

    def set_ok(self, **options):
        self.copied = dict(self.COPIED)
        self.copied.update(options)


DEFAULT_NAMES = {"a": 1}
SETTINGS = {}


def register(name, default):
    SETTINGS[name] = default


register("names", DEFAULT_NAMES)
register("others", {})


def forget_other_ok(key):
    others = SETTINGS["others"]
    others.pop(key, None)
