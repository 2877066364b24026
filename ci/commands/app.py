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


app.command()(check.check)
app.command()(check.verify)
app.command()(facts.facts)
app.command("pre-push")(hooks.pre_push)
app.command()(hooks.init)
app.command()(doctor.doctor)
app.command()(rules.explain)
app.add_typer(rules.app, name="rules")
app.add_typer(baseline.app, name="baseline")
app.command()(history.history)
app.command()(queue.queue)
app.add_typer(config.app, name="config")
app.add_typer(state.app, name="state")
app.add_typer(datalog.app, name="datalog")
