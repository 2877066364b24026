"""Values that are null together, and one value under two names."""

import os

WANTED = 3


def receive_pair(flag):
    if flag:
        return None, None
    return WANTED, os


def other_item_tested_ok(flag):
    kind, message = receive_pair(flag)
    if kind != WANTED:
        raise ValueError(kind)
    return message.name


def other_item_not_none_ok(flag):
    kind, message = receive_pair(flag)
    if kind is None:
        return ""
    return message.name


def other_item_untested_bad(flag):
    kind, message = receive_pair(flag)
    return message.name, kind  # null.attribute


def receive_half(flag):
    if flag:
        return WANTED, None
    return WANTED, os


def item_null_alone_bad(flag):
    kind, message = receive_half(flag)
    if kind != WANTED:
        raise ValueError(kind)
    return message.name  # null.attribute


class Holder:
    def __init__(self, response=None):
        self.response = response
        if response is not None:
            self.request = self.response.request

    def kept_bad(self, response=None):
        self.response = response
        if self.request is not None:
            self.request = self.response.request  # null.attribute


class Decoder:
    def flush(self):
        print("flushed")


def named_like_the_library_ok(stream):
    return "x" + stream.flush()
