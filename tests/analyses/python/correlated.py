"""Variables that are null together, or as another one says; helpers that test their arguments; keys that are there."""

import os
import re


def both_none_ok(first, second):
    a = re.match("a", first)
    b = re.match("b", second)
    if a is None and b is None:
        return ""
    if a is None:
        return b.group()
    return a.group()


def both_none_bad(first, second):
    a = re.match("a", first)
    b = re.match("b", second)
    if a is None and b is None:
        return ""
    if a is not None:
        return b.group()  # null.attribute
    return ""


def both_or_none_ok(start=None, stop=None):
    if (start is None) != (stop is None):
        return False
    if start is None:
        return True
    return start < stop


def both_or_none_at_once_ok(start=None, stop=None):
    if (start is None) == (stop is None) and stop is not None:
        return start + stop
    return 0


def one_or_none_bad(start=None, stop=None):
    if (start is None) == (not stop is None):
        return start + stop  # null.operator
    return 0


def both_or_none_turned_round_bad(start=None, stop=None):
    if (start is None) is not (stop is None):
        return False
    if start is not None:
        return True
    return stop + 1  # null.operator


def flag_ok(wanted):
    ok = False
    found = None
    if wanted:
        found = [wanted]
        ok = True
    if ok:
        found.append(1)


def flag_bad(wanted):
    ok = False
    found = None
    if wanted:
        found = [wanted]
        ok = True
    if not ok:
        found.append(1)  # null.attribute


def flag_written_again_bad(wanted):
    ok = False
    found = None
    if wanted:
        found = [wanted]
        ok = True
    ok = bool(os.sep)
    if ok:
        found.append(1)  # null.attribute


def goes_with_other_ok(wanted):
    a = None
    b = None
    if wanted:
        a = [wanted]
        b = [wanted]
    if a is not None:
        b.append(1)


def other_is_cleared_bad(wanted):
    a = None
    b = None
    if wanted:
        a = [wanted]
        b = [wanted]
    if os.sep:
        b = None
    if a is not None:
        b.append(1)  # null.attribute


def position_ok(line):
    found = re.search("a", line)
    position = found.start() if found else -1
    if position >= 0:
        return found.end()
    return 0


def position_turned_round_ok(line):
    found = re.search("a", line)
    position = found.start() if found else -1
    if position == -1:
        return 0
    return found.end()


def position_bad(line):
    found = re.search("a", line)
    position = found.start() if found else -1
    if position < 0:
        return found.end()  # null.attribute
    return 0


def number_ok(line):
    found = re.search("a", line)
    count = len(found.groups()) if found else 0
    if count:
        return found.group()
    return ""


def many_ways_ok(kind):
    made = None
    if kind == 1:
        made, state = [1], 1
    elif kind == 2:
        made, state = [2], 2
    else:
        state = 0
    if state > 0:
        made.append(3)


def loop_ok(lines):
    for line in lines:
        found = None
        hit = False
        if line:
            found = re.compile(line)
            hit = True
        if hit:
            found.match("a")


def loop_bad(lines):
    found = None
    hit = False
    for line in lines:
        if hit:
            found.match("a")  # null.attribute
        if line:
            hit = True


def check(value, name):
    if value is None:
        raise ValueError(name)
    return name


def checked_ok(line):
    found = re.match("a", line)
    check(found, "a")
    return found.group()


def checked_by_name_ok(line):
    found = re.match("a", line)
    text = check(name="a", value=found)
    return text + found.group()


def checked_other_bad(line):
    found = re.match("a", line)
    check("a", found)
    return found.group()  # null.attribute


def check_late(value, strict):
    if strict:
        return
    if value is None:
        raise ValueError


def checked_sometimes_bad(line):
    found = re.match("a", line)
    check_late(found, True)
    return found.group()  # null.attribute


def is_there(value):
    if value is None:
        return False
    return True


def asked_ok(line):
    found = re.match("a", line)
    if not is_there(found):
        return ""
    return found.group()


def asked_wrong_bad(line):
    found = re.match("a", line)
    if is_there(found):
        return ""
    return found.group()  # null.attribute


class Checker:
    def good(self, value):
        return value is not None and value != ""

    def asked_of_method_ok(self, line):
        found = re.match("a", line)
        if self.good(found):
            return found.group()
        return ""


def key_ok(table: dict, key):
    if key in table:
        return table.get(key).upper()
    return ""


def key_turned_round_ok(table: dict, key):
    if key not in table:
        return ""
    return table.get(key).upper()


def other_key_bad(table: dict, key, other):
    if key in table:
        return table.get(other).upper()  # null.attribute
    return ""
