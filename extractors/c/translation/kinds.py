"""Types: as a file declares them, with what its typedefs stand for, and as types of the intermediate representation."""

from __future__ import annotations

from pliant.extractors.c.declarations import UNKNOWN, CType, Types
from pliant.extractors.ir.operands import ANY, BOOLEAN, Type
from pliant.extractors.ir.unit import Class

LINKAGE = "C"  # the one module that all names with external linkage, and the names of types, are members of
INT = CType("int")
LONG = CType("long")
TEXT = CType("char", ("pointer",))
_RECORDS = ("struct", "union")
_RANK = {"double": 6, "float": 5, "unsigned long": 4, "size_t": 4, "long": 3, "unsigned": 2, "unsigned int": 2}
_BYTES = {
    "bool": 1, "_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1, "short": 2,
    "unsigned short": 2, "int16_t": 2, "uint16_t": 2, "int": 4, "unsigned": 4, "unsigned int": 4, "int32_t": 4,
    "uint32_t": 4, "float": 4, "long": 8, "unsigned long": 8, "double": 8, "long long": 8, "unsigned long long": 8,
    "int64_t": 8, "uint64_t": 8, "size_t": 8, "ssize_t": 8, "ptrdiff_t": 8, "intptr_t": 8, "uintptr_t": 8,
}  # fmt: skip


def is_record(kind: CType) -> bool:
    """Whether values are structures or unions."""
    return not kind.levels and kind.base.startswith(_RECORDS)


def is_whole(kind: CType) -> bool:
    """Whether what has the type is known by its address: a structure, a union, an array."""
    return kind.levels[0] == "array" if kind.levels else kind.base.startswith(_RECORDS)


def pointer_to(kind: CType) -> CType:
    return CType(kind.base, ("pointer", *kind.levels))


def size_of(kind: CType) -> int | None:
    """Bytes, where a pointer has 8."""
    if kind.levels:
        return 8 if kind.levels[0] == "pointer" else None
    return _BYTES.get(kind.base)


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
        if "#" in kind.base and not kind.levels:
            self._named.setdefault(kind.base, name)

    def element(self, kind: CType) -> CType:
        """What a pointer points to, what an array consists of, what a function returns."""
        return self.resolve(CType(kind.base, kind.levels[1:])) if kind.levels else UNKNOWN

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
        """The structures and unions whose members the file shows."""
        found: dict[str, Class] = {}
        for base, fields in self.types.fields.items():
            kind = self._of_base(base)
            made = found.setdefault(kind.name, Class(kind, "struct"))
            made.fields.update((name, self.type(self.resolve(each))) for name, each in fields.items())
        return list(found.values())
