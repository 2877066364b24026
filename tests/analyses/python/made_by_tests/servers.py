class Servers:
    def __init__(self):
        self.known = {"main": ("http://main", ("a", "b"))}


class Others:
    def __init__(self):
        self.known = {"main": ("http://main", None)}


def first_ok(servers):
    _, names = servers.known["main"]
    return names[0]


def first_bad(others):
    _, names = others.known["main"]
    return names[0]  # null.subscript


def main():
    first_ok(Servers())
    first_bad(Others())
