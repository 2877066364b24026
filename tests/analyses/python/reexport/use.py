"""Uses the names."""

from lib import find, sure


def assigned_name_bad():
    return find("HOME").upper()  # null.attribute


def assigned_name_ok():
    return sure("HOME").upper()
