"""Module-level constants that are changed under another name."""

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


def fn_local_name():
    words = WORDS
    words.append("c")  # missed: alias.shared-constant


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
