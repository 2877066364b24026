"""What is known of the function that is being lowered, and of none before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.java import kinds
from pliant.extractors.java.declarations import Class
from pliant.extractors.lowering.exits import Exit
from pliant.extractors.lowering.ranges import Range
from pliant.extractors.ssa import UNDEFINED, Key, Path, Value

if TYPE_CHECKING:
    from pliant.extractors.java.written_types import Type


class OfFunction:
    """Tables by the values, variables and paths of one function."""

    def forget_function(self) -> None:
        """Begin with nothing."""
        self.types: dict[Key, str] = {}  # of local variables
        self.static_types: dict[int, str] = {}  # of expressions, by node
        self.redeclared: dict[str, int] = {}
        self.this_value: Value = UNDEFINED
        self.written_types: dict[Key, Type] = {}  # of local variables
        self.call_types: dict[int, Type] = {}  # node of a call -> the type of what it gives
        self.return_node: Node | None = None  # the type that the function is declared to give
        self.maybe_null: set[Value] = set()  # by their types
        self.yields: list[tuple[str, int]] = []  # of switch expressions: key of the result, block after it
        self.loops: list[str] = []  # symbols of the loops over elements around what is being lowered
        self.labels: frozenset[str] = frozenset()
        self.return_type = ""
        self.reads: list[tuple[Value, Value]] = []  # of fields: the value and the content that is known there
        self.unset: set[Value] = set()  # nulls of fields that a constructor has not set yet
        self.anonymous = False  # in the arguments of a call
        self.compared: dict[Value, tuple[Node, Value, int, bool]] = {}  # `what == number`: what, its value, ==
        self.writes: dict[Path, tuple[Value, str]] = {}  # what is followed: base and attribute
        self.left = False  # whether the function can end
        self.made: dict[Value, str] = {}  # what `new` gives -> the name of its class
        self.kinds: dict[Value, kinds.Shown] = {}
        self.instances: dict[Value, kinds.Test] = {}  # the results of `instanceof`
        self.decided: dict[Value, bool] = {}  # conditions that can have one outcome only
        self.boxed: dict[Value, int] = {}  # objects that `new Integer(number)` has made
        self.ranges: dict[Value, Range] = {}
        # Of `outcomes`: calls of methods of the file, with the number of arguments; objects that are made, with the
        # arguments; numbers that calls give, and whether the facts say so by now.
        self.invoked: dict[Value, tuple[Node, int]] = {}
        self.created: dict[Value, tuple[Class, list[Node], list[Value]]] = {}
        self.evaluated: dict[Value, tuple[int, tuple[Value, str] | None]] = {}
        self.told: set[Value] = set()
        self.names_of: dict[Value, dict[Key, None]] = {}  # the variables and paths that are names of a value
        self.stored: set[Value] = set()  # objects of which a field was written here
        self.functions: set[Value] = set()  # lambdas, references to methods, objects of anonymous classes
        self.states: dict[Path, str] = {}  # fields of numbers and truths that are followed: what changes them
        self.state_values: set[Value] = set()  # values that stand for what is kept there
        self.fresh: set[Value] = set()  # objects that are made here and that nothing else has a name for
        self.looks: set[Value] = set()  # calls that change nothing
        self.exits: list[Exit] = []
        self.contract = ""  # what `@Contract` says of the function
        self.promised = False  # whether annotations say what the function's result shows of fields
        # Calls without a receiver or of a class's method: receiver, arguments, what they were lowered to.
        self.calls_made: dict[Value, tuple[Value, list[Node], list[Value]]] = {}
        self.tested_roots: set[Value] = set()  # parameters that conditions and calls have shown not to be null
        self.receivers: dict[Value, Value] = {}  # call of a method without parameters -> its receiver
        self.null_tests: dict[Path, Node] = {}  # field or getter of this object -> the last test of it for null
        self.using = False  # whether what is shown is shown by a use, which fails itself
