"""Which candidates are refuted, since no execution makes them fail: held to runs by Python, and to what is known."""

from __future__ import annotations

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import court, evaluate, verdicts
from python_runs import failures_by_python, programs, sources

from pliant.analyses.witness.run import MOST_BLOCKS

# What is refuted, and its twin that fails, from the first `_bad` on.
REFUTED = {
    "what a function is declared to give, with another default than None": """
import os

class Settings:
    def value(self, key: str, default: str | None = None) -> str | None:
        return self.config.get(key) or os.getenv(key) or default

def f(settings: Settings):
    return os.path.abspath(settings.value("a", os.getcwd()))

def f_bad(settings: Settings):
    return os.path.abspath(settings.value("a"))
""",
    "a key that is put into a mapping": """
def put(table: dict[str, str], key):
    table[key] = "x"
    return table.get(key).upper()

def asked(table: dict[str, str], key):
    table[key] = "x"
    if key not in table:
        return table.get(key).upper()
    return ""

def deleted_bad(table: dict[str, str], key):
    del table[key]
    return table.get(key).upper()

def put_and_deleted_bad(table: dict[str, str], key):
    table[key] = "x"
    del table[key]
    return table.get(key).upper()

def deleted_and_asked_bad(table: dict[str, str], key):
    table[key] = "x"
    del table[key]
    if key not in table:
        return table.get(key).upper()
    return ""
""",
    "loops over what is empty": """
def find(key):
    return key if key else None

def lines(key, text):
    if not (found := find(key)):
        text = ""
    for line in text.splitlines():
        print(found.match(line))

def letters(key, text):
    found = find(key)
    if found is None:
        text = ""
    return [found.match(letter) for letter in text]

def items(key, table):
    found = find(key)
    if found is None:
        table = {}
    for name, value in table.items():
        print(found.match(name), value)

def names(key, table):
    found = find(key)
    if found is None:
        table = []
    if len(key) > 3:
        for name in table:
            found.match(name)

def lines_bad(key, text):
    found = find(key)
    if found is None:
        text = "-"
    for line in text.splitlines():
        print(found.match(line))

def split_bad(key, text):
    found = find(key)
    if found is None:
        text = ""
    for line in text.split(","):
        print(found.match(line))

def filled_bad(key, table):
    found = find(key)
    if found is None:
        table = []
    table.append(key)
    for name in table:
        found.match(name)

def added_bad(key, table):
    found = find(key)
    if found is None:
        table = []
    table += [key]
    for name in table:
        found.match(name)

def passed_bad(key, table):
    found = find(key)
    if found is None:
        table = []
    table.sort(key=print)
    key.fill(table)
    for name in table:
        found.match(name)

def aliased_bad(key):
    found, table = find(key), []
    other = table
    other += [key]
    for name in table:
        found.match(name)

def captured_bad(key):
    found, table = find(key), []
    key.each(lambda name: table.append(name))
    for name in table:
        found.match(name)
""",
    "a constant argument that decides which call gives null": """
def posted(command):
    if command.late:
        return None
    return command.post()

def got(command):
    return command.get()

def run(command, is_get):
    return got(command) if is_get else posted(command)

def get(command):
    return run(command, True)

def f(command):
    return get(command).status

def post_bad(command):
    return run(command, False)

def f_bad(command):
    return post_bad(command).status

def g_bad(command, is_get):
    return run(command, is_get).status
""",
    "truth values that are joined by operators": """
def find(key):
    return key if key else None

def f(key, ready):
    found = find(key)
    if (found is not None) & (ready == 3):
        return found.name

def g(key, ready):
    found = find(key)
    wanted = ready == 3
    wanted &= found is not None
    return found.name if wanted else None

def h(key, ready):
    found = find(key)
    missing = (found is None) | (ready == 3)
    return None if missing else found.name

def f_bad(key, ready):
    found = find(key)
    if (found is not None) | (ready == 3):
        return found.name

def g_bad(key, ready):
    found = find(key)
    wanted = ready == 3
    wanted |= found is not None
    return found.name if wanted else None

def h_bad(key, ready):
    found = find(key)
    missing = (found is None) & (ready == 3)
    return None if missing else found.name

def flags_bad(key, flags):
    found = find(key)
    wanted = (1 if found is not None else 2) & 2
    return found.name if wanted else None
""",
    "a use that a call before fails at": """
def find(items, key):
    for each in items:
        if each.key == key:
            return each
    return None

def f(items, key):
    found = find(items, key)
    named(found, items)
    return found.size

def g(items, key):
    found = find(items, key)
    again = found
    print(named(again, [1]))
    return found.size

def f_bad(items, key):
    found = find(items, key)
    named_at_times(found, items)
    return found.size

def g_bad(items, key):
    found = find(items, key)
    try:
        named(found, items)
    except AttributeError:
        pass
    return found.size

def h_bad(items, key):
    found = find(items, key)
    found = named(found, items) if found else found
    return found.size

def named(item, names):
    for name in names:
        print(name)
    return item.name

def named_at_times(item, names):
    for name in names:
        return item.name
""",
    "functions whose results are kept": """
from functools import cache, lru_cache

@cache
def source(name):
    for each in find():
        if each.name == name:
            return each
    return None

@lru_cache(maxsize=100)
def other(name):
    return None if unknown() else name

def f():
    if source("a") is not None:
        return source("a").album

def g(x):
    return other(x).album if other(x) else None

class Plugin:
    @property
    def source(self):
        found = source("a")
        if found is None:
            print("none")
        return found

    def albums(self, items):
        if self.source is None:
            return []
        found = []
        for each in items:
            found.append(self.source.album(each))
        return found

def f_bad():
    if source("b") is not None:
        return source("a").album

def g_bad(x):
    return other(x).album if other(x + 1) else None

def uncached():
    return None if unknown() else []

def h_bad():
    if uncached() is not None:
        return uncached().count(1)
""",
    "a count that is not 0 where a loop runs": """
def f(count):
    rows = [0] if count > 0 else None
    i = 0
    while i < count:
        rows.append(i)
        i = i + 1

def f_bad(count):
    rows = [0] if count > 1 else None
    i = 0
    while i < count:
        rows.append(i)
        i = i + 1
""",
    "items of a result that go together": """
def parsed(text):
    if text == "all":
        return "all", None
    return "some", text.split()

def f(text):
    mode, names = parsed(text)
    if mode == "all":
        return 0
    return names.count(1)

def f_bad(text):
    mode, names = parsed(text)
    if mode != "all":
        return 0
    return names.count(1)
""",
    "a variable around a function inside": """
def f(text):
    result = {} if text else None
    def note(n):
        if text:
            result[n] = n
    note(1)

def f_bad(text):
    result = {} if text else None
    def note(n):
        if n:
            result[n] = n
    note(1)
""",
    "every caller tests": """
class Box:
    def __init__(self):
        self._lid = None

    def close(self):
        self._lid = None

    def open(self, lid):
        self._lid = lid

    def shown(self):
        if self._lid is None:
            return ""
        return self._name()

    def said(self):
        return self._name() if self._lid is not None else ""

    def _name(self):
        return self._lid.name

class Box_bad:
    def __init__(self):
        self._lid = None

    def close(self):
        self._lid = None

    def open(self, lid):
        self._lid = lid

    def shown(self):
        if self._lid is None:
            return ""
        return self._title()

    def said(self):
        return self._title() if self._lid is None else ""

    def _title(self):
        return self._lid.name
""",
    "a test that a caller of callers makes": """
class Stream:
    def __init__(self):
        self._source = None

    def open(self, source):
        self._source = source

    def close(self):
        self._source = None

    def read(self):
        if self._source is None:
            return ""
        return self._filled()

    def skip(self):
        return self._filled() if self._source is not None else ""

    def _filled(self):
        return self._block()

    def _block(self):
        return self._decoded()

    def _decoded(self):
        return self._source.name

class Stream_bad:
    def __init__(self):
        self._origin = None

    def open(self, origin):
        self._origin = origin

    def close(self):
        self._origin = None

    def read(self):
        if self._origin is None:
            return ""
        return self._filled_bad()

    def skip(self):
        return self._filled_bad() if self._origin is None else ""

    def _filled_bad(self):
        return self._block_bad()

    def _block_bad(self):
        return self._decoded_bad()

    def _decoded_bad(self):
        return self._origin.name
""",
    "a flag that is passed along": """
def finished(archive, dry):
    if not dry:
        return archive.name

def f(path, dry):
    archive = None if dry else open(path)
    return finished(archive, dry)

def finished_bad(archive, dry):
    if not dry:
        return archive.name

def f_bad(path, dry):
    archive = None if path else open(path)
    return finished_bad(archive, dry)
""",
    "parameters that are null together": """
def shown(kind, value):
    if kind is not None:
        return value.name

def f(kind, value):
    if value is None:
        return shown(None, None)
    return shown(kind, value)

def shown_bad(kind, value):
    if kind is not None:
        return value.name

def f_bad(kind, value):
    if value is None:
        return shown_bad(kind, None)
    return shown_bad(kind, value)
""",
    "a number that says how it went": """
def read(path):
    if path == "":
        return 1, None
    return 0, path.read()

def f(path):
    status, text = read(path)
    if status != 0:
        return status
    return text.strip()

def f_bad(path):
    status, text = read(path)
    if status == 0:
        return status
    return text.strip()
""",
    "a loop that runs at least once": """
def f(count):
    last = None
    i = 0
    while i < count:
        last = i
        i = i + 1
    if count > 0:
        return last.real

def f_bad(count):
    last = None
    i = 0
    while i < count:
        last = i
        i = i + 1
    if count >= 0:
        return last.real
""",
    "a test that asks the same of two values": """
def find(items):
    for item in items:
        return item
    return None

def f(items, other):
    a = find(items)
    b = a if a is not None else other
    if b is a and b is not None:
        return a.name

def f_bad(items, other):
    a = find(items)
    b = a if a is not None else other
    if b is not None:
        return a.name
""",
    "a default of what a call leaves out, and arguments by name": """
def shown(value, strict=False, *, loud=False):
    if strict or loud:
        return value.name

def f(path):
    shown(None)
    shown(loud=False, value=None)

def shown_bad(value, strict=False, *, loud=True):
    if strict or loud:
        return value.name

def f_bad(path):
    shown_bad(None)
    shown_bad(strict=True, value=None)
""",
    "arguments that are collected": """
def shown(value, *flags):
    if flags[1]:
        return value.name

def f(path):
    shown(None, path, False)
    shown(None, *(path, False))

def shown_bad(value, *flags):
    if flags[1]:
        return value.name

def f_bad(path):
    shown_bad(None, path, *path)
""",
    "what a constructor is passed": """
class Box:
    def __init__(self, lid, sealed=True):
        self.name = "" if sealed else lid.name

def f(path):
    Box(None)
    Box(None, sealed=True)

class Box_bad:
    def __init__(self, lid, sealed=False):
        self.name = "" if sealed else lid.name

def f_bad(path):
    Box_bad(None)
    Box_bad(None, sealed=True)
""",
    "what a constructor makes": """
class Box:
    def __init__(self, sealed):
        self.sealed = sealed

def f(path):
    lid = None if path else open(path)
    if not Box(path).sealed:
        return lid.name

def f_bad(path):
    lid = None if path else open(path)
    if Box(path).sealed:
        return lid.name
""",
    "an object that is made anew, unless a class of classes says otherwise": """
class Store:
    def __init__(self):
        self.is_open = True

def f(path):
    Store().is_open = False
    lid = None if path else open(path)
    if path and not Store().is_open:
        return lid.name

def f_bad(path):
    lid = None if path else open(path)
    if path and Store().is_open:
        return lid.name
""",
    "a property, which is computed at each read": """
class Box:
    def __init__(self):
        self.lid = None

    @property
    def is_open(self):
        return self.lid is None

    def f(self, path, lid):
        name = None if self.is_open else open(path)
        if not self.is_open:
            return name.name

    def f_bad(self, path, lid):
        name = None if self.is_open else open(path)
        self.lid = lid
        if not self.is_open:
            return name.name
""",
    "a method that is called by its class": """
class Box:
    def open(self, lid, sealed):
        return "" if sealed else lid.name

    @classmethod
    def shut(cls, lid, sealed):
        return "" if sealed else lid.name

def f(box):
    Box.open(box, None, True)
    Box.shut(None, True)

class Box_bad:
    def open(self, lid, sealed):
        return "" if sealed else lid.name

    @classmethod
    def shut(cls, lid, sealed):
        return "" if sealed else lid.name

def f_bad(box):
    Box_bad.open(box, None, False)
    Box_bad.shut(None, False)
""",
    "a method of a base": """
class Box:
    def open(self, lid, sealed):
        return "" if sealed else lid.name

class Chest(Box):
    def open(self, lid, sealed):
        return super().open(None, True)

class Box_bad:
    def open(self, lid, sealed):
        return "" if sealed else lid.name

class Chest_bad(Box_bad):
    def open(self, lid, sealed):
        return super().open(None, False)
""",
    "a call gives no null that it is not passed": """
from elsewhere import Statistics

def note():
    return 1

class Job:
    def run(self, dry):
        note()
        self.stats = Statistics() if dry else None
        note()
        if dry:
            return self.stats.count

class Job_bad:
    def run(self, dry):
        note()
        self.stats = Statistics() if dry else None
        note()
        if not dry:
            return self.stats.count
""",
    "several calls of one function": """
def shown(lid, loud):
    if loud:
        return lid.name

def f(path):
    lid = None if path else open(path)
    shown(lid, False)
    for part in path:
        shown(lid, loud=not path)
    return shown(lid, not path)

def shown_bad(lid, loud):
    if loud:
        return lid.name

def f_bad(path):
    lid = None if path else open(path)
    shown_bad(lid, False)
    for part in path:
        shown_bad(lid, loud=not path)
    return shown_bad(lid, path)
""",
    "a null that is not made": """
def parsed(source, plain=True):
    source.load()
    if plain:
        pair = bytes((source["kind"], source["level"]))
        meta, data = source.made(pair)
    else:
        meta, data = None, None
    return meta, data

def f(source):
    meta, data = parsed(source)
    return data.name

def parsed_bad(source, plain=True):
    source.load()
    if plain:
        pair = bytes((source["kind"], source["level"]))
        meta, data = source.made(pair)
    else:
        meta, data = None, None
    return meta, data

def f_bad(source):
    meta, data = parsed_bad(source, plain=not source)
    return data.name
""",
    "a loop over items that are written there": """
def f(a, b):
    lid = None if a else open(b)
    for each in (1, a):
        if not each:
            lid.name

def f_bad(a, b):
    lid = None if a else open(b)
    for each in (a, b):
        if not each:
            lid.name
""",
    "whether any of some is null": """
def f(a, b):
    lid = None if a else open(b)
    if any(x is None for x in (b, lid)):
        return 0
    return lid.name

def all_there(a, b):
    lid = None if a else open(b)
    if not all(x is not None for x in [b, lid]):
        return 0
    return lid.name

def f_bad(a, b):
    lid = None if a else open(b)
    if any(x is None for x in (b, a)):
        return 0
    return lid.name

def f_bad(a, b):
    lid = None if a else open(b)
    if any(x for x in (b, lid)):
        return lid.name
""",
    "what the library refuses": """
from os import path

def f(place):
    path.abspath(place)
    lid = place if place else None
    return lid.name if place is None else ""

def f_bad(place):
    path.isabs("")
    lid = place if place else None
    return lid.name if place is None else ""
""",
    "a function inside that runs later": """
def find(table, key):
    if key in table:
        return table[key]
    return None

def f(table, key, register):
    lid = find(table, key)
    if lid is None and not key:
        return
    def told():
        return lid.name if not key else ""
    register(told)

def f_bad(table, key, register):
    lid = find(table, key)
    if lid is None and not key:
        return
    def told():
        return lid.name if key else ""
    register(told)

def f_again_bad(table, key, register):
    lid = find(table, key)
    if lid is None and not key:
        return
    def told():
        return lid.name if not key else ""
    register(told)
    lid = find(table, key)

def f_other_bad(table, key, register):
    key = open(key)
    lid = find(table, key)
    if lid is None and not key:
        return
    def told():
        return lid.name if not key else ""
    register(told)
    key = 3
""",
    "an argument that nothing shows to be null": """
def text(value):
    return value.decode() if isinstance(value, bytes) else value

def clean(name):
    name = text(name)
    if name is None:
        return None
    return name.strip()

def find(table, key):
    if key in table:
        return table[key]
    return None

def f(folder):
    for each in folder.entries():
        clean(each.name).upper()

def g_bad(table):
    for each in table:
        clean(find(table, each)).upper()

def h_bad(name=None):
    return clean(name).upper()

def i_bad(name):
    if name is None:
        print("x")
    return clean(name).upper()
""",
    "of which class something is": """
class Node:
    pass

def is_a(x, kind):
    return isinstance(x, kind)

def f(x, kind):
    y = None
    if isinstance(x, kind):
        y = 1
    if is_a(x, kind):
        return y.real

def g(x):
    y = None
    if isinstance(x, (Node, str)):
        y = 1
    if isinstance(x, str):
        return y.real

def f_bad(x, kind, other):
    y = None
    if is_a(x, kind):
        y = 1
    if is_a(x, other):
        return y.real

def g_bad(x, kinds):
    y = None
    if isinstance(x, kinds[0]):
        y = 1
    if isinstance(x, kinds[1]):
        return y.real

def h_bad(x, kind, other):
    y = None
    if isinstance(x, kind):
        y = 1
    kind = other
    if isinstance(x, kind):
        return y.real

def i_bad(x, node):
    y = None
    if isinstance(x, node.kind):
        y = 1
    node.kind = Node
    if isinstance(x, node.kind):
        return y.real
""",
    "arguments that are collected by name": """
class Store:
    def get(self, path, **more):
        check = more.pop("check", None)
        other = more.pop("other", None)
        found = self.find(path, **more)
        if callable(check) and not check(found):
            found = other
        return found

    def find(self, path, merged=False):
        return (path, merged)

def f(store: Store):
    return store.get("a", merged=True).name

def g(store: Store, check):
    return store.get("a", check=check, other=(check, 1)).count(1)

class Store_bad:
    def get(self, path, **more):
        check = more.pop("check", None)
        other = more.pop("other", None)
        found = self.find(path, **more)
        if callable(check) and not check(found):
            found = other
        return found

    def find(self, path, merged=False):
        return (path, merged)

def f_bad(store: Store_bad, check):
    return store.get("a", check=check).name

def g_bad(store: Store_bad, more):
    return store.get("a", **more).name

def popped_bad(**more):
    more.pop("check")
    return more.get("check").name

def h_bad():
    return popped_bad(check=1)
""",
    "a context manager that is a generator": """
import contextlib

class Runner:
    def __init__(self, mixed):
        self.mixed = mixed

    @contextlib.contextmanager
    def streams(self, text):
        errors = None
        if not self.mixed:
            errors = open(text)
        yield open(text), errors
        print(text)

    def f(self, text):
        with self.streams(text) as both:
            if not self.mixed:
                return both[1].getvalue()

@contextlib.contextmanager
def opened(path):
    if path:
        yield open(path)
    else:
        yield None

def f(path):
    with opened(path) as file:
        return file.name if path else ""

class Runner_bad:
    def __init__(self, mixed):
        self.mixed = mixed

    @contextlib.contextmanager
    def streams(self, text):
        errors = None
        if not self.mixed:
            errors = open(text)
        yield open(text), errors
        print(text)

    def f(self, text):
        with self.streams(text) as both:
            if self.mixed:
                return both[1].getvalue()

def f_bad(path):
    with opened(path) as file:
        return file.name if not path else ""
""",
    "a key that a mapping has": """
class Node:
    def __init__(self):
        self.children = {}

    def has(self, name):
        return name in self.children

    def child(self, name):
        return self.children.get(name)

def f(node: Node, name):
    if node.has(name):
        return node.child(name).title()

class Node_bad:
    def __init__(self):
        self.children = {}

    def has(self, name):
        return name in self.children

    def child(self, name):
        return self.children.get(name)

    def drop(self, name):
        self.children.pop(name)

def f_bad(node: Node_bad, name, other):
    if node.has(name):
        return node.child(other).title()

def g_bad(node: Node_bad, name):
    if node.has(name):
        node.drop(name)
        return node.child(name).title()
""",
    "what no round of a loop leaves for the next": """
class Node:
    def __init__(self):
        self.below = None

    def add_child(self, name, node):
        if self.below is None:
            self.below = {}
        self.below[name] = node

    def child(self, name):
        if self.below is None:
            return None
        return self.below.get(name)

    def has(self, name):
        return self.below is not None and name in self.below

def f(node, names):
    for name in names:
        if not node.has(name):
            return None
        node = node.child(name)
    return node.below

def g(node, names):
    for name in names:
        if not node.has(name):
            node.add_child(name, Node())
        node = node.child(name)
    return node.below

def f_bad(node, names):
    for name in names:
        if not node.has(name):
            print(name)
        node = node.child(name)
    return node.below

def g_bad(node, names):
    for name in names:
        if not node.has(name):
            node.add_child("other", Node())
        node = node.child(name)
    return node.below

def h_bad(node, names):
    before = node
    for name in names:
        print(before.below)
        before = node
        node = node.child(name)
""",
    "what a class of the library makes": """
def text(value):
    return str(value)

def chosen(value):
    if isinstance(value, bytes):
        return value
    return str(value)

def f(value):
    return (None if text(value) is None else "").upper()

def g(value):
    return (None if chosen(value) is None else "").upper()

def text_bad(value):
    return print(value)

def f_bad(value):
    return (None if text_bad(value) is None else "").upper()
""",
    "an item of a tuple": """
def f(name):
    found = None if name in ("a", "b") else name
    return found.size if name != "a" and name != "b" else 0

def g():
    name = "a"
    found = name if name in ("a", "b") else None
    return found.upper()

def f_bad(name):
    found = None if name in ("a", "b") else name
    return found.size if name != "a" else 0

def g_bad(name):
    found = name if name in ("a", "b") else None
    return found.upper()
""",
    "what a mapping was given": """
def f(key):
    table = {}
    table[key] = "a"
    table["b"] = "b"
    return table.get(key).upper()

def f_bad(key):
    table = {}
    table["b"] = "b"
    return table.get(key).upper()

def g_bad(key, more):
    table = {}
    table[key] = "a"
    more(table)
    return table.get(key).upper()

def h_bad(key):
    table = {}
    table[key] = "a"
    table.clear()
    return table.get(key).upper()
""",
    "what a variable of the file held before": """
NAMES = ("a", "b")

def parsed(text):
    if text == "all":
        return "all", None
    return "some", text.split()

def f(text):
    mode, names = parsed(text)
    for name in NAMES if mode == "all" else names:
        print(name)

def f_bad(text):
    mode, names = parsed(text)
    for name in NAMES if mode == "some" else names:
        print(name)
""",
    "which operand of a format fails": """
def parsed(text):
    if text == "all":
        return "all", None
    return "some", len(text)

def f(text, first):
    mode, length = parsed(text)
    return "%d %d" % (first, length if mode == "some" else 0)

def f_bad(text, first):
    mode, length = parsed(text)
    return "%d %d" % (first, length if mode == "all" else 0)
""",
    "a function that ends the program unless it is told not to": """
import sys

def missing(names, optional=False):
    if optional:
        print(names)
    else:
        sys.exit(5)
    return names

def find(key):
    return key if key else None

def needed(key):
    found = find(key)
    if found is None:
        missing([key])
    return found.name

def wanted_bad(key):
    found = find(key)
    if found is None:
        missing([key], optional=True)
    return found.name
""",
    "a large function that checks its argument": f"""
class Command:
    def __init__(self):
        self.extensions: list | None = None
        self.libraries: list | None = None

    def check(self, extensions, libraries):
        if not isinstance(extensions, list):
            raise ValueError(libraries)
        for each in extensions:
{chr(10).join(["            print(each[0], each[1])"] * 30)}

    def files(self):
        self.check(self.extensions, self.libraries)
        return [each for each in self.extensions]

    def names_bad(self):
        self.check(self.extensions, self.libraries)
        return [each for each in self.libraries]
""",
}


# The same in Java.
JAVA = {
    "a constructor that the argument does not choose": """
class Buffer {
    final byte[] data;
    Buffer(byte[] data) { this.data = data; }
}

class Stream {
    int limit;
    Stream(byte[] data) { limit = data.length; }
    Stream(java.io.InputStream in) { limit = in.hashCode(); }
    Stream(Buffer buffer) { limit = buffer == null ? 0 : 1; }
}

class Deferred {
    private Buffer form;
    boolean isThere() { return form != null; }
    void set(Buffer form) { this.form = form; }
    void clear() { form = null; }
    Stream load() {
        Buffer original = form;
        return new Stream(original);
    }
}

class Open {
    Buffer find(String name) { return name.isEmpty() ? null : new Buffer(new byte[0]); }
    Stream open(String name) {
        Buffer found = find(name);
        return new Stream(found);
    }
}

class Input extends java.io.FilterInputStream {
    Input() { super(null); }
}

class Stream_bad {
    int limit;
    Stream_bad(byte[] data) { limit = data.length; }
    Stream_bad(java.io.InputStream in) { limit = in.hashCode(); }
    Stream_bad(Buffer buffer) { limit = buffer.data.length; }
}

class Deferred_bad {
    private Buffer form;
    private Input input;
    boolean isThere() { return form != null && input != null; }
    void set(Buffer form, Input input) { this.form = form; this.input = input; }
    void clear() { form = null; input = null; }
    byte[] bytes(String name) { return name.isEmpty() ? null : new byte[0]; }
    Stream_bad load() {
        Buffer original = form;
        return new Stream_bad(original);
    }
    Stream_bad read() {
        Input original = input;
        return new Stream_bad(original);
    }
    Stream_bad open(String name) {
        byte[] found = bytes(name);
        return new Stream_bad(found);
    }
}
""",
    "two switches over constants of a class": """
class Defs {
    interface Code {
        int CREATE = 1;
        int DELETE = 20;
        int OPEN = -10;
        int CLOSE = -11;
    }
    static int CHANGING = 7;
    static final boolean QUICK = true;
}

class Item { String path() { return ""; } }

class Request {
    final int type;
    Item item = new Item();
    Request(int type) { this.type = type; }
    boolean isLocal() { return false; }
}

class Requests {
    private void apply(int type, Request request, Item item) {
        switch (type) {
            case Defs.Code.CREATE:
                create(item);
                break;
            case Defs.Code.DELETE: {
                item.path();
                break;
            }
        }
    }

    private void create(Item item) {
        item.path();
    }

    private void quick(Item item) {
        if (!Defs.QUICK) {
            item.path();
        }
    }

    void f(Request request) {
        switch (request.type) {
            case Defs.Code.CREATE:
                apply(request.type, request, request.item);
                break;
            case Defs.Code.OPEN:
            case Defs.Code.CLOSE:
                if (!request.isLocal()) {
                    apply(request.type, request, null);
                    quick(null);
                }
                break;
        }
    }

    private void apply_bad(int type, Request request, Item item) {
        switch (type) {
            case Defs.Code.DELETE:
                item.path();
                break;
            case Defs.Code.CLOSE:
                item.path();
                break;
        }
        if (type == Defs.CHANGING) {
            item.path();
        }
    }

    void g(Request request) {
        switch (request.type) {
            case Defs.Code.DELETE:
            case Defs.Code.OPEN:
            case Defs.Code.CLOSE:
                apply_bad(request.type, request, null);
                break;
            case Defs.CHANGING:
                Defs.CHANGING = 8;
                apply_bad(8, request, null);
                break;
        }
    }
}
""",
    "a field that a method before fails at": """
class Verifier {
    int version() { return 1; }
}

class Peer {
    private Verifier verifier;
    private boolean erased;

    void stop() {
        verifier = null;
    }

    boolean is() {
        return verifier != null;
    }

    void set(Verifier given) {
        if (verifier != null && verifier.version() > 3) {
            return;
        }
        verifier = given;
        erased = both(erases(), erasesMore());
    }

    private boolean both(boolean one, boolean other) {
        return one && other;
    }

    private boolean erasesMore() {
        return verifier.version() > 2;
    }

    private boolean erasesMost_bad() {
        return verifier.version() > 2;
    }

    private boolean erasesCaught_bad() {
        return verifier.version() > 2;
    }

    private boolean erasesOther_bad() {
        return verifier.version() > 2;
    }

    private boolean erases() {
        return verifier.version() > 1;
    }

    void most(Verifier given) {
        verifier = given;
        boolean found = given != null && erases();
        erased = both(found, erasesMost_bad());
    }

    void caught(Verifier given) {
        verifier = given;
        try {
            erases();
        } catch (NullPointerException error) {
            erased = true;
        }
        erased = erasesCaught_bad();
    }

    void other(Verifier given, Peer peer) {
        verifier = given;
        erased = both(peer.erases(), erasesOther_bad());
    }

    static void begin(Peer peer) {
        peer.set(null);
        peer.most(null);
        peer.caught(null);
        peer.other(null, new Peer());
    }
}
""",
    "a search that is made twice, and nothing is written between": """
class Node { boolean is(String s) { return s == null; } }
class Stack {
    private Node[] items;
    private int size;
    Node top() { return items[size]; }
    Node above(Node node) {
        for (int at = 0; at < size; at++) {
            if (items[at] == node) return items[at + 1];
        }
        return null;
    }
    void pop() { size = size - 1; }
}
class Reader {
    boolean f(Stack stack) {
        return stack.above(stack.top()) != null && stack.above(stack.top()).is("a");
    }
}
class Reader_bad {
    boolean f(Stack stack, Node other) {
        return stack.above(stack.top()) != null && stack.above(other).is("a");
    }
    boolean g(Stack stack) {
        if (stack.above(stack.top()) == null) return false;
        stack.pop();
        return stack.above(stack.top()).is("a");
    }
}
""",
    "a flag that is passed along": """
class Archive {
    String name;
    private static String finished(Archive archive, boolean dry) { return dry ? "" : archive.name; }
    static String f(boolean dry) { return finished(dry ? null : new Archive(), dry); }
}
class Archive_bad {
    String name;
    private static String finished(Archive_bad archive, boolean dry) { return dry ? archive.name : ""; }
    static String f(boolean dry) { return finished(dry ? null : new Archive_bad(), dry); }
}
""",
    "a field that nothing writes between two reads": """
class Box {
    boolean open;
    private static String told(Box box, boolean open) { return open ? box.toString() : ""; }
    String f() { return told(open ? this : null, open); }
}
class Box_bad {
    volatile boolean shared;
    private static String told(Box_bad box, boolean shared) { return shared ? box.toString() : ""; }
    String f() { return told(shared ? this : null, shared); }
}
class Other_bad {
    boolean open;
    private static String told(Other_bad box, boolean open) { return open ? box.toString() : ""; }
    String f(Runnable any) {
        Other_bad box = open ? this : null;
        any.run();
        return told(box, open);
    }
}
""",
    "a number that a variable is": """
class Numbers {
    static String f(int count) {
        int one = 1270, other = count > 0 ? 1270 : 3;
        String text = count > 0 ? "" : null;
        return one == other ? text.trim() : "";
    }
}
class Numbers_bad {
    static String f(int count) {
        Integer one = 1270, other = 1270;
        String text = null;
        return one == other ? "" : text.trim();
    }
}
""",
    "of arrays, those of the same elements": """
class Arrays {
    int f(Object x) {
        int[] y = null;
        if (x instanceof int[]) y = new int[1];
        return x instanceof int[] ? y.length : 0;
    }
}
class Arrays_bad {
    int f(Object x) {
        int[] y = null;
        if (x instanceof int[]) y = new int[1];
        return x instanceof long[] ? y.length : 0;
    }
    int g(Object x) {
        int[] y = new int[1];
        if (x instanceof String[]) y = null;
        return x instanceof Object[] ? y.length : 0;
    }
    int h(java.util.List<String>[] x, Object z) {
        int[] y = null;
        if (z instanceof Unknown[]) y = new int[1];
        return z instanceof Other[] ? y.length : 0;
    }
    interface One { }
    interface Two { }
    int k(One[] x) {
        int[] y = null;
        if (x == null || x instanceof Two[]) y = new int[1];
        return y.length + x.length;
    }
}
""",
    "of overloads, the one that fits what is passed": """
class Colors {
    static class Base {
        void set(Color color) { }
    }
    static class Derived extends Base {
        void set(float[] parts) { parts.clone(); }
        void set(Object other) { }
        void set(String name) { }
    }
    static class Color { }
    static Color found(boolean any) { return any ? null : new Color(); }
    static void f(boolean any) {
        Derived target = new Derived();
        target.set(found(any));
    }
    private static String told(Object one) { return ""; }
    private static String told(Color one) { return one.toString(); }
    static String g(boolean any) {
        Object color = found(any);
        return told(color);
    }
}
class Colors_bad {
    static class Base {
        void set(Color color) { }
    }
    static class Derived extends Base {
        void set(float[] parts) { parts.clone(); }
        void set(Object other) { }
    }
    static class Color { }
    static Color found(boolean any) { return any ? null : new Color(); }
    static float[] parts(boolean any) { return any ? null : new float[3]; }
    static void f(boolean any) {
        Derived target = new Derived();
        target.set(parts(any));
    }
    private static String told(Object one) { return ""; }
    private static String told(Color one) { return one.toString(); }
    static String g(boolean any) { return told(found(any)); }
}
""",
    "a method of what another test shows of a class": """
class Shapes {
    interface Shape { String name(); }
    static class Round implements Shape { public String name() { return ""; } }
    static class Square implements Shape { public String name() { return null; } }
    static String f(Shape shape) {
        if (shape instanceof Round) return shape.name().trim();
        return "";
    }
}
class Shapes_bad {
    interface Shape { String name(); }
    static class Round implements Shape { public String name() { return ""; } }
    static class Square implements Shape { public String name() { return null; } }
    static String f(Shape shape) {
        if (shape instanceof Square) return shape.name().trim();
        return "";
    }
}
""",
    "that two objects are one, and of what class they are": """
class Boxes {
    static class Base { boolean ready; }
    static class Round extends Base { }
    static class Square extends Base { }
    static String f(Base one, Base other, boolean any) {
        if (!(one instanceof Round) || !(other instanceof Square)) return "";
        String text = any ? null : "";
        other.ready = false;
        one.ready = true;
        return other.ready ? text.trim() : "";
    }
}
class Boxes_bad {
    static class Base { boolean ready; }
    static class Round extends Base { }
    static String f(Base one, Base other, boolean any) {
        if (!(one instanceof Round)) return "";
        String text = any ? null : "";
        other.ready = false;
        one.ready = true;
        return other.ready ? text.trim() : "";
    }
}
""",
    "a test of what an object of one of several classes gives": """
import java.util.*;
class Web {
    interface Source { Object request(); Object response(); }
    static class Backed implements Source {
        private final Map<String, Object> backing = new HashMap<>();
        Object typed(String key, Class<?> type) {
            Object found = backing.get(key);
            if (found != null && !type.isAssignableFrom(found.getClass())) {
                throw new IllegalArgumentException("Under key [" + key + "]");
            }
            return found;
        }
        public Object request() { return typed("a", String.class); }
        public Object response() { return typed("b", Object.class); }
    }
    static class Held implements Source {
        private final Object request, response;
        Held(Object request, Object response) { this.request = request; this.response = response; }
        public Object request() { return request; }
        public Object response() { return response; }
    }
    static boolean is(Object source) { return source instanceof Source && is((Source) source); }
    private static boolean is(Source source) {
        Object request = source.request(), response = source.response();
        return request instanceof String && response instanceof Integer;
    }
    static Object get(Object source) { return source instanceof Source ? ((Source) source).request() : null; }
    static String text(Object source) {
        Object request = get(source);
        if (request instanceof String) return (String) request;
        return null;
    }
    static String f(Object source) { return is(source) ? text(source).trim() : ""; }
    static String main(boolean any) { return f(any ? new Backed() : new Held("", 1)); }
}
class Web_bad {
    interface Source { Object request(); Object response(); }
    static class Backed implements Source {
        private final Map<String, Object> backing = new HashMap<>();
        Object typed(String key, Class<?> type) {
            Object found = backing.get(key);
            if (found != null && !type.isAssignableFrom(found.getClass())) {
                throw new IllegalArgumentException("Under key [" + key + "]");
            }
            return found;
        }
        public Object request() { return typed("a", String.class); }
        public Object response() { return typed("b", Object.class); }
    }
    static class Held implements Source {
        private final Object request, response;
        Held(Object request, Object response) { this.request = request; this.response = response; }
        public Object request() { return request; }
        public Object response() { return response; }
    }
    static boolean is(Object source) { return source instanceof Source && is((Source) source); }
    private static boolean is(Source source) {
        Object request = source.request(), response = source.response();
        return request != null && response instanceof Integer;
    }
    static Object get(Object source) { return source instanceof Source ? ((Source) source).request() : null; }
    static String text(Object source) {
        Object request = get(source);
        if (request instanceof String) return (String) request;
        return null;
    }
    static String f(Object source) { return is(source) ? text(source).trim() : ""; }
    static String main(boolean any) { return f(any ? new Backed() : new Held("", 1)); }
}
""",
    "what every caller of a private method asks": """
class View {
    private String name;
    private long at;
    View(String name) { this.name = name; }
    void close() { name = null; }
    boolean isClosed() { return name == null; }
    private void check() {
        if (isClosed()) throw new IllegalStateException("closed");
    }
    boolean isEnd() { check(); return at > 10; }
    private void restore() { at = name.length(); }
    int read() {
        if (isEnd()) return -1;
        restore();
        return 1;
    }
    void rewind() { check(); restore(); }
}
class View_bad {
    private String name;
    private long at;
    View_bad(String name) { this.name = name; }
    void close() { name = null; }
    boolean isClosed() { return name == null; }
    private void check() {
        if (isClosed()) throw new IllegalStateException("closed");
    }
    boolean isEnd() { return at > 10; }
    private void restore() { at = name.length(); }
    int read() {
        if (isEnd()) return -1;
        restore();
        return 1;
    }
    void rewind() { check(); restore(); }
}
class Later_bad {
    private String name;
    private long at;
    Later_bad(String name) { this.name = name; }
    void close() { name = null; }
    private void again() { at = name.length(); }
    void rewind() { if (name != null) again(); }
    Runnable later() { return this::again; }
}
""",
    "what containers and classes of the library tell": """
import java.util.*;
import org.jspecify.annotations.Nullable;
class Lib {
    private final Map<Object, Lib> waiting = new IdentityHashMap<>();
    private final Class<?> type;
    Lib(Class<?> type) { this.type = type; }
    void wait(Object key, String s) { waiting.put(key, new Lib(type)); }
    void f(Object key) { if (waiting.containsKey(key)) done(key); }
    private void done(Object key) { waiting.remove(key).toString(); }
    void g() { if (type.isAnnotationPresent(Deprecated.class)) since(); }
    private String since() { return type.getAnnotation(Deprecated.class).since(); }
    String age() { return ""; }
    static class Nodes extends ArrayList<Lib> {
        @Nullable Lib first() { return isEmpty() ? null : get(0); }
        String h() { return size() > 0 ? first().age() : ""; }
    }
    static String h(Nodes nodes) { return nodes.isEmpty() ? "" : nodes.first().age(); }
    static int first(List<Integer> ids) {
        Lib last = null;
        if (ids.size() > 0) last = new Lib(null);
        if (ids.isEmpty()) return 0;
        return last.age().length();
    }
    boolean quiet;
    @Nullable Lib next() { return quiet ? null : this; }
    static String h(Lib any) { return any.quiet ? "" : any.next().age(); }
}
class Lib_bad {
    private final Map<Object, Lib_bad> waiting = new IdentityHashMap<>();
    private final Class<?> type;
    Lib_bad(Class<?> type) { this.type = type; }
    void wait(Object key, String s) { waiting.put(key, new Lib_bad(type)); }
    void f(Object key) {
        if (!waiting.containsKey(key)) return;
        waiting.remove(key);
        done(key);
    }
    private void done(Object key) { waiting.remove(key).toString(); }
    void g() { if (type.isAnnotationPresent(Deprecated.class)) since(); }
    private String since() { return type.getAnnotation(FunctionalInterface.class).toString(); }
    String age() { return ""; }
    static class Nodes extends ArrayList<Lib_bad> {
        @Nullable Lib_bad first() { return isEmpty() ? null : get(0); }
        String h() { return size() > 0 ? "" : first().age(); }
    }
    static String h(Nodes nodes, Runnable any) {
        if (nodes.isEmpty()) return "";
        nodes.clear();
        return nodes.first().age();
    }
    static int first(List<Integer> ids) {
        Lib_bad last = null;
        if (ids.size() > 1) last = new Lib_bad(null);
        if (ids.isEmpty()) return 0;
        return last.age().length();
    }
    boolean quiet;
    @Nullable Lib_bad next() { return quiet ? null : this; }
    static class Loud extends Lib_bad {
        Loud() { super(null); }
        @Override Lib_bad next() { return Outside.next(this); }
    }
    static String h(Lib_bad any) { return any.quiet ? "" : any.next().age(); }
    @Nullable Lib_bad last() { return this; }
    String i() { return last().age(); }
}
""",
    "which method an object runs": """
class Sources {
    interface Source { Object request(); }
    static class Held implements Source {
        private final Object request;
        Held(Object request) { this.request = request; }
        public Object request() { return request; }
    }
    static class None implements Source { public Object request() { return null; } }
    static boolean has(Source source) { return source.request() != null; }
    static Object found(Source source) {
        Object request = source.request();
        return request != null ? request : null;
    }
    static String f(Source source, Runnable any) {
        if (!has(source)) return "";
        any.run();
        return found(source).toString();
    }
}
class Sources_bad {
    interface Source { Object request(); }
    static class Held implements Source {
        private Object request;
        Held(Object request) { this.request = request; }
        void clear() { request = null; }
        public Object request() { return request; }
    }
    static class None implements Source { public Object request() { return null; } }
    static boolean has(Source source) { return source.request() != null; }
    static Object found(Source source) {
        Object request = source.request();
        return request != null ? request : null;
    }
    static String f(Source source, Runnable any) {
        if (!has(source)) return "";
        any.run();
        return found(source).toString();
    }
}
""",
    "what is asked of a string twice": """
class Kinds {
    static String f(String kind) {
        String name = kind.equals("a") ? null : kind;
        return kind.equals("a") ? "" : name.trim();
    }
    static String g(String kind, Runnable any) {
        String name = kind.toLowerCase().startsWith("a") && kind.length() > 3 ? null : kind;
        any.run();
        if (kind.toLowerCase().startsWith("a") && kind.length() > 3) return "";
        return name.trim();
    }
}
class Kinds_bad {
    static String f(String kind, String other) {
        String name = kind.equals("a") ? null : kind;
        return other.equals("a") ? "" : name.trim();
    }
    static String g(StringBuilder kind, Runnable any) {
        String name = kind.toString().startsWith("a") ? null : "";
        any.run();
        if (kind.toString().startsWith("a")) return "";
        return name.trim();
    }
}
""",
    "what a map holds": """
import java.util.*;
class Store {
    private final Map<String, String> items = new HashMap<>();
    private boolean has(String key) { return items.containsKey(key); }
    private String find(String key) { return items.get(key); }
    String f(String key) { return has(key) ? find(key).trim() : ""; }
    String g(String key, String value) {
        if (find(key) == null) items.put(key, value.trim());
        return find(key).trim();
    }
}
class Store_bad {
    private final Map<String, String> items = new HashMap<>();
    private boolean has(String key) { return items.containsKey(key); }
    private String find(String key) { return items.get(key); }
    String f(String key, String other) { return has(key) ? find(other).trim() : ""; }
    String g(String key, String value) {
        if (find(key) == null) items.put(key, value);
        return find(key).trim();
    }
    String h(String key, Runnable any) {
        if (!has(key)) return "";
        items.clear();
        return find(key).trim();
    }
}
""",
    "the same call twice": """
class Table {
    private String left, right;
    private int size;
    void grow(int by) { size = size + by; }
    private String find(int key) {
        int hash = key * 31 + size;
        for (int shift = 1; shift < 16; shift = shift * 2) {
            hash = (hash << shift) - (hash >> shift) + key * shift - (hash & 255) + (hash ^ shift) * 7;
            if (hash % 3 == 0 && shift > 2) hash = hash + (key - shift) * (key + shift) - 1;
            if (hash % 5 == 0 && shift < 9) hash = hash - (key - shift) * (key + shift) + 1;
        }
        return hash > 0 ? left : hash < -9 ? right : null;
    }
    boolean has(int key) { return find(key) != null; }
    String f(int key) {
        if (!has(key)) return "";
        return find(key).trim();
    }
}
class Table_bad {
    private String left, right;
    private int size;
    void grow(int by) { size = size + by; }
    private String find(int key) {
        int hash = key * 31 + size;
        for (int shift = 1; shift < 16; shift = shift * 2) {
            hash = (hash << shift) - (hash >> shift) + key * shift - (hash & 255) + (hash ^ shift) * 7;
            if (hash % 3 == 0 && shift > 2) hash = hash + (key - shift) * (key + shift) - 1;
            if (hash % 5 == 0 && shift < 9) hash = hash - (key - shift) * (key + shift) + 1;
        }
        return hash > 0 ? left : hash < -9 ? right : null;
    }
    boolean has(int key) { return find(key) != null; }
    String f(int key) {
        if (!has(key)) return "";
        grow(1);
        return find(key).trim();
    }
}
""",
    "a lambda is no object of a class": """
class Store {
    interface Callback<T> { T run(String name); }
    abstract static class Quiet implements Callback<Void> {
        public final Void run(String name) { take(name); return null; }
        abstract void take(String name);
    }
    <T> T locked(String name, Callback<T> callback) { return callback.run(name); }
    void clear() { locked("a", new Quiet() { void take(String name) {} }); }
    void none() { locked("b", name -> null); }
    int count() { return locked("c", name -> 3); }
    int cast() { return locked("d", (Callback<Integer>) name -> 3); }
    String named() { return locked("e", name -> name.trim()).trim(); }
    Integer length(String name) { return 3; }
    int referred() { return locked("f", this::length); }
}
class Store_bad {
    interface Callback<T> {
        T run(String name);
        default T nothing() { return null; }
    }
    <T> T locked(String name, Callback<T> callback) { return callback.run(name); }
    <T> T skipped(Callback<T> callback) { return callback.nothing(); }
    int count() { return locked("c", name -> null); }
    String named() { return skipped(name -> "a").trim(); }
    Integer length(String name) { return null; }
    int referred() { return locked("f", this::length); }
}
class Cast_bad {
    interface Callback<T> { T run(String name); }
    <T> T locked(String name, Callback<T> callback) { return callback.run(name); }
    int cast() { return locked("d", (Callback<Integer>) name -> null); }
}
""",
}


# The same in Go.
GO = {
    "instances of a generic type": """
package a

type Item struct{ n int }
type Box[T any] struct{ v T }

func find(k int) *Item {
	if k > 3 {
		return nil
	}
	return &Item{}
}

func f(x any) int {
	var p *Item
	if _, ok := x.(Box[int]); ok {
		p = &Item{}
	}
	if _, ok := x.(Box[int]); ok {
		return p.n
	}
	return 0
}

func f_bad(x any) int {
	p := &Item{}
	if _, ok := x.(Box[int]); ok {
		p = nil
	}
	if _, ok := x.(Box[string]); ok {
		return 0
	}
	return p.n
}

func g_bad(x any) int {
	p := find(5)
	if _, ok := x.(Box[int]); ok {
		if _, ok := x.(Box[string]); !ok {
			return p.n
		}
	}
	return 0
}

func h_bad(x any) int {
	p := find(5)
	switch x.(type) {
	case *Box[int]:
		return 0
	case *Box[string]:
		return p.n
	}
	return 0
}
type IntBox = Box[int]
type StrBox = Box[string]

func alias_bad(x any) int {
	p := find(5)
	switch x.(type) {
	case IntBox:
		return 0
	case StrBox:
		return p.n
	}
	return 0
}

func generic_bad[T any, U any](x any) int {
	p := find(5)
	switch x.(type) {
	case Box[T]:
		return 0
	case Box[U]:
		return p.n
	}
	return 0
}

func nested_bad(x any) int {
	p := find(5)
	switch x.(type) {
	case Box[Box[int]]:
		return 0
	case Box[Box[string]]:
		return p.n
	}
	return 0
}
""",
    "of which type something is": """
package a

type A struct{ v int }
type B struct{ v int }

func f(x any) int {
	var p *A
	if _, ok := x.(*A); ok {
		p = &A{}
	}
	if _, ok := x.(*A); ok {
		return p.v
	}
	return 0
}

func f_bad(x any) int {
	var p *A
	if _, ok := x.(*A); ok {
		p = &A{}
	}
	if _, ok := x.(*B); ok {
		return p.v
	}
	return 0
}

func g_bad(x any) int {
	var p *A
	if _, ok := x.(func(int)); ok {
		p = &A{}
	}
	if _, ok := x.(func(string)); ok {
		return p.v
	}
	return 0
}

func is[T any](x any) bool {
	_, ok := x.(T)
	return ok
}

func h_bad(x any) int {
	var p *A
	if is[A](x) {
		p = &A{}
	}
	if is[B](x) {
		return p.v
	}
	return 0
}
""",
    "what is asked of a string twice": """
package a

import "strings"

func f(name string, m map[string]*int) int {
	var p *int
	if !strings.HasPrefix(name, "a") {
		p = new(int)
	}
	if strings.HasPrefix(name, "a") {
		return 0
	}
	return *p
}

func f_bad(name string, m map[string]*int) int {
	var p *int
	if !strings.HasPrefix(name, "a") {
		p = new(int)
	}
	if strings.HasSuffix(name, "a") {
		return 0
	}
	return *p
}
""",
    "calls that run where a function is left": """
package a

import (
	"errors"
	"sync"
)

type T struct{ n int }

var mu sync.Mutex

func find(m map[string]*T, k string) (*T, error) {
	mu.Lock()
	defer mu.Unlock()
	if v, ok := m[k]; ok {
		return v, nil
	}
	return nil, errors.New("")
}

func told(t *T, ok bool) int {
	if ok {
		return t.n
	}
	return 0
}

func f(m map[string]*T, k string) int {
	t, err := find(m, k)
	return told(t, err == nil)
}

func told_bad(t *T, ok bool) int {
	if ok {
		return t.n
	}
	return 0
}

func f_bad(m map[string]*T, k string) int {
	t, err := find(m, k)
	return told_bad(t, err != nil)
}

func hidden(m map[string]*T, k string) (t *T, err error) {
	defer func() {
		err = nil
	}()
	if v, ok := m[k]; ok {
		return v, nil
	}
	return nil, errors.New("")
}

func told_hidden_bad(t *T, ok bool) int {
	if ok {
		return t.n
	}
	return 0
}

func g_bad(m map[string]*T, k string) int {
	t, err := hidden(m, k)
	return told_hidden_bad(t, err == nil)
}
""",
    "a function that is started": """
package a

import "errors"

type T struct{ n int }

func find(m map[string]*T, k string) (*T, error) {
	if v, ok := m[k]; ok {
		return v, nil
	}
	return nil, errors.New("")
}

func f(m map[string]*T, k string) {
	t, err := find(m, k)
	if err != nil {
		panic("")
	}
	defer func() {
		t.n = 1
		err = nil
	}()
}

func f_bad(m map[string]*T, k string) {
	t, err := find(m, k)
	defer func() {
		t.n = 1
		err = nil
	}()
	if err != nil {
		panic("")
	}
}
""",
}


GO_VARIABLES = {
    "errs/errs.go": """
package errs

import "errors"

var Missing = errors.New("")
var Found error
""",
    "b/b.go": """
package b

import "errors"

var lost = errors.New("")
var reset = errors.New("")
""",
    "b/a.go": """
package b

import "example.com/x/errs"

type T struct{ n int }

func find(m map[string]*T, k string, how int) (*T, error) {
	if v, ok := m[k]; ok {
		return v, nil
	}
	switch how {
	case 0:
		return nil, errs.Missing
	case 1:
		return nil, lost
	case 2:
		return nil, errs.Found
	}
	return nil, reset
}

func f(m map[string]*T, k string, how int) {
	t, err := find(m, k, how)
	defer func() {
		err = nil
	}()
	if err != nil {
		panic("")
	}
	go func() {
		t.n = 3
	}()
}

func clear() {
	reset = nil
}
""",
}
PYTHON_VARIABLES = {
    "marks.py": """
class Mark:
    pass

MISSING = Mark()
RESET = Mark()
NONE = None

def clear():
    global RESET
    RESET = None
""",
    "a.py": """
from marks import MISSING, NONE, RESET, Mark
from other import ELSEWHERE

OWN = Mark()

def f(key):
    return (None if MISSING is None else key).name

def g(key):
    return (None if OWN is None else key).name

def f_bad(key):
    return (None if NONE is None else key).name

def g_bad(key):
    return (None if RESET is None else key).name

def h_bad(key):
    return (None if ELSEWHERE is None else key).name
""",
}


# In C: what is refuted, or no candidate, and its twin that fails.
C = {
    "a function that gives nothing has told why": """
char *canonical(const char *path);
static char *real(const char *path, GError **error) {
    if (!state_of(path, error))
        return NULL;
    return canonical(path);
}
void direct(const char *path) {
    GError *error = NULL;
    char *found = real(path, &error);
    if (found == NULL)
        print(error->message);
}
void macro(const char *path) {
    g_autoptr(GError) error = NULL;
    if (!real(path, &error))
        print(error->message);
}
static int checked(const char *path, GError **error) {
    GError *local = NULL;
    char *found = real(path, &local);
    if (!found) {
        print(text("%s: %s"), path, local->message);
        return 0;
    }
    return 1;
}
static char *either(const char *name, GError **error) {
    char *found = name ? by_name(name, error) : by_default();
    if (found == NULL)
        return NULL;
    return found;
}
void any(const char *name) {
    GError *error = NULL;
    char *found = either(name, &error);
    if (found == NULL)
        print(error->message);
}
static int quick(const char *path, GError **error) {
    if (path == 0) {
        set_error(error);
        return 0;
    }
    return 1;
}
void quickly(const char *path) {
    GError *error = NULL;
    if (!quick(path, &error))
        print(error->message);
}
void found_bad(const char *path) {
    GError *error = NULL;
    if (quick(path, &error))
        print(error->message);
}
void unasked_bad(const char *path) {
    GError *error = NULL;
    quick(path, &error);
    print(error->message);
}
void elsewhere_bad(const char *path) {
    GError *error = NULL;
    if (real(path, NULL) == NULL)
        print(error->message);
}
void too_few_arguments_bad(char *path) {
    GError *error = NULL;
    real(&path);
    print(error->message);
}
""",
    "a macro behind a label that is a loop": """
#include "list.h"
struct item { int v; };
extern struct list items;
struct item *find(int n);
int note(int n);

int f(int n)
{
    struct item *each = 0, *p;
    int sum = 0;
    if (n == 3)
        goto again;
    note(n);
again:
    list_for_each_entry(each, &items, next) {
        p = find(n);
        if (!p) {
            note(1);
            continue;
        }
        sum += p->v + each->v;
    }
    each = 0;
    if (sum < 100)
        goto again;
    return sum;
}

int f_bad(int n)
{
    struct item *each = 0, *p;
    int sum = 0;
    if (n == 3)
        goto again;
    note(n);
again:
    list_for_each_entry(each, &items, next) {
        p = find(n);
        if (!p)
            note(1);
        sum += p->v + each->v;
    }
    return sum;
}
""",
    "a count that is more than 0 only where two pointers are set": """
#include <stdlib.h>
struct item { int v; };
int note(int n);
int more(int n);
#define LONG note(1), note(2), note(3), note(4), note(5), note(6), note(7), note(8), note(9), note(10), note(11)

static int count(struct item **ones, int **numbers, int n)
{
    int done = 0, i;
    struct item *made = 0;
    int *all = 0;
    *ones = 0;
    *numbers = 0;
    if (more(n))
        return 0;
    made = calloc(n, sizeof(*made));
    all = calloc(n, sizeof(*all));
    if (!made || !all) {
        free(made);
        free(all);
        return -1;
    }
    for (i = 0; i < n; i++) {
        LONG;
        if (!more(i))
            continue;
        made[done].v = i;
        all[done] = i;
        done++;
    }
    if (!done) {
        free(made);
        free(all);
        return 0;
    }
    *ones = made;
    *numbers = all;
    return done;
}

int f(int n)
{
    struct item *ones;
    int *numbers, i, sum = 0;
    int many = count(&ones, &numbers, n);
    for (i = 0; i < many; i++)
        sum += numbers[i] + ones[i].v;
    return sum;
}

int f_bad(int n)
{
    struct item *ones;
    int *numbers, i, sum = 0;
    int many = count(&ones, &numbers, n);
    for (i = 0; i <= many; i++)
        sum += numbers[i];
    return sum;
}
""",
    "bits of an error code that go with what is left": """
struct item { int v; };
struct item *find(int key);
int note(int n);
int more(int n);
enum { WARN = 1, ALERT = 4, FATAL = 8 };
#define LONG note(1), note(2), note(3), note(4), note(5), note(6), note(7), note(8), note(9), note(10), note(11)

static int parse(struct item **out, int n)
{
    int code = 0;
    struct item *made;
    *out = 0;
    LONG, LONG, LONG;
    if (more(n)) {
        code |= ALERT | FATAL;
        goto out;
    }
    made = find(n);
    if (!made) {
        code |= ALERT;
        goto out;
    }
    if (more(made->v))
        code |= WARN;
    *out = made;
out:
    return code;
}

int f(int n)
{
    struct item *p;
    int code = 0;
    code |= parse(&p, n);
    return code & (ALERT | FATAL) ? 0 : p->v;
}

int g(int n, int code)
{
    struct item *p;
    code |= parse(&p, n);
    return code & (ALERT | FATAL) ? 0 : p->v;
}

int h(int n)
{
    struct item *p;
    return parse(&p, n) > WARN ? 0 : p->v;
}

int f_bad(int n)
{
    struct item *p;
    int code = 0;
    code |= parse(&p, n);
    return code & FATAL ? 0 : p->v;
}

int g_bad(int n, int code)
{
    struct item *p;
    code |= parse(&p, n);
    return code & (WARN | FATAL) ? 0 : p->v;
}

int h_bad(int n)
{
    struct item *p;
    return parse(&p, n) > ALERT ? 0 : p->v;
}
""",
    "an array of arrays": """
int f(void)
{
    int t[2][3][2] = {{{1, 1}, {2, 2}, {3, 3}}, {{4, 4}, {5, 5}, {1, 0}}};
    int *p = 0;
    return t[0][1][0] != 2 || t[1][2][1] != 0 ? *p : 0;
}

int f_bad(void)
{
    int t[2][3][2] = {{{1, 1}, {2, 2}, {3, 3}}, {{4, 4}, {5, 5}, {1, 0}}};
    int *p = 0;
    return t[0][1][0] == 2 && t[1][2][1] == 0 ? *p : 0;
}
""",
    "a pointer that follows another one, and a number that may wrap around": """
#include <stdint.h>
#include <stdlib.h>
struct chunk { struct chunk *next; uint32_t slots[4]; };
struct set { struct chunk head; };

static int is_empty(struct chunk *chunk)
{
    uint32_t i;
    for (i = 0; i < 4; ++i)
        if (chunk->slots[i])
            return 0;
    return 1;
}

void f(struct set *set)
{
    struct chunk *chunk, **anchor = NULL;
    for (chunk = &set->head; chunk; anchor = &chunk->next, chunk = chunk->next)
        if (is_empty(chunk))
            break;
    if (chunk && chunk != &set->head)
        *anchor = chunk->next;
}

void f_bad(struct set *set)
{
    struct chunk *chunk, **anchor = NULL;
    for (chunk = &set->head; chunk; anchor = &chunk->next, chunk = chunk->next)
        if (is_empty(chunk))
            break;
    if (chunk && chunk->next != &set->head)
        *anchor = chunk->next;
}
""",
    "a use that a call before fails at": """
#include <stdlib.h>
struct queue { struct queue *next, *prev; };
struct loop { struct queue handles; int fd; struct loop *parent; };
struct loop *make(void);
int more(struct loop *loop);

struct loop *find(int n)
{
    if (n > 3)
        return NULL;
    return make();
}

static int used(struct loop *loop);

static int rounds(struct loop *loop)
{
    int i;
    for (i = 0; i < 10; i++)
        more(NULL);
    return used(loop);
}

static int around(struct loop *one)
{
    int result = rounds(one);
    return result;
}

int f(int n)
{
    struct loop *loop = find(n);
    around(loop);
    return loop->fd;
}

int g(int n)
{
    struct loop *loop = find(n);
    struct loop *same = loop;
    around(same);
    return loop->fd;
}

static int some_rounds(struct loop *loop, int n)
{
    int i, fd = 0;
    for (i = 0; i < n; i++)
        fd += used(loop);
    return fd;
}

int rounds_bad(int n)
{
    struct loop *loop = find(n);
    some_rounds(loop, n - 4);
    return loop->fd;
}

int other_bad(int n, struct loop *other)
{
    struct loop *loop = find(n);
    around(n > 4 ? other : loop);
    return loop->fd;
}

static int used(struct loop *loop)
{
    return loop->fd;
}
""",
    "a lookup that says where through its argument": """
#include <stdlib.h>
struct set { char **data; int *ids; int mask; };
struct easy { struct set strings; int other; };
#define TRACE 0

static int index_of(struct set *set, int id, int *at)
{
    int i = id & set->mask;
    while (set->data[i]) {
        if (set->ids[i] == id) {
            *at = i;
#if TRACE
            trace(id);
#endif
            return 1;
        }
        i = (i + 1) & set->mask;
    }
    *at = 0;
    return 0;
}

char *lookup(struct set *set, int id)
{
    int i;
    if (index_of(set, id, &i))
        return set->data[i];
    return NULL;
}

#define GET(d, id) lookup(&(d)->strings, (id))

char f(struct easy *d)
{
    if (GET(d, 1))
        return *GET(d, 1);
    return 0;
}

char g(struct easy *d, int id)
{
    int n = 0;
    char *found;
    if (!GET(d, id))
        return 0;
    found = GET(d, id);
    while (found[n] && found[n] != '=')
        n++;
    return found[n];
}

char h(struct easy *d, int id)
{
    int i;
    if (!GET(d, 7))
        return 0;
    for (i = 0; i < id; i++)
        if (GET(d, i))
            id--;
    return *GET(d, 7);
}

char other_bad(struct easy *d)
{
    if (GET(d, 1))
        return *GET(d, 2);
    return 0;
}

char written_bad(struct easy *d)
{
    if (GET(d, 1)) {
        d->strings.data[0] = NULL;
        return *GET(d, 1);
    }
    return 0;
}

char written_through_bad(struct easy *d, char **where)
{
    if (GET(d, 1)) {
        *where = NULL;
        return *GET(d, 1);
    }
    return 0;
}

static int last;

static int index_kept(struct set *set, int id, int *at)
{
    *at = last++;
    return set->ids[*at] == id;
}

char *kept(struct set *set, int id)
{
    int i;
    if (index_kept(set, id, &i))
        return set->data[i];
    return NULL;
}

char kept_bad(struct easy *d)
{
    if (kept(&d->strings, 1))
        return *kept(&d->strings, 1);
    return 0;
}

static void step(int *a, int *b)
{
    (*a)++;
    *b = 1;
}

char *counted(struct set *set, int *count)
{
    int i;
    step(count, &i);
    if (*count < 3)
        return set->data[i];
    return NULL;
}

char counted_bad(struct easy *d)
{
    int count = 1;
    if (counted(&d->strings, &count))
        return *counted(&d->strings, &count);
    return 0;
}

char *moved(struct set *set, int id)
{
    int i = 0, *at = id > 7 ? &i : set->ids;
    *at = *at + 1;
    if (*at < 3)
        return set->data[0];
    return NULL;
}

char moved_bad(struct easy *d, int id)
{
    if (moved(&d->strings, id))
        return *moved(&d->strings, id);
    return 0;
}
""",
    "a count that is not 0 where a loop runs": """
#include <stdlib.h>
struct mode { int kind; };
struct map { struct mode **modes; };
void *xcalloc(size_t n);
void use(struct mode *);

int fill(struct map *m, int len)
{
    int i;
    m->modes = len ? xcalloc(len) : NULL;
    for (i = 0; i < len; i++)
        use(m->modes[i]);
    return 0;
}

char last(unsigned n)
{
    char *text = NULL;
    unsigned i;
    char c = 0;
    if (n > 0) {
        text = malloc(n);
        if (text == NULL)
            return 0;
    }
    for (i = 0; i < n; i++)
        c = text[i];
    return c;
}

int fill_bad(struct map *m, int len)
{
    int i;
    m->modes = len ? xcalloc(len) : NULL;
    for (i = 0; i <= len; i++)
        use(m->modes[i]);
    return 0;
}

char last_of_more(unsigned n)
{
    char *text = NULL;
    if (n > 1) {
        text = malloc(n);
        if (text == NULL)
            return 0;
    }
    if (n == 1)
        return text[0];
    return 0;
}
""",
    "a flag that is set along": """
struct item { int v; };
struct item *find(int key);
int unknown(void);

int kept(int key)
{
    struct item *found = NULL;
    int known = 0;
    if (unknown()) {
        found = find(key);
        if (!found)
            return -1;
        known = 1;
    }
    unknown();
    if (known)
        return found->v;
    return 0;
}

int kept_bad(int key)
{
    struct item *found = NULL;
    int known = 0;
    if (unknown()) {
        known = 1;
    }
    unknown();
    if (known)
        return found->v;
    return 0;
}
""",
    "parameters that are null together": """
struct item { int v; };

static int sum(struct item *a, struct item *b)
{
    if (a == NULL)
        return 0;
    return a->v + b->v;
}

int both(struct item *a, struct item *b)
{
    if (a == NULL)
        return sum(NULL, NULL);
    if (b == NULL)
        return 0;
    return sum(a, b);
}

static int sum_bad(struct item *a, struct item *b)
{
    if (a == NULL)
        return 0;
    return a->v + b->v;
}

int one(struct item *a)
{
    return sum_bad(a, NULL);
}
""",
    "a text that says why it went wrong": """
#include <stdio.h>

int first(void)
{
    FILE *f = fopen("a", "r");
    const char *error = NULL;
    if (f == NULL)
        error = "no";
    if (error != NULL)
        return 1;
    return fgetc(f);
}

int first_bad(void)
{
    FILE *f = fopen("a", "r");
    const char *error = NULL;
    if (f == NULL)
        error = "no";
    if (error == NULL)
        return 1;
    return fgetc(f);
}
""",
    "nothing is copied": """
#include <string.h>

static void copy(char *to, const char *from, size_t n)
{
    if (n != 0)
        memcpy(to, from, n);
}

void none(char *to)
{
    copy(to, NULL, 0);
}

static void copy_bad(char *to, const char *from, size_t n)
{
    if (n != 1)
        memcpy(to, from, n);
}

void some(char *to)
{
    copy_bad(to, NULL, 4);
}
""",
    "a status that goes with what is stored": """
struct item { int v; };
struct item *find(int key);

static int get(int key, struct item **out)
{
    struct item *found = find(key);
    if (found == NULL) {
        *out = NULL;
        return -1;
    }
    *out = found;
    return 0;
}

int value(int key)
{
    struct item *it;
    if (get(key, &it) < 0)
        return 0;
    return it->v;
}

int value_bad(int key)
{
    struct item *it;
    if (get(key, &it) == 0)
        return 0;
    return it->v;
}
""",
    "an address that is passed on to what nobody knows": """
struct error { int code; };
void set(struct error **error);

static int tried(const char *name, struct error **error)
{
    if (!name) {
        set(error);
        return FALSE;
    }
    return TRUE;
}

static int passed(const char *name, struct error **error)
{
    return tried(name, error);
}

static int early(const char *name, struct error **error)
{
    if (!name)
        return FALSE;
    set(error);
    return TRUE;
}

int f(const char *name)
{
    struct error *error = 0;
    return tried(name, &error) ? 0 : error->code;
}

int g(const char *name)
{
    struct error *error = 0;
    return passed(name, &error) ? 0 : error->code;
}

int h(const char *name)
{
    struct error *error = 0;
    return early(name, &error) ? error->code : 0;
}

int f_bad(const char *name)
{
    struct error *error = 0;
    return tried(name, &error) ? error->code : 0;
}

int h_bad(const char *name)
{
    struct error *error = 0;
    return early(name, &error) ? 0 : error->code;
}
""",
    "a flag that another function sets along": """
struct item { int v; };
struct item *find(int key);
int unknown(void);

static void get(int key, struct item **out, unsigned *flags)
{
    *out = 0;
    *flags &= ~1u;
    if (unknown()) {
        *out = find(key);
        if (!*out)
            return;
        *flags |= 5;
    }
}

int f(int key)
{
    struct item *it;
    unsigned flags = 2;
    get(key, &it, &flags);
    return flags & 1 ? it->v : 0;
}

int f_bad(int key)
{
    struct item *it;
    unsigned flags = 2;
    get(key, &it, &flags);
    return flags & 2 ? it->v : 0;
}
""",
    "a structure that is copied": """
struct item { int v; };
struct in { struct item *at; };
struct box { int count; struct in in; };
struct item *find(int key);

int f(int key)
{
    struct box a = { 0 }, b, *p = &b;
    if (key)
        a.in.at = find(key);
    *p = a;
    if (b.in.at == 0)
        return 0;
    return a.in.at->v;
}

int g(int key)
{
    struct box b = { 1 };
    struct item *it = 0;
    if (key) {
        b = (struct box) { .count = 0 };
        it = find(key);
    }
    return b.count ? 0 : it->v;
}

int f_bad(int key)
{
    struct box a = { 0 }, b, *p = &b;
    if (key)
        a.in.at = find(key);
    *p = a;
    p->in.at = find(3);
    if (b.in.at == 0)
        return 0;
    return a.in.at->v;
}

int g_bad(int key)
{
    struct box b = { 1 };
    struct item *it = 0;
    if (key) {
        b = (struct box) { .count = 0 };
        it = find(key);
    }
    return b.count ? it->v : 0;
}
""",
    "a pointer to a field, and to an element": """
struct item { int v; };
struct box { struct item *at; int n; };
struct item *find(int key);

int f(struct box *b, int k)
{
    struct item **at = &b->at;
    *at = k ? find(k) : 0;
    b->n = 3;
    return b->at ? (*at)->v : 0;
}

int g(struct item **all, int n, int k)
{
    all[n] = k ? find(k) : 0;
    return *(all + n) ? all[n]->v : 0;
}

int f_bad(struct box *b, int k)
{
    struct item **at = &b->at;
    *at = k ? find(k) : 0;
    return b->n ? (*at)->v : 0;
}

int g_bad(struct item **all, int n, int k)
{
    all[n] = k ? find(k) : 0;
    return *(all + k) ? all[n]->v : 0;
}
""",
    "a switch, and a jump to the end": """
#include <stdlib.h>
enum kind { ONE, TWO };
struct item { int v; };

int f(enum kind k)
{
    struct item *p = NULL;
    switch (k) {
    case ONE:
        p = malloc(sizeof *p);
        if (!p)
            return 0;
        break;
    case TWO:
        break;
    }
    switch (k) {
    case ONE:
        return p->v;
    default:
        return 1;
    }
}

int f_bad(enum kind k)
{
    struct item *p = NULL;
    int r = -1;
    switch (k) {
    case ONE:
        goto out;
    case TWO:
        r = 0;
        goto out;
    }
    p = malloc(sizeof *p);
    if (!p)
        return 0;
out:
    return r ? 0 : p->v;
}
""",
    "a helper that asks, and one that ends the program": """
#include <stdlib.h>
struct item { int v; };
struct box { struct item *at; };
struct item *find(int key);

static int has(const struct box *b)
{
    return b != NULL && b->at != NULL && b->at->v;
}

static void check(int fails)
{
    if (fails)
        exit(1);
}

int f(struct box *b, int k)
{
    b->at = k ? find(k) : NULL;
    return has(b) ? b->at->v : 0;
}

int g(int k)
{
    struct item *p = k ? find(k) : NULL;
    check(!k);
    return p->v;
}

int f_bad(struct box *b, int k)
{
    b->at = k ? find(k) : NULL;
    return has(b) ? 0 : b->at->v;
}

int g_bad(int k)
{
    struct item *p = k ? find(k) : NULL;
    check(k);
    return p->v;
}
""",
    "a function of the library that only reads": """
#include <string.h>
struct item { int v; };
struct item *find(const char *key);

int f(const char *name)
{
    struct item *p = strcmp(name, "a") ? find(name) : NULL;
    if (!strcmp(name, "a"))
        return 0;
    return p->v;
}

static int is_a(const char *name)
{
    return name && !strcmp(name, "a");
}

int g(const char *name)
{
    struct item *p = is_a(name) ? NULL : find(name);
    return is_a(name) ? 0 : p->v;
}

int f_bad(char *name)
{
    struct item *p = strcmp(name, "a") ? find(name) : NULL;
    name[0] = 'b';
    if (!strcmp(name, "a"))
        return 0;
    return p->v;
}

int g_bad(const char *name, const char *other)
{
    struct item *p = is_a(name) ? NULL : find(name);
    return is_a(other) ? 0 : p->v;
}
""",
    "the same read twice": """
struct node { struct node *next; int v; };

static struct node *step(struct node *n)
{
    if (n->v > 3)
        return NULL;
    return n->next;
}

int twice(struct node *n)
{
    if (step(n) != NULL)
        return step(n)->v;
    return 0;
}

int twice_bad(struct node *n)
{
    if (step(n) != NULL) {
        n->v = 9;
        return step(n)->v;
    }
    return 0;
}
""",
    "no pointer is less than null": """
struct buffer { char *data; unsigned long size; };

static char *next(struct buffer *b, char *at, int c)
{
    char *found;
    if (at < b->data || b->data + b->size <= at)
        return NULL;
    found = memchr(at, c, b->size - (at - b->data));
    return found ? found + 1 : NULL;
}

int next_of(struct buffer *b)
{
    char first = *b->data;
    char *second = next(b, next(b, b->data, 0), 0);
    return second ? first : 0;
}

static char *next_bad(struct buffer *b, char *at, int c)
{
    char *found;
    if (b->data + b->size <= at)
        return NULL;
    found = memchr(at, c, b->size - (at - b->data));
    return found ? found + 1 : NULL;
}

int next_of_bad(struct buffer *b)
{
    char first = *b->data;
    char *second = next_bad(b, next_bad(b, b->data, 0), 0);
    return second ? first : 0;
}
""",
    "no length is less than 0": """
static int line(const char *text, size_t length, size_t at)
{
    size_t n;
    for (n = 0; at + n < length; n++)
        if (text[at + n] == 10)
            break;
    return n;
}

int lines(size_t at) { return line(NULL, 0, at); }

static int line_bad(const char *text, long length, long at)
{
    long n;
    for (n = 0; at + n < length; n++)
        if (text[at + n] == 10)
            break;
    return n;
}

int lines_bad(long at) { return line_bad(NULL, 0, at); }
""",
    "a copy of nothing": """
static void put(char *to, const char *from, size_t n) { memcpy(to, from, n); }

void put_nothing(char *to) { put(to, NULL, 0); }

static void put_bad(char *to, const char *from, size_t n) { memcpy(to, from, n); }

void put_something_bad(char *to) { put_bad(to, NULL, 3); }
""",
    "a sum of numbers without a sign": """
static void *more(void *p, size_t size)
{
    void *result = realloc(p, size);
    if (result == NULL && size > 0)
        exit(1);
    return result;
}

int read_all(unsigned length)
{
    char *text = more(NULL, length + 16);
    return text[0];
}

static void *more_bad(void *p, size_t size)
{
    void *result = realloc(p, size);
    if (result == NULL && size > 0)
        exit(1);
    return result;
}

int read_all_bad(unsigned length)
{
    char *text = more_bad(NULL, length);
    return text[0];
}

int read_signed_bad(int length)
{
    char *text = more_bad(NULL, length + 16);
    return text[0];
}
""",
}


# What can happen in C, although it may not look so.
POSSIBLE_IN_C = {
    "a variable that a pointer reads as well": """
struct node { int v; struct node *next; };
int give(struct node **out, int n);

int f(int b, struct node *q)
{
    struct node *s = 0;
    struct node local = { 5 };
    struct node **pp = &s;
    int x = 0;
    if (b == 2)
        x = give(&local.next, 1);
    x += s->v;
    q = *pp;
    return x;
}
""",
    "a field of which another read has a name": """
struct node { int v; struct node *next; };
struct box { struct { struct node *next; } in; };
static void unlink_next(struct node *n) { n->next = 0; }

int f(int b, struct node *p)
{
    struct node *last;
    struct box box = { { 0 } };
    if (p)
        unlink_next(p);
    if (b)
        box.in.next->v = 1;
    else
        last = box.in.next;
    return 0;
}
""",
    "a number below 0": """
static int below(const int *p, int n) { return n < 0 ? *p : 0; }

int f(int n) { return below(0, n); }
""",
    "a pointer that is not behind null": """
static int last(int *p, int *end) { return p <= end ? *p : 0; }

int f(void) { return last(0, 0); }
""",
    "a copy of as much as there is": """
static void put(char *to, const char *from, size_t n) { memcpy(to, from, n); }

void f(char *to, size_t n) { put(to, 0, n); }
""",
    "an element of a row before that of another one": """
int f(int *q)
{
    int t[2][2];
    int *p = 0;
    t[0][1] = 5;
    t[1][0] = 6;
    if (t[0][1] != 5)
        p = q;
    return *p;
}
""",
    "a row that is passed": """
static int second(int (*rows)[2]) { return rows[1][0]; }

int f(int *q)
{
    int t[3][2];
    int *p = 0;
    t[2][0] = 5;
    if (second(&t[1]) != 5)
        p = q;
    return *p;
}
""",
    "an element behind one that becomes a copy": """
struct item { int k; int n; };

int f(struct item *a)
{
    struct item other = {2, 2};
    int *p = 0;
    a[1].n = 1;
    a[0] = other;
    return a[1].n == 1 ? *p : 0;
}
""",
    "an element that may be the one that becomes a copy": """
struct item { int k; int n; };

int f(struct item *a, int i, struct item other)
{
    int *p = 0;
    a[0].n = 1;
    a[i] = other;
    return a[0].n == 2 ? *p : 0;
}
""",
    "an address that another function keeps": """
struct item { int v; };
struct item *find(int key);
static int *where;
static void keep(int *n) { where = n; }

int f(int k)
{
    struct item *p = k ? find(k) : 0;
    int n = 0;
    keep(&n);
    *where = 1;
    return n ? p->v : 0;
}
""",
    "a number without a sign, less one": """
struct item { int v; };
struct item *find(int key);

int f(unsigned n)
{
    struct item *p = n ? find(n) : 0;
    return n - 1 > 3 ? p->v : 0;
}
""",
    "a pointer that is moved": """
struct item { int v; };

int f(struct item *q, int n)
{
    struct item *p = n ? q : 0;
    p = p + 1;
    return n ? 0 : p->v;
}
""",
    "a number that another type cuts off": """
struct item { int v; };
struct item *find(int key);

int f(int n)
{
    struct item *p = n ? find(n) : 0;
    int many = n != 0;
    unsigned char few = n;
    if (few)
        return 0;
    return many ? 0 : p->v;
}
""",
    "what a call may leave as it is": """
struct item { int v; };
int read_number(int *n);
struct item *find(int key);

int f(int k)
{
    struct item *p = k ? find(k) : 0;
    int n = 3;
    read_number(&n);
    return n == 3 ? p->v : 0;
}
""",
}


@pytest.mark.parametrize("what", POSSIBLE_IN_C)
def test_what_can_happen_in_c_is_not_refuted(what: str) -> None:
    found = verdicts({"a.c": POSSIBLE_IN_C[what]})
    assert list(found.values()) == [{"witnessed"}]


MACROS = """
#define CLEAR(w) do { if ((w)->v) (w) = 0; } while (0)
#define VALUE(w) ((w)->v)
"""
USES = """
#include "a.h"
struct item { int v; };
struct item *find(int key);

static struct item *some(int k)
{
    return k > 3 ? 0 : find(k);
}

int f(int k)
{
    struct item *p = some(k);
    if (k + 1 > 4)
        return 0;
    return VALUE(p);
}

int f_bad(int k)
{
    struct item *p = some(k);
    if (k == 4)
        return 0;
    return VALUE(p);
}

int g_bad(struct item *q)
{
    struct item *p = q;
    if (!q)
        return 0;
    CLEAR(p);
    return p->v;
}
"""


def test_a_macro_of_another_file_is_run_where_it_is_used() -> None:
    found = verdicts({"a.h": MACROS, "a.c": USES})
    twin = USES[: USES.index("_bad")].count("\n") + 1
    said = {line: each for (path, line), each in found.items() if path == "a.c"}
    assert said == {line: {"refuted" if line < twin else "witnessed"} for line in said}
    assert any(line < twin for line in said) and any(line >= twin for line in said)


SHORT_METHODS = {
    "a/Shape.java": """
package a;
class Shape {
    int corners() { return 0; }
    static final boolean flat() { return true; }
    static Shape made() { return new Square(); }
}
""",
    "a/Square.java": """
package a;
class Square extends Shape {
    @Override int corners() { return 4; }
}
""",
    "a/Use.java": """
package a;
class Use {
    int f() {
        String text = null;
        Shape shape = new Square();
        return shape.corners() == 0 ? text.length() : 0;
    }
    int g() {
        String text = null;
        Shape shape = Shape.made();
        return shape.corners() == 0 ? text.length() : 0;
    }
    int f_bad() {
        String text = null;
        Shape shape = new Square();
        return shape.corners() == 4 ? text.length() : 0;
    }
    int g_bad(Square shape) {
        String text = null;
        return shape.corners() == 0 ? text.length() : 0;
    }
    int h_bad() {
        String text = null;
        return Shape.flat() ? text.length() : 0;
    }
}
""",
}


def test_a_method_that_gives_a_constant_is_run_where_nothing_overrides_it() -> None:
    source = SHORT_METHODS["a/Use.java"]
    twin = source[: source.index("_bad")].count("\n") + 1
    said = {line: each for (path, line), each in verdicts(SHORT_METHODS).items() if path == "a/Use.java"}
    assert len(said) == 5
    assert said == {line: {"refuted" if line < twin else "witnessed"} for line in said}


def test_a_function_that_rules_null_out_is_not_run_with_a_large_caller() -> None:
    branches = "\n".join("    if next(flags): total = total + 1" for _ in range(MOST_BLOCKS))
    source = f"""
def last(items):
    count = 0 if items is None else len(items.parts)
    more = count - 1
    if more >= 0:
        return items.parts

def last_bad(items):
    count = 0 if items is None else len(items.parts)
    more = count + 1
    if more >= 0:
        return items.parts

def inner(items):
    return items.parts

def middle(items):
    count = 0 if items is None else len(items.parts)
    if count - 1 >= 0:
        inner(items)

def inner_bad(items):
    return items.parts

def middle_bad(items):
    count = 0 if items is None else len(items.parts)
    if count + 1 >= 0:
        inner_bad(items)

def large(items, flags, total):
{branches}
    last(items)
    last_bad(items)
    middle(items)
    middle_bad(items)

def begin(flags):
    large(None, flags, 0)
"""
    evaluation, places = evaluate({"large.py": source})
    judge = court({"large.py": source}, evaluation, places)
    rows = [evaluation.strings(row) for row in evaluation.rows("null_dereference")]
    answers = {site.split("|")[1]: judge.answer(site, origin) for site, origin in rows}
    assert {function: each.verdict for function, each in answers.items()} == {
        "last": "refuted", "last_bad": "open", "inner": "refuted", "inner_bad": "open"
    }  # fmt: skip
    assert "blocks" in answers["last_bad"].reason


def test_what_null_never_comes_to_is_not_run() -> None:
    branches = "\n".join("    if next(flags): total = total + 1" for _ in range(MOST_BLOCKS))
    source = f"""
def find(items, key):
    for each in items:
        if each.key == key:
            return each
    return None

def large(item, flags, total):
{branches}
    return item.name

def f(items, key, flags):
    found = find(items, key)
    count = 0 if found is None else len(found.parts)
    if count - 1 >= 0:
        large(found, flags, 0)

def either(items, key, flags):
    found = find(items, key)
    count = 0 if found is None else len(found.parts)
    if count - 1 >= 0:
        small_bad(found)
    else:
        small_bad(found)

def small_bad(item):
    return item.name

def large_bad(item, flags, total):
{branches}
    return item.name

def f_bad(items, key, flags):
    found = find(items, key)
    count = 0 if found is None else len(found.parts)
    if count + 1 >= 0:
        large_bad(found, flags, 0)
"""
    evaluation, places = evaluate({"large.py": source})
    judge = court({"large.py": source}, evaluation, places)
    rows = [evaluation.strings(row) for row in evaluation.rows("null_dereference")]
    said = {(site.split("|")[1], judge.answer(site, origin).verdict) for site, origin in rows}
    assert said == {("large", "refuted"), ("small_bad", "witnessed"), ("large_bad", "open")}


def test_a_variable_is_never_null_if_nothing_ever_sets_it_to_null() -> None:
    evaluation, places = evaluate(GO_VARIABLES)
    judge, found = court(GO_VARIABLES, evaluation, places), {}
    for row in evaluation.rows("null_dereference"):
        site, origin = evaluation.strings(row)
        found[places[origin].line] = judge.answer(site, origin).verdict
    lines = [number for number, line in enumerate(GO_VARIABLES["b/a.go"].split("\n"), 1) if "return nil," in line]
    assert found == dict(zip(lines, ("refuted", "refuted", "witnessed", "witnessed"), strict=True))

    twin = PYTHON_VARIABLES["a.py"].split("_bad")[0].count("\n") + 1
    said = {line: each for (_, line), each in verdicts(PYTHON_VARIABLES).items()}
    assert len(said) == 5
    assert said == {line: {"refuted" if line < twin else "witnessed"} for line in said}


def test_a_lambda_that_is_cast_is_passed_like_another_one() -> None:
    source = """
class Store {
    interface Callback<T> { T run(String name); }
    <T> T locked(Callback<T> callback) { return callback.run("a"); }
    int none() { return locked((Callback<Integer>) name -> null); }
    int count() { return locked(name -> 3); }
}
"""
    assert verdicts({"A.java": source}) == {("A.java", 5): {"witnessed"}}


def test_classes_of_one_name_are_told_apart_by_their_files() -> None:
    made = "class Node:\n    pass\n\ndef is_node(x):\n    return isinstance(x, Node)\n"
    used = (
        "def f(x):\n    y = None\n    if isinstance(x, Node):\n        y = 1\n    return y.real if is_node(x) else 0\n"
    )
    assert verdicts({"b.py": made, "a.py": f"from b import is_node\nfrom c import Node\n{used}"}) == {
        ("a.py", 7): {"witnessed"}
    }


def test_the_address_of_a_field_is_a_use() -> None:
    source = """
package a

type T struct{ n int }

func f(ok bool) *int {
	var t *T
	if ok {
		t = &T{}
	}
	return &t.n
}
"""
    assert list(verdicts({"a.go": source}).values()) == [{"witnessed"}]


@pytest.mark.parametrize("what", GO)
def test_what_no_execution_reaches_is_refuted_in_go(what: str) -> None:
    source = GO[what]
    twin = source[: source.index("_bad")].count("\n") + 1
    found = verdicts({"a.go": source})
    of_twin = [said for (_, line), said in found.items() if line >= twin]
    assert of_twin and all("refuted" not in said for said in of_twin)
    refuted = [said for (_, line), said in found.items() if line < twin]
    assert refuted and all(said == {"refuted"} for said in refuted)


@pytest.mark.parametrize("what", C)
def test_what_no_execution_reaches_is_not_told_in_c(what: str) -> None:
    source = C[what]
    twin = source[: source.index("_bad")].count("\n") + 1
    found = verdicts({"a.c": source})
    of_twin = [said for (_, line), said in found.items() if line >= twin]
    assert of_twin and all(said == {"witnessed"} for said in of_twin)
    assert all(said == {"refuted"} for (_, line), said in found.items() if line < twin)


NOT_DERIVED_IN_JAVA = {  # the rules derive no candidate
    "a constructor that the argument does not choose",
    "of overloads, the one that fits what is passed",
}


@pytest.mark.parametrize("what", JAVA)
def test_what_no_execution_reaches_is_refuted_in_java(what: str) -> None:
    source = JAVA[what]
    twin = source[: source.index("_bad")].count("\n") + 1
    found = verdicts({"A.java": source})
    of_twin = [said for (_, line), said in found.items() if line >= twin]
    assert of_twin and all("witnessed" in said for said in of_twin)
    refuted = [said for (_, line), said in found.items() if line < twin]
    assert bool(refuted) != (what in NOT_DERIVED_IN_JAVA) and all(said == {"refuted"} for said in refuted)


@pytest.mark.parametrize("what", REFUTED)
def test_what_no_execution_reaches_is_refuted_and_its_twin_is_not(what: str) -> None:
    source = REFUTED[what]
    twin = source[: source.index("_bad")].count("\n") + 1
    found = verdicts({"a.py": source})
    of_twin = [said for (_, line), said in found.items() if line >= twin]
    assert of_twin and all("witnessed" in said for said in of_twin)
    refuted = [said for (_, line), said in found.items() if line < twin]
    assert refuted and all(said == {"refuted"} for said in refuted)


ONCE = """
class Once(type):
    made = {}
    def __call__(cls):
        if cls not in cls.made:
            cls.made[cls] = super().__call__()
        return cls.made[cls]

class Store(metaclass=Once):
    def __init__(self):
        self.is_open = True

def f(path):
    Store().is_open = False
    lid = None if path else open(path)
    if path and not Store().is_open:
        return lid.name
"""


KEPT = """
import functools

class Box:
    def __init__(self):
        self.lid = None

    def shut(self, lid):
        self.lid = lid

    @functools.cached_property
    def name(self):
        return None if self.lid else ""

    def f(self):
        if not self.lid:
            return self.name.upper()
"""


@pytest.mark.parametrize("source", [ONCE, KEPT], ids=["an object of a class of classes", "a cached property"])
def test_what_is_made_may_have_been_made_before(source: str) -> None:
    assert list(verdicts({"a.py": source}).values()) == [{"witnessed"}]


SCRIPTS = st.lists(st.lists(st.booleans(), max_size=12), min_size=6, max_size=6)


@given(source=sources(uses=True), scripts=SCRIPTS)
@corpus.examples(150)
def test_what_fails_in_a_run_is_not_refuted(source: str, scripts: list[list[bool]]) -> None:
    _held_to_runs(source, scripts)


@given(source=programs(), scripts=SCRIPTS)
@corpus.examples(80)
def test_what_fails_behind_calls_is_not_refuted(source: str, scripts: list[list[bool]]) -> None:
    _held_to_runs(source, scripts)


def _held_to_runs(source: str, scripts: list[list[bool]]) -> None:
    failed = set().union(*(failures_by_python(source, answers) for answers in scripts))
    if failed:
        found = verdicts({"a.py": source})
        refuted = {line for (_, line), said in found.items() if said == {"refuted"}}
        assert not failed & refuted, (source, failed & refuted)


def conditions(path: str, source: str) -> list[list[str]]:
    """What is said of each null dereference of a file, in order."""
    evaluation, places = evaluate({path: source})
    judge = court({path: source}, evaluation, places)
    rows = sorted(evaluation.strings(row) for row in evaluation.rows("null_dereference"))
    found = [judge.witness(site, origin) for site, origin in rows]
    return [
        [f"{each.line}: {each.text} is {each.value}" for each in witness.conditions] for witness in found if witness
    ]


FAILS_WHEN = {
    "of a function that is called": (
        "a.py",
        """\
def find(table, key, strict):
    if key in table:
        return table[key]
    if strict:
        raise KeyError(key)
    return None

def f(table, key, level, other):
    found = find(table, key, level < 2)
    if other:
        print(other)
    if 3 <= level:
        return found.name
""",
        ["2: key in table is false", "12: level >= 3 is true"],
    ),
    "what a function of the library gives": (
        "a.py",
        """\
import os

def f(name, flag):
    user = os.environ.get(name)
    return user.upper() if not flag else ""
""",
        ["4: os.environ.get(name) is None", "5: flag is false"],
    ),
    "an exception, and what something is in": (
        "a.py",
        """\
def find(table, key):
    try:
        return table.find(key)
    except KeyError:
        return None

def f(table, key, names):
    found = find(table, key)
    if "a" in names:
        return found.size
""",
        ["4: the exception is of type KeyError", '9: "a" in names is true'],
    ),
    "a question that others decide": (
        "a.py",
        """\
class Store:
    def __init__(self):
        self.table = {}

    def find(self, key):
        found = self.table.get(key)
        if found is None:
            return None
        return [found]

    def f(self, key):
        return self.find(key).count(1)
""",
        ["7: found is None"],
    ),
    "rounds of a loop": (
        "a.py",
        """\
def f(names, name):
    found = None
    for each in names:
        if each == name:
            found = each
    return found.size
""",
        ["3: names is at its end"],
    ),
    "an instance of a type": (
        "a.py",
        """\
def f(x):
    y = None if isinstance(x, int) else x
    return y.size
""",
        ["2: x is of type int"],
    ),
    "nothing": (
        "a.py",
        """\
def f():
    x = None
    return x.size
""",
        [],
    ),
    "in Go": (
        "a.go",
        """\
package a

type T struct{ n int }

func find(m map[string]*T, k string) *T {
	if v, ok := m[k]; ok {
		return v
	}
	return nil
}

func f(m map[string]*T, k string, level int) int {
	t := find(m, k)
	if level > 3 || k == "é" {
		return 0
	}
	return t.n
}
""",
        ["6: ok is false", "14: level > 3 is false", '14: k == "é" is false'],
    ),
}


@pytest.mark.parametrize("name", FAILS_WHEN)
def test_a_witness_names_the_conditions_under_which_it_fails(name: str) -> None:
    path, source, expected = FAILS_WHEN[name]
    assert expected in conditions(path, source)


WHY_NOT = {
    "one question, with two answers": (
        """\
def f(a, b):
    x = None if a == 1 else [1]
    if b or a != 1:
        return x.count(1) if a > 1 else 0
""",
        "line 2: a == 1 is true where the null comes, and false where it is used",
    ),
    "several questions": (
        """\
def g(x, a, b):
    if not a or not b:
        return x.count(1)

def f(a, b):
    return g(None if a and b else [1], a, b)
""",
        "what must hold for the null to come excludes what must hold for the use to run",
    ),
    "a branch that is not taken": (
        """\
def g(x, ready):
    if ready:
        return x.count(1)

def f():
    return g(None, False)
""",
        "the use never runs on this way",
    ),
    "another value": (
        REFUTED["what a variable of the file held before"],
        "what is used there is never that null",
    ),
}


def why_not(source: str) -> list[str]:
    files = {"a.py": source}
    evaluation, places = evaluate(files)
    judge = court(files, evaluation, places)
    rows = map(evaluation.strings, evaluation.rows("null_dereference"))
    found = [judge.witness(site, origin, explained=True) for site, origin in rows]
    each = [each for witness in found if witness for each in witness.contradictions]
    told = [
        f"line {one.condition.line}: {one.condition.text} is {one.condition.value} where the null comes, "
        f"and {one.otherwise} where it is used"
        if one.condition
        else one.reason
        for one in each
    ]
    assert all(not witness.contradictions or witness.verdict == "refuted" for witness in found if witness)
    return told


@pytest.mark.parametrize("name", WHY_NOT)
def test_what_is_refuted_says_why(name: str) -> None:
    source, expected = WHY_NOT[name]
    assert expected in why_not(source)
