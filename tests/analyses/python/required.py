"""Null that is returned only for some values of a flag."""

import os


def current_entry(entries, silent=False):
    try:
        return entries[-1]
    except IndexError:
        if not silent:
            raise


def find_entry(entries, required=True):
    for entry in entries:
        return entry
    if required:
        raise LookupError("none")
    return None


async def fetch_entry(entries, required=True):
    if entries:
        return entries[0]
    if required:
        raise LookupError("none")
    return None


def left_out_ok(entries):
    return current_entry(entries).name


def passed_false_ok(entries):
    return current_entry(entries, False).name


def passed_true_bad(entries):
    return current_entry(entries, True).name  # null.attribute


def passed_by_name_bad(entries):
    return current_entry(entries, silent=True).name  # null.attribute


def passed_variable_bad(entries, silent):
    return current_entry(entries, silent).name  # null.attribute


def passed_expression_bad(entries):
    return current_entry(entries, silent=not os.environ).name  # null.attribute


def required_ok(entries):
    return find_entry(entries).name


def not_required_bad(entries):
    return find_entry(entries, required=False).name  # null.attribute


async def awaited_ok(entries):
    return (await fetch_entry(entries)).name


async def awaited_bad(entries):
    return (await fetch_entry(entries, required=False)).name  # null.attribute


def run_or_catch(action=None):
    if action is None:
        return open(os.devnull)
    action()


def catching_ok():
    with run_or_catch() as caught:
        return caught


def running_bad(action):
    with run_or_catch(action) as caught:  # null.context
        return caught
