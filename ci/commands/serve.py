"""`pliant serve`: its options, and what it prints."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci.commands.options import AsJson, ConfigFile, Debug, Repo, StateDir, print_out, say, start
from pliant.ci.errors import UserError, visible

if TYPE_CHECKING:
    from pliant.ci.serve.server import Event


def serve(
    repo: Repo = Path(),
    rev: Annotated[str, typer.Option(metavar="REV", help="The revision to follow, such as a branch.")] = "HEAD",
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="unix:PATH, or a port of this machine such as 127.0.0.1:8815.",
            show_default="a socket in a new folder",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Has the clients' token, or gets one.", show_default="a new file"),
    ] = None,
    idle: Annotated[
        int, typer.Option(metavar="SECONDS", min=1, help="How long a query is kept that nobody reads.")
    ] = 300,
    config: ConfigFile = None,
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Maintain queries while commits come: clients register them and read what each commit changes.

    The state of the newest commit is held in memory and brought to each new commit of the revision, with every query
    that a client has registered, over Arrow Flight. docs/queries.md has the requests and a client.

    \b
    Examples:
      pliant serve                                      follow HEAD; print where it listens
      pliant serve --rev main --listen unix:/run/user/1000/pliant
      pliant serve --listen 127.0.0.1:8815 --token-file ~/.pliant-token

    It ends when it is interrupted. Exit status: 2 the command could not run.
    """
    start()
    from pliant.ci.comparison import Request
    from pliant.ci.progress import progress_on
    from pliant.ci.revision import WORKTREE
    from pliant.ci.serve.limits import Limits

    if rev == WORKTREE:
        raise UserError("pliant serve follows commits: give a branch, or HEAD")
    try:
        from pliant.ci.serve.server import serve as run
    except ImportError as error:
        raise UserError(f"pliant serve needs a pyarrow with Arrow Flight: {error}") from None

    def tell(event: Event) -> None:
        print_out(f"{json.dumps(_as_dict(event))}\n" if as_json else _as_text(event))

    request = Request(repo, rev, rev, state=state_dir, config=config)
    with progress_on(sys.stderr, quiet=False) as progress:
        run(request, listen, token_file, Limits(idle=float(idle)), tell, say(False), progress)


def _as_dict(event: Event) -> dict[str, object]:
    return {
        "schema": "pliant-serve/1",
        "commit": event.commit,
        "location": event.location,
        "token_file": str(event.token_file),
        "seconds": round(event.seconds, 3),
    }


def _as_text(event: Event) -> str:
    at = f"{event.commit[:12]} ({event.seconds:.1f} s)\n"
    if not event.is_first:
        return at
    return f"location: {event.location}\ntoken file: {visible(str(event.token_file))}\n{at}"
