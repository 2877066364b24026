"""docs/cli.md, made from what --help is made from."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import typer

_HEAD = """\
# The command line

For users of the command line. This page is generated from the same source as `--help`, and a test compares the two.
`PLIANT_REWRITE=1 python -m pytest tests/ci/test_command_line.py` writes it.

| exit status | |
|---|---|
| 0 | done; no new finding at or above `--fail-on` |
| 1 | done; there is a new finding, or a comparison failed |
| 2 | the command could not run: the last line on standard error says why and what to do |
| 130 | interrupted; no half-written file is left |
| 129, 143 | ended by SIGHUP or SIGTERM, as a shell reports it; no half-written file is left |
| 141 | standard output went to a program that stopped reading (SIGPIPE), as with git |

An output that is closed or on a full disk gives status 2, never 1. Output that standard error cannot take is dropped.

| variable | |
|---|---|
| `PLIANT_STATE_DIR` | where to keep state between runs |
| `PLIANT_SITE_PACKAGES` | a folder of installed Python packages: [configuration.md](configuration.md) |
| `PLIANT_STATE_KEY` | the key of the stored state, if machines share it: [ci.md](ci.md) |
| `NO_COLOR` | no colours |
| `XDG_CACHE_HOME`, `XDG_STATE_HOME` | replace `~/.cache` and `~/.local/state` |

`pliant -C DIR COMMAND` runs any command as if it were started in DIR, as git does: relative paths are below DIR.
`pliant --site-packages DIR COMMAND` does the same as `PLIANT_SITE_PACKAGES=DIR pliant COMMAND`.

Completion: `pliant --install-completion` installs it for the current shell, `pliant --show-completion` prints it first.
"""


def page(app: typer.Typer) -> str:
    """The whole page."""
    return "".join(f"{part}\n" for part in (_HEAD, *_commands(typer.main.get_command(app), "pliant")))


def _commands(command: Any, name: str) -> Iterator[str]:
    children = getattr(command, "commands", None)
    if children is None:
        yield from _command(command, name)
        return
    if command.invoke_without_command and name != "pliant":
        yield from _command(command, name)
    for child, inner in children.items():
        if not inner.hidden:
            yield from _commands(inner, f"{name} {child}")


def _command(command: Any, name: str) -> Iterator[str]:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    usage = " ".join([name, "[OPTIONS]", *(_in_usage(argument) for argument in arguments)])
    yield f"## {name}\n\n```\n{usage}\n```\n"
    yield _prose(command.help or "")
    rows = [(f"`{_metavar(argument)}`", argument) for argument in arguments]
    rows += [(", ".join(f"`{flag}`" for flag in _flags(option)), option) for option in options]
    yield "| | |\n|---|---|"
    for label, parameter in rows:
        told = f"{' '.join((parameter.help or '').split())}{_default(parameter)}"
        yield f"| {_cell(label)} | {_cell(told)} |"
    yield ""


def _in_usage(argument: Any) -> str:
    return _metavar(argument) if argument.required else f"[{_metavar(argument)}]"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _prose(text: str) -> str:
    """A help text; what follows a backspace keeps its lines."""
    blocks = re.split(r"\n\s*\n", text.strip())
    shown = []
    for block in blocks:
        if "\b" in block:
            shown.append(f"```\n{block.replace(chr(8), '').strip(chr(10))}\n```\n")
        else:
            text = " ".join(block.split())
            shown.append(f"{textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)}\n")
    return "\n".join(shown)


def _flags(option: Any) -> list[str]:
    value = "" if option.is_flag else f" {_metavar(option)}"
    return [f"{flag}{value}" for flag in (*option.opts, *option.secondary_opts)]


def _metavar(parameter: Any) -> str:
    if parameter.metavar:
        return str(parameter.metavar)
    choices = getattr(getattr(parameter, "type", None), "choices", None) or _choices(parameter)
    return "|".join(str(getattr(choice, "value", choice)) for choice in choices) if choices else "TEXT"


def _choices(parameter: Any) -> list[Any]:
    described = getattr(parameter, "type_descriptor", None)
    return list(getattr(described, "choices", None) or ()) if getattr(described, "is_choice", False) else []


def _default(parameter: Any) -> str:
    shown = parameter.show_default
    if isinstance(shown, str):
        return f" By default {shown}."
    value = parameter.default
    if parameter.required and parameter.param_type_name == "option":
        return " Required."
    if parameter.param_type_name == "option" and parameter.secondary_opts:
        return f" By default `{(parameter.opts if value else parameter.secondary_opts)[0]}`."
    if shown is False or value in (None, "", False, ()) or callable(value):
        return ""
    return f" By default `{getattr(value, 'value', value)}`."
