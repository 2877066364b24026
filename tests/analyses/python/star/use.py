"""Star imports."""

from middle import *


def star_bad():
    return find("HOME").upper()  # null.attribute


def star_ok():
    return sure("HOME").upper()


def builtin_still_known_ok():
    return sorted("ba").index("a")
