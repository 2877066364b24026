"""`raise` of a class makes an instance."""


class Problem(Exception):
    def __init__(self):
        pass


def fail():
    raise Problem  # calls: Problem.__init__


def fail_again(problem):
    raise problem  # calls: none


def fail_with_call():
    raise Problem()  # calls: Problem.__init__
