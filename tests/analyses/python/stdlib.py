"""Results of the standard library that may be None."""

import argparse
import collections
import importlib.util
import inspect
import json
import logging
import mimetypes
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ET
from email.message import Message
from urllib.parse import urlparse

PATTERN = re.compile("a(b)")


def match_bad(text):
    return re.match("a", text).group()  # null.attribute


def search_bad(text):
    return PATTERN.search(text).group(1)  # null.attribute


def fullmatch_bad(text):
    return PATTERN.fullmatch(text)[0]  # null.subscript


def match_ok(text):
    if found := PATTERN.match(text):
        return found.group(1)
    return ""


def findall_ok(text):
    return PATTERN.findall(text)[0], PATTERN.sub("", text).upper()


def finditer_ok(text):
    return [found.group() for found in PATTERN.finditer(text)]


def group_ok(text):
    found = PATTERN.match(text)
    return found and found.group(1)


def environment_bad():
    return os.environ.get("HOME").upper()  # null.attribute


def getenv_bad():
    return os.getenv("HOME").upper()  # null.attribute


def getenv_default_ok():
    return os.getenv("HOME", "/").upper()


def environment_item_ok():
    return os.environ["HOME"].upper()


def dictionary_get_bad():
    known = {"a": "b"}
    return known.get("a").upper()  # null.attribute


def dictionary_get_default_ok():
    known = {"a": "b"}
    return known.get("a", "").upper()


def dictionary_item_ok():
    known = {"a": "b"}
    return known["a"].upper()


def dictionary_pop_ok():
    known = {"a": "b"}
    return known.pop("a").upper()


def dictionary_pop_none_bad():
    known = {"a": "b"}
    return known.pop("a", None).upper()  # null.attribute


def setdefault_ok():
    known = {}
    return known.setdefault("a", []).append("b")


def default_dictionary_ok():
    known = collections.defaultdict(list)
    return known["a"].append("b")


def which_bad():
    return shutil.which("git").upper()  # null.attribute


def which_argument_ok():
    return subprocess.run([shutil.which("git")], check=True)


def list_methods_bad(items):
    return sorted(items).sort().index(1)  # null.attribute


def append_result_bad():
    return [1].append(2).count(1)  # null.attribute


def sorted_ok(items):
    return sorted(items).index(1)


def fetchone_bad():
    return sqlite3.connect(":memory:").execute("select 1").fetchone()[0]  # null.subscript


def fetchone_ok():
    row = sqlite3.connect(":memory:").execute("select 1").fetchone()
    return row[0] if row else None


def fetchall_ok():
    return sqlite3.connect(":memory:").execute("select 1").fetchall()[0]


def element_find_bad(text):
    return ET.fromstring(text).find("a").text  # null.attribute


def element_text_bad(text):
    return ET.fromstring(text).text.upper()  # null.attribute


def element_text_tested_ok(text):
    element = ET.fromstring(text)
    return element.text.upper() if element.text is not None else ""


def element_attribute_bad(text):
    return ET.fromstring(text).get("a").upper()  # null.attribute


def element_iterated_ok(text):
    return [child.tag.upper() for child in ET.fromstring(text)]


def module_spec_bad():
    return importlib.util.find_spec("a").name  # null.attribute


def docstring_bad():
    return inspect.getdoc(print).upper()  # null.attribute


def own_docstring_ok():
    return (inspect.getdoc(print) or "").upper()


def fn_mime_type():
    return mimetypes.guess_type("a")[0].upper()  # missed: null.attribute


def address_ok():
    return socket.gethostbyname("a").upper()


def host_bad(url):
    return urlparse(url).hostname.upper()  # null.attribute


def host_tested_ok(url):
    parts = urlparse(url)
    if not parts.hostname:
        return ""
    return parts.hostname.upper()


def path_of_url_ok(url):
    return urlparse(url).path.upper()


def fn_process_output():
    with subprocess.Popen(["a"]) as process:
        return process.stdout.read()  # missed: null.attribute


def process_output_ok():
    with subprocess.Popen(["a"], stdout=subprocess.PIPE) as process:
        return process.stdout.read()


def process_result_ok():
    return subprocess.run(["a"], check=True).stdout.upper()


def header_ok():
    message = Message()
    return message["a"]


def logger_ok():
    return logging.getLogger("a").handlers.copy()


def arguments_ok():
    arguments = argparse.ArgumentParser().parse_args()
    return arguments.name.upper()


def json_ok(text):
    return json.loads(text).get("a")


def frame_ok():
    return sys._getframe().f_code.co_name


def current_frame_ok():
    return inspect.currentframe().f_code


def module_bad():
    return inspect.getmodule(print).__name__  # null.attribute


def imported_here_bad(text):
    import re as regex

    return regex.match("a", text).group()  # null.attribute


def from_import_here_bad(text):
    from re import match as regex_match

    return regex_match("a", text).group()  # null.attribute


def printed_bad():
    return print("a").upper()  # null.attribute


def shadowed_builtin_ok():
    def print(text):
        return text

    return print("a").upper()


def maximum_ok(items):
    return max(items).upper()


def maximum_default_bad(items):
    return max(items, default=None).upper()  # null.attribute


def file_read_ok(path):
    with open(path) as stream:
        return stream.readline().upper()
