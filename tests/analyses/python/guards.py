"""Tests that show a value not to be None."""

import os
import types


def is_none_return_ok():
    home = os.environ.get("HOME")
    if home is None:
        return ""
    return home.upper()


def is_none_wrong_side_bad():
    home = os.environ.get("HOME")
    if home is None:
        return home.upper()  # null.attribute
    return ""


def is_not_none_ok():
    home = os.environ.get("HOME")
    if home is not None:
        return home.upper()
    return ""


def is_not_none_else_bad():
    home = os.environ.get("HOME")
    if home is not None:
        return ""
    else:
        return home.upper()  # null.attribute


def none_on_the_left_ok():
    home = os.environ.get("HOME")
    if None is not home:
        return home.upper()
    return ""


def equal_none_ok():
    home = os.environ.get("HOME")
    if home == None:
        return ""
    return home.upper()


def not_equal_none_ok():
    home = os.environ.get("HOME")
    if home != None:
        return home.upper()
    return ""


def truth_ok():
    home = os.environ.get("HOME")
    if home:
        return home.upper()
    return ""


def truth_else_bad():
    home = os.environ.get("HOME")
    if home:
        return ""
    return home.upper()  # null.attribute


def not_return_ok():
    home = os.environ.get("HOME")
    if not home:
        return ""
    return home.upper()


def not_not_ok():
    home = os.environ.get("HOME")
    if not (not home):
        return home.upper()
    return ""


def and_ok(flag):
    home = os.environ.get("HOME")
    return flag and home and home.upper()


def and_statement_ok(flag):
    home = os.environ.get("HOME")
    if flag and home is not None:
        return home.upper()
    return ""


def and_late_bad(flag):
    home = os.environ.get("HOME")
    return flag and home.upper() and home  # null.attribute


def and_else_bad(flag):
    home = os.environ.get("HOME")
    if flag and home:
        return ""
    return home.upper()  # null.attribute


def or_ok():
    home = os.environ.get("HOME")
    return home is None or home.upper()


def or_statement_ok(flag):
    home = os.environ.get("HOME")
    if flag or not home:
        return ""
    return home.upper()


def or_statement_bad(flag):
    home = os.environ.get("HOME")
    if flag or home:
        return home.upper()  # null.attribute
    return ""


def mixed_ok(flag, other):
    home = os.environ.get("HOME")
    if (flag or other) and not (home is None or other):
        return home.upper()
    return ""


def raise_ok():
    home = os.environ.get("HOME")
    if home is None:
        raise ValueError("no home")
    return home.upper()


def continue_ok(names):
    for name in names:
        value = os.environ.get(name)
        if value is None:
            continue
        print(value.upper())


def break_ok(names):
    for name in names:
        value = os.environ.get(name)
        if value is None:
            break
        print(value.upper())


def break_after_bad(names):
    value = ""
    for name in names:
        value = os.environ.get(name)
        if value is None:
            break
    return value.upper()  # null.attribute


def while_ok():
    home = os.environ.get("HOME")
    while home is None:
        home = os.environ.get("HOME")
    return home.upper()


def while_truth_ok(names):
    node = os.environ.get(names.pop())
    while node:
        print(node.upper())
        node = os.environ.get(names.pop())


def while_true_break_ok(names):
    while True:
        node = os.environ.get(names.pop())
        if node is not None:
            break
    return node.upper()


def while_condition_bad(names):
    node = os.environ.get("HOME")
    while node.upper():  # null.attribute
        node = names.pop()


def assert_ok():
    home = os.environ.get("HOME")
    assert home is not None
    return home.upper()


def assert_truth_ok():
    home = os.environ.get("HOME")
    assert home, "no home"
    return home.upper()


def assert_other_bad(flag):
    home = os.environ.get("HOME")
    assert flag
    return home.upper()  # null.attribute


def assert_isinstance_ok():
    home = os.environ.get("HOME")
    assert isinstance(home, str)
    return home.upper()


def conditional_ok():
    home = os.environ.get("HOME")
    return home.upper() if home else ""


def conditional_is_none_ok():
    home = os.environ.get("HOME")
    return "" if home is None else home.upper()


def conditional_wrong_bad():
    home = os.environ.get("HOME")
    return "" if home else home.upper()  # null.attribute


def isinstance_ok():
    home = os.environ.get("HOME")
    if isinstance(home, str):
        return home.upper()
    return ""


def isinstance_none_bad():
    home = os.environ.get("HOME")
    if isinstance(home, (str, type(None))):
        return home.upper()  # null.attribute
    return ""


def not_isinstance_none_ok():
    home = os.environ.get("HOME")
    if isinstance(home, (int, type(None))):
        return ""
    return home.upper()


def isinstance_object_bad():
    home = os.environ.get("HOME")
    if isinstance(home, object):
        return home.upper()  # null.attribute
    return ""


def not_isinstance_object_ok():
    home = os.environ.get("HOME")
    if not isinstance(home, object):
        return home.upper()
    return ""


def isinstance_none_type_bad():
    home = os.environ.get("HOME")
    if isinstance(home, types.NoneType):
        return home.upper()  # null.attribute
    return home.upper()


def isinstance_of_a_name_with_none_in_it_ok():
    home = os.environ.get("HOME")
    if isinstance(home, NoneSuch):
        return home.upper()
    return ""


def not_isinstance_ok():
    home = os.environ.get("HOME")
    if not isinstance(home, str):
        return ""
    return home.upper()


def hasattr_ok():
    home = os.environ.get("HOME")
    if hasattr(home, "upper"):
        return home.upper()
    return ""


def callable_ok(text):
    callback = None
    if text:
        callback = print
    if callable(callback):
        callback(text)


def walrus_ok():
    if home := os.environ.get("HOME"):
        return home.upper()
    return ""


def walrus_is_none_ok():
    if (home := os.environ.get("HOME")) is None:
        return ""
    return home.upper()


def walrus_bad():
    if (home := os.environ.get("HOME")) is None:
        return home.upper()  # null.attribute
    return ""


def walrus_value_bad():
    return (home := os.environ.get("HOME")).upper() + home  # null.attribute


def walrus_while_ok(names):
    while (value := os.environ.get(names.pop())) is not None:
        print(value.upper())


def or_default_ok():
    home = os.environ.get("HOME") or "/"
    return home.upper()


def or_none_bad():
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE")
    return home.upper()  # null.attribute


def or_assign_ok():
    home = os.environ.get("HOME")
    home = home or "/"
    return home.upper()


def if_none_assign_ok():
    home = os.environ.get("HOME")
    if home is None:
        home = "/"
    return home.upper()


def if_none_assign_other_bad(flag):
    home = os.environ.get("HOME")
    if flag:
        home = "/"
    return home.upper()  # null.attribute


def equals_constant_ok():
    home = os.environ.get("HOME")
    if home == "/root":
        return home.upper()
    return ""


def in_constants_ok():
    home = os.environ.get("HOME")
    if home in ("/root", "/home"):
        return home.upper()
    return ""


def in_constants_with_none_bad():
    home = os.environ.get("HOME")
    if home in ("/root", None):
        return home.upper()  # null.attribute
    return ""


def type_is_ok():
    home = os.environ.get("HOME")
    if type(home) is str:
        return home.upper()
    return ""


def type_is_a_class_ok(kind):
    home = os.environ.get("HOME")
    if type(home) is not NoneSuch:
        return ""
    return home.upper()


def type_is_not_none_type_ok():
    home = os.environ.get("HOME")
    if type(home) is type(None):
        return ""
    return home.upper()


def type_is_none_type_bad():
    home = os.environ.get("HOME")
    if type(home) == type(None):
        return home.upper()  # null.attribute
    return ""


def type_in_ok():
    home = os.environ.get("HOME")
    return home.upper() if type(home) in (str, NoneSuch) else ""


def type_in_with_none_bad():
    home = os.environ.get("HOME")
    return home.upper() if type(home) in (str, type(None)) else ""  # null.attribute


def type_of_an_unknown_bad(other):
    home = os.environ.get("HOME")
    if type(home) is type(other):
        return home.upper()  # null.attribute
    return ""


class NoneSuch:
    def same_type_ok(self):
        home = os.environ.get("HOME")
        if type(self) is not type(home):
            return ""
        return home.upper()

    def same_class_ok(self):
        home = os.environ.get("HOME")
        if self.__class__ != home.__class__:
            return ""
        return home.upper()


def class_of_none_ok():
    return os.environ.get("HOME").__class__


def documentation_of_none_then_bad():
    home = os.environ.get("HOME")
    print(home.__doc__)
    return home.upper()  # null.attribute


def elif_ok(flag):
    home = os.environ.get("HOME")
    if flag:
        return ""
    elif home is None:
        return "none"
    elif home == "x":
        return home.upper()
    return home.lower()


def elif_bad(flag, other):
    home = os.environ.get("HOME")
    if home is None and flag:
        return ""
    elif other:
        return home.upper()  # null.attribute
    return ""


def any_of_them_ok():
    home, user = os.environ.get("HOME"), os.environ.get("USER")
    if home is None or user is None:
        return ""
    return home.upper() + user.upper()


def any_of_them_bad():
    home, user = os.environ.get("HOME"), os.environ.get("USER")
    if home is None and user is None:
        return ""
    return home.upper()  # null.attribute


def bool_call_ok():
    home = os.environ.get("HOME")
    if bool(home):
        return home.upper()
    return ""


def len_bad():
    home = os.environ.get("HOME")
    return len(home)  # null.argument


def after_use_bad():
    home = os.environ.get("HOME")
    print(home.upper())  # null.attribute
    return home.lower()


def none_in_all_ok():
    home, user = os.environ.get("HOME"), os.environ.get("USER")
    if not all((home, user)):
        return ""
    return home.upper() + user.upper()


def none_in_list_ok():
    home, user = os.environ.get("HOME"), os.environ.get("USER")
    if None in (home, user):
        return ""
    return home.upper() + user.upper()
