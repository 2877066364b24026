"""Tests that stand for other tests."""

import os


def flag_ok():
    home = os.environ.get("HOME")
    present = home is not None
    if present:
        return home.upper()
    return ""


def flag_wrong_side_bad():
    home = os.environ.get("HOME")
    present = home is not None
    if present:
        return ""
    return home.upper()  # null.attribute


def flag_stale_bad():
    home = os.environ.get("HOME")
    present = home is not None
    home = os.environ.get("USER")
    if present:
        return home.upper()  # null.attribute
    return ""


def flag_of_truth_ok():
    home = os.environ.get("HOME")
    missing = not home
    if missing:
        return ""
    return home.upper()


def flag_of_two_ok(other):
    home = os.environ.get("HOME")
    usable = home is not None and other
    if usable:
        return home.upper()
    return ""


def same_test_twice_ok(verbose):
    if verbose:
        name = os.environ.get("NAME") or "x"
    else:
        name = None
    print("between")
    if verbose:
        print(name.upper())


def same_test_twice_other_side_bad(verbose):
    if verbose:
        name = "x"
    else:
        name = None
    if not verbose:
        print(name.upper())  # null.attribute


def same_test_changed_bad(verbose, other):
    if verbose:
        name = "x"
    else:
        name = None
    verbose = other
    if verbose:
        print(name.upper())  # null.attribute


def set_under_test_ok(verbose):
    name = None
    if verbose:
        name = "x"
    if verbose:
        print(name.upper())


def same_none_test_twice_ok(user):
    name = None
    if user is not None:
        name = "x"
    if user is None:
        return ""
    return name.upper()


def same_comparison_twice_ok(count):
    name = None
    if count > 3:
        name = "x"
    if count > 3:
        return name.upper()
    return ""


def nullness_of_other_ok(user):
    name = None if user is None else "x"
    if user is None:
        return ""
    return name.upper()


def both_or_none_ok():
    first, second = None, None
    if os.sep == "/":
        first, second = "a", "b"
    if first is None:
        return ""
    return second.upper()
