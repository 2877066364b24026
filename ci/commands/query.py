"""`pliant query`: its options, and what it prints."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import (
    ConfigFile,
    Debug,
    Engine,
    EngineOption,
    RepoOption,
    SparkMaster,
    StateDir,
    evaluating,
    print_json,
    print_out,
    say,
    start,
)
from pliant.ci.errors import UserError, reason, visible


class Form(StrEnum):
    text = "text"
    tsv = "tsv"
    json = "json"
    parquet = "parquet"


def query(
    rev: Annotated[str, typer.Argument(metavar="REV", help="The commit; WORKTREE for the files on disk.")],
    body: Annotated[
        str,
        typer.Argument(metavar="[QUERY]", help="The body of a rule, such as 'null(v, _)'; else the rules' outputs."),
    ] = "",
    repo: RepoOption = Path(),
    rules: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A file of declarations and rules; may be repeated.", show_default=False),
    ] = None,
    explain: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Print the proof of row N as well.", show_default=False),
    ] = None,
    format: Annotated[Form, typer.Option(help="The format of the answer.")] = Form.text,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file for the answer.", show_default="standard output"),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="The most rows of a text; 0 for all. Other formats have all.")
    ] = 100,
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Ask the state of a commit: which rows of its relations satisfy a Datalog query.

    The query may use every relation of the analyses and of the facts (docs/facts.md), and those of the rules. Its
    variables are the columns of the answer.

    \b
    Examples:
      pliant query HEAD 'null_dereference(site, origin)'
      pliant query HEAD 'points_to(v, o), instance(o, c)' --format tsv --out objects.tsv
      pliant query main --rules calls.dl 'may_reach("app.py|main", f)' --explain 1

    Exit status: 0 done, 2 the command could not run.
    """
    start()
    from pliant.ci import query as run

    if not body.strip() and not rules:
        raise UserError("give a query, such as 'null(v, _)', or --rules FILE")
    if format is Form.parquet and out is None:
        raise UserError("--format parquet needs --out FILE")
    question = run.Question(body.strip() and body, rules or (), explain, limit or None if format is Form.text else None)
    with evaluating(engine, spark_master) as (progress, where):
        answer = run.query(repo, rev, question, state_dir, config, say(False), progress, where)
    for name, why in answer.whole.items():
        say(False)(f"{name} was evaluated whole: {why}")
    if out is None:
        if format is Form.json:
            print_json(run.as_dict(answer))
        else:
            print_out(run.as_text(answer) if format is Form.text else run.as_tsv(answer))
        return
    try:
        if format is Form.parquet:
            import pyarrow.parquet as pq

            pq.write_table(run.as_table(answer), out)
            return
        if format is Form.json:
            text = json.dumps(run.as_dict(answer), indent=2) + "\n"
        else:
            text = run.as_text(answer) if format is Form.text else run.as_tsv(answer)
        out.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UserError(f"{visible(str(out))} cannot be written: {reason(error)}") from None
