"""What clients of a server may cause, all of them or one query."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """queries: registered at a time. rows: that the joins of one query may put out in an epoch, and that it may hold;
    those that are alike have so many each, together. held: rows of all queries, past which no more are taken. log: rows
    of differences that are kept of each query for those who read them later; the newest epoch is always kept. text:
    characters of a query with its rules. idle: seconds that a query which nobody reads is kept."""

    queries: int = 10_000
    rows: int = 5_000_000
    held: int = 50_000_000
    log: int = 100_000
    text: int = 1 << 16
    idle: float = 300.0
