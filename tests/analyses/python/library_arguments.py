import datetime
import json
import os
import re
import shutil
import time
from pathlib import Path
from urllib.parse import urlparse


def join_bad(known):
    name = "x" if known else None
    return os.path.join(name, "a")  # null.argument


def join_later_bad(known):
    name = "x" if known else None
    return os.path.join("a", name)  # null.argument


def join_ok(known):
    name = "x" if known else None
    return os.path.join(name, "a") if name else ""


def match_bad(known):
    text = "x" if known else None
    return re.match("a", text)  # null.argument


def path_bad(known):
    name = "x" if known else None
    return Path(name)  # null.argument


def environment_bad():
    return datetime.datetime.strptime(os.environ.get("A"), "%Y")  # null.argument


def keyword_bad(known):
    source = "x" if known else None
    return shutil.copy(src=source, dst="y")  # null.argument


def keyword_ok(known):
    source = "x" if known else None
    return shutil.copy(src=source or "z", dst="y")


def overload_ok(known):
    address = "x" if known else None
    return urlparse(address)


def anything_ok(known):
    value = "x" if known else None
    return print(value), json.dumps(value), str(value), os.getenv("a", value), isinstance(value, str), hash(value)


def optional_ok(known):
    times = (1, 2) if known else None
    return os.utime("a", times), time.strftime("%Y"), time.localtime(None)


# The first call has failed for it.
def used_after_bad(known):
    name = "x" if known else None
    size = os.path.getsize(name)  # null.argument
    return size + len(name)
