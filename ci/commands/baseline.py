"""`pliant baseline`: the file of findings that a team lives with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci.commands.options import (
    FOUND,
    Base,
    ConfigFile,
    Debug,
    Engine,
    EngineOption,
    Head,
    Repo,
    RepoOption,
    SparkMaster,
    StateDir,
    evaluating,
    print_out,
    say,
    start,
)
from pliant.ci.errors import UserError, visible
from pliant.ci.wording import counted

if TYPE_CHECKING:
    from pliant.analyses.baseline import Baseline, Entry
    from pliant.ci.report import Report

app = typer.Typer(no_args_is_help=True, help="Findings that are silenced because they were there: a list that shrinks.")

BaselineFile = Annotated[Path, typer.Option("--baseline", metavar="FILE", help="The baseline.")]
_DEFAULT = Path("pliant-baseline.json")


@app.command()
def write(
    repo: Repo = Path(),
    baseline: BaselineFile = _DEFAULT,
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Write the findings of HEAD as the baseline; remove from an existing baseline what is no longer found.

    An existing baseline never grows by this: new findings are not added. Remove the file to start again.
    """
    start()
    from pliant.analyses.baseline import Baseline

    report = _findings(repo, head, config, state_dir, engine, spark_master)
    if baseline.exists():
        old = _read(baseline)
        stale, not_read = _parted(old.silence(report.findings), report)
        left = list(old.entries)
        for entry in stale:
            left.remove(entry)
        outside = sum(finding.suppressed is None and bool(finding.ways) for finding in report.findings)
        kept, done = Baseline(tuple(left)), f"{len(stale)} of {counted(len(old.entries), 'entry')} taken out"
        if not_read:
            done += f"; {counted(len(not_read), 'entry')} kept, because the code was not analysed"
        if outside:
            done += f"; left out, because a baseline only shrinks: {counted(outside, 'finding')}"
    else:
        kept = Baseline.of(report.findings)
        done = counted(len(kept.entries), "finding")
    _write(baseline, kept)
    print_out(f"{visible(str(baseline))}: {done}\n")


class State(StrEnum):
    """What a reviewer calls a finding."""

    false_positive = "false-positive"
    intentional = "intentional"
    will_fix = "will-fix"


@app.command()
def mark(
    finding: Annotated[str, typer.Argument(metavar="FINDING", help="Its fingerprint, or its place as FILE:LINE.")],
    state: Annotated[State, typer.Option("--as", help="What it is.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; reports show it.")],
    repo: RepoOption = Path(),
    baseline: BaselineFile = _DEFAULT,
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Write down in the baseline what a reviewer says of a finding of HEAD, which is silenced from then on.

    \b
    Examples:
      pliant baseline mark shop/basket.py:9 --as intentional --reason "all baskets share it"
      pliant baseline mark 4e1243bd22c66e76 --as false-positive --reason "the key is always there"
    """
    start()
    from pliant.analyses.baseline import Baseline

    if not reason.strip():
        raise UserError("--reason is empty: say why, for those who read the report")
    report = _findings(repo, head, config, state_dir, engine, spark_master)
    every = [each for each in report.findings if each.ways]
    meant = [each for each in every if finding in (each.fingerprint, f"{each.file}:{each.line}")]
    if not meant:
        raise UserError(
            f"{visible(head)} has no finding {visible(finding)}: expected a fingerprint or FILE:LINE, as "
            "`pliant check --all` of the same revision shows them"
        )
    old = _read(baseline) if baseline.exists() else Baseline(())
    _write(baseline, old.reviewed(meant, state.value, reason.strip()))
    print_out(f"{visible(str(baseline))}: {counted(len(meant), 'finding')} marked as {state.value}\n")


@app.command()
def check(
    repo: Repo = Path(),
    baseline: BaselineFile = _DEFAULT,
    base: Base = None,
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Check that every entry of the baseline has a finding in HEAD, and that no entry without a review state was added
    since BASE.

    Exit status: 0 valid, 1 it must shrink or has grown, 2 the command could not run.
    """
    start()
    current = _read(baseline)
    report = _findings(repo, head, config, state_dir, engine, spark_master)
    stale, not_read = _parted(current.silence(report.findings), report)
    grown = _grown(repo, baseline, base, head, current)
    for entry in not_read:
        print_out(f"not analysed: {visible(f'{entry.file} {entry.function} {entry.rule}: {entry.message}')}\n")
    for entry in stale:
        print_out(f"no longer found: {visible(f'{entry.file} {entry.function} {entry.rule}: {entry.message}')}\n")
    for entry in grown:
        print_out(f"not in the base's: {visible(f'{entry.file} {entry.function} {entry.rule}: {entry.message}')}\n")
    if stale:
        print_out(f"{counted(len(stale), 'entry')} without a finding: `pliant baseline write` takes such out\n")
    if grown:
        print_out(f"{counted(len(grown), 'entry')} added without a review state: `pliant baseline mark` gives one\n")
    if stale or grown:
        raise typer.Exit(FOUND)
    found = f"{len(current.entries) - len(not_read)} found" if not_read else "all found"
    print_out(f"{visible(str(baseline))}: {counted(len(current.entries), 'entry')}, {found}\n")


def _parted(entries: Sequence[Entry], report: Report) -> tuple[list[Entry], list[Entry]]:
    """Entries without a finding: those of code that was analysed, and the others."""
    not_read = [entry for entry in entries if not report.is_read(entry.file, entry.function)]
    return [entry for entry in entries if report.is_read(entry.file, entry.function)], not_read


def _findings(
    repo: Path, head: str, config: Path | None, state_dir: Path | None, engine: Engine, master: str | None
) -> Report:
    """All findings of one revision that no comment silences."""
    from pliant.ci.check import check as run
    from pliant.ci.comparison import Request

    base = "HEAD" if head == "WORKTREE" else head
    with evaluating(engine, master) as (progress, where):
        request = Request(repo, base, head, state_dir, unchanged=True, config=config, places=where)
        report = run(request, say(False), progress)
    # What the configuration's own baseline silences counts as well: it may be the one that is asked about.
    silenced = [each for each in report.suppressed if each.suppressed and each.suppressed.by == "baseline"]
    report.findings += [replace(each, suppressed=None) for each in silenced]
    return report


def _write(path: Path, baseline: Baseline) -> None:
    try:
        path.write_text(baseline.text(), encoding="utf-8")
    except OSError as error:
        raise UserError(f"the baseline cannot be written to {visible(str(path))}: {error.strerror}") from None


def _read(path: Path) -> Baseline:
    from pliant.ci.comparison import read_baseline
    from pliant.ci.config import default

    read = read_baseline(path, default())
    assert read is not None
    return read


def _grown(repo: Path, path: Path, base: str | None, head: str, current: Baseline) -> list[Entry]:
    """Entries without a review state that the baseline of the merge base has not; none where it has no such file."""
    from collections import Counter

    from pliant.analyses.baseline import Baseline, BaselineError
    from pliant.ci.config import read_named
    from pliant.ci.git import Repository
    from pliant.ci.sides import resolve

    with Repository.open(repo) as repository:
        try:
            inside = path.resolve().relative_to(repository.folder.resolve()).as_posix()
        except ValueError:
            return []
        sides, _ = resolve(repository, base, head)
        entry = repository.files(sides.base_commit, [inside]).get(inside)
        if entry is None:
            return []
        text = read_named(repository, entry).decode("utf-8", "replace")
    try:
        before = Baseline.read(text)
    except BaselineError as error:
        raise UserError(f"the baseline of {visible(sides.base.name)} cannot be used: {visible(str(error))}") from None
    unreviewed = [entry for entry in current.entries if not entry.state]
    return sorted((Counter(unreviewed) - Counter(before.entries)).elements())
