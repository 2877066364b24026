"""Keys that are known to be in a mapping, and are deleted."""


def known_ok(table: dict[str, str], key):
    if key in table:
        return table.get(key).upper()
    return ""


def deleted_bad(table: dict[str, str], key):
    if key in table:
        del table[key]
        return table.get(key).upper()  # null.attribute
    return ""


def deleted_constant_bad(table: dict[str, str]):
    if "a" in table:
        del table["a"]
        return table.get("a").upper()  # null.attribute
    return ""


def other_key_deleted_ok(table: dict[str, str]):
    if "a" in table:
        del table["b"]
        return table.get("a").upper()
    return ""
