"""try, except, else, finally; functions that never return."""

import os
import sys
from contextlib import suppress


def attribute_error_ok():
    home = os.environ.get("HOME")
    try:
        return home.upper()
    except AttributeError:
        return ""


def several_errors_ok():
    home = os.environ.get("HOME")
    try:
        return home.upper()
    except (KeyError, AttributeError):
        return ""


def type_error_ok():
    home = os.environ.get("HOME")
    try:
        return home + "/"
    except TypeError:
        return ""


def other_error_bad():
    home = os.environ.get("HOME")
    try:
        return home.upper()  # null.attribute
    except KeyError:
        return ""


def handler_body_bad():
    home = os.environ.get("HOME")
    try:
        open(home)  # null.argument
    except AttributeError:
        return home.upper()  # null.attribute
    return ""


def else_bad():
    home = os.environ.get("HOME")
    try:
        print()
    except AttributeError:
        return ""
    else:
        return home.upper()  # null.attribute


def suppressed_ok():
    home = os.environ.get("HOME")
    with suppress(AttributeError):
        return home.upper()


def set_in_try_bad():
    size = None
    try:
        size = int("3")
    except ValueError:
        print("no number")
    return size + 1  # null.operator


def set_in_try_returns_ok():
    size = None
    try:
        size = int("3")
    except ValueError:
        return 0
    return size + 1


def set_in_try_raises_ok():
    size = None
    try:
        size = int("3")
    except ValueError:
        raise RuntimeError("no number") from None
    return size + 1


def set_in_handler_bad():
    try:
        size = int("3")
    except ValueError:
        size = None
    return size + 1  # null.operator


def set_in_handler_ok():
    try:
        size = int("3")
    except ValueError:
        size = None
    if size is None:
        return 0
    return size + 1


def finally_bad(path):
    stream = None
    try:
        stream = open(path)
        return stream.read()
    finally:
        stream.close()  # null.attribute


def finally_ok(path):
    stream = None
    try:
        stream = open(path)
        return stream.read()
    finally:
        if stream is not None:
            stream.close()


def finally_sets_ok(path):
    size = None
    try:
        print(path)
    finally:
        size = 1
    return size + 1


def else_sets_ok():
    size = None
    try:
        number = int("3")
    except ValueError:
        return 0
    else:
        size = number
    return size + 1


def exception_name_ok():
    try:
        return int("3")
    except ValueError as error:
        return error.args


def reraise_ok():
    home = os.environ.get("HOME")
    try:
        if home is None:
            raise KeyError("HOME")
        return home.upper()
    except KeyError:
        raise


def exits_ok():
    home = os.environ.get("HOME")
    if home is None:
        sys.exit("no home")
    return home.upper()


def exits_directly_ok():
    home = os.environ.get("HOME")
    if home is None:
        os._exit(3)
    return home.upper()


def fail(message):
    raise SystemExit(message)


def fail_through(message):
    print(message)
    fail(message)


def own_exit_ok():
    home = os.environ.get("HOME")
    if home is None:
        fail("no home")
    return home.upper()


def own_exit_twice_ok():
    home = os.environ.get("HOME")
    if not home:
        fail_through("no home")
    return home.upper()


def warn(message):
    print(message)


def only_warns_bad():
    home = os.environ.get("HOME")
    if home is None:
        warn("no home")
    return home.upper()  # null.attribute


def sometimes_fails(flag):
    if flag:
        raise ValueError


def sometimes_fails_bad(flag):
    home = os.environ.get("HOME")
    if home is None:
        sometimes_fails(flag)
    return home.upper()  # null.attribute


def loops_forever():
    while True:
        print("on")


def loops_forever_ok():
    home = os.environ.get("HOME")
    if home is None:
        loops_forever()
    return home.upper()


class Parser:
    def error(self, message):
        raise ValueError(message)

    def method_that_fails_ok(self):
        home = os.environ.get("HOME")
        if home is None:
            self.error("no home")
        return home.upper()


def exception_group_ok():
    home = os.environ.get("HOME")
    try:
        return home.upper()
    except* AttributeError:
        print("none")


def bare_except_ok():
    home = os.environ.get("HOME")
    try:
        if home is None:
            return ""
        return home.upper()
    except:
        return ""


def unreachable_ok():
    home = os.environ.get("HOME")
    return ""
    return home.upper()


def nested_try_ok():
    home = os.environ.get("HOME")
    try:
        try:
            return home.upper()
        finally:
            print("done")
    except AttributeError:
        return ""


def returned_through_finally(lock, found):
    lock.acquire()
    try:
        return found.name
    finally:
        lock.release()


def returned_from_loop_in_finally(lock, found):
    lock.acquire()
    try:
        while True:
            try:
                return found.name
            except KeyError as error:
                found.close()
                raise error
    finally:
        lock.release()


def some_returned_through_finally(lock, found):
    lock.acquire()
    try:
        if found:
            return found.name
    finally:
        lock.release()


def through_finally_ok(lock, found):
    return returned_through_finally(lock, found).upper() + returned_from_loop_in_finally(lock, found).upper()


def through_finally_bad(lock, found):
    return some_returned_through_finally(lock, found).upper()  # null.attribute


def caught_without_a_name_bad(found=None):
    try:
        found.close()  # null.attribute
    except:  # noqa: E722
        print("no")


def tested_in_finally_ok(storage, queue, path=None):
    found = None
    try:
        found = storage.copy(path)
    except KeyError:
        raise
    finally:
        if found and not queue.has(found):
            queue.put(found)
    return found.name


def tested_in_finally_bad(storage, queue, path=None):
    found = None
    try:
        found = storage.copy(path)
    except KeyError:
        found = None
    finally:
        if found and not queue.has(found):
            queue.put(found)
    return found.name  # null.attribute
