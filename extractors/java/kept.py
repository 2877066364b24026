"""Numbers and truths that objects keep: what fields of such types hold, and what containers say of themselves.

Each is followed as a path of its object, from where it is written or first read to the next call that may change it: a
test of it is known when it comes again, and a constant that was written decides it. A container that was just made is
empty.
"""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java.declarations import Field
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.paths import value_of
from pliant.extractors.java.types import is_boxed
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import STATE, UNDEFINED, Path, Value

_FIXED, _PRIVATE, _OPEN = "fixed", "private", "open"  # changed by no call, by those of this class, by any
_FOLLOWED = frozenset(("boolean", "int", "long", "short", "byte", "char"))
_EMPTY, _SIZE = f"{STATE}isEmpty()", f"{STATE}size()"
_PLAIN = frozenset(("String", "StringBuilder", "StringBuffer"))
_LISTS = frozenset(("List", "ArrayList", "LinkedList", "Vector", "CopyOnWriteArrayList"))
_MADE = frozenset(
    (
        *("ArrayList", "LinkedList", "Vector", "CopyOnWriteArrayList", "ArrayDeque", "PriorityQueue", "Stack"),
        *("HashSet", "LinkedHashSet", "TreeSet", "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap"),
        *("IdentityHashMap", "WeakHashMap", "Hashtable"),
    )
)
_CONTAINERS = _MADE | {"List", "Collection", "Set", "SortedSet", "Map", "SortedMap", "Queue", "Deque", "ConcurrentMap"}
# Methods of containers: those that change nothing, that leave an element behind, and that fail where there is none.
_LOOKS = frozenset(
    (
        *("isEmpty", "size", "contains", "containsAll", "containsKey", "containsValue", "get", "getOrDefault"),
        *("indexOf", "lastIndexOf", "getFirst", "getLast", "peek", "element", "equals", "hashCode", "toString"),
    )
)
_FINDS = frozenset(("contains", "containsKey", "containsValue"))
_ADDS = frozenset(("add", "addFirst", "addLast", "addElement", "push", "put"))
_NEEDS_ONE = frozenset(("getFirst", "getLast", "removeFirst", "removeLast", "pop", "element", "firstKey", "lastKey"))
_AT = frozenset(("get", "remove", "set"))
TOLD = _LOOKS | _ADDS | _NEEDS_ONE | _AT | {"clear"}  # of which calls of containers tell something
# Methods that change nothing and keep nothing of their arguments.
_HARMLESS = frozenset(("requireNonNull", "checkNotNull", "verifyNotNull", "checkNonNull", "println", "print"))


# Fields.


def path_of(lo: Lowering, node: Node) -> Path | None:
    """The path of what a field or a container's `size()` or `isEmpty()` says; None for other expressions."""
    if node.type == "method_invocation":
        return _query(lo, node)
    found = _field(lo, node)
    if found is None:
        return None
    base, known = found
    root = lo.fn.root(base)
    if root in (UNDEFINED, lo.fn.opaque, lo.fn.unknown):
        return None
    path = (root, f"{STATE}{known.name}")
    if path not in lo.states:
        steady = known.final or (known.private and known.name not in lo.tracked)
        lo.states[path] = _FIXED if steady else _PRIVATE if known.private else _OPEN
    return path


def _field(lo: Lowering, node: Node) -> tuple[Value, Field] | None:
    """The object and the field of a number or a truth."""
    found: tuple[Value, Field | None] | None = None
    if node.type == "identifier":
        name = text(node)
        if lo.local(name) is None and lo.captured(name) is None and (owner := lo.field_owner(name)) is not None:
            found = lo.field_base(*owner), owner[1]
    elif node.type == "field_access":
        base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
        if base is None or name_node is None or name_node.type != "identifier":
            return None
        if base.type == "this":
            known = lo.class_.fields.get(text(name_node)) if lo.class_ is not None else None
            found = (lo.this(), known) if known is None or not known.static else None
        else:
            class_ = lo.find_class(kind) if (kind := lo.static_type(base)) else None
            found = (value_of(lo, base), class_.fields.get(text(name_node))) if class_ is not None else None
    value, field = found if found is not None else (UNDEFINED, None)
    if field is None or field.volatile or not (field.type_name in _FOLLOWED or is_boxed(field.type_name)):
        return None
    return value, field


def state(lo: Lowering, path: Path) -> Value:
    """What is there now: a constant, what was written, or a value that stands for it until it changes."""
    content = lo.fn.content(path)
    if content == UNDEFINED:
        content = lo.fn.unnamed()
        lo.state_values.add(content)
        lo.fn.write(path, content)
    return content


def known(lo: Lowering, node: Node) -> Value:
    """A constant or a condition that was written to a field; what nothing is known of otherwise."""
    found = _field(lo, node)
    path = (lo.fn.root(found[0]), f"{STATE}{found[1].name}") if found is not None else None
    if path is None or path[1] not in lo.fn.fields_of.get(path[0], ()):
        return lo.opaque()
    content = lo.fn.content(path)
    return content if content in lo.fn.constants or content in lo.fn.tests else lo.opaque()


def wrote(lo: Lowering, target: Node, value: Value) -> None:
    """`value` was written to the field that `target` is, if that is one of a number or a truth."""
    path = path_of(lo, target) if target.type != "method_invocation" else None
    if path is None:
        return
    fn = lo.fn
    value = fn.resolve(value)
    for other in lo.states:
        apart = other[0] in lo.fresh or (path[0] in lo.fresh and fn.operands(other[0]) is None)
        if other[1] == path[1] and other[0] != path[0] and not (apart and fn.operands(path[0]) is None):
            fn.write(other, fn.unknown)
    fn.write(path, value if value not in (UNDEFINED, fn.opaque, fn.unknown) else fn.unnamed())


def changed_by(lo: Lowering, call: Value, arguments: dict[Value, Value], path: Path, value: Value) -> bool:
    """Whether a call that gets `arguments` (by their roots) may change the `value` that is kept at `path`. Whoever is
    called may call this class: what is constant in a private field decides nothing behind that."""
    kind = lo.states.get(path, _OPEN)
    if kind == _FIXED or call in lo.looks:
        return False
    roots = {lo.fn.root(root) for root in arguments}
    if path[0] in lo.fresh and path[0] not in lo.fn.leaked:
        return path[0] in roots
    return kind != _PRIVATE or path[0] in roots or _may_run_this_file(lo, call, roots, value in lo.fn.constants)


def _may_run_this_file(lo: Lowering, call: Value, roots: set[Value], anything: bool) -> bool:
    """Whether a call may run code of this file: its own methods, those of objects that it makes, or functions that are
    passed; what other code calls only if it may be `anything`."""
    own = lo.class_value(lo.class_) if lo.class_ is not None else UNDEFINED
    if any(root in (lo.this_value, own) or root in lo.functions or root in lo.created for root in roots - {call}):
        return True
    node, _ = lo.invoked.get(call, (None, 0))
    base = node.child_by_field_name("object") if node is not None else None
    if base is None:
        return call not in lo.made
    kind = lo.static_type(base)
    if anything:
        return kind not in _CONTAINERS and kind not in _PLAIN
    return bool(kind) and lo.find_class(kind) is not None


# Containers.


def _query(lo: Lowering, node: Node) -> Path | None:
    name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    if name_node is None or base is None or text(name_node) not in ("isEmpty", "size"):
        return None
    if elements(node.child_by_field_name("arguments")) or not _is_container(lo, lo.static_type(base)):
        return None
    root = lo.fn.root(value_of(lo, base))
    return (root, f"{STATE}{text(name_node)}()") if root not in (UNDEFINED, lo.fn.opaque, lo.fn.unknown) else None


def constructed(lo: Lowering, value: Value, name: str, given: list[Node], passed: list[Value]) -> None:
    """`value` is a new object of the class `name` that nothing else has a name for; of a container, it is empty."""
    if lo.fresh:
        _hand_over(lo, [lo.fn.root(each) for each in passed])
    if name:
        lo.fresh.add(value)
    if name in _MADE and lo.find_class(name) is None and all(lo.static_type(argument) == "int" for argument in given):
        lo.fn.write((value, _EMPTY), lo.literal(True))


def is_empty(lo: Lowering, receiver: Value) -> bool | None:
    """Whether a container is known to be empty, or not to be."""
    content = lo.fn.content((lo.fn.root(receiver), _EMPTY))
    known = lo.fn.constants.get(content)
    return known if isinstance(known, bool) else None


def called(
    lo: Lowering,
    base: Node | None,
    name: str,
    receiver: Value,
    given: list[Node],
    passed: list[Value],
    call: Value,
    empty: bool | None,
) -> None:
    """What a call, which was noted, says of the container that is its receiver, which was `empty` before; what it gets
    has other names now."""
    fn = lo.fn
    if name in _HARMLESS:
        lo.looks.add(call)
    elif lo.fresh and passed:
        _hand_over(lo, [fn.root(value) for value in passed])
    if name not in TOLD and not lo.fresh:
        return
    root = fn.root(receiver)
    kind = lo.static_type(base) if base is not None and name in TOLD else ""
    if root in (UNDEFINED, fn.opaque, fn.unknown) or not _is_container(lo, kind):
        if lo.fresh:
            _hand_over(lo, [root])
        return
    if fn.operands(root):
        lo.fresh.clear()
    if name in _LOOKS:
        lo.looks.add(call)
    if not given and name in ("isEmpty", "size"):
        if name == "isEmpty" and empty is not None:
            lo.decided[call] = empty
        fn.roots[call] = fn.root(state(lo, (root, f"{STATE}{name}()")))
    elif name in _FINDS and empty:
        lo.decided[call] = False
    elif name in _ADDS:
        fn.write((root, _EMPTY), lo.literal(False))
    elif name == "clear" and not given:
        fn.write((root, _EMPTY), lo.literal(True))
    elif empty and (name in _NEEDS_ONE or (name in _AT and kind in _LISTS and _is_position(lo, given))):
        lo.may_raise()
        fn.stop()


def _hand_over(lo: Lowering, roots: list[Value]) -> None:
    """Others have a name for these objects from here on; where one is of several, for each of them."""
    lo.fresh.difference_update(roots)
    if any(lo.fn.operands(root) for root in roots):
        lo.fresh.clear()


def _is_container(lo: Lowering, kind: str) -> bool:
    return kind in _CONTAINERS and lo.find_class(kind) is None


def _is_position(lo: Lowering, given: list[Node]) -> bool:
    return bool(given) and lo.static_type(given[0]) == "int"


def tested(lo: Lowering, node: Node, outcome: bool) -> None:
    """`isEmpty()` was tested."""
    path = _query(lo, node) if node.type == "method_invocation" else None
    if path is not None and path[1] == _EMPTY:
        lo.fn.write(path, lo.literal(outcome))


def counts(lo: Lowering, node: Node) -> int | None:
    """The number that `size()` of a container known to be empty gives."""
    path = _query(lo, node)
    return 0 if path is not None and path[1] == _SIZE and is_empty(lo, path[0]) else None
