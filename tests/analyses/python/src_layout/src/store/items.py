"""In a package under src/."""


def find_item(name):
    return None if name else "a"
