"""Branches that constants, and comparisons before, decide."""


def constant_ok(found):
    retries = 3
    if retries > 5:
        found = None
    return found.name


def constant_bad(found):
    retries = 3
    if retries > 2:
        found = None
    return found.name  # null.attribute


def sum_ok(found):
    first = 2
    second = first * 3 - 1
    if second != 5:
        found = None
    return found.name


def word_ok(found):
    mode = "r"
    if mode == "w":
        found = None
    return found.name


def one_of_two_ok(found, binary):
    mode = "rb" if binary else "r"
    if mode == "w":
        found = None
    return found.name


def one_of_two_bad(found, binary):
    mode = "rb" if binary else "r"
    if mode == "rb":
        found = None
    return found.name  # null.attribute


def apart_ok(number):
    text = ""
    if number > 10:
        text = None
    if number == 10:
        return text.strip()
    return ""


def meet_bad(number):
    text = ""
    if number > 10:
        text = None
    if number == 12:
        return text.strip()  # null.attribute
    return ""


# A number that was multiplied need not be an integer.
def half_bad(number):
    text = None
    if number * 2 == 7:
        return text.strip()  # null.attribute
    return ""


def counted_bad(names):
    text = None
    count = 0
    for name in names:
        for _ in name:
            count += 1
    if count > 0:
        return text.strip()  # null.attribute
    return ""


def counted_by_function_bad(run):
    text = None
    count = 0

    def add():
        nonlocal count
        count += 1

    run(add)
    if count > 0:
        return text.strip()  # null.attribute
    return ""


def float_bad():
    text = None
    limit = 0.0
    if limit == 0:
        return text.strip()  # null.attribute
    return ""


def no_float_bad():
    text = None
    limit = 0.0
    if not limit:
        return text.strip()  # null.attribute
    return ""


def word(kind):
    if kind == 1:
        return "one"
    return None


def chosen_word_ok():
    return word(1).strip()


def chosen_word_bad():
    return word(2).strip()  # null.attribute


def first(names, strict):
    if not names:
        if strict:
            raise ValueError
        return None
    return names[0]


def strict_ok(names):
    return first(names, True).strip()


def lenient_bad(names):
    return first(names, False).strip()  # null.attribute


def double(number):
    return number * 2


def doubled_ok():
    text = None
    return text.strip() if double(4) == 9 else ""


def doubled_bad():
    text = None
    return text.strip() if double(4) == 8 else ""  # null.attribute
