"""Library facts of one stub module, in units that can be taken one by one.

A unit is a module's namespace, a class with its own methods, a module-level function or value, or an abstract object.
It holds rows and names the units that its rows mention, so that the facts for a set of modules are those of every unit
that can be reached from them, and adding a module only adds facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .library_models import Models
from .library_names import Entity
from .library_tell import Knowledge
from .library_types import Type, includes_none, instance

Row = tuple[str, tuple[str | int, ...]]  # relation, columns


@dataclass(slots=True)
class Unit:
    rows: dict[Row, None] = field(default_factory=dict)
    needs: dict[tuple[str, str], None] = field(default_factory=dict)  # (module that holds it, unit)


def module_units(knowledge: Knowledge, module: str) -> dict[str, Unit]:
    """The units of a stub module by name; none where there is no such module."""
    entity = knowledge.stubs.module(module)
    return {} if entity is None else _Extraction(knowledge, entity).units


def _holder(entity: Entity) -> tuple[str, str]:
    """Module and unit that hold what is told of an entity: members of a class stand in the class's unit."""
    if entity.owner is not None and entity.kind != "class":
        return entity.module, entity.owner.name
    return entity.module, entity.name


class _Extraction:
    """The units of one module. Objects that it mentions are units of its own, whoever defines their class."""

    def __init__(self, knowledge: Knowledge, module: Entity) -> None:
        self.knowledge = knowledge
        self.stubs = knowledge.stubs
        self.models: Models = knowledge.models
        self.module = module.name
        self.units: dict[str, Unit] = {}
        self._namespace(module)

    def _namespace(self, module: Entity) -> None:
        unit = self.units[module.name] = Unit()
        self._add(unit, "lib_stdlib", module.name)  # also of model files: rules ask whether a module is described
        parts = module.name.split(".")
        for size in range(1, len(parts)):
            parent = ".".join(parts[:size])
            self._add(unit, "lib_stdlib", parent)
            self._add(unit, "lib_member", parent, parts[size], f"{parent}.{parts[size]}")
        for name, info in module.children.items():
            member = self.stubs.child(module, name)
            if member is None:
                continue
            if member.kind == "module":
                bound = member.name.rpartition(".")[2]
                if member.name == f"{module.name}.{bound}":  # importing a package's submodule binds it in the package
                    self._add(unit, "lib_member", module.name, bound, member.name)
                    unit.needs[_holder(member)] = None
            elif member.kind in ("class", "function", "value"):
                if member.module == module.name and member.owner is None:
                    self._define(member)
                is_own = info.is_exported or member.module == module.name
                # Private protocols exist in stubs alone.
                is_imaginary = member.kind == "class" and name.startswith("_") and self.stubs.is_protocol(member)
                if is_own and not is_imaginary:
                    self._add(unit, "lib_member", module.name, name, member.name)
                    unit.needs[_holder(member)] = None

    def _add(self, unit: Unit, relation: str, *columns: str | int | Type) -> None:
        """Adds a row; types among the columns become the symbols of their objects."""
        spelled = tuple(self._object(column, unit) if isinstance(column, Type) else column for column in columns)
        unit.rows[relation, spelled] = None

    def _define(self, entity: Entity) -> None:
        if entity.name in self.units:
            return
        unit = self.units[entity.name] = Unit()
        self._tell(entity, unit)
        if entity.kind == "class":
            self._class(entity, unit)

    def _tell(self, entity: Entity, unit: Unit) -> None:
        for relation, columns in self.knowledge.told(entity):
            self._add(unit, relation, *columns)

    def _class(self, cls: Entity, unit: Unit) -> None:
        self._add(unit, "lib_class", cls.name)
        self._object(instance(cls.name), unit)
        ancestors = [base.name for base in self.stubs.mro(cls)[1:]]
        for base in ancestors:
            self._add(unit, "lib_base", cls.name, base)
        if any(self.models.get(name, "mutable") for name in (cls.name, *ancestors)):
            self._add(unit, "lib_mutable", cls.name)
        if any(self.models.get(name, "copies_defaults") for name in (cls.name, *ancestors)):
            self._add(unit, "lib_copies_defaults", cls.name)
        if self.models.get(cls.name, "iterates_copy"):
            self._add(unit, "lib_iterates_copy", cls.name)
        found = self.stubs.members(cls)
        for name, member in found.items():
            if member.kind == "class" and member.owner is cls:
                self._define(member)
            if not self.knowledge.is_asked_for(name, member):
                continue
            self._add(unit, "lib_member", cls.name, name, member.name)
            if member.owner is cls and member.kind != "class":
                self._tell(member, unit)
            else:
                unit.needs[_holder(member)] = None
        for name in self.models.get(cls.name, "replaces") or ():
            if name in found:
                self._add(unit, "lib_replaces", found[name].name)
        listed = self.models.get(cls.name, "mutates")
        for name in listed if isinstance(listed, list) else ():
            if name in found:
                self._add(unit, "lib_mutates", found[name].name)
                for relation, columns in self.knowledge.stored(found[name]):
                    self._add(unit, relation, *columns)

    def _object(self, type_: Type, unit: Unit) -> str:
        """The symbol of an instance; its unit is made where this module mentions it first."""
        symbol = f"{spelling(type_)}()"
        unit.needs[self.module, symbol] = None
        if symbol in self.units:
            return symbol
        made = self.units[symbol] = Unit()
        cls = self.stubs.find_class(type_.name)
        assert cls is not None, symbol
        made.needs[_holder(cls)] = None
        self._add(made, "lib_instance", symbol, cls.name)
        iterated, held = self.stubs.iterated(type_), self.stubs.held(type_)
        for relation, elements in (("lib_iteration", iterated), ("lib_item", held)):
            for element in self.knowledge.objects(elements):
                self._add(made, relation, symbol, element)
        if type_.kind == "tuple":
            for position, arg in enumerate(type_.args):
                if includes_none(arg):
                    self._add(made, "lib_item_nullable", symbol, position)
        elif includes_none(held) and not self.stubs.has_fixed_length(cls):
            self._add(made, "lib_item_nullable", symbol, -1)
        return symbol


def spelling(type_: Type) -> str:
    """A type as it stands in the symbol of an object."""
    if type_.kind in ("any", "none"):
        return "typing.Any" if type_.kind == "any" else "None"
    if type_.kind == "union":
        return " | ".join(spelling(member) for member in type_.args)
    if not type_.args:
        return type_.name
    args = [spelling(arg) for arg in type_.args]
    if type_.kind == "instance" and type_.name == "builtins.tuple":
        args.append("...")
    return f"{type_.name}[{', '.join(args)}]"
