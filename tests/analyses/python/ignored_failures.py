"""A handler that ends every failure and does nothing, and what comes after it."""


def find(items):
    for each in items:
        if each:
            return each
    return None


def closes_ok(stream):
    try:
        stream.close()
    except Exception:
        pass


def used_after_bad(items):
    found = find(items)
    try:
        items.close()
    except Exception:
        pass
    return found.name  # null.attribute
