"""Collects the facts of one file: symbols, rows and places."""

from __future__ import annotations

import hashlib
from array import array

from pliant.extractors.facts import Diagnostic, FileFacts
from pliant.extractors.schema import RELATIONS

Span = tuple[int, int, int, int]  # first line, first column, last line, last column; lines from 1, columns from 0

LONGEST_NAME = 1000  # characters of a qualified name, and of what says what an entity is


def shortened(name: str) -> str:
    """A name that stands for a longer one wherever that comes."""
    return f"{name[: LONGEST_NAME // 4]}~{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}"


class FactWriter:
    """Interns symbols and appends rows; refuses relations that the schema does not have.

    An entity is named `|qualified name|what|ordinal`; the file's path goes in front when the facts are used. `what`
    says what kind of thing it is, the ordinal counts its like within the function.
    """

    def __init__(self) -> None:
        self.facts = FileFacts()
        self._index: dict[str, int] = {}
        self._ordinals: dict[tuple[str, str], int] = {}
        self._rows = self.facts.rows
        self._library: dict[str, None] = {}
        self.extents: dict[str, Span] = {}  # of functions, by symbol: where they are defined, whole

    def symbol(self, text: str) -> int:
        index = self._index.get(text)
        if index is None:
            # Half of a surrogate pair, as an escape in a string can be, is not text that can be stored.
            stored = text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
            if stored != text:
                index = self.symbol(stored)
            else:
                index = len(self.facts.symbols)
                self.facts.symbols.append(text)
            self._index[text] = index
        return index

    def name(self, qualname: str, what: str) -> str:
        """A fresh entity name."""
        if len(what) > LONGEST_NAME:
            what = shortened(what)
        key = (qualname, what)
        ordinal = self._ordinals.get(key, 0) + 1
        self._ordinals[key] = ordinal
        return f"|{qualname}|{what}|{ordinal}"

    def rows(self, relation: str) -> array[int]:
        """What the rows of a relation are appended to: symbol indices (and numbers, in number columns)."""
        rows = self._rows.get(relation)
        if rows is None:
            if relation not in RELATIONS:
                raise KeyError(f"no relation {relation} in the fact schema")
            rows = self._rows[relation] = array("i")
        return rows

    def row(self, relation: str, *entries: int) -> None:
        """Append a row."""
        self.rows(relation).extend(entries)

    def place(self, symbol: int, span: Span) -> None:
        self.facts.places.extend((symbol, *span))

    def library(self, dotted: str) -> None:
        """Note that the file mentions module `dotted`."""
        self._library[dotted] = None

    # What was left out. A reason is the end of a sentence; what it is about is said by the method.

    def file_left_out(self, reason: str) -> None:
        """The whole file counts as not analysed, whatever rows there are."""
        self.facts.diagnostics.append(Diagnostic(1, reason, "file"))

    def function_left_out(self, function: str, line: int, reason: str) -> None:
        """The body of a function, which is named by its symbol, counts as not analysed."""
        last_line = self.extents[function][2] if function in self.extents else 0
        self.facts.diagnostics.append(Diagnostic(line, reason, "function", function, last_line))

    def part_left_out(self, line: int, reason: str, function: str = "", last_line: int = 0) -> None:
        """Less than a function: a part of `function`, by its symbol; with none, of anything in the file."""
        self.facts.diagnostics.append(Diagnostic(line, reason, "part", function, last_line))

    def lines_left_out(self, first: int, last: int, reason: str) -> None:
        """Lines outside of functions; those that follow on lines left out for the same reason are said with them."""
        before = self.facts.diagnostics[-1:]
        if before and (before[0].scope, before[0].function, before[0].reason) == ("part", "", reason):
            line, end = before[0].line, before[0].last_line or before[0].line
            if line <= first <= end + 1:
                self.facts.diagnostics.pop()
                first, last = line, max(end, last)
        self.part_left_out(first, reason, last_line=last if last > first else 0)

    def remark(self, line: int, text: str) -> None:
        """Nothing is left out, but the reader should know."""
        self.facts.diagnostics.append(Diagnostic(line, text, "remark"))

    def unmodelled(self, construct: str) -> None:
        self.facts.unmodelled[construct] = self.facts.unmodelled.get(construct, 0) + 1

    def unmodelled_so_far(self) -> int:
        """How many constructs of the file were not modelled."""
        return sum(self.facts.unmodelled.values())

    def finish(self) -> FileFacts:
        self.facts.library = list(self._library)
        return self.facts
