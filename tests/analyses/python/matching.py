"""match statements."""

import os


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def none_case_ok():
    home = os.environ.get("HOME")
    match home:
        case None:
            return ""
        case _:
            return home.upper()


def none_case_bad():
    home = os.environ.get("HOME")
    match home:
        case None:
            return home.upper()  # null.attribute
        case _:
            return ""


def after_none_case_ok():
    home = os.environ.get("HOME")
    match home:
        case None:
            return ""
    return home.upper()


def class_case_ok():
    home = os.environ.get("HOME")
    match home:
        case str():
            return home.upper()
    return ""


def literal_case_ok():
    home = os.environ.get("HOME")
    match home:
        case "/root" | "/home":
            return home.upper()
    return ""


def capture_bad():
    match os.environ.get("HOME"):
        case "/root":
            return ""
        case other:
            return other.upper()  # null.attribute


def capture_ok():
    match os.environ.get("HOME"):
        case None:
            return ""
        case other:
            return other.upper()


def capture_as_ok():
    match os.environ.get("HOME"):
        case str() as home:
            return home.upper()
    return ""


def wildcard_bad():
    home = os.environ.get("HOME")
    match home:
        case "/root":
            return ""
        case _:
            return home.upper()  # null.attribute


def guard_ok():
    home = os.environ.get("HOME")
    match home:
        case other if other is not None:
            return other.upper()
    return ""


def guard_falls_through_bad(flag):
    home = os.environ.get("HOME")
    match home:
        case None if flag:
            return ""
        case _:
            return home.upper()  # null.attribute


def sequence_ok(command):
    match command:
        case [first, *rest]:
            return first, rest.count(first)
        case (first, second):
            return first, second
    return None


def mapping_ok(command):
    match command:
        case {"name": name, **rest}:
            return name, rest
    return None


def fn_class_pattern():
    point = Point(None, 3)
    match point:
        case Point(x=x, y=y):
            return x.real + y  # missed: null.attribute
    return 0


def sets_none_bad(command):
    found = None
    match command:
        case "a":
            found = "x"
        case "b":
            found = "y"
    return found.upper()  # null.attribute


def sets_all_ok(command):
    found = None
    match command:
        case "a":
            found = "x"
        case _:
            found = "y"
    return found.upper()


def tuple_subject_ok(first, second):
    match first, second:
        case None, None:
            return ""
        case str(), _:
            return first.upper()
    return ""
