"""Imports the second, which imports the first."""

import os

import second


def find(name):
    return os.environ.get(name)


def from_second_bad():
    return second.find_through().upper()  # null.attribute
