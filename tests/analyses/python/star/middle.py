"""Hands on by a star import of its own."""

from names import *
