"""Which candidates are refuted, since no execution makes them fail: held to runs by Python, and to what is known."""

from __future__ import annotations

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import court, evaluate, verdicts
from python_runs import failures_by_python, programs, sources

# What is refuted, and its twin that fails, from the first `_bad` on.
REFUTED = {
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
}


# The same in Java.
JAVA = {
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
}


@pytest.mark.parametrize("what", JAVA)
def test_what_no_execution_reaches_is_refuted_in_java(what: str) -> None:
    source = JAVA[what]
    twin = source[: source.index("_bad")].count("\n") + 1
    found = verdicts({"A.java": source})
    of_twin = [said for (_, line), said in found.items() if line >= twin]
    assert of_twin and all(said == {"witnessed"} for said in of_twin)
    assert [said for (_, line), said in found.items() if line < twin] == [{"refuted"}]


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
