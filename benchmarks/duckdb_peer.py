"""DuckDB's recursive SQL on the programs it can express: those whose recursion is linear. Started by peers.py.

    python benchmarks/duckdb_peer.py PROGRAM FACTS [--runs 3]

Recursion in SQL sees only the rows of the last step, so CSPA, Doop and Galen, which join a recursive relation with
itself, are out of reach. Facts are tables before the clock starts; what is timed makes tables of the outputs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import duckdb

_RDFS = "<http://www.w3.org/2000/01/rdf-schema#{}>"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"

# program -> its facts, with their columns, and the statements that make the tables of its outputs
PROGRAMS: dict[str, tuple[dict[str, str], str, tuple[str, ...]]] = {
    "csda": (
        {"nullEdge": "x INTEGER, y INTEGER", "arc": "x INTEGER, y INTEGER"},
        """
        CREATE TABLE "null" AS WITH RECURSIVE reached(x, y) AS (
            SELECT x, y FROM nullEdge
            UNION SELECT reached.x, arc.y FROM reached JOIN arc ON reached.y = arc.x
        ) SELECT * FROM reached;
        """,
        ("null",),
    ),
    # Nobody declares properties of the vocabulary itself here, so the closure can be taken one rule after another.
    "rhodfs": (
        {"asserted": "s VARCHAR, p VARCHAR, o VARCHAR"},
        f"""
        CREATE TABLE subclass AS WITH RECURSIVE closed(x, y) AS (
            SELECT s, o FROM asserted WHERE p = '{_RDFS.format("subClassOf")}'
            UNION SELECT closed.x, o FROM closed JOIN asserted ON closed.y = s AND p = '{_RDFS.format("subClassOf")}'
        ) SELECT * FROM closed;
        CREATE TABLE subproperty AS WITH RECURSIVE closed(x, y) AS (
            SELECT s, o FROM asserted WHERE p = '{_RDFS.format("subPropertyOf")}'
            UNION SELECT closed.x, o FROM closed
                JOIN asserted ON closed.y = s AND p = '{_RDFS.format("subPropertyOf")}'
        ) SELECT * FROM closed;
        CREATE TABLE told AS SELECT s, p, o FROM asserted
            UNION SELECT s, y, o FROM asserted JOIN subproperty ON p = x
            UNION SELECT x, '{_RDFS.format("subClassOf")}', y FROM subclass
            UNION SELECT x, '{_RDFS.format("subPropertyOf")}', y FROM subproperty;
        CREATE TABLE typed AS SELECT s AS x, o AS c FROM told WHERE p = '{_TYPE}'
            UNION SELECT told.s, ranges.o FROM told
                JOIN told AS ranges ON ranges.p = '{_RDFS.format("domain")}' AND ranges.s = told.p
            UNION SELECT told.o, ranges.o FROM told
                JOIN told AS ranges ON ranges.p = '{_RDFS.format("range")}' AND ranges.s = told.p;
        CREATE TABLE triple AS SELECT * FROM told
            UNION SELECT x, '{_TYPE}', c FROM typed
            UNION SELECT typed.x, '{_TYPE}', subclass.y FROM typed JOIN subclass ON c = subclass.x;
        """,
        ("triple",),
    ),
    "crdt": (
        {"insert": "c INTEGER, n INTEGER, pc INTEGER, pn INTEGER", "remove": "c INTEGER, n INTEGER"},
        """
        CREATE TABLE ordered AS SELECT c, n, pc, pn,
            lead(c) OVER siblings AS sc, lead(n) OVER siblings AS sn, row_number() OVER siblings AS place
            FROM (SELECT DISTINCT * FROM "insert") WINDOW siblings AS (PARTITION BY pc, pn ORDER BY c DESC, n DESC);
        CREATE TABLE afterSubtree AS WITH RECURSIVE after(c, n, nc, nn) AS (
            SELECT c, n, sc, sn FROM ordered WHERE sc IS NOT NULL
            UNION SELECT ordered.c, ordered.n, nc, nn FROM after
                JOIN ordered ON ordered.pc = after.c AND ordered.pn = after.n AND ordered.sc IS NULL
        ) SELECT * FROM after;
        CREATE TABLE nextElement AS SELECT pc AS c, pn AS n, c AS nc, n AS nn FROM ordered WHERE place = 1
            UNION SELECT c, n, nc, nn FROM afterSubtree
                WHERE NOT EXISTS (SELECT 1 FROM ordered WHERE pc = afterSubtree.c AND pn = afterSubtree.n);
        CREATE TABLE visible AS SELECT DISTINCT c, n FROM "insert"
            WHERE NOT EXISTS (SELECT 1 FROM remove WHERE remove.c = "insert".c AND remove.n = "insert".n);
        CREATE TABLE hidden AS SELECT nextElement.* FROM nextElement
            WHERE NOT EXISTS (SELECT 1 FROM visible WHERE visible.c = nc AND visible.n = nn);
        CREATE TABLE nextVisible AS WITH RECURSIVE skipping(c, n, nc, nn) AS (
            SELECT nextElement.* FROM nextElement JOIN visible ON visible.c = nc AND visible.n = nn
            UNION SELECT hidden.c, hidden.n, skipping.nc, skipping.nn FROM skipping
                JOIN hidden ON hidden.nc = skipping.c AND hidden.nn = skipping.n
        ) SELECT skipping.* FROM skipping JOIN visible ON visible.c = skipping.c AND visible.n = skipping.n;
        """,
        ("nextVisible", "nextElement"),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("facts", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if options.program not in PROGRAMS:
        print("failed its recursion is not linear")
        return
    facts, statements, outputs = PROGRAMS[options.program]
    taken = []
    for _ in range(options.runs):
        with duckdb.connect(":memory:", config={"threads": options.threads}) as database:
            for name, columns in facts.items():
                kinds = ", ".join(f"'{each.split()[0]}': '{each.split()[1]}'" for each in columns.split(", "))
                database.execute(
                    f"CREATE TABLE \"{name}\" AS SELECT DISTINCT * FROM read_csv(?, delim = '\\t', header = false, "
                    f"quote = '', escape = '', auto_detect = false, columns = {{{kinds}}})",
                    [str(options.facts / f"{name}.facts")],
                )
            started = time.perf_counter()
            database.execute(statements)
            taken.append(time.perf_counter() - started)
            sizes = {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchall()[0][0] for name in outputs}
    sys.stdout.write(f"seconds {statistics.median(taken)}\n")
    for name, size in sizes.items():
        sys.stdout.write(f"size {name} {size}\n")


if __name__ == "__main__":
    main()
