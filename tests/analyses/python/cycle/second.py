"""Imports the first, which imports the second."""

import first


def find_through():
    return first.find("HOME")


def from_first_bad():
    return first.find("HOME").upper()  # null.attribute
