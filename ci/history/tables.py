"""The tables of a history: what is in each column, in one place; docs/history.md tells it to users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

_STEP: Final = pa.struct(
    [
        ("file", pa.string()),
        ("line", pa.int32()),
        ("start_column", pa.int32()),
        ("function", pa.string()),
        ("note", pa.string()),
        ("source", pa.string()),  # the line, of the side that the finding is of
    ]
)
_UNREAD: Final = pa.struct(
    [
        ("side", pa.string()),  # base, head
        ("file", pa.string()),
        ("line", pa.int32()),
        ("message", pa.string()),
        ("scope", pa.string()),
        ("function", pa.string()),
    ]
)
_LEFT_OUT: Final = pa.struct([("file", pa.string()), ("line", pa.int32()), ("message", pa.string())])
_KEY: Final = pa.struct([("file", pa.string()), ("what", pa.string())])  # left_out.Key
_PLACE: Final = pa.struct([("file", pa.string()), ("line", pa.int32())])
_TIME: Final = pa.timestamp("ms", tz="UTC")  # Parquet has no coarser one
_IDENTITY: Final = [("rule", pa.string()), ("fingerprint", pa.string())]
_WHERE: Final = [("file", pa.string()), ("line", pa.int32()), ("start_column", pa.int32()), ("function", pa.string())]
_SAID: Final = [("message", pa.string()), ("severity", pa.string()), ("confidence", pa.string()),
                ("probability", pa.float64()), ("unlikely", pa.bool_()), ("suppressed", pa.string())]  # fmt: skip
OF_A_FINDING: Final = tuple(name for name, _ in (*_IDENTITY, *_WHERE, *_SAID))

# Written by a window, for those that put windows together.
EDGES: Final = pa.schema(
    [
        ("commit", pa.string()),
        ("parent", pa.string()),  # "" for a root
        ("files", pa.int32()),  # source files that differ
        ("facts_inserted", pa.int64()),
        ("facts_deleted", pa.int64()),
        ("derived_inserted", pa.int64()),
        ("derived_deleted", pa.int64()),
        ("tuples", pa.int64()),
        ("compared", pa.bool_()),  # whether any finding may differ
        ("left_out", pa.list_(_LEFT_OUT)),
        ("regained", pa.list_(_KEY)),  # what the parent left out and the commit did not
    ]
)
# Unchanged findings of edges that were compared; of commits outside (then `parent` is null) all findings.
LISTING: Final = pa.schema([("commit", pa.string()), ("parent", pa.string()), *_IDENTITY, *_WHERE, *_SAID])

# What users get.
COMMITS: Final = pa.schema(
    [
        ("position", pa.int32()),  # in the history, from 0; parents first
        ("commit", pa.string()),
        ("parents", pa.list_(pa.string())),  # that it was compared with
        ("time", _TIME),
        ("subject", pa.string()),
        ("author", pa.string()),  # null where they were not asked for
        ("files", pa.int32()),  # source files that differ from the first parent's; so the four sizes
        ("facts_inserted", pa.int64()),
        ("facts_deleted", pa.int64()),
        ("derived_inserted", pa.int64()),
        ("derived_deleted", pa.int64()),
        ("tuples", pa.int64()),  # of all derived relations, that came or went
        ("left_out", pa.list_(_LEFT_OUT)),  # of what differs from the first parent
        ("introduced", pa.int32()),  # findings that are new against every parent, and not suppressed
        ("fixed", pa.int32()),  # findings of every parent that are gone, and were not suppressed
        ("findings", pa.int32()),  # that the commit has
        ("window_number", pa.int32()),
        ("strategy", pa.string()),  # of the window
    ]
)
CHANGES: Final = pa.schema(
    [
        ("position", pa.int32()),
        ("commit", pa.string()),
        ("parent", pa.string()),
        ("status", pa.string()),  # new, fixed, unknown: as `pliant check --base PARENT --head COMMIT` says
        *_IDENTITY,
        *_WHERE,
        *_SAID,
        ("fails_when", pa.string()),  # a sentence with the conditions of its witness; empty where there are none
        ("path", pa.list_(_STEP)),
        ("cause", pa.list_(_PLACE)),
        ("removed", pa.list_(_PLACE)),  # of the parent, what was taken away
        ("unread", pa.list_(_UNREAD)),  # of an unknown one, what would have to be read to know
        ("finding", pa.int64()),  # `id` in findings
    ]
)
FINDINGS: Final = pa.schema(
    [
        ("id", pa.int64()),
        *_IDENTITY,
        *_WHERE,
        *_SAID,
        (
            "began",
            pa.string(),
        ),  # new: introduced by `first`; there: `first` is the first commit that is known to have it
        ("first", pa.string()),
        ("first_position", pa.int32()),
        ("first_time", _TIME),
        # open; fixed: by `last`; gone: not in `last`, and no commit of the history fixed it; unknown: at the end of the
        # history, since something that it depends on could not be read there
        ("ended", pa.string()),
        ("last", pa.string()),  # the commit that ended it first; null while it is open
        ("last_position", pa.int32()),
        ("last_time", _TIME),
        ("commits", pa.int32()),  # commits of the history that have it
        ("days", pa.float64()),  # from `first_time` to `last_time`, else to the history's last commit
    ]
)
WINDOWS: Final = pa.schema(
    [
        ("window_number", pa.int32()),
        ("first", pa.string()),
        ("last", pa.string()),
        ("commits", pa.int32()),
        ("versions", pa.int32()),
        ("facts", pa.int64()),  # of all versions together
        ("facts_of_one", pa.int64()),
        ("tuples", pa.int64()),
        ("strategy", pa.string()),  # versions: one fixpoint; update: commit by commit
        ("reason", pa.string()),
        ("price_versions", pa.float64()),
        ("price_update", pa.float64()),
        ("seconds", pa.float64()),
        ("seconds_git", pa.float64()),
        ("seconds_extract", pa.float64()),
        ("seconds_facts", pa.float64()),
        ("seconds_derive", pa.float64()),
        ("seconds_findings", pa.float64()),
        ("peak_bytes", pa.int64()),  # of the process that ran it, so far
    ]
)


def table(schema: pa.Schema, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)


def write(path: Path, content: pa.Table) -> None:
    """The same bytes for the same rows."""
    pq.write_table(content, path, compression="zstd", write_statistics=True)


def read(path: Path, schema: pa.Schema) -> pa.Table:
    """ValueError where the file is not one of `write`'s."""
    try:
        found = pq.read_table(path, partitioning=None)
        if found.schema.names != schema.names:
            raise ValueError(f"the columns of {path.name} are not those of this version")
        return found.cast(schema)  # what items of lists are called differs between versions of Arrow
    except pa.ArrowException as error:
        raise ValueError(str(error)) from None


__all__ = ["CHANGES", "COMMITS", "EDGES", "FINDINGS", "LISTING", "OF_A_FINDING", "WINDOWS", "read", "table", "write"]
