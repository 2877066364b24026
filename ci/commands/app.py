"""The commands, a line each: what they are called; options and output are in the modules named here."""

from __future__ import annotations

from typing import Annotated

import typer

from pliant.ci.commands import (
    baseline,
    check,
    config,
    datalog,
    doctor,
    facts,
    history,
    hooks,
    ir,
    queue,
    rules,
    state,
)
from pliant.ci.commands.options import print_out

app = typer.Typer(
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text: it starts faster, and pipes and pagers take it as it is
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Tells a reviewer which null dereferences and which aliases a pull request adds, and why.",
)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", show_default=False)] = False,
) -> None:
    if version:
        from pliant.ci.version import version as installed

        print_out(f"pliant {installed()}\n")
        raise typer.Exit


# The short help has to fit a line of 80 characters beside the longest name.
app.command(short_help="What a pull request adds and takes away.")(check.check)
app.command(short_help="Whether an update gives what a build from scratch gives.")(check.verify)
app.command(short_help="The facts of a commit, as tab-separated files.")(facts.facts)
app.command(short_help="The instructions that a file is analysed as.")(ir.ir)
app.command("pre-push", short_help="What a push adds; called by git's pre-push hook.")(hooks.pre_push)
app.command(short_help="Write a configuration, a CI job and a git hook.")(hooks.init)
app.command(short_help="Whether all is there that a check needs.")(doctor.doctor)
app.command(short_help="Why something was found: the whole proof.")(rules.explain)
app.add_typer(rules.app, name="rules", short_help="What can be found, and what it means.")
app.add_typer(baseline.app, name="baseline", short_help="Findings that are silenced because they were there.")
app.command(short_help="Which commits introduced and fixed each finding.")(history.history)
app.command(short_help="Pull requests alone, and merged one after the other.")(queue.queue)
app.add_typer(config.app, name="config", short_help="The settings: what holds, and what there is.")
app.add_typer(state.app, name="state", short_help="What is kept of commits between runs.")
app.add_typer(datalog.app, name="datalog", short_help="Datalog programs over files of facts.")
