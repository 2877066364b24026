"""`pliant rules`, what there is to be found, and `pliant explain`, why one thing was."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import Base, ConfigFile, Debug, Head, Repo, StateDir, print_out, say, start
from pliant.ci.errors import UserError, visible

app = typer.Typer(invoke_without_command=True, help="The rules: what can be found, and what it means.")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)]


@app.callback()
def listed(context: typer.Context, as_json: AsJson = False) -> None:
    """List the rules; `pliant rules show ID` prints the page of one."""
    if context.invoked_subcommand is not None:
        return
    from pliant.analyses.rules import rules

    if as_json:
        print_out(json.dumps([asdict(rule) for rule in rules().values()], indent=2) + "\n")
        return
    width = max(map(len, rules()))
    print_out("".join(f"{rule.id:{width}}  {rule.title}\n" for rule in rules().values()))


@app.command()
def show(rule: Annotated[str, typer.Argument(metavar="ID", help="The rule's id.")], as_json: AsJson = False) -> None:
    """Print the page of a rule: what it is, why it matters, examples, how to silence it, what it does not see."""
    from pliant.analyses.rules import rules

    found = rules().get(rule)
    if found is None:
        from pliant.ci.config_table import nearest

        raise UserError(f"there is no rule '{visible(rule)}'{nearest(rule, rules())}: `pliant rules` lists them")
    print_out(json.dumps(asdict(found), indent=2) + "\n" if as_json else found.page())


def explain(
    fingerprint: Annotated[
        str, typer.Argument(metavar="FINGERPRINT", help="That of a finding, or the beginning of one.")
    ],
    repo: Repo = Path(),
    base: Base = None,
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Show why something was found between BASE and HEAD: its way with source lines, its cause, and the whole proof."""
    start()
    from pliant.ci.check import Request
    from pliant.ci.explain import as_dict, as_text
    from pliant.ci.explain import explain as run
    from pliant.ci.progress import progress_on

    with progress_on(sys.stderr, quiet=False) as progress:
        request = Request(repo, base, head, state_dir, unchanged=True, config=config)
        found = run(request, fingerprint, say(False), progress)
    if as_json:
        print_out(json.dumps(as_dict(found), indent=2) + "\n")
        return
    print_out("".join(f"{line}\n" for line in as_text(found)))
