"""Decorated functions and classes."""

import contextlib
import functools
import os


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print(function.__name__)
        return function(*args, **kwargs)

    return wrapper


def with_options(verbose):
    def decorate(function):
        return function

    return decorate


@traced
def traced_find(name):
    return os.environ.get(name)


@with_options(True)
def optioned_find(name):
    return os.environ.get(name)


@functools.lru_cache(maxsize=None)
def cached_find(name):
    return os.environ.get(name)


@functools.cache
def cached_sure(name):
    return name


@unknown_decorator
def unknown_find(name):
    return os.environ.get(name)


def traced_bad():
    return traced_find("HOME").upper()  # null.attribute


def optioned_bad():
    return optioned_find("HOME").upper()  # null.attribute


def cached_bad():
    return cached_find("HOME").upper()  # null.attribute


def cached_ok():
    return cached_sure("HOME").upper()


@traced
def inside_bad():
    return os.environ.get("HOME").upper()  # null.attribute


class Decorated:
    @traced
    def find(self):
        return os.environ.get("HOME")

    def method_bad(self):
        return self.find().upper()  # null.attribute


@contextlib.contextmanager
def opened(path):
    yield path.upper()


@contextlib.contextmanager
def maybe_opened(path):
    if path:
        yield path
    else:
        yield None


def context_manager_ok(path):
    with opened(path) as stream:
        return stream.upper()


def context_manager_bad(path):
    with maybe_opened(path) as stream:
        return stream.upper()  # null.attribute


def context_manager_checked_ok(path):
    with maybe_opened(path) as stream:
        if stream is not None:
            return stream.upper()
    return ""


def cached_without_limit_ok(function):
    return functools.lru_cache(maxsize=None)(function)


def random_state(name):
    def decorate(f):
        def called(*given, **named):
            return f(*given, **named)

        return called

    return decorate


@random_state("seed")
def told_to_its_decorator_ok(nodes, seed=None):
    return seed.choice(nodes)


@random_state("nodes")
def told_of_another_bad(nodes, seed=None):
    return seed.choice(nodes)  # null.attribute
