"""`pliant calibrate`: its options, and what it prints."""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import (
    ConfigFile,
    Debug,
    Engine,
    EngineOption,
    Head,
    Repo,
    SparkMaster,
    StateDir,
    evaluating,
    print_out,
    say,
    start,
)
from pliant.ci.errors import visible_path
from pliant.ci.wording import counted


def calibrate(
    since: Annotated[str, typer.Argument(metavar="REV", help="The old commit, such as HEAD~1000.", show_default=False)],
    repo: Repo = Path(),
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the calibration goes.")] = Path(
        "pliant-calibration.toml"
    ),
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Fit the confidence of findings to a repository: which nulls of an old commit its authors have fixed since, and
    which ones they live with.

    The setting `calibration` names the file that checks use. Nothing is written where the history does not foretell
    what is fixed better than the weights that all repositories have.
    """
    start()
    from pliant.ci.calibrate import calibrate as run
    from pliant.ci.comparison import Request

    with evaluating(engine, spark_master) as (progress, where):
        request = Request(repo, since, head, state_dir, unchanged=True, config=config, places=where)
        found = run(request, out, say(False), progress)
    said = f"{counted(found.fixed, 'null')} fixed since {since}, {found.left} still there"
    if found.says_anything:
        gain = f"has a probability of {exp(found.after):.0%} on average, by the usual weights {exp(found.before):.0%}"
        print_out(f"{visible_path(str(out))}: {said}; what became of nulls that were left out {gain}\n")
    else:
        print_out(f"nothing is written: {said}, which do not tell more than the usual weights\n")
