"""with statements."""

import os
import tempfile
import threading


class Opened:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def read(self):
        return ""


class MaybeOpened:
    def __enter__(self):
        return os.environ.get("HOME")

    def __exit__(self, *exc):
        return None


class Forgetful:
    def __enter__(self):
        print("entered")

    def __exit__(self, *exc):
        return None


def entered_ok():
    with Opened() as opened:
        return opened.read()


def entered_bad():
    with MaybeOpened() as home:
        return home.upper()  # null.attribute


def entered_without_value_bad():
    with Forgetful() as nothing:
        return nothing.read()  # null.attribute


def entered_without_name_ok():
    with Forgetful():
        return "a"


def library_file_ok(path):
    with open(path) as stream:
        return stream.read()


def library_lock_ok():
    lock = threading.Lock()
    with lock:
        return lock.locked()


def library_folder_ok():
    with tempfile.TemporaryDirectory() as folder:
        return folder.upper()


def none_entered_bad(flag):
    lock = None
    if flag:
        lock = threading.Lock()
    with lock:  # null.context
        return 1


def several_bad(path):
    with open(path) as stream, MaybeOpened() as home:
        stream.read()
        return home.upper()  # null.attribute


def parenthesized_ok(path):
    with (
        open(path) as stream,
        Opened() as opened,
    ):
        return stream.read() + opened.read()


def set_inside_ok(path):
    size = None
    with open(path) as stream:
        size = len(stream.read())
    return size + 1


def unpacked_ok(pair):
    with pair as (first, second):
        return first.upper() + second.upper()


async def asynchronous_ok(session):
    async with session.get("/") as answer:
        return await answer.text()
