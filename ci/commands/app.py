"""The commands, a line each: where they are, and what they do. A command's module is loaded when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from pliant.ci.commands.options import print_out
from pliant.ci.errors import UserError, visible_path

# By name: the module, what it calls the command or the group of commands, and the short help, which has to fit a line
# of 80 characters beside the longest name.
_COMMANDS: Final = {
    "check": ("check", "check", "Report what a pull request adds and removes."),
    "watch": ("watch", "watch", "Report what each saved file adds and removes."),
    "verify": ("check", "verify", "Compare an update with a build from scratch."),
    "facts": ("facts", "facts", "Write the facts of a commit as tab-separated files."),
    "ir": ("ir", "ir", "Print the instructions of a source file."),
    "pre-push": ("hooks", "pre_push", "Check a push; git's pre-push hook calls it."),
    "init": ("hooks", "init", "Write a configuration, a CI job and a git hook."),
    "doctor": ("doctor", "doctor", "Test the requirements of a check."),
    "explain": ("rules", "explain", "Explain a finding: its path and its whole proof."),
    "aliases": ("aliases", "aliases", "Report which places may name one object now."),
    "query": ("query", "query", "Ask the state of a commit, in Datalog."),
    "serve": ("serve", "serve", "Maintain queries while commits come."),
    "history": ("history", "history", "Report which commits introduced and fixed findings."),
    "queue": ("queue", "queue", "Check pull requests, alone and merged in sequence."),
    "model": ("model", "model", "Write a model of a Java library, by its sources."),
    "calibrate": ("calibrate", "calibrate", "Fit the confidence to what a repository has fixed."),
    "schema": ("schema", "schema", "Print the JSON schema of settings or reports."),
    "rules": ("rules", "app", "List the rules, and explain them."),
    "baseline": ("baseline", "app", "Suppress the findings that exist today."),
    "config": ("config", "app", "Show the settings in use, and all settings."),
    "state": ("state", "app", "Manage the stored states of commits."),
    "datalog": ("datalog", "app", "Run Datalog programs over files of facts."),
}


class _Commands(MutableMapping[str, Any]):
    """Each command is made when it is first asked for: that takes longer than to run a small one."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module, called, short_help = _COMMANDS[name]
            found = getattr(import_module(f"pliant.ci.commands.{module}"), called)
            one = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
            if isinstance(found, typer.Typer):
                one.add_typer(found, name=name, short_help=short_help)
            else:
                one.command(name, short_help=short_help)(found)
            self._made[name] = typer.main.get_group(one).commands[name]
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Group(typer.core.TyperGroup):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = _Commands()


app = typer.Typer(
    cls=_Group,
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
    site_packages: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Read the types of the Python packages installed in DIR; else $PLIANT_SITE_PACKAGES.",
            show_default=False,
        ),
    ] = None,
) -> None:
    if folder is not None:
        try:
            os.chdir(folder)
        except OSError as error:
            raise UserError(f"-C {visible_path(str(folder))}: {error.strerror}") from None
    if site_packages is not None:
        from pliant.ci.config import SITE_PACKAGES

        os.environ[SITE_PACKAGES] = str(site_packages.absolute())
    if version:
        from pliant.ci.version import version as installed

        print_out(f"pliant {installed()}\n")
        raise typer.Exit
