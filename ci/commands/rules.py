"""`pliant rules`, what there is to be found, and `pliant explain`, why one thing was."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from pliant.ci.commands.options import (
    AsJson,
    Base,
    ConfigFile,
    Debug,
    Engine,
    EngineOption,
    Head,
    Repo,
    SparkMaster,
    StateDir,
    evaluating,
    print_json,
    print_out,
    say,
    start,
)
from pliant.ci.errors import UserError, visible
from pliant.ci.wording import counted


class _OrRule(typer.core.TyperGroup):
    """`pliant rules ID` is `pliant rules show ID`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["show", *args])


app = typer.Typer(
    cls=_OrRule,
    invoke_without_command=True,
    help="List the rules. `pliant rules ID` prints the page of a rule.",
)


RulesRepo = Annotated[
    Path | None,
    typer.Option(
        "--repo",
        metavar="REPO",
        help="A folder of the git repository; its own rules are listed, too.",
        show_default="the current one, if it is one",
    ),
]


@app.callback()
def listed(context: typer.Context, repo: RulesRepo = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """List the rules, with those of the repository's own; `pliant rules ID` prints the page of one."""
    if context.invoked_subcommand is not None:
        return
    from pliant.analyses.rules import rules

    own = _own_rules(repo, config)
    if as_json:
        rows = [*map(asdict, rules().values()), *map(asdict, own.values())]
        print_json(rows)
        return
    width = max(map(len, [*rules(), *own]))
    print_out("".join(f"{rule.id:{width}}  {rule.heading}\n" for rule in rules().values()))
    print_out("".join(f"{rule.id:{width}}  {visible(rule.title)} ({rule.file})\n" for rule in own.values()))


@app.command()
def show(
    rule: Annotated[str, typer.Argument(metavar="ID", help="The rule's id.")],
    repo: RulesRepo = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Print the page of a rule: what it reports, why it matters, examples, how to suppress it, and its limits."""
    from pliant.analyses.rules import rules

    found = rules().get(rule)
    own = {} if found is not None else _own_rules(repo, config)
    if found is None and rule not in own:
        from pliant.ci.config_table import nearest

        every = [*rules(), *own]
        raise UserError(f"there is no rule '{visible(rule)}'{nearest(rule, every)}: `pliant rules` lists them")
    shown = found or own[rule]
    if as_json:
        print_json(asdict(shown))
    else:
        print_out(shown.page())


def _own_rules(repo: Path | None, config: Path | None) -> dict[str, OwnRule]:
    """The rules that the configuration adds; none outside of a repository, unless one is named."""
    from pliant.analyses import registry
    from pliant.ci.commits import program_of
    from pliant.ci.config import of_file
    from pliant.ci.config_source import configured
    from pliant.ci.git import Repository

    if config is not None:
        settings = of_file(config)
    else:
        try:
            repository = Repository.open(repo or Path())
        except UserError:
            if repo is None:
                return {}
            raise
        with repository:
            settings, _ = configured(repository, None, "HEAD", None)
    if not settings.rule_files:
        return {}
    kinds = registry.kinds_of(program_of(settings))
    return {
        kind.rule: OwnRule(kind.rule, kind.message[:1].upper() + kind.message[1:], kind.file)
        for kind in kinds.values()
        if kind.file
    }


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of a user's own. file: the program that it stands in."""

    id: str
    title: str
    file: str

    def page(self) -> str:
        return f"# {self.id}\n\n{visible(self.title)}.\n\nA rule of this repository's own, in {self.file}.\n"


def explain(
    fingerprint: Annotated[
        str,
        typer.Argument(
            metavar="FINGERPRINT", help="The fingerprint of a finding, or its beginning; not with --refuted."
        ),
    ] = "",
    repo: Repo = Path(),
    refuted: Annotated[
        bool, typer.Option("--refuted", help="Show the refuted new and fixed findings, each with the reason.")
    ] = False,
    base: Base = None,
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Show why a finding between BASE and HEAD is reported: its path with source lines, its cause and the proof."""
    start()
    from pliant.ci import explain as run
    from pliant.ci.comparison import Request

    if refuted and (fingerprint and repo != Path()):
        raise UserError("--refuted is of all findings: give no FINGERPRINT, only REPO")
    if refuted and fingerprint:
        fingerprint, repo = "", Path(fingerprint)
    elif not refuted and not fingerprint:
        raise UserError("give the FINGERPRINT of a finding, which `pliant check --verbose` shows, or --refuted")
    with evaluating(engine, spark_master) as (progress, where):
        request = Request(repo, base, head, state_dir, unchanged=not refuted, config=config, places=where)
        if refuted:
            all_refuted = run.refuted(request, say(False), progress)
        else:
            found = run.explain(request, fingerprint, say(False), progress)
    if refuted:
        if as_json:
            print_json([run.as_dict(each) for each in all_refuted])
            return
        lines = [line for each in all_refuted for line in (*run.as_title(each), "")]
        print_out("".join(f"{line}\n" for line in (*lines, f"{counted(len(all_refuted), 'finding')} refuted")))
        return
    if as_json:
        print_json(run.as_dict(found))
        return
    print_out("".join(f"{line}\n" for line in run.as_text(found)))
