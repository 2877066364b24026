"""Library calls that show something about their arguments, and library functions that are values."""

import inspect
import select


def attribute_of_ok(body=None):
    if getattr(body, "tell", None) is not None:
        return body.tell()
    return 0


def attribute_of_truth_ok(body=None):
    if getattr(body, "tell", None):
        return body.tell()
    return 0


def attribute_of_bad(body=None):
    if getattr(body, "tell", 0) is not None:
        return body.tell()  # null.attribute
    return 0


def kind_of_ok(module, name):
    made = getattr(module, name, None)
    if inspect.isfunction(made):
        return made()
    return None


def kind_of_bad(module, name):
    made = getattr(module, name, None)
    if inspect.isfunction(name):
        return made()  # null.call
    return None


def run_function(function, argument):
    return function(argument)


def passed_on_ok():
    return run_function(select.epoll.register, 1)[0]


class Receiver:
    def run_for_ever_ok(self):
        while True:
            self.step_once_ok()

    def step_once_ok(self):
        return self.count

    def __init__(self):
        self.count = 0


def find_receiver(flag):
    return Receiver() if flag else None


def null_receiver_bad(flag):
    return find_receiver(flag).run_for_ever_ok()  # null.attribute


class Computed:
    def _get(self):
        return "/"

    def _set(self, value):
        self._path = value

    path = property(_get, _set)

    def written_and_read_ok(self, path=None):
        self.path = path
        return self.path + "x"


class Engine:
    def __init__(self):
        self.slot = None
        self.running = False

    def open(self):
        self.slot = Session()

    def close(self):
        self.slot = None

    def needs_rest(self):
        return not self.running or not self.slot or self.busy()

    def busy(self):
        return self.slot is not None and not self.running

    def works_ok(self):
        self.close()
        if not self.needs_rest():
            self.slot.run()

    def works_bad(self):
        self.close()
        if self.needs_rest():
            self.slot.run()  # null.attribute
