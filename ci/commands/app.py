"""The commands, a line each: what they are called; options and output are in the modules named here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands import (
    aliases,
    baseline,
    check,
    config,
    datalog,
    doctor,
    facts,
    history,
    hooks,
    ir,
    query,
    queue,
    rules,
    schema,
    state,
    watch,
)
from pliant.ci.commands.options import print_out
from pliant.ci.errors import UserError, visible_path

app = typer.Typer(
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text: it starts faster, and pipes and pagers take it as it is
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Reports which null dereferences and which aliases a pull request adds, and why.",
)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", show_default=False)] = False,
    folder: Annotated[
        Path | None,
        typer.Option("-C", metavar="DIR", help="Run as if started in DIR, as git does.", show_default=False),
    ] = None,
) -> None:
    if folder is not None:
        try:
            os.chdir(folder)
        except OSError as error:
            raise UserError(f"-C {visible_path(str(folder))}: {error.strerror}") from None
    if version:
        from pliant.ci.version import version as installed

        print_out(f"pliant {installed()}\n")
        raise typer.Exit


# The short help has to fit a line of 80 characters beside the longest name.
app.command(short_help="Report what a pull request adds and removes.")(check.check)
app.command(short_help="Report what each saved file adds and removes.")(watch.watch)
app.command(short_help="Compare an update with a build from scratch.")(check.verify)
app.command(short_help="Write the facts of a commit as tab-separated files.")(facts.facts)
app.command(short_help="Print the instructions of a source file.")(ir.ir)
app.command("pre-push", short_help="Check a push; git's pre-push hook calls it.")(hooks.pre_push)
app.command(short_help="Write a configuration, a CI job and a git hook.")(hooks.init)
app.command(short_help="Test the requirements of a check.")(doctor.doctor)
app.command(short_help="Explain a finding: its path and its whole proof.")(rules.explain)
app.command(short_help="Report which places may name one object now.")(aliases.aliases)
app.command(short_help="Ask the state of a commit, in Datalog.")(query.query)
app.add_typer(rules.app, name="rules", short_help="List the rules, and explain them.")
app.add_typer(baseline.app, name="baseline", short_help="Suppress the findings that exist today.")
app.command(short_help="Report which commits introduced and fixed findings.")(history.history)
app.command(short_help="Check pull requests, alone and merged in sequence.")(queue.queue)
app.add_typer(config.app, name="config", short_help="Show the settings in use, and all settings.")
app.command(short_help="Print the JSON schema of settings or reports.")(schema.schema)
app.add_typer(state.app, name="state", short_help="Manage the stored states of commits.")
app.add_typer(datalog.app, name="datalog", short_help="Run Datalog programs over files of facts.")
