"""Syntax of Python 3.12 and later."""

import os

type Name = str | None
type Pair[T] = tuple[T, T]


def generic_bad[T](value: T, other: T | None) -> str:
    return other.name  # null.attribute


def generic_ok[T: (str, bytes), *Rest, **Options](value: T) -> T:
    return value.upper()


class Box[T]:
    def __init__(self, value: T):
        self.value = value

    def find_bad(self) -> str:
        return os.environ.get("HOME").upper()  # null.attribute


class Sub(Box[str]):
    def inherited_ok(self) -> str:
        return self.value.upper()


def nested_quotes_bad():
    home = os.environ.get("HOME")
    return f"{home.upper() + f"{"a"}"}"  # null.attribute


def nested_quotes_ok():
    home = os.environ.get("HOME") or ""
    return f"{home.upper()!r:>{10}} {home=}"
