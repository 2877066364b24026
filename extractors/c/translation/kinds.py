"""Types: as a file declares them, with what its typedefs stand for, and as types of the intermediate representation."""

from __future__ import annotations

from functools import lru_cache

from pliant.extractors.c.declarations import UNKNOWN, CType, Types
from pliant.extractors.c.linkage import LINKAGE
from pliant.extractors.ir.operands import ANY, BOOLEAN, Type
from pliant.extractors.ir.unit import Class

INT = CType("int")
LONG = CType("long")
TEXT = CType("char", ("pointer",))
_RECORDS = ("struct", "union")
_RANK = {"double": 6, "float": 5, "unsigned long": 4, "size_t": 4, "long": 3, "unsigned": 2, "unsigned int": 2}
_BYTES = {"char": 1, "short": 2, "int": 4, "long": 8}
_NAMED = {
    **{f"int{bits}_t": (bits // 8, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": (bits // 8, False) for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("ssize_t", "ptrdiff_t", "intptr_t", "intmax_t"), (8, True)),
    **dict.fromkeys(("size_t", "uintptr_t", "uintmax_t"), (8, False)),
}
_FRACTIONS = frozenset(("float", "double", "long double"))
_SIZES = {"bool": 1, "_Bool": 1, "float": 4, "double": 8}
_TRUTHS = frozenset(("bool", "_Bool"))


@lru_cache(maxsize=1024)
def _integer(base: str) -> tuple[int, bool] | None:
    """Of a type of integers, how many bytes they have, and whether they have a sign; None of others."""
    if base in _NAMED:
        return _NAMED[base]
    if base.startswith("enum "):
        return 4, True
    words = base.split()
    if not words or not set(words) <= {"signed", "unsigned", *_BYTES}:
        return None
    size = next((_BYTES[word] for word in ("char", "short", "long") if word in words), 4)
    return size, "unsigned" not in words


@lru_cache(maxsize=4096)
def fits(kind: CType, wanted: CType) -> bool:
    """Whether a number of one type is the same as one of another type, or nothing is known of that."""
    if kind.levels or wanted.levels or not kind.arithmetic or not wanted.arithmetic or wanted.base == "void":
        return True
    if wanted.base in _TRUTHS:
        return kind.base in _TRUTHS
    to = _integer(wanted.base)
    if kind.base in _TRUTHS or to is None:
        return True
    of = _integer(kind.base)
    if of is None:  # a fraction, or not known
        return kind.base not in _FRACTIONS
    return (of[0] < to[0] and (to[1] or not of[1])) or of == to


def wrapped(number: int, wanted: CType) -> int:
    """An integer as a value of a type, if that is one of integers."""
    to = _integer(wanted.base) if not wanted.levels else None
    if to is None:
        return int(number != 0) if wanted.base in _TRUTHS and not wanted.levels else number
    bits = 8 * to[0]
    number &= (1 << bits) - 1
    return number - (1 << bits) if to[1] and number >> (bits - 1) else number


def is_record(kind: CType) -> bool:
    """Whether values are structures or unions."""
    return not kind.levels and kind.base.startswith(_RECORDS)


def is_whole(kind: CType) -> bool:
    """Whether what has the type is known by its address: a structure, a union, an array."""
    return kind.levels[0] == "array" if kind.levels else kind.base.startswith(_RECORDS)


def as_record(kind: CType, shown: bool) -> CType:
    """A type, or the structure that it is: a name of another file, if the source shows that it stands for one."""
    unknown = not kind.levels and not kind.arithmetic and not is_whole(kind) and kind.base.isidentifier()
    return CType(f"struct {kind.base}") if unknown and shown else kind


def pointer_to(kind: CType) -> CType:
    return CType(kind.base, ("pointer", *kind.levels))


def size_of(kind: CType) -> int | None:
    """Bytes, where a pointer has 8."""
    if kind.levels:
        return 8 if kind.levels[0] == "pointer" else None
    known = _integer(kind.base)
    return known[0] if known is not None else _SIZES.get(kind.base)


def of_numbers(left: CType, right: CType) -> CType:
    """The type of what an operator computes of two numbers."""
    if not left.arithmetic or not right.arithmetic:
        return left if left.arithmetic else right if right.arithmetic else INT
    first, second = _RANK.get(left.base, 0), _RANK.get(right.base, 0)
    return INT if not first and not second else left if first >= second else right


class Kinds:
    """The types of a file. What its methods give is resolved: no typedef of the file is left in it."""

    def __init__(self) -> None:
        self.types = Types()
        self._resolved: dict[CType, CType] = {}
        self._elements: dict[CType, CType] = {}
        self._made: dict[CType, Type] = {}
        self._named: dict[str, str] = {}  # struct without a name -> the typedef of it, or a name that is made up
        self._unnamed = 0  # how many of those there are

    def resolve(self, kind: CType) -> CType:
        known = self._resolved.get(kind)
        if known is None:
            known = self._resolved[kind] = self.types.resolve(kind)
        return known

    def define(self, name: str, kind: CType) -> None:
        """A typedef."""
        if self.types.typedefs.get(name) != kind:
            self.types.typedefs[name] = kind
            self._resolved.clear()
            self._elements.clear()
        if "#" in kind.base and not kind.levels:
            self._named.setdefault(kind.base, name)

    def element(self, kind: CType) -> CType:
        """What a pointer points to, what an array consists of, what a function returns."""
        if not kind.levels:
            return UNKNOWN
        known = self._elements.get(kind)
        if known is None:
            known = self._elements[kind] = self.resolve(CType(kind.base, kind.levels[1:]))
        return known

    def field(self, holder: CType, name: str) -> CType:
        known = self.types.fields.get(holder.base) if not holder.levels else None
        found = known.get(name) if known is not None else None
        return self.resolve(found) if found is not None else UNKNOWN

    def fields(self, holder: CType) -> dict[str, CType]:
        """Those of a structure, in their order; nothing where they are not known."""
        return self.types.fields.get(holder.base, {}) if not holder.levels else {}

    # In the intermediate representation.

    def type(self, kind: CType) -> Type:
        known = self._made.get(kind)
        if known is None:
            known = self._made[kind] = self._of(kind)
        return known

    def _of(self, kind: CType) -> Type:
        made = self._of_base(kind.base)
        inmost = kind.levels[-1] if kind.levels else ""
        if made.kind == "class" and inmost not in ("pointer", "array") and not is_record(CType(kind.base)):
            made = ANY  # a typedef of another file, which may stand for a number or a pointer
        for level in reversed(kind.levels):
            made = Type(level, of=(made,))
        return made

    def _of_base(self, base: str) -> Type:
        plain = CType(base)
        if is_record(plain):
            return Type("class", self._name(base), LINKAGE)
        if base in ("bool", "_Bool"):
            return BOOLEAN
        if plain.arithmetic and base != "void":
            return Type("number", "int" if base.startswith("enum") else " ".join(base.split()))
        return Type("class", base, LINKAGE) if base.isidentifier() and base != "void" else ANY

    def _name(self, base: str) -> str:
        """The name of a structure, which a typedef without `struct` may have as well."""
        if "#" not in base:
            return base.partition(" ")[2]
        if base not in self._named:
            self._unnamed += 1
            self._named[base] = f"{base.partition(' ')[0]}.{self._unnamed}"
        return self._named[base]

    def classes(self) -> list[Class]:
        """The structures and unions whose members the file shows, and other names of structures."""
        found: dict[str, Class] = {}
        for base, fields in self.types.fields.items():
            kind = self._of_base(base)
            made = found.setdefault(kind.name, Class(kind, "struct"))
            made.fields.update((name, self.type(self.resolve(each))) for name, each in fields.items())
        for name, meant in self.types.typedefs.items():
            meant = self.resolve(meant)
            if is_record(meant) and not meant.levels and name not in found and name != self._name(meant.base):
                found[name] = Class(Type("class", name, LINKAGE), "alias", [self.type(meant)])
        return list(found.values())
