"""Variables of a module that are None until a function sets them, or since one has set them back.

How likely such a null is, by how many functions test the variable and how many rely on it, is not asked here.
"""

late = None
reset = object()
never_set = None
set_again = object()


def set_up(value):
    global late, reset, set_again
    late = value
    reset = value
    set_again = value


def shut_bad():
    global reset
    reset.close()  # null.attribute
    reset = None


def late_bad():
    return late.name  # null.attribute


def reset_bad():
    return reset.name  # null.attribute


def tested_ok():
    return late.name if late is not None else reset and reset.name


def asserted_ok():
    assert late is not None
    return late.name


def set_here_ok():
    global late
    late = object()
    return late.name


def passed_on_bad():
    value = late
    return value.name  # null.attribute


def never_set_to_null_ok():
    return set_again.name


def never_set_ok():
    return never_set.name
