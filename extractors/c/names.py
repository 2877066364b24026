"""Names and types of a C file, and macros that are being expanded."""

from __future__ import annotations

from collections import deque

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.c.declarations import UNKNOWN, CType, Types
from pliant.extractors.c.entities import (
    LINKAGE,
    MODULE,
    Bound,
    CallInfo,
    Choice,
    Exit,
    Form,
    Frame,
    Member,
    Outcome,
    Variable,
)
from pliant.extractors.c.macros import Macro
from pliant.extractors.c.models import Models, models
from pliant.extractors.c.scopes import Scopes
from pliant.extractors.lowering import base
from pliant.extractors.lowering.base import RESULT
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.lowering.ranges import Number, Range
from pliant.extractors.lowering.source import span
from pliant.extractors.ssa import UNDEFINED, Block, Here, Key, Value
from pliant.extractors.writer import FactWriter

_MACRO_DEPTH = 12


class Within:
    """`Names.within`: a class, for what is entered for every name in a macro."""

    __slots__ = ("frame", "names", "outer")

    def __init__(self, names: Names, frame: Frame | None) -> None:
        self.names, self.frame, self.outer = names, frame, names.frame

    def __enter__(self) -> None:
        self.names.frame = self.frame

    def __exit__(self, *error: object) -> None:
        self.names.frame = self.outer


class Names(base.Lowering):
    """State of a file and of a function that is being lowered; what names and types mean there."""

    def __init__(self, root: Node, writer: FactWriter, left_out: LeftOut, parser: Parser) -> None:
        self.parser = parser
        self.source = root.text or b""
        self.models: Models = models()
        self.types = Types()
        self.macros: dict[str, Macro] = {}
        self.globals: dict[str, Variable] = {}
        self.enumerators: dict[str, int | None] = {}
        self.exact: set[str] = set()  # enumerators whose number is no other file's constant
        self.varied: set[str] = set()  # macros that may be something else
        self.constants: dict[str, Number] = {}  # cells of variables that nothing changes -> their number
        self.tables: dict[str, list[Number]] = {}  # cells of arrays of constant numbers -> these
        self.outcomes: dict[str, list[Outcome]] = {}  # functions that were lowered -> how they are left
        self.functions: dict[str, CType] = {}  # functions that are defined here -> what they return
        self.prototypes: dict[str, CType] = {}  # the same of those that are declared
        self.exported: set[tuple[str, bool]] = set()
        self.classes: set[str] = set()  # of objects that are known in the file
        self.placed: set[str] = set()
        self.dotted_anywhere: frozenset[str] = frozenset()
        self.imported: set[str] = set()
        self.pending: deque[tuple[Node, Node, str]] = deque()
        self.loops: set[int] = set()
        self.nullable: list[int] = []  # where a pointer is declared to be nullable
        self.arithmetic_fields: set[str] = set()
        self.frame: Frame | None = None
        self.frames = 0
        stored, cleared = self.survey(root)
        super().__init__(root, writer, left_out, MODULE, stored, cleared)

    def survey(self, root: Node) -> tuple[frozenset[str], frozenset[str]]:
        """Fields that the file writes, and fields that it sets to null."""
        raise NotImplementedError

    def start_function(self, symbol: str) -> None:
        super().start_function(symbol)
        self.scopes = Scopes()
        self.shadowed: dict[str, int] = {}
        self.addressed: frozenset[str] = frozenset()  # variables whose address is taken
        self.dotted: frozenset[str] = frozenset()  # variables of which fields are read
        self.addresses: set[Value] = set()
        self.cells: dict[Value, Value] = {}  # addresses of variables of the program, and what stands for their content
        self.allocated: set[Value] = set()  # results of allocations that have no type yet
        self.loads: set[Value] = set()  # values that were read from memory
        self.compared: dict[int, Value] = {}  # comparison -> the call that it is about
        self.rest = UNDEFINED
        self.numbers: set[Value] = set()  # parameters that are no pointers
        self.exits: list[Exit] = []
        self.shared: dict[Key, Variable] = {}  # that this function has written
        self.labels: dict[str, Block] = {}
        self.jumps_to: dict[str, int] = {}
        self.landmarks: list[int] = []
        self.switches: list[Here] = []
        self.defaults: list[bool] = []
        self.chosen: list[Choice | None] = []  # what the switches are about
        self.objects: dict[Value, Value] = {}  # a pointer -> the one to the same object that it was made from
        self.origins: dict[Value, Value] = {}  # the same -> the first of those that one was made from the other
        self.renamed: set[Value] = set()  # contents that were read again, after calls that may have changed them
        self.calls_made: list[Value] = []  # that may change any memory
        self.epoch = 0  # calls so far that may change any memory
        self.read_at: dict[Key, int] = {}
        self.places: dict[tuple[Value, str], Value] = {}
        self.interiors: dict[tuple[Value, str], Value] = {}
        self.used: dict[Value, Value] = {}  # a variable from its use on -> the use that shows it not to be null
        self.number_of: dict[Value, int | None] = {}  # what is no pointer -> the number, if it is known
        self.forms: dict[Value, Form] = {}  # a number -> the form that it is
        self.ranges: dict[Value, Range] = {}  # what a number may be, or what a branch has shown of one
        self.unsigned: set[Value] = set()
        self.fractions: set[Value] = set()  # numbers that need not be integers
        self.masked: dict[object, Value] = {}  # what rests of a number -> its value
        self.call_at: dict[int, Value] = {}  # node of a call -> its value
        self.kept_results: dict[Value, Variable] = {}  # calls, by the local variable that a statement stores them in
        self.looked_at: set[Value] = set()  # values of local variables that expressions read
        self.made_from: dict[Value, Value] = {}  # the value of a variable after `++` and the like -> the one before
        self.mentioned: set[str] = set()  # keys of variables in memory that are read, or whose address is taken
        self.effects = False  # whether the function does anything that is seen outside of it
        self.gives = False  # whether it returns a value
        self.literals: dict[int, Value] = {}  # node of a compound literal -> its address
        self.discarded: set[int] = set()  # nodes of expressions that are statements
        self.written_by: dict[str, set[Value]] = {}  # field -> pointers through which it was written
        self.handed_on: set[tuple[int, str]] = set()  # fields of parameters, by position, that calls leave null
        self.consulted = 0  # how often a number was asked for that is no constant of the source
        self.lowered = True  # whether the numbers that are asked for have been lowered
        self.deciding = False  # in the condition of an `if`
        self.members: dict[Value, Member] = {}  # addresses of members of what may not be there
        self.stack = self.fn.private  # addresses of variables that end with the function
        self.escaped: dict[Value, None] = {}  # those of them that memory holds: calls can reach these variables
        self.call_info: dict[Value, CallInfo] = {}
        self.first_reads: dict[
            Value, tuple[Value, str]
        ] = {}  # value -> parameter and field that it was read from first
        self.kept: list[Key] = []  # places outside of the frame that pointers were stored to
        self.moves: dict[Value, tuple[Value, Value]] = {}  # a call of realloc -> what it may free, its state before
        self.states: set[Value] = set()  # what calls make of objects
        self.stateless: dict[Value, set[Value]] = {}  # a state -> what is found to be neither that nor one of these
        self.touched: dict[Value, None] = {}  # objects that calls may have freed
        self.returns: CType = UNKNOWN
        self.in_macro_function = False
        self.macro_parameters: dict[Key, Value] = {}  # of the macro that is lowered as a function
        self.found_null: dict[Value, None] = {}  # calls whose results are null on some way
        self.behind_macros: set[Value] = set()  # variables that macros of other files may have changed
        self.alive = self.fn.fixed_value(f"{symbol}|state|alive")
        self.fn.define(self.alive, "alive", self.alive)

    # Positions: what a macro does happens where it is used.

    def at(self, node: Node) -> Node:
        return node if self.frame is None else self.frame.at

    def value(self, what: str, node: Node | None = None) -> Value:
        fn = self.fn
        name = self.writer.name(fn.qualname, what)
        if node is None:
            return fn.value(name)
        return fn.value(name, span(node if self.frame is None else self.frame.at))

    def unique_key(self, node: Node, what: str = RESULT) -> str:
        number = self.frame.number if self.frame is not None else 0
        return f"{what}#{number}-{node.start_byte}-{node.end_byte}"

    def within(self, frame: Frame | None) -> Within:
        """Nodes that are lowered in the `with` stand in `frame`."""
        self.fn.steps += 1
        return Within(self, frame)

    def bound(self, name: str) -> Bound | None:
        """What the name of a macro's parameter stands for here."""
        return self.frame.arguments.get(name) if self.frame is not None else None

    def expanding(self, macro: Macro) -> bool:
        frame, depth = self.frame, 0
        while frame is not None:
            if frame.macro is macro:
                return True
            frame, depth = frame.arguments.get("", Bound(frame.at, None)).frame, depth + 1
        return depth > _MACRO_DEPTH

    def open_frame(self, macro: Macro, arguments: list[Node], node: Node) -> Frame:
        """The frame of an expansion. Macros that each use the one before ten times have 10^n of these."""
        self.frames += 1
        self.fn.spend(NODE_STEPS + len(arguments))
        bound = {
            name: Bound(argument, self.frame) for name, argument in zip(macro.parameters or (), arguments, strict=False)
        }
        bound[""] = Bound(node, self.frame)  # the macro around it
        return Frame(macro, bound, self.at(node), self.frames)

    # Names.

    def variable(self, name: str) -> Variable | None:
        found = self.scopes.visible.get(name)
        return found if found is not None else self.globals.get(name)

    def external(self, name: str) -> Value:
        """What a name that the file does not define stands for."""
        value = self.fn.fixed_value(f"|<module>|extern {name}|1")
        if name not in self.imported:
            self.imported.add(name)
            self.emit("import_from", value, LINKAGE, name)
        return value

    # Types.

    def class_name(self, kind: CType) -> str | None:
        """The class of the objects of a type; None where nothing is known of it, empty where they hold no pointers."""
        resolved = self.types.resolve(kind)
        if "function" in resolved.levels:
            return None
        if resolved.levels:
            pointed = self.class_name(CType(resolved.base))
            return f"{resolved.base if pointed == '' else pointed or '?'} {'*' * len(resolved.levels)}"
        if resolved.arithmetic and resolved.base != "void":
            return ""
        name = kind.base if "#" in resolved.base or not resolved.base else resolved.base
        # A header's typedef of a struct is not seen: most have the name of the struct.
        return None if "#" in name or name in ("", "void") else name.removeprefix("struct ").removeprefix("union ")

    def class_of(self, kind: CType) -> str | None:
        """`class_name`, of a class of which one object stands for all."""
        name = self.class_name(kind)
        if name and name not in self.classes:
            self.classes.add(name)
            self.emit("instance", name, f"{name} object")
        return name
