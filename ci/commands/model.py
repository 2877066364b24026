"""`pliant model`: its options, and what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import Debug, print_error, print_out, start
from pliant.ci.errors import visible, visible_path
from pliant.ci.wording import counted


def model(
    sources: Annotated[
        Path,
        typer.Argument(metavar="SOURCES", help="A folder of Java sources, or an archive of them.", show_default=False),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the model goes: NAME.java.toml.", show_default=False)
    ],
    debug: Debug = False,
) -> None:
    """Write a model file of a Java library, by its sources: what its members return, which results may be null, and
    which arguments must not be. The setting `models` names the model files that checks use."""
    start()
    from pliant.ci.model import write_model

    skipped = 0

    def skip(path: str, why: str) -> None:
        nonlocal skipped
        skipped += 1
        print_error(f"{visible_path(path)} is left out: {visible(why)}")

    tables = write_model(sources, out, skip)
    nullable = sum(len(table.get("nullable", ())) for table in tables.values())
    requires = sum(len(table.get("requires", ())) for table in tables.values())
    print_out(
        f"{visible_path(str(out))}: {len(tables)} classes, {counted(nullable, 'member')} that may return null, "
        f"{counted(requires, 'member')} that must not get it, {counted(skipped, 'file')} left out\n"
    )
