"""Assignments of every form."""

import re


def maybe(text):
    if not text:
        return None
    return re.compile(text)


def plain_bad(text):
    found = maybe(text)
    return found.pattern  # null.attribute


def plain_ok(text):
    found = re.compile(text)
    return found.pattern


def overwritten_ok(text):
    found = maybe(text)
    found = re.compile("a")
    return found.pattern


def overwritten_by_none_bad(text):
    found = re.compile(text)
    found = None
    return found.pattern  # null.attribute


def chained_bad(text):
    first = second = maybe(text)
    first = re.compile("a")
    return first.pattern + second.pattern  # null.attribute


def chained_ok(text):
    first = second = re.compile(text)
    return first.pattern + second.pattern


def pairwise_bad(text):
    first, second = maybe(text), re.compile(text)
    second.match(text)
    return first.match(text)  # null.attribute


def pairwise_ok(text):
    first, second = maybe(text), re.compile(text)
    return first, second.match(text)


def swapped_bad(text):
    first, second = maybe(text), re.compile(text)
    first, second = second, first
    first.match(text)
    return second.match(text)  # null.attribute


def swapped_ok(text):
    first, second = maybe(text), re.compile(text)
    first, second = second, first
    return first.match(text)


def unpacked_tuple_bad(text):
    both = (re.compile(text), None)
    first, second = both
    first.match(text)
    return second.match(text)  # null.attribute


def unpacked_tuple_ok(text):
    both = (re.compile(text), None)
    first, second = both
    return first.match(text), second


def list_target_ok(text):
    [first, second] = [re.compile(text), maybe(text)]
    first.match(text)
    return second


def fn_list_target(text):
    [first, second] = [re.compile(text), maybe(text)]
    first.match(text)
    return second.match(text)  # missed: null.attribute


def nested_target_bad(text):
    (first, (second, third)) = (1, (re.compile(text), maybe(text)))
    second.match(text)
    return third.match(text), first  # null.attribute


def nested_target_ok(text):
    (first, (second, third)) = (1, (re.compile(text), maybe(text)))
    return second.match(text), first, third


def unpacked_none_bad(text):
    pair = None
    if text:
        pair = (text, text)
    first, second = pair  # null.iteration
    return first + second


def starred_ok(text):
    first, *rest = [re.compile(text), re.compile("a")]
    return first.match(text), [part.match(text) for part in rest]


def augmented_bad(text):
    total = None
    if text:
        total = 1
    total += 1  # null.operator
    return total


def augmented_ok(text):
    total = None
    if text:
        total = 1
    if total is None:
        total = 0
    total += 1
    return total


def augmented_right_bad(text):
    total, step = 0, None
    if text:
        step = 1
    total += step  # null.operator
    return total


def annotated_bad(text):
    found: re.Pattern[str] | None = maybe(text)
    return found.pattern  # null.attribute


def annotated_only_ok(text):
    found: re.Pattern[str] | None
    found = re.compile(text)
    return found.pattern


def parenthesized_bad(text):
    (found) = maybe(text)
    return (found).pattern  # null.attribute


def deleted_ok(text):
    found = maybe(text)
    del found
    found = re.compile(text)
    return found.pattern


def conditional_value_bad(text):
    found = re.compile(text) if text else None
    return found.pattern  # null.attribute


def conditional_value_ok(text):
    found = re.compile(text) if text else re.compile("a")
    return found.pattern


def through_copy_bad(text):
    found = maybe(text)
    other = found
    return other.pattern  # null.attribute


def copy_of_checked_ok(text):
    found = maybe(text)
    if found is None:
        return ""
    other = found
    return other.pattern


def loop_carried_bad(texts):
    previous = None
    for text in texts:
        previous.match(text)  # null.attribute
        previous = re.compile(text)


def loop_carried_ok(texts):
    previous = None
    for text in texts:
        if previous is not None:
            previous.match(text)
        previous = re.compile(text)


def semicolons_bad(text):
    found = maybe(text); found.match(text)  # null.attribute


def several_lines_bad(text):
    found = maybe(
        text,
    )
    return (
        found  # null.attribute
        .pattern
    )
