"""`pliant ir`: the instructions that a file is analysed as."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import Debug, print_error, print_out, start
from pliant.ci.errors import UserError, reason, visible, visible_path


def ir(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A source file.", show_default=False)],
    function: Annotated[
        str,
        typer.Argument(
            metavar="[FUNCTION]", help="Only the function with this qualified name.", show_default="all of it"
        ),
    ] = "",
    debug: Debug = False,
) -> None:
    """Print the intermediate representation of a file (docs/ir.md)."""
    start()
    from pliant.extractors.budget import TooMuch
    from pliant.extractors.ir.text import print_function, print_unit
    from pliant.extractors.languages import LANGUAGES, language_of

    language = language_of(file.name)
    if language is None or not language.translates:
        known = ", ".join(suffix for each in LANGUAGES.values() if each.translates for suffix in each.suffixes)
        raise UserError(f"{visible_path(str(file))} is of no language that is translated: expected a file with {known}")
    try:
        source = file.read_bytes()
    except OSError as error:
        raise UserError(f"{visible_path(str(file))} cannot be read: {reason(error)}") from None
    try:
        unit = language.translate(source)
    except RecursionError:
        raise UserError(f"{visible_path(str(file))} is nested too deeply to be translated") from None
    except TooMuch as error:
        raise UserError(f"{visible_path(str(file))} costs too much to be translated: {error}") from None
    for name, (line, *_), why in unit.left_out:
        what = f"its function {visible_path(name)}" if name else f"what begins on line {line}"
        print_error(f"{visible_path(str(file))}: {what} is left out: {visible(why)}")
    if not function:
        print_out(print_unit(unit))
        return
    found = [each for each in unit.functions if each.name == function]
    if not found:
        names = ", ".join(each.name for each in unit.functions[:20])
        raise UserError(
            f"{visible_path(str(file))} has no function {visible_path(function)}: it has {visible_path(names)}"
        )
    print_out(print_function(found[0]))
