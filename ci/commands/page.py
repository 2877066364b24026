"""docs/cli.md, made from what --help is made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

_HEAD = """\
# The command line

Made from the same source as `--help`; a test compares them, and
`PLIANT_REWRITE=1 python -m pytest tests/ci/test_command_line.py` rewrites it.

| exit status | |
|---|---|
| 0 | done; nothing new at or above `--fail-on` |
| 1 | done; something new was found, or is not as it should be |
| 2 | it could not be done: the last line on standard error says why and what to do |
| 130 | interrupted; nothing half-written is left |
| 129, 143 | ended by SIGHUP or SIGTERM, as a shell tells it; likewise |
| 141 | standard output went to a program that stopped reading (SIGPIPE), as with git |

An output that is closed or on a full disk is status 2, never 1. What standard error does not take is dropped.

| variable | |
|---|---|
| `PLIANT_STATE_DIR` | where state is kept between runs |
| `PLIANT_STATE_KEY` | the key of what is kept, where machines share it: [ci.md](ci.md) |
| `NO_COLOR` | no colours |
| `XDG_CACHE_HOME`, `XDG_STATE_HOME` | in place of `~/.cache` and `~/.local/state` |

Completion: `pliant --install-completion` for the shell that it is run in, `pliant --show-completion` to see it first.
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
            shown.append(f"{' '.join(block.split())}\n")
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
