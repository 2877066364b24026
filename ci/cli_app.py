"""The commands, a line each: what they are called; options and output are in the cli_* modules named here."""

from __future__ import annotations

from typing import Annotated

import typer

from pliant.ci import (
    cli_baseline,
    cli_check,
    cli_config,
    cli_datalog,
    cli_doctor,
    cli_facts,
    cli_history,
    cli_hooks,
    cli_queue,
    cli_rules,
    cli_state,
)
from pliant.ci.cli_options import print_out

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


app.command()(cli_check.check)
app.command()(cli_check.verify)
app.command()(cli_facts.facts)
app.command("pre-push")(cli_hooks.pre_push)
app.command()(cli_hooks.init)
app.command()(cli_doctor.doctor)
app.command()(cli_rules.explain)
app.add_typer(cli_rules.app, name="rules")
app.add_typer(cli_baseline.app, name="baseline")
app.command()(cli_history.history)
app.command()(cli_queue.queue)
app.add_typer(cli_config.app, name="config")
app.add_typer(cli_state.app, name="state")
app.add_typer(cli_datalog.app, name="datalog")
