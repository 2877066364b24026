"""`pliant schema`: JSON schemas, for editors and for programs that read reports."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pliant.ci.commands.options import print_json


class Of(StrEnum):
    config = "config"
    report = "report"


def schema(
    of: Annotated[Of, typer.Argument(help="Of the configuration file, or of the report as JSON.")],
) -> None:
    """Print the JSON schema (draft 7) of pliant.toml or of the report that `pliant check --format json` writes."""
    from pliant.ci import schemas

    print_json(schemas.configuration() if of is Of.config else schemas.report())
