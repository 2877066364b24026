"""The definitions."""

import os


def find(name):
    return os.environ.get(name)


def sure(name):
    return name
