"""A decorator is called where the function is defined; the name then runs what it gives, or the function still."""


def plain(function):
    function()  # calls: greet
    return function


def wrapping(function):
    def wrapped():
        return function()  # calls: answer

    return wrapped


def with_options(size):
    def decorate(function):
        return function

    return decorate


@plain  # calls: plain
def greet():
    pass


@wrapping  # calls: wrapping
def answer():
    return 1


@with_options(3)  # calls: with_options, with_options.decorate
def measure():
    return 2


class Greeter:
    @staticmethod
    def name():
        pass


greet()  # calls: greet
answer()  # calls: answer, wrapping.wrapped
measure()  # calls: measure
Greeter.name()  # calls: Greeter.name
