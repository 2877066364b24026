"""`pliant facts`: its options, and what it prints."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import (
    ConfigFile,
    Debug,
    Engine,
    EngineOption,
    Repo,
    SparkMaster,
    StateDir,
    evaluating,
    print_out,
    say,
    start,
)
from pliant.ci.errors import visible
from pliant.ci.wording import counted


class FactSchema(StrEnum):
    PLIANT = "pliant"
    CSPA = "cspa"


def facts(
    repo: Repo = Path(),
    rev: Annotated[str, typer.Option(metavar="REV", help="The commit; WORKTREE for the files on disk.")] = "HEAD",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")] = Path("facts"),
    schema: Annotated[
        FactSchema,
        typer.Option(help="All facts, or the pointer and null flow graphs that the CSPA and CSDA programs read."),
    ] = FactSchema.PLIANT,
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Write the facts of a commit as tab-separated files for Souffle, one for each relation."""
    start()
    from pliant.ci.dump import dump, dump_graphs

    with evaluating(engine, spark_master) as (progress, where):
        if schema is FactSchema.CSPA:
            rows = dump_graphs(repo, rev, out, state_dir, say(False), progress, config)
            print_out(f"{', '.join(f'{name} {count}' for name, count in rows.items())} in {visible(str(out))}\n")
            return
        count, relations = dump(repo, rev, out, state_dir, say(False), progress, config, where)
    print_out(f"{counted(count, 'fact')} of {counted(relations, 'relation')} in {visible(str(out))}\n")
