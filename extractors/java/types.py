"""Types and annotations as they are written: generics erased, and what is said of null."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, joined, text

PRIMITIVES = frozenset(("boolean", "byte", "char", "short", "int", "long", "float", "double", "void"))
BOXES = frozenset(("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"))
# Of JSpecify, JSR-305, JetBrains, Android, the Checker Framework, Spring, Eclipse, FindBugs, SpotBugs, Jakarta; Lombok
# has only @NonNull. `CheckForNull` is of JSR-305, `RecentlyNullable` of Android.
NULLABLE = frozenset(
    ("Nullable", "CheckForNull", "NullableDecl", "RecentlyNullable", "PossiblyNull", "NullAllowed", "NullableType")
)
NONNULL = frozenset(("Nonnull", "NonNull", "NotNull", "NonNullDecl"))
SET_NOTHING = NULLABLE | NONNULL | {"Deprecated", "SuppressWarnings"}  # java.lang's for fields (JLS 9.6.4)
# Types of which no null-returning method and no mutation is modelled: to follow them costs and finds nothing.
DULL = PRIMITIVES | BOXES | frozenset(("String", "Object", "CharSequence", "Number", "Void", "var"))


def annotation_names(modifiers: Node) -> frozenset[str]:
    """The simple names of annotations."""
    found = set()
    for child in modifiers.children:
        if child.type in ("marker_annotation", "annotation"):
            name = child.child_by_field_name("name")
            if name is not None:
                found.add(joined(name).rsplit(".", 1)[-1])
    return frozenset(found)


# Packages whose annotations belong to the type behind them: in front of an array they speak of its elements.
TYPE_USE = frozenset(
    ("org.jspecify.annotations", "org.checkerframework.checker.nullness.qual", "org.eclipse.jdt.annotation")
)


def is_nullable(annotations: frozenset[str], declared: Node | None, *, type_use: bool = False) -> bool:
    """Whether a declaration says that its value may be null, in front of it or at its type. type_use: an annotation in
    front of an array speaks of its elements."""
    if not annotations.isdisjoint(NULLABLE) and not (
        type_use and declared is not None and declared.type == "array_type"
    ):
        return True
    if declared is not None and declared.type == "annotated_type":
        return not annotation_names(declared).isdisjoint(NULLABLE)
    dimensions = declared.child_by_field_name("dimensions") if declared is not None else None
    return dimensions is not None and not annotation_names(dimensions).isdisjoint(NULLABLE)


def bare(node: Node) -> Node:
    """The type without annotations and type arguments."""
    while node.type in ("annotated_type", "generic_type"):
        inner = [child for child in elements(node) if child.type not in ("marker_annotation", "annotation")]
        if not inner:
            break
        node = inner[-1] if node.type == "annotated_type" else inner[0]
    return node


def erased(node: Node) -> str:
    """A type's name without its arguments, `Map.Entry` or `int[][]`."""
    node = bare(node)
    if node.type == "array_type":
        element, dimensions = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
        count = text(dimensions).count("[") if dimensions is not None else 1
        return (erased(element) if element is not None else "") + "[]" * count
    if node.type == "scoped_type_identifier":
        return ".".join(erased(child) for child in elements(node) if "annotation" not in child.type)
    return joined(node)
