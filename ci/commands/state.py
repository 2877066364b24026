"""`pliant state`: options of its commands, and what they print; the work is in state_commands.py."""

from __future__ import annotations

import enum
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from pliant.ci.commands.options import (
    FOUND,
    AsJson,
    Debug,
    RepoOption,
    SparkMaster,
    StateDir,
    print_json,
    print_out,
    say,
    start,
)
from pliant.ci.errors import visible_path
from pliant.ci.inventory import shown_size
from pliant.ci.wording import counted

app = typer.Typer(no_args_is_help=True, help="What is kept of commits between runs.")


@app.command()
def ls(repo: RepoOption = Path(), state_dir: StateDir = None, as_json: AsJson = False, debug: Debug = False) -> None:
    """List the stored states, the most recently used first."""
    start()
    from pliant.ci.state_commands import listing

    folder, lines, size = listing(repo, state_dir, say(False))
    if as_json:
        states = [
            {
                "commit": line.commit,
                "program": line.program,
                "current": line.current,
                "bytes": line.size,
                "own_bytes": line.own,
                "used": datetime.fromtimestamp(line.used, UTC).isoformat(timespec="seconds"),
                "layers": line.layers,
                "base": line.base or None,
            }
            for line in lines
        ]
        print_json({"folder": str(folder), "bytes": size, "states": states})
        return
    rows = [("commit", "program", "bytes", "own", "used", "what")] if lines else []
    for line in lines:
        program = line.program[:8] + ("" if line.current else " (another version)") if line.program else "unreadable"
        rows.append(
            (line.commit[:12], program, shown_size(line.size), shown_size(line.own), _age(line.used), _what(line))
        )
    print_out(_table(rows, right=(2, 3)))
    print_out(f"{counted(len(lines), 'state')}, {shown_size(size)} in {visible_path(str(folder))}\n")


@app.command()
def show(
    rev: Annotated[str, typer.Argument(metavar="REV", help="The commit.", show_default="HEAD")] = "HEAD",
    repo: RepoOption = Path(),
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Show the relations of a commit's state: tuples, bytes, levels, digests."""
    start()
    from pliant.ci.state_commands import show as run

    shown = run(repo, rev, state_dir, say(False))
    if as_json:
        print_json(
            {
                "commit": shown.commit,
                "folder": str(shown.folder),
                "program": shown.program,
                "digest": shown.digest,
                "files": shown.files,
                "symbols": shown.symbols,
                "layers": [{"id": name, "bytes": size} for name, size in shown.layers],
                "relations": [
                    {"name": r.name, "tuples": r.tuples, "bytes": r.size, "levels": r.levels, "digest": r.digest}
                    for r in shown.relations
                ],
            }
        )
        return
    rows = [("relation", "tuples", "bytes", "levels", "digest")]
    rows += [(r.name, str(r.tuples), shown_size(r.size), str(r.levels), r.digest) for r in shown.relations]
    print_out(_table(rows, right=(1, 2, 3)))
    layers = ", ".join(f"{name[:12]} of {shown_size(size)}" for name, size in shown.layers)
    print_out(f"commit {shown.commit}: {counted(shown.files, 'file')}, {counted(shown.symbols, 'symbol')}\n")
    print_out(f"state {shown.digest} in {counted(len(shown.layers), 'layer')}: {layers}\n")


@app.command()
def gc(
    keep: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Keep at most the N most recently used states.", show_default=False),
    ] = None,
    max_size: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Keep at most SIZE, such as 500M or 2G.", show_default=False)
    ] = None,
    older_than: Annotated[
        str | None,
        typer.Option(
            metavar="AGE", help="Remove states that were not used for AGE, such as 30d or 12h.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print what would be removed.", show_default=False)
    ] = False,
    repo: RepoOption = Path(),
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Remove states beyond the given bounds, or beyond the bounds of every check."""
    start()
    from pliant.ci.inventory import Bounds
    from pliant.ci.state_commands import collected, parse_age, parse_size

    bounds = Bounds(
        keep,
        None if max_size is None else parse_size(max_size),
        None if older_than is None else parse_age(older_than),
    )
    done = collected(repo, state_dir, bounds, dry_run=dry_run)
    if as_json:
        print_json(
            {
                "dry_run": dry_run,
                "removed": [{"commit": stored.commit, "bytes": stored.size} for stored in done.removed],
                "freed_bytes": done.freed,
                "left": done.left,
                "left_bytes": done.size,
            }
        )
        return
    for stored in done.removed:
        print_out(f"{stored.commit[:12]} {shown_size(stored.size)}, used {_age(stored.used)}\n")
    verb, left = ("would go", "would stay") if dry_run else ("removed", "left")
    print_out(f"{counted(len(done.removed), 'state')} {verb}, {shown_size(done.freed)} of the disk")
    print_out(f"; {counted(done.left, 'state')} of {shown_size(done.size)} {left}\n")


@app.command()
def verify(
    rev: Annotated[
        str | None, typer.Argument(metavar="REV", help="The commit.", show_default="every state of this version")
    ] = None,
    repo: RepoOption = Path(),
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Check that stored states equal a Bootstrap of their commits from scratch.

    Exit status: 0 equal, 1 not equal or damaged, 2 the command could not run.
    """
    start()
    from pliant.ci.progress import progress_on
    from pliant.ci.state_commands import verified

    with progress_on(sys.stderr, quiet=False) as progress:
        verdicts = verified(repo, rev, state_dir, say(False), progress)
    if as_json:
        print_json(
            [
                {
                    "commit": v.commit,
                    "equal": v.equal if v.built else None,
                    "stored": v.stored,
                    "built": v.built,
                    "problem": v.problem or None,
                }
                for v in verdicts
            ]
        )
    else:
        for v in verdicts:
            if v.problem:
                told = v.problem
            elif v.equal:
                told = f"equal: {v.stored}"
            else:
                told = f"NOT equal: {v.stored} is stored, Bootstrap builds {v.built}"
            print_out(f"{v.commit[:12]} {told}\n")
        if not verdicts:
            print_out("no state of this version is kept\n")
    if any(v.stored is None or (v.built is not None and not v.equal) for v in verdicts):
        raise typer.Exit(FOUND)


class Place(enum.StrEnum):
    """Whose format a state is to have."""

    spark = "spark"
    embedded = "embedded"


@app.command()
def convert(
    rev: Annotated[str, typer.Argument(metavar="REV", help="The commit.")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="Where Spark keeps states: a folder or a URI.")],
    to: Annotated[Place, typer.Option("--to", help="spark: to PATH; embedded: from PATH into the state directory.")],
    spark_master: SparkMaster = None,
    repo: RepoOption = Path(),
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Convert a commit's state to Spark's format or back, and compare the digests.

    The state at PATH is trusted: unlike a state directory, it has no seal.
    """
    start()
    from pliant.ci import state_convert

    run = state_convert.to_spark if to == Place.spark else state_convert.to_embedded
    done = run(repo, rev, path, state_dir, spark_master, say(False))
    if as_json:
        print_json({"commit": done.commit, "digest": done.digest, "where": done.where})
    else:
        print_out(f"state {done.digest} of commit {done.commit} in {visible_path(done.where)}\n")


def _what(line: Any) -> str:
    if not line.layers:
        return "damaged"
    if line.layers == 1:
        return "whole"
    base = f"on {line.base[:12]}" if line.base else "on a state that was removed"
    return f"delta {base}, {line.layers} layers"


def _table(rows: Sequence[tuple[str, ...]], right: tuple[int, ...]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _age(used: float) -> str:
    seconds = max(time.time() - used, 0.0)
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"
