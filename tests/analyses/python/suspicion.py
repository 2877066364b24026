"""Null that a function has to expect: it tests for it and goes on, or the class of an attribute says so.

How likely such a null is, by how many functions test the attribute and how many rely on it, is not asked here.
"""

from __future__ import annotations

import logging

from somewhere import stack

logger = logging.getLogger(__name__)


class Channel:
    def __init__(self, host):
        self.host = host
        self.socket = None
        self.peer: Channel | None = None
        self.name = None

    def open(self, connect):
        self.socket = connect(self.host)

    def close(self):
        if self.socket is None:
            return
        self.socket.close()
        self.socket = None

    def send(self, data):
        if self.socket is None:
            raise ConnectionError
        self.socket.send(data)

    def receive_bad(self):
        return self.socket.recv(100)  # null.attribute

    def read_into_variable_bad(self):
        socket = self.socket
        return socket.recv(100)  # null.attribute

    def in_a_loop_bad(self, parts):
        for part in parts:
            self.socket.send(part)  # null.attribute

    def set_before_a_loop_ok(self, connect, parts):
        self.socket = connect(self.host)
        for part in parts:
            self.socket.send(part)

    def wait_ok(self):
        if self.socket:
            self.socket.wait()

    def asserted_ok(self):
        assert self.socket is not None
        self.socket.wait()

    def is_open(self):
        return self.socket is not None

    def tested_by_helper_ok(self):
        if self.is_open():
            self.socket.wait()

    def set_by_helper_ok(self, connect):
        self.open(connect)
        self.socket.wait()

    def set_here_ok(self, connect):
        self.socket = connect(self.host)
        self.socket.wait()

    def peer_bad(self):
        return self.peer.host  # null.attribute

    def tested_peer_ok(self):
        return self.peer.host if self.peer else None

    def other_name_bad(self):
        return self.name.upper()  # null.attribute


class Secure(Channel):
    def shut_bad(self):
        self.socket.shutdown()  # null.attribute


def in_two_ways_bad(host, connect):
    channel = Channel(host)
    channel.open(connect)
    channel.close()
    channel.socket.send(b"")  # null.attribute


class Worker:
    """One reset by `setattr`, and one that one function alone tests."""

    def __init__(self):
        self.job = None
        self.task = None

    def end(self):
        setattr(self, "job", None)
        self.task = None

    def is_idle(self):
        return self.job is None

    def is_busy(self):
        return self.job is not None and self.task is not None

    def stop_bad(self):
        self.job.stop()  # null.attribute

    def tested_once_bad(self):
        self.task.stop()  # null.attribute


def goes_on_bad(found):
    if found is None:
        logger.error("not found")
    return found.name  # null.attribute


def goes_on_elsewhere_bad(found, default):
    if found is None and default:
        found = default
    return found.name  # null.attribute


def returns_ok(found):
    if found is None:
        logger.error("not found")
        return None
    return found.name


def replaced_ok(found, default):
    if found is None:
        found = default
    return found.name


def tested_by_truth_ok(found):
    if not found:
        logger.error("not found")
    return found.name


def asserted_ok(found):
    assert found is None or found.name
    return found.name


def a_value_ok(found):
    good = found is not None and found.name
    if good:
        return found.size
    return None


def both_ok(left, right):
    if left is None and right is None:
        raise ValueError
    if left is None:
        return right.name
    return left.name


def given_back(found):
    if found is None:
        logger.error("not found")
    return found


def of_a_caller_ok(found):
    return given_back(found).name


def pick(names, default=None, log=False):
    for name in names:
        return name
    if log:
        logger.error("not found")
    return default


def default_bad(names):
    return pick(names).name  # null.attribute


def default_by_name_bad(names):
    return pick(names, log=True).name  # null.attribute


def default_replaced_by_constants_ok(names):
    return int(pick(names, 0)) + int(pick(names, default=0)) + len(pick(names, ""))


def default_replaced_in_methods_ok(names):
    return int(Chooser().pick(names, 0))


def default_of_methods_bad(names):
    return int(Chooser().pick(names))  # null.argument


class Chooser:
    def pick(self, names, default=None):
        for name in names:
            if name:
                return name
        return default


def default_given_ok(names, other):
    return pick(names, other).name


def more_given_ok(names, options):
    return pick(names, **options).name


def length_bad(names=None):
    return len(names)  # null.argument


def elements_bad(names=None):
    return [name.upper() for name in sorted(names)]  # null.argument


def own_function_ok(names=None):
    def len(values):
        return values

    return len(names)


def type_error_ok(names=None):
    try:
        return len(names)
    except TypeError:
        return 0


def stack_name_bad():
    return stack.top.name  # null.attribute


def stack_in_variable_bad():
    top = stack.top
    return top.name  # null.attribute


def stack_tested_ok():
    top = stack.top
    return top.name if top is not None else None


def stack_raises_ok():
    if stack.top is None:
        raise RuntimeError
    return stack.top.name


def stack_is_used_ok():
    return stack.top is not None


def other_attribute_ok():
    if stack.bottom is None:
        return None
    return stack.last.name


class Machine:
    """An attribute that is None at first, which more methods test than use without a test."""

    def __init__(self):
        self.motor = None

    def build(self, motor):
        self.motor = motor

    def is_built(self):
        return self.motor is not None

    def speed(self):
        return self.motor.speed if self.motor is not None else 0

    def stop(self):
        if self.motor is None:
            return
        self.motor.stop()

    def start_bad(self):
        self.motor.start()  # null.attribute

    def started_when_built_ok(self):
        if self.is_built():
            self.motor.start()


def of_another_bad(machine):
    return machine.motor.start()  # null.attribute


class Trusting:
    """One that more methods use without a test than test."""

    def __init__(self):
        self.motor = None
        self.wheel: Machine | None = None
        self.door: Machine | None = None

    def build(self, motor):
        self.motor = self.wheel = self.door = motor

    def is_built(self):
        return self.motor is not None

    def stop(self):
        if self.motor:
            self.motor.stop()

    def start_bad(self):
        self.motor.start()  # null.attribute
        self.wheel.start()  # null.attribute

    def go_bad(self):
        self.motor.go()  # null.attribute
        self.wheel.go()  # null.attribute

    def turn_bad(self):
        self.wheel.turn()  # null.attribute

    def open_bad(self):
        self.door.open()  # null.attribute


class Base:
    def __init__(self):
        self.engine = None

    def set_engine(self, engine):
        self.engine = engine

    def is_ready(self):
        return self.engine is not None

    def stop(self):
        if self.engine is not None:
            self.engine.stop()


class TrustsMore(Base):
    """What a class inherits is judged by all classes that have it."""

    def run_bad(self):
        self.engine.run()  # null.attribute


class TrustsAsWell(Base):
    def run_bad(self):
        self.engine.run()  # null.attribute


class Given:
    """One that a parameter's default leaves None."""

    def __init__(self, settings=None, options=None):
        self.settings = settings
        self.options = options or {}

    def names(self):
        return self.settings.names if self.settings else []

    def values(self):
        if self.settings is None:
            return []
        return self.settings.values

    def count_bad(self):
        return len(self.settings.values)  # null.attribute

    def has_options(self):
        return bool(self.options)

    def option_names(self):
        return self.options.names if self.options else []

    def option_ok(self):
        return self.options.first


class Replaced:
    """What a constructor stores first and replaces is not what the object begins with."""

    def __init__(self, source, shell=None, motor=None, wheel=None):
        self.shell = shell
        if not self.shell:
            self.shell = source.load()
        self.motor = motor
        if self.motor:
            self.motor = source.tuned(motor)
        self.wheel = wheel
        self.check()
        self.door = None
        if source.closed:
            self.door = source.load()
        else:
            self.door = source.find()

    def check(self):
        if self.shell is None or self.motor is None:
            return "stopped"
        return "" if self.wheel is None or self.door is None else "open"

    def names(self):
        shell = self.shell.name if self.shell is not None else ""
        motor = self.motor.name if self.motor is not None else ""
        door = self.door.name if self.door is not None else ""
        return shell + motor + door + (self.wheel.name if self.wheel is not None else "")

    def quote_ok(self):
        return self.shell.quote()

    def open_ok(self):
        return self.door.open()

    def run_bad(self):
        return self.motor.run()  # null.attribute

    def turn_bad(self):
        return self.wheel.turn()  # null.attribute


class Aborted(Exception):
    def __init__(self, message, context=None):
        super().__init__(message)
        self.context = context

    def show(self):
        return self.context.color if self.context is not None else ""

    def name(self):
        return self.context.name if self.context else ""

    def depth(self):
        return self.context.depth if self.context else 0


class WithContext(Aborted):
    """What a class declares never to be None is not, though it is in the class that it inherits from."""

    def __init__(self, context: Trusting):
        self.context: Trusting
        super().__init__(context.motor, context=context)

    def color_ok(self):
        return self.context.color


class WithContextAsWell(WithContext):
    def name_ok(self):
        return self.context.name


class WithDeclared(Aborted):
    context: "Trusting"

    def depth_ok(self):
        return self.context.depth


class WithAnything(Aborted):
    context: object

    def depth_bad(self):
        return self.context.depth  # null.attribute


class WithoutContext(Aborted):
    def depth_bad(self):
        return self.context.depth  # null.attribute


def tests_what_it_is_given_ok(response):
    if response.original_answer is None:
        return None
    return response.original_answer.text


def tests_it_too_ok(response):
    return response.original_answer.text if response.original_answer else ""


def relies_on_what_others_test_bad(response):
    return response.original_answer.text  # null.attribute


def relies_on_what_nobody_tests_ok(response):
    return response.other_answer.text


class Lazy:
    def __new__(cls, source):
        self = object.__new__(cls)
        self.source = source
        self.buffer = None
        return self

    def fill(self):
        self.buffer = self.source.read()

    def length_bad(self):
        return len(self.buffer)  # null.argument

    def length_ok(self):
        return len(self.buffer) if self.buffer is not None else 0


class Options:
    options = None
    labels = None
    size = None

    def __init__(self, options=None, labels=None):
        if options is None:
            options = {}
        self.options = options
        if labels:
            self.labels = labels
        try:
            self.size = labels.size()
        except AttributeError:
            pass

    def options_ok(self):
        return self.options.items()

    def labels_bad(self):
        return self.labels.items()  # null.attribute

    def size_bad(self):
        return self.size.name()  # null.attribute


class MoreOptions(Options):
    def options_too_ok(self):
        return self.options.keys()
