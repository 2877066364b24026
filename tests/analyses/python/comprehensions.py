"""Comprehensions and generator expressions."""

import os
import re


def element_bad(lines):
    return [re.match("a", line).group() for line in lines]  # null.attribute


def element_ok(lines):
    return [match.group() for line in lines if (match := re.match("a", line))]


def filtered_ok(lines):
    return [match.group() for match in (re.match("a", line) for line in lines) if match]


def filtered_is_not_none_ok(lines):
    matches = [re.match("a", line) for line in lines]
    return [match.group() for match in matches if match is not None]


def source_none_bad(flag):
    items = None
    if flag:
        items = [1]
    return [item for item in items]  # null.iteration


def source_none_ok(flag):
    items = None
    if flag:
        items = [1]
    return [item for item in items or []]


def condition_bad(lines):
    return [line for line in lines if re.match("a", line).group()]  # null.attribute


def dictionary_bad(lines):
    return {line: re.match("a", line).group() for line in lines}  # null.attribute


def dictionary_ok(lines):
    return {line: re.match("a", line) for line in lines}


def set_bad(lines):
    return {re.match("a", line).group() for line in lines}  # null.attribute


def generator_bad(lines):
    return any(re.match("a", line).group() for line in lines)  # null.attribute


def outer_variable_bad(lines):
    home = os.environ.get("HOME")
    return [home.upper() + line for line in lines]  # null.attribute


def outer_variable_ok(lines):
    home = os.environ.get("HOME")
    if home is None:
        return []
    return [home.upper() + line for line in lines]


def outer_variable_in_condition_ok(lines):
    home = os.environ.get("HOME")
    return [home.upper() + line for line in lines if home]


def name_of_its_own_ok(lines):
    line = None
    lengths = [line.upper() for line in lines]
    return line, lengths


def nested_ok(rows):
    return [cell.upper() for row in rows if row for cell in row if cell is not None]


def nested_bad(rows):
    home = os.environ.get("HOME")
    return [cell + home for row in rows for cell in row]  # null.operator


def conditional_element_ok(lines):
    return [match.group() if match else "" for match in map(re.compile("a").match, lines)]


async def asynchronous_ok(lines):
    return [line.upper() async for line in lines]


def walrus_leaks_bad(lines):
    found = None
    any((found := line) for line in lines)
    return found.upper()  # null.attribute


def sum_of_lengths_ok(lines):
    return sum(len(line) for line in lines)
