"""A use under a handler for everything: unlikely where the handler does nothing, a note where it does something."""

from __future__ import annotations

import pytest
from in_memory import findings

# Functions are named after what is told of their uses: a `bad` one is a warning.
SOURCES = {
    "a.py": """
def find(items):
    for each in items:
        if each:
            return each
    return None

def passes_low(items):
    found = find(items)
    try:
        found.close()
    except Exception:
        pass

def named_low(items):
    found = find(items)
    try:
        print(items)
        found.close()
    except OSError:
        print(items)
    except BaseException as error:
        ...
    print(items)

def goes_on_low(items):
    for each in items:
        found = find(each)
        try:
            if each:
                found.close()
        except:
            continue

def raised_again_low(items):
    found = find(items)
    try:
        try:
            found.close()
        except OSError:
            raise
    except Exception:
        pass

def says_it_note(items):
    found = find(items)
    try:
        found.close()
    except Exception:
        print(items)

def keeps_it_note(items):
    found, failed = find(items), None
    try:
        found.close()
    except Exception as error:
        failed = error
    return failed

def says_it_first_note(items):
    found = find(items)
    try:
        try:
            found.close()
        except Exception:
            print(items)
            raise
    except Exception:
        pass

def returns_note(items):
    found = find(items)
    try:
        return found.close()
    except Exception:
        pass
    return 3

def leaves_out_the_rest_note(items):
    for each in items:
        found = find(each)
        try:
            found.close()
        except Exception:
            continue
        print(each)

def something_else_bad(items):
    found = find(items)
    try:
        found.close()
    except OSError:
        pass

def used_behind_it_bad(items):
    found = find(items)
    try:
        print(items)
    except Exception:
        pass
    found.close()
""",
    "A.java": """
class A {
    java.io.InputStream open(String name) throws java.io.IOException {
        return name.isEmpty() ? null : new java.io.FileInputStream(name);
    }

    void ignoresLow(String name) throws java.io.IOException {
        java.io.InputStream in = open(name);
        try { in.close(); } catch (Throwable ignore) {}
        name.trim();
    }

    void inFinallyLow(String name) throws java.io.IOException {
        java.io.InputStream in = open(name);
        try {
            name.trim();
        } finally {
            try { in.close(); } catch (java.io.IOException e) { name.trim(); } catch (Exception e) {}
        }
    }

    void saysItNote(String name) throws java.io.IOException {
        java.io.InputStream in = open(name);
        try { in.close(); } catch (Exception e) { System.out.println(e); }
    }

    void somethingElseBad(String name) throws java.io.IOException {
        java.io.InputStream in = open(name);
        try { in.close(); } catch (java.io.IOException ignore) {}
    }

    void usedBehindItBad(String name) throws java.io.IOException {
        java.io.InputStream in = open(name);
        try { name.trim(); } catch (Exception ignore) {}
        in.close();
    }
}
""",
}


@pytest.mark.parametrize("path", SOURCES)
def test_a_use_whose_failure_is_ignored_is_unlikely(path: str) -> None:
    found = {each.function.lower(): each for each in findings({path: SOURCES[path]})}
    assert len(found) == sum(SOURCES[path].lower().count(f"{how}(") for how in ("low", "note", "bad"))
    for name, each in found.items():
        assert (each.confidence == "low") is name.endswith("low"), name
        assert (each.severity == "note") is not name.endswith("bad"), name
