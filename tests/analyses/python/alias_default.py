"""Mutable default arguments."""


def appended_bad(item, items=[]):
    items.append(item)  # alias.mutable-default
    return items


def item_stored_bad(key, known={}):
    known[key] = 1  # alias.mutable-default
    return known


def item_deleted_bad(key, known={1: 2}):
    del known[key]  # alias.mutable-default


def added_bad(item, seen=set()):
    seen.add(item)  # alias.mutable-default


def augmented_bad(items=[]):
    items += [1]  # alias.mutable-default
    return items


def keyword_only_bad(*, items=[]):
    items.append(1)  # alias.mutable-default


def called_constructor_bad(items=list()):
    items.append(1)  # alias.mutable-default


def through_local_bad(items=[]):
    found = items
    found.append(1)  # alias.mutable-default


def changed_by_callee_bad(target):
    target.append(1)  # alias.mutable-default


def hands_on_ok(items=[]):
    changed_by_callee_bad(items)


class Box:
    def __init__(self, items=[]):
        self.items = items

    def put_bad(self, item):
        self.items.append(item)  # alias.mutable-default


def lambda_bad():
    return lambda item, items=[]: items.append(item)  # alias.mutable-default


def only_read_ok(items=[]):
    return [item for item in items]


def returned_ok(items=[]):
    return items


def copied_ok(item, items=[]):
    items = list(items)
    items.append(item)
    return items


def copied_by_slice_ok(item, items=[]):
    items = items[:]
    items.append(item)
    return items


def copied_by_method_ok(item, known={}):
    known = known.copy()
    known[item] = 1
    return known


def none_default_ok(item, items=None):
    if items is None:
        items = []
    items.append(item)
    return items


def immutable_ok(item, items=()):
    return (*items, item)


def rebound_ok(item, items=[]):
    items = [item]
    items.append(item)
    return items


def added_to_new_ok(item, items=[]):
    return items + [item]


def nested_display_ok(items=[]):
    both = [items, [1]]
    both.append([2])
    return both


def fp_empty_then_replaced(item, items=[]):
    items = items or []
    items.append(item)  # alias.mutable-default
    return items
