"""Which method or constructor of the file an object of a known class has."""

from __future__ import annotations

from pliant.extractors.java.declarations import Class, Method
from pliant.extractors.java.types import erased


def candidates(class_: Class, name: str, count: int) -> list[Method]:
    return [method for method in class_.methods.get(name, ()) if f"{name}/{count}" in method.keys]


def find_class(classes: dict[str, Class], near: Class | None, name: str) -> Class | None:
    """The class of the file that a name means in the code of `near`."""
    for class_ in near.chain() if near is not None else ():
        if name in class_.inner:
            return class_.inner[name]
        if name == class_.name:
            return class_
    return classes.get(name)


def inherited(classes: dict[str, Class], class_: Class, name: str, count: int) -> tuple[Class, Method] | None:
    """The method that an object of exactly that class has; None where the file does not tell."""
    seen = 0
    todo: list[Class | None] = [class_]
    while todo and seen < 20:
        current = todo.pop(0)
        seen += 1
        if current is None:
            return None
        found = candidates(current, name, count)
        if found:
            return (current, found[0]) if len(found) == 1 else None
        todo += [find_class(classes, current, erased(base)) for base in current.bases]
    return None


def derived(classes: dict[str, Class], class_: Class, name: str) -> bool | None:
    """Whether a class is `name` or derived from it; None where the file does not tell."""
    seen: set[int] = set()
    todo: list[Class | None] = [class_]
    whole = True
    while todo:
        current = todo.pop()
        if current is None:
            whole = False
        elif id(current) not in seen:
            seen.add(id(current))
            if name in (current.name, "Object") or any(erased(base) == name for base in current.bases):
                return True
            todo += [find_class(classes, current, erased(base)) for base in current.bases]
    return False if whole else None


def cannot_be_overridden(class_: Class, method: Method) -> bool:
    return method.static or method.private or method.final or class_.final
