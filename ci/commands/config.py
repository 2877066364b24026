"""`pliant config`: what a check would go by, and all that can be set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from pliant.ci.commands.options import AsJson, Base, ConfigFile, Debug, Head, Repo, print_json, print_out
from pliant.ci.errors import visible

app = typer.Typer(no_args_is_help=True, help="The settings: what holds and where it comes from, and what there is.")


@app.command()
def show(
    repo: Repo = Path(),
    base: Base = None,
    head: Head = "HEAD",
    config: ConfigFile = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Show each setting that a check of HEAD against BASE uses, and where it comes from."""
    from pliant.ci.config_source import configured
    from pliant.ci.git import Repository

    with Repository.open(repo) as repository:
        found, notes = configured(repository, base, head, config)
    if as_json:
        settings = {key: {"value": value, "origin": found.origins[key]} for key, value in found.values.items()}
        print_json({"settings": settings, "notes": notes})
        return
    for key, value in found.values.items():
        if key != "projects":
            print_out(f"{key} = {_toml(value)}  # {found.origins[key]}\n")
    for project in found.values["projects"]:
        print_out(f"\n[[projects]]  # {found.origins['projects']}\n")
        for key, value in project.items():
            print_out(f"{key} = {_toml(value)}\n")
    for note in notes:
        print_out(f"\n# {visible(note)}\n")


@app.command()
def keys(as_json: AsJson = False, debug: Debug = False) -> None:
    """List all settings: type, default and meaning."""
    from pliant.ci.config_table import SETTINGS

    if as_json:
        rows = [
            {
                "key": setting.key,
                "kind": setting.kind,
                "choices": setting.choices,
                "default": setting.default,
                "project": setting.project,
                "named_file_only": setting.named,
                "help": setting.help,
                "example": setting.example,
            }
            for setting in SETTINGS
        ]
        print_json(rows)
        return
    import textwrap

    for setting in SETTINGS:
        default = f" (default {_toml(setting.default)})" if setting.default else ""
        print_out(f"{setting.key}{default}\n{textwrap.indent(textwrap.fill(setting.help, 96), '    ')}\n")
        print_out(f"    {setting.key} = {setting.example}\n\n")


def _toml(value: Any) -> str:
    """A value as TOML has it; JSON's strings are TOML's, too."""
    if isinstance(value, dict):
        return (
            f"{{ {', '.join(f'{json.dumps(key)} = {_toml(part)}' for key, part in value.items())} }}" if value else "{}"
        )
    if isinstance(value, tuple | list):
        return f"[{', '.join(_toml(part) for part in value)}]"
    return json.dumps(value)
