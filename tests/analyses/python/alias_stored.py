"""Two objects keep the container that they were given."""


class Queue:
    def __init__(self, items):
        self.items = items

    def put_bad(self, item):
        self.items.append(item)  # alias.stored-argument

    def count_ok(self):
        return len(self.items)


class Copies:
    def __init__(self, items):
        self.items = list(items)

    def put_ok(self, item):
        self.items.append(item)


class Reads:
    def __init__(self, items):
        self.items = items

    def first_ok(self):
        return self.items[0]


class Alone:
    def __init__(self, items):
        self.items = items

    def put_ok(self, item):
        self.items.append(item)


def shared_ok():
    items = []
    return Queue(items), Queue(items)


def copied_ok():
    items = []
    return Copies(items), Copies(items)


def read_ok():
    items = []
    return Reads(items), Reads(items)


def one_each_ok():
    return Alone([]), Alone([])


class Tags:
    def __init__(self, names):
        self.names = names

    def tag_bad(self, name):
        self.names.add(name)  # alias.stored-argument


def made_by_a_call_ok(names):
    base = set(names)
    return Tags(base), Tags(base)
