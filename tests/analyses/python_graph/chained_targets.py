"""`a, b = c = x, y` binds every target."""


def first():
    pass


def second():
    pass


a, b = c, d = first, second
a()  # calls: first
b()  # calls: second
c()  # calls: first
d()  # calls: second
