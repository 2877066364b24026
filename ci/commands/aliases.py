"""`pliant aliases`: its options, and what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import (
    AsJson,
    Base,
    ConfigFile,
    Debug,
    Deepen,
    Engine,
    EngineOption,
    Head,
    RepoOption,
    SparkMaster,
    StateDir,
    evaluating,
    print_json,
    print_out,
    say,
    start,
)


def aliases(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLACE]",
            help="FILE:LINE; then only pairs with a value there.",
            show_default=False,
        ),
    ] = None,
    repo: RepoOption = Path(),
    base: Base = None,
    head: Head = "HEAD",
    as_json: AsJson = False,
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="The most groups of objects in a text; 0 for all. JSON has all.")
    ] = 20,
    config: ConfigFile = None,
    state_dir: StateDir = None,
    deepen: Deepen = False,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Report which places may name one object in HEAD that could not in its merge base with BASE.

    Without PLACE, the places are those that last: attributes, elements, global variables, and whoever passed the object
    and may still have it; and what a call takes out of another object. docs/aliases.md says more.

    \b
    Examples:
      pliant aliases                            what HEAD adds to the default branch
      pliant aliases --head WORKTREE            what the files on disk add
      pliant aliases src/shop.py:12             what may be the same object as a value of that line

    Exit status: 0 done, 2 the command could not run.
    """
    start()
    from pliant.ci import aliases as run
    from pliant.ci.comparison import Request

    with evaluating(engine, spark_master) as (progress, where):
        request = Request(repo, base, head, state_dir, config=config, deepen=deepen, places=where)
        found = run.delta(request, place, say(False), progress)
    if as_json:
        print_json(run.as_dict(found))
    else:
        print_out("".join(f"{line}\n" for line in run.as_text(found, limit or None)))
