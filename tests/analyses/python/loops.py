"""Loops."""

import os


def for_else_bad(names):
    for name in names:
        if name == "a":
            found = name
            break
    else:
        found = None
    return found.upper()  # null.attribute


def for_else_ok(names):
    for name in names:
        if name == "a":
            found = name
            break
    else:
        return ""
    return found.upper()


def found_in_loop_bad(names):
    found = None
    for name in names:
        if name == "a":
            found = name
            break
    return found.upper()  # null.attribute


def found_in_loop_ok(names):
    found = None
    for name in names:
        if name == "a":
            found = name
            break
    if found is None:
        return ""
    return found.upper()


def cleared_in_loop_bad(names):
    found = "a"
    for name in names:
        found.upper()  # null.attribute
        if name == "b":
            found = None


def while_else_ok(names):
    found = None
    while names:
        found = names.pop()
        if found == "a":
            break
    else:
        return ""
    return found.upper()


def while_true_ok(names):
    found = None
    while True:
        found = names.pop()
        if found == "a":
            break
    return found.upper()


def while_true_bad(names):
    found = None
    while True:
        if not names:
            break
        found = names.pop()
    return found.upper()  # null.attribute


def walk_ok(node):
    while node is not None:
        node = node.parent
    return node


def walk_too_far_bad(names):
    node = os.environ.get("HOME")
    while node is not None:
        node = os.environ.get(names.pop())
    return node.upper()  # null.attribute


def continue_skips_ok(names):
    last = None
    for name in names:
        if last is None:
            last = name
            continue
        print(last.upper())
        last = name


def first_iteration_ok(names):
    smallest = None
    for name in names:
        if smallest is None or name < smallest:
            smallest = name
    return smallest


def enumerate_ok(names):
    best = None
    for index, name in enumerate(names):
        if index == 0:
            best = name
        elif best is not None and name > best:
            best = name
    return best


def nested_break_bad(rows):
    found = None
    for row in rows:
        for cell in row:
            if cell:
                found = cell
                break
    return found.upper()  # null.attribute


def sometimes_runs_bad(count):
    last = None
    for number in range(count):
        last = str(number)
    return last.upper()  # null.attribute


def range_runs_ok():
    last = None
    for number in range(3):
        last = str(number)
    return last.upper()


def runs_once_but_may_break_bad(flag):
    last = None
    for name in ("a", "b"):
        if flag:
            break
        last = name
    return last.upper()  # null.attribute


def runs_once_and_continues_bad(flag):
    last = None
    for name in ("a", "b"):
        if flag:
            continue
        last = name
    return last.upper()  # null.attribute


def runs_at_least_once_ok():
    last = None
    for name in ("a", "b"):
        last = name
    return last.upper()


def unpacked_items_ok(mapping):
    for key, (first, second) in mapping.items():
        print(key.upper(), first, second)


def loop_target_attribute_ok(thing, names):
    for thing.name in names:
        print(thing.name.upper())


has_names = bool(os.environ)


def tested_in_nested_loops_ok(lines):
    if has_names:
        names = list(os.environ)
    with open("names") as file:
        for line in iter(file.readline, ""):
            if has_names:
                names.append(line)
    if has_names:
        return names.pop().upper()
    return lines


class Cache:
    """What is known of an attribute before a loop is known in it, whatever the loop does with the object."""

    def __init__(self):
        self.limit = None
        self.items = []

    def within_for_ok(self, events):
        if self.limit is None:
            return events
        return [self.items.append(event) for event in events if event.time < self.limit.start]

    def within_while_ok(self):
        if self.limit is not None:
            while len(self.items) >= self.limit.size:
                self.items.pop()

    def nested_ok(self, rows):
        if self.limit is None:
            return
        for row in rows:
            for item in row:
                if item > self.limit.size:
                    continue
                self.items.append(item)

    def drop(self):
        self.limit = None

    def lost_in_loop_bad(self, events):
        self.limit = Cache()
        for event in events:
            print(event, self.limit.items)  # null.attribute
            self.drop()

    def other_object_bad(self, caches):
        cache = Cache()
        cache.limit = Cache()
        for other in caches:
            print(cache.limit.items)  # null.attribute
            cache = Cache()


def variable_kept_ok(names, found):
    if found.limit is None:
        return
    for name in names:
        print(name, found.limit.items)


def tried_in_loop_bad(names, found=None):
    for name in names:
        try:
            found.add(name)  # null.attribute
        except KeyError:
            print(name)


def in_inner_loop_bad(groups):
    found = ""
    for group in groups:
        for name in group:
            if name:
                found = None
    return found.strip()  # null.attribute


def set_again_behind_inner_loop_ok(groups):
    found = ""
    for group in groups:
        for name in group:
            if name:
                found = None
        found = ""
    return found.strip()
