"""None that goes into a function and out of it, by every form of argument."""

import functools
import os


def find(names, name):
    for known in names:
        if known == name:
            return known
    return None


def find_or_end(names, name):
    for known in names:
        if known == name:
            return known


def find_bare(names, name):
    if name in names:
        return name
    return


def returned_bad(names):
    return find(names, "a").upper()  # null.attribute


def fallen_off_the_end_bad(names):
    return find_or_end(names, "a").upper()  # null.attribute


def bare_return_bad(names):
    return find_bare(names, "a").upper()  # null.attribute


def returned_ok(names):
    found = find(names, "a")
    return found.upper() if found else ""


def passes_on(names, name):
    return find(names, name)


def through_two_calls_bad(names):
    return passes_on(names, "a").upper()  # null.attribute


def identity(value):
    return value


def through_identity_bad(names):
    return identity(find(names, "a")).upper()  # null.attribute


def through_identity_ok(names):
    return identity("a").upper()


def nothing(names):
    print(names)


def no_value_bad(names):
    return nothing(names).upper()  # null.attribute


def no_value_ok(names):
    nothing(names)
    return nothing(names)


def positional_bad(value):
    return value.upper()  # null.attribute


def positional_caller_ok(names):
    return positional_bad(find(names, "a"))


def second_positional_bad(number, value):
    return value.upper() * number  # null.attribute


def second_positional_caller_ok(names):
    return second_positional_bad(2, find(names, "a"))


def keyword_bad(number, value):
    return value.upper() * number  # null.attribute


def keyword_caller_ok(names):
    return keyword_bad(value=find(names, "a"), number=2)


def keyword_only_bad(*, value):
    return value.upper()  # null.attribute


def keyword_only_caller_ok(names):
    return keyword_only_bad(value=find(names, "a"))


def positional_only_bad(value, /):
    return value.upper()  # null.attribute


def positional_only_caller_ok(names):
    return positional_only_bad(find(names, "a"))


def checks_its_argument_ok(value):
    if value is None:
        return ""
    return value.upper()


def checks_its_argument_caller_ok(names):
    return checks_its_argument_ok(find(names, "a"))


def only_good_callers_ok(value):
    return value.upper()


def good_caller_ok(names):
    found = find(names, "a")
    if found is not None:
        only_good_callers_ok(found)
    return only_good_callers_ok("a")


def default_bad(value=None):
    return value.upper()  # null.attribute


def default_ok(value=None):
    value = value or "a"
    return value.upper()


def default_other_ok(value="a"):
    return value.upper()


def default_checked_ok(value=None):
    if value is None:
        value = "a"
    return value.upper()


def keyword_only_default_bad(*, value=None):
    return value.upper()  # null.attribute


def literal_argument_bad(value):
    return value.upper()  # null.attribute


def literal_argument_caller_ok():
    return literal_argument_bad(None)


def two_callers_ok(value):
    return value


def first_of_two_callers_ok(names):
    return two_callers_ok("a").upper()


def second_of_two_callers_bad(names):
    return two_callers_ok(find(names, "a")).upper()  # null.attribute


def rest_ok(*values):
    return values.count("a")


def rest_names_ok(**values):
    return values.get("a")


def rest_element_ok(*values):
    for value in values:
        print(value)


def rest_caller_ok(names):
    rest_ok(find(names, "a"))
    rest_names_ok(value=find(names, "a"))
    rest_element_ok(find(names, "a"))


def splatted(value):
    return value.upper()


def splatted_ok(names):
    return splatted(*names), splatted(**{"value": "a"})


def lambda_bad(names):
    get = lambda: find(names, "a")
    return get().upper()  # null.attribute


def lambda_argument_bad(names):
    shout = lambda value: value.upper()  # null.attribute
    return shout(find(names, "a"))


def lambda_ok(names):
    get = lambda: find(names, "a") or ""
    return get().upper()


def nested_bad(names):
    def inner():
        return find(names, "a")

    return inner().upper()  # null.attribute


def function_value_bad(names):
    lookup = find
    return lookup(names, "a").upper()  # null.attribute


def chosen_function_bad(names, flag):
    lookup = find if flag else identity
    return lookup(names, "a").upper()  # null.attribute


def apply(function, names):
    return function(names, "a")


def fn_passed_function(names):
    return apply(find, names).upper()  # missed: null.attribute


def partial_ok(names):
    lookup = functools.partial(find, names)
    return lookup


def recursive(depth):
    if depth == 0:
        return None
    return recursive(depth - 1)


def recursive_bad(depth):
    return recursive(depth).upper()  # null.attribute


def even(depth):
    if depth == 0:
        return None
    return odd(depth - 1)


def odd(depth):
    if depth == 0:
        return "odd"
    return even(depth - 1)


def mutually_recursive_bad(depth):
    return odd(depth).upper()  # null.attribute


def pair(names):
    return find(names, "a"), "b"


def returned_pair_bad(names):
    first, second = pair(names)
    second.upper()
    return first.upper()  # null.attribute


def returned_pair_ok(names):
    first, second = pair(names)
    return first, second.upper()


def index_of_pair_bad(names):
    return pair(names)[0].upper()  # null.attribute


def index_of_pair_ok(names):
    return pair(names)[1].upper()


def checks_and_raises(value):
    if value is None:
        raise ValueError
    return value


def required_ok(names):
    return checks_and_raises(find(names, "a")).upper()


def first_or(names, default):
    found = find(names, "a")
    return default if found is None else found


def default_argument_ok(names):
    return first_or(names, "b").upper()


def default_argument_bad(names):
    return first_or(names, None).upper()  # null.attribute


def unknown_function_ok(names):
    return undefined_anywhere(names).upper()


def environment_default_ok():
    return os.environ.get("HOME", "/").upper()


def environment_default_none_bad():
    return os.environ.get("HOME", None).upper()  # null.attribute


def argument_on_its_own_line_bad(names=None):
    return len(
        names  # null.argument
    )
