"""A star import at first hand."""

from re import *
from names import *


def direct_star_bad():
    return find("HOME").upper()  # null.attribute


def library_star_bad(text):
    return match("a", text).group()  # null.attribute
