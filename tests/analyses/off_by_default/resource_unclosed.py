import contextlib
import csv
import gzip
import io
import json
import os
import socket
import sys
import tempfile
from os import fdopen
from pathlib import Path

# Ways out on which nothing closes.


def early_return_bad(path):
    file = open(path)
    first = file.readline()
    if not first:
        return None  # resource.unclosed
    file.close()
    return first


def never_closed_bad(path):
    file = open(path)
    print(file.read())  # resource.unclosed


def raised_bad(path):
    file = gzip.open(path)
    if file.read(1) != b"x":
        raise ValueError(path)  # resource.unclosed
    file.close()


def without_name_bad(path):
    return json.load(open(path))  # resource.unclosed


def read_at_once_bad(path):
    return Path(path).open().read()  # resource.unclosed


def in_loop_bad(paths):
    total = 0
    for path in paths:
        file = open(path)
        if file.read(1) == "x":
            continue
        file.close()
    return total  # resource.unclosed


def on_one_way_bad(path, keep):
    file = open(path)
    if not keep:
        file.close()
    return file.name  # resource.unclosed


def in_a_module_bad(path):
    stream = io.open(path)
    for line in csv.reader(stream):
        print(line)  # resource.unclosed


def handler_that_knows_bad(path):
    file = open(path)
    try:
        if file.read(1) == "x":
            raise KeyError(path)
        file.close()
    except KeyError:
        return False  # resource.unclosed
    return True


def descriptor_bad(path):
    descriptor = os.open(path, os.O_RDONLY)
    data = os.read(descriptor, 10)
    if not data:
        return data  # resource.unclosed
    os.close(descriptor)
    return data


def first_of_several_bad():
    descriptor, name = tempfile.mkstemp()
    return name  # resource.unclosed


def open_it(path):
    return open(path, encoding="utf-8")


def from_own_function_bad(path):
    file = open_it(path)
    return file.read()  # resource.unclosed


def wrapped_bad(path):
    file = fdopen(os.open(path, os.O_RDONLY))
    return file.read()  # resource.unclosed


# What closes.


def with_ok(path):
    with open(path) as file, gzip.open(path) as other:
        return file.read(), other.read()


def with_later_ok(path):
    file = open(path)
    with file:
        return file.read()


def finally_ok(path):
    file = open(path)
    try:
        if file.readline():
            return 1
        raise ValueError(path)
    finally:
        file.close()


def finally_of_what_is_there_ok(path):
    file = None
    try:
        file = open(path)
        return file.read()
    finally:
        if file is not None:
            file.close()


def closed_where_opened_ok(path):
    opened = False
    file = sys.stdin
    if path:
        file = open(path)
        opened = True
    line = file.readline()
    if opened:
        file.close()
    return line


def asked_twice_ok(path, verbose):
    if path:
        file = open(path)
        if verbose:
            print(file.name)
    else:
        file = sys.stdin
    line = file.readline()
    if path:
        file.close()
    return line


def stack_ok(path):
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(open(path))
        return file.read()


def closing_ok(host):
    with contextlib.closing(socket.socket()) as connection:
        connection.connect(host)


def descriptor_ok(path):
    descriptor = os.open(path, os.O_RDONLY)
    with fdopen(descriptor) as file:
        return file.read()


def call_in_between_ok(path):
    file = open(path)
    data = json.load(file)
    file.close()
    return data


def program_ends_ok(path):
    file = open(path)
    if not file.readline():
        sys.exit(1)
    file.close()


def asserted_ok(path):
    file = open(path)
    assert file.readline(), path
    file.close()


# Who else may close it.


class Log:
    def __init__(self, path):
        self.file = open(path)

    def stored_ok(self, path):
        file = open(path)
        self.file = file
        return file.readline()

    def own_ok(self):
        return self.file.readline()


def returned_ok(path):
    file = open(path)
    file.seek(1)
    return file


def in_container_ok(paths):
    return [open(path) for path in paths]


def as_key_ok(names, path):
    file = open(path)
    names[file] = path


def passed_on_ok(path, consume):
    file = open(path)
    consume(file)


def captured_ok(path):
    file = open(path)
    return lambda: file.close()


def its_method_ok(path, register):
    file = open(path)
    register(file.close)


def view_returned_ok(path):
    file = open(path)
    return csv.reader(file)


def generated_ok(path):
    yield open(path)


class Cache:
    def __init__(self):
        self.files = {}

    def get(self, path):
        file = open(path)
        self.files[path] = file
        return file

    def kept_by_callee_ok(self, path):
        return self.get(path).read()


# Known gaps.


def fn_exception_of_a_call(path):
    file = open(path)
    try:
        data = file.read()
    except OSError:
        return None  # missed: resource.unclosed
    file.close()
    return data


def read_by_own(file):
    return file.read()


def fn_own_function_that_only_reads(path):
    file = open(path)
    return read_by_own(file)  # missed: resource.unclosed
