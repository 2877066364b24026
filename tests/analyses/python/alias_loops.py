"""Containers that change while a loop goes over them, and containers to which each round adds the same object."""

import os


def removed_bad(items):
    for item in items:
        if not item.strip():
            items.remove(item)  # alias.invalidated-iterator
    return items


def removed_from_copy_ok(items):
    for item in list(items):
        items.remove(item)
    return items


def removed_from_slice_ok(items):
    for item in items[:]:
        items.remove(item)
    return items


def removed_once_ok(items, wanted):
    for item in items:
        if item == wanted:
            items.remove(item)
            break
    return items


def removed_and_returned_ok(items, wanted):
    for item in items:
        if item == wanted:
            items.remove(item)
            return True
    return False


def appended_ok(todo):
    for item in todo:
        todo.append(item)
    return todo


def other_container_ok(items, others):
    for item in items:
        others.remove(item)


def deleted_bad(sessions, now):
    for key in sessions:
        if sessions[key] < now:
            del sessions[key]  # alias.invalidated-iterator


def deleted_from_view_bad(sessions, now):
    for key, end in sessions.items():
        if end < now:
            sessions.pop(key)  # alias.invalidated-iterator


def deleted_over_list_ok(sessions, now):
    for key in list(sessions):
        if sessions[key] < now:
            del sessions[key]


def deleted_over_list_of_view_ok(sessions, now):
    for key, end in list(sessions.items()):
        if end < now:
            del sessions[key]


def environment_ok(prefix):
    for name in os.environ:
        if name.startswith(prefix):
            del os.environ[name]


def replaced_ok(counts):
    for key in counts:
        counts[key] = 0
        counts.update({key: 1})


def made_here_bad(words):
    seen = set(words)
    for word in seen:
        seen.add(word.lower())  # alias.invalidated-iterator
    return seen


class Watchers:
    def __init__(self):
        self.watchers = []

    def notify_bad(self, event):
        for watcher in self.watchers:
            if watcher(event):
                self.watchers.remove(watcher)  # alias.invalidated-iterator

    def notify_ok(self, event):
        for watcher in tuple(self.watchers):
            if watcher(event):
                self.watchers.remove(watcher)


def same_row_bad(count):
    rows = []
    row = {}
    for number in range(count):
        row["number"] = number  # alias.repeated-element
        rows.append(row)
    return rows


def same_value_bad(keys):
    found = {}
    counts = []
    for key in keys:
        counts.append(len(key))  # alias.repeated-element
        found[key] = counts
    return found


def element_changed_bad(count):
    empty = []
    rows = []
    for _ in range(count):
        rows.append(empty)
    rows[0].append(1)  # alias.repeated-element
    return rows


def new_row_ok(count):
    rows = []
    for number in range(count):
        row = {}
        row["number"] = number
        rows.append(row)
    return rows


def started_again_ok(words):
    groups = []
    group = []
    for word in words:
        group.append(word)
        if word.endswith("."):
            groups.append(group)
            group = []
    return groups


def copied_row_ok(count):
    rows = []
    row = {}
    for number in range(count):
        row["number"] = number
        rows.append(dict(row))
    return rows


def never_changed_ok(keys):
    found = {}
    nothing = []
    for key in keys:
        found[key] = nothing
    return found


def added_once_ok(words):
    groups = []
    group = []
    for word in words:
        group.append(word)
    groups.append(group)
    return groups


def last_round_ok(words):
    groups = []
    group = []
    for word in words:
        group.append(word)
        if word == "end":
            groups.append(group)
            break
    return groups


def same_list_for_each_key_bad(words):
    groups = dict.fromkeys({len(word) for word in words}, [])
    for word in words:
        groups[len(word)].append(word)  # alias.repeated-element
    return groups


def same_number_for_each_key_ok(words):
    counts = dict.fromkeys(words, 0)
    for word in words:
        counts[word] += 1
    return counts
