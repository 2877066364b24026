"""Operations that fail on None, and those that do not."""

import os


def added_bad():
    limit = os.environ.get("LIMIT")
    return limit + "x"  # null.operator


def added_right_bad():
    limit = os.environ.get("LIMIT")
    return "x" + limit  # null.operator


def compared_bad(size):
    limit = None
    if size > 10:
        limit = 3
    return limit < size  # null.operator


def compared_chain_bad(size):
    limit = None
    if size > 10:
        limit = 3
    return 0 <= limit <= size  # null.operator


def equal_ok(size):
    limit = None
    if size > 10:
        limit = 3
    return limit == size or limit != 4


def identity_ok(size):
    limit = os.environ.get("LIMIT")
    return limit is size


def contained_in_bad(text):
    limits = None
    if text:
        limits = [text]
    return text in limits  # null.operator


def element_of_ok(text):
    limit = os.environ.get(text)
    return limit in ("a", "b")


def formatted_ok():
    limit = os.environ.get("LIMIT")
    return f"limit {limit}", "limit %s" % limit, "limit {}".format(limit)


def formatted_attribute_bad():
    limit = os.environ.get("LIMIT")
    return f"limit {limit.upper()}"  # null.attribute


def format_string_none_bad(text):
    template = None
    if text:
        template = "%s"
    return template % text  # null.operator


def negated_bad(text):
    number = None
    if text:
        number = 3
    return -number  # null.operator


def truth_ok():
    limit = os.environ.get("LIMIT")
    return not limit, bool(limit)


def called_bad(text):
    callback = None
    if text:
        callback = print
    callback(text)  # null.call


def called_ok(text):
    callback = None
    if text:
        callback = print
    if callback:
        callback(text)


def iterated_bad(text):
    items = None
    if text:
        items = [text]
    for item in items:  # null.iteration
        print(item)


def iterated_ok(text):
    items = None
    if text:
        items = [text]
    for item in items or ():
        print(item)


def star_argument_bad(text):
    items = None
    if text:
        items = [text]
    print(*items)  # null.iteration


def star_star_argument_bad(text):
    options = None
    if text:
        options = {"end": text}
    print(text, **options)  # null.iteration


def star_in_list_bad(text):
    items = None
    if text:
        items = [text]
    return [*items, text]  # null.iteration


def star_star_in_dict_bad(text):
    options = None
    if text:
        options = {"end": text}
    return {**options, "sep": ""}  # null.iteration


def subscripted_bad(text):
    items = None
    if text:
        items = [text]
    return items[0]  # null.subscript


def sliced_bad():
    limit = os.environ.get("LIMIT")
    return limit[1:]  # null.subscript


def item_stored_bad(text):
    items = None
    if text:
        items = {}
    items[text] = 1  # null.subscript


def item_deleted_bad(text):
    items = None
    if text:
        items = {}
    del items[text]  # null.subscript


def attribute_stored_bad(text):
    thing = None
    if text:
        thing = Thing()
    thing.name = text  # null.attribute


def attribute_deleted_bad(text):
    thing = None
    if text:
        thing = Thing()
    del thing.name  # null.attribute


def printed_ok():
    limit = os.environ.get("LIMIT")
    print(limit)
    return [limit], {"limit": limit}, (limit,)


def used_twice_bad():
    limit = os.environ.get("LIMIT")
    limit.upper()  # null.attribute
    return limit.lower()


class Thing:
    def __init__(self):
        self.name = ""


def _size(path):
    for name in path:
        return name
    return None


def formatted_bad(path):
    return "%d bytes" % _size(path)  # null.operator


def formatted_item_bad(path):
    return "%s has %5.1f bytes" % (path, _size(path))  # null.operator


def formatted_width_bad(path):
    return "%*s" % (_size(path), path)  # null.operator


def formatted_as_text_ok(path):
    return "%s: %r of 100%%" % (path, _size(path))


def formatted_by_name_ok(path):
    return "%(size)s of %(all)d" % {"size": _size(path), "all": 1}


def formatted_when_there_ok(path):
    size = _size(path)
    return "%d bytes" % size if size is not None else "%s" % size


class Version:
    """Comparisons ask the right operand where the left one does not know, and one of these takes None."""

    def __init__(self, number):
        self.number = number

    def __lt__(self, other: "Version | None") -> bool:
        return other is not None and self.number < other.number

    def __gt__(self, other: "Version") -> bool:
        return self.number > other.number

    def __le__(self, other):
        return other is None or self.number <= other.number


def compared_with_one_that_takes_none_ok(found: Version | None, wanted: Version):
    return found > wanted


def compared_with_none_ok(found: Version | None, wanted: Version):
    return wanted < found or wanted <= found or found >= wanted


def compared_with_one_that_does_not_bad(found: Version | None, wanted: Version):
    return found < wanted  # null.operator


def used_after_such_a_comparison_bad(found: Version | None, wanted: Version):
    if found > wanted:
        return wanted
    return found.number  # null.attribute


def used_after_one_that_fails_bad(found: Version | None, wanted: int, other):
    if found < wanted:  # null.operator
        return wanted
    return found.number


def compared_with_unknown_bad(found: Version | None, other):
    return found < other  # null.operator
