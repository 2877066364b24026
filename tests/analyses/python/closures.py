"""Closures, global and nonlocal variables."""

import os

current = None
limit = 3
name = os.environ.get("HOME")


def global_constant_ok():
    return limit + 1


def global_set_elsewhere_ok():
    return current.upper()


def set_global():
    global current
    current = "a"


def global_here_bad():
    global current
    current = None
    return current.upper()  # null.attribute


def global_here_ok():
    global current
    current = "b"
    return current.upper()


def global_nullable_bad():
    return name.upper()  # null.attribute


def global_nullable_ok():
    if name is None:
        return ""
    return name.upper()


def captured_bad():
    home = os.environ.get("HOME")

    def inner():
        return home.upper()  # null.attribute

    return inner


def captured_ok():
    home = os.environ.get("HOME") or "/"

    def inner():
        return home.upper()

    return inner


def captured_checked_ok():
    home = os.environ.get("HOME")
    if home is None:
        return None

    def inner():
        return home.upper()

    return inner


def captured_checked_inside_ok():
    home = os.environ.get("HOME")

    def inner():
        if home:
            return home.upper()
        return ""

    return inner


def captured_by_lambda_bad():
    home = os.environ.get("HOME")
    return lambda: home.upper()  # null.attribute


def captured_by_lambda_ok():
    home = os.environ.get("HOME")
    if not home:
        return None
    return lambda: home.upper()


def set_later_ok():
    home = None

    def inner():
        return home.upper()

    home = "a"
    return inner()


def nonlocal_ok():
    found = None

    def inner(text):
        nonlocal found
        found = text

    inner("a")
    return found.upper()


def nonlocal_inside_bad():
    found = "a"

    def inner():
        nonlocal found
        found = None
        return found.upper()  # null.attribute

    return inner


def parameter_captured_bad(value=None):
    def inner():
        return value.upper()  # null.attribute

    return inner


def late_default_ok():
    home = os.environ.get("HOME") or "/"

    def inner(value=home):
        return value.upper()

    return inner()


def late_default_bad():
    home = os.environ.get("HOME")

    def inner(value=home):
        return value.upper()  # null.attribute

    return inner()


def shadowed_ok():
    name = "a"
    return name.upper()


def counter_ok():
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return step
