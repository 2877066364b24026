"""The figures and tables of the publications that the engine comes from, by name, on the data that can be had.

    python benchmarks/reproduce.py list
    python benchmarks/reproduce.py FIGURE ... --facts DIR [--repository REPO] [--small]
    python benchmarks/reproduce.py all --facts DIR

Each is one command or more of this folder, printed before it runs; what each command measures is in its own first
lines. `--small` takes the smallest case of each, to see that it runs. The exit status is that of the worst command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ELASTIC: Final = "elastic incremental evaluation: Bootstrap and Update"
COUNTING: Final = "counting, and deletion and rederivation"
PIPELINED: Final = "pipelined semi-naive evaluation in shards"
DATAFLOWS: Final = "delta queries and shared dataflows"
NOT_HAD: Final = (
    "Doop over the DaCapo programs of the publications (11.0 million facts): one smaller program stands for them",
    "Galen (976,552 facts): generated with its published shape, at --scale of benchmarks/run.py",
    "Graspan's edges of httpd, postgresql and linux: those of ten other programs in C and C++ stand for them",
    "clusters of many machines: two cores, and a model that is held against measured points (spark.py model)",
)


@dataclass(frozen=True)
class Figure:
    """commands: with {facts} and {repository}; small: those of --small, if the others take long."""

    what: str
    source: str
    commands: tuple[str, ...]
    small: tuple[str, ...] = ()

    def needs(self, name: str) -> bool:
        return any(f"{{{name}}}" in command for command in (*self.commands, *self.small))


_UPDATES = "run.py --facts {facts} --peers '' --strategies elastic,update"
FIGURES: Final = {
    "bootstrap": Figure(
        "seconds and memory from nothing, beside other engines; outputs compared",
        ELASTIC,
        ("run.py --facts {facts} --strategies '' --runs 3 --check",),
        ("run.py --facts {facts} --programs cspa_namd --strategies '' --runs 1 --peers souffle",),
    ),
    "sizes": Figure(
        "updates of 1 to 1,000 facts on Doop, CRDT and Galen, as shares of Bootstrap",
        ELASTIC,
        (f"{_UPDATES} --programs doop,crdt,galen --sets 3 --sizes 1,10,100,1000",),
        (f"{_UPDATES} --programs cspa_namd --sets 1 --sizes 1,10 --runs 1",),
    ),
    "epochs": Figure(
        "thirteen epochs that alternate between few and very many changes, for each strategy",
        ELASTIC,
        tuple(
            f"elastic.py --facts {{facts}} --case {case} --strategies elastic,update,bootstrap"
            for case in ("doop", "crdt", "galen", "cspa_psql")
        ),
        ("elastic.py --facts {facts} --case cspa_namd --strategies elastic,update,bootstrap",),
    ),
    "switch": Figure(
        "the switching parameter: updates of many sizes under a range of it",
        ELASTIC,
        ("switch.py --facts {facts}",),
        ("switch.py --facts {facts} --sets cspa_namd --switches 0.2 --rounds 1",),
    ),
    "memory": Figure(
        "bytes a tuple and peak memory; a commit's state on disk, whole and as a delta",
        ELASTIC,
        (
            "run.py --facts {facts} --programs doop,crdt,galen,cspa_* --peers souffle --strategies '' --runs 1",
            "state.py {repository} --commits 10",
        ),
        ("state.py {repository} --commits 2 --runs 1",),
    ),
    "strategies": Figure(
        "Update, counting, deletion and rederivation, semi-naive, pipelined: thirteen epochs of each",
        COUNTING,
        ("elastic.py --facts {facts} --case cspa_psql",),
        ("elastic.py --facts {facts} --case cspa_namd",),
    ),
    "deletion": Figure(
        "deletion beside insertion (delete/insert), and redundant instantiations (share beside least)",
        COUNTING,
        ("run.py --facts {facts} --programs cspa_*,csda_namd,rhodfs --peers '' --strategies update --sizes 1,10,100",),
        ("run.py --facts {facts} --programs cspa_namd --peers '' --strategies update --sizes 1 --sets 1 --runs 1",),
    ),
    "scaling": Figure(
        "work by tuples that change, and the same update while the database grows",
        ELASTIC,
        ("scaling.py --facts {facts}",),
        ("scaling.py --facts {facts} --programs cspa_namd --copies 1,2 --sets 1",),
    ),
    "exchanges": Figure(
        "exchanges and messages of evaluation in shards, and COST: the cores that make it faster than one thread",
        PIPELINED,
        ("spark.py exchanges --facts {facts}",),
        ("spark.py exchanges --facts {facts} --programs cspa_namd --cores 1 --inline",),
    ),
    "skew": Figure(
        "keys that many rows have: what it is worth to split them",
        PIPELINED,
        ("spark_skew.py",),
        ("spark_skew.py --shards 2 --heavy 0.25 --repeat 1",),
    ),
    "joins": Figure(
        "cyclic bodies: pairwise plans, delta queries that count, and extension by one variable",
        DATAFLOWS,
        ("joins.py",),
        ("joins.py --edges 1000 --runs 1",),
    ),
    "shared": Figure(
        "registered queries: their answers over commits, and many subscribers of one rule",
        DATAFLOWS,
        ("serve.py {repository}",),
        ("serve.py {repository} --commits 1 --clients 6 --subscribers 2",),
    ),
    "versions": Figure(
        "many commits in one fixpoint, beside one after the other",
        DATAFLOWS,
        ("history.py versions {repository}",),
        ("history.py versions {repository} --commits 2",),
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="+", metavar="FIGURE", help="names of the list, `all`, or `list`")
    parser.add_argument("--facts", type=Path, metavar="DIR", help="as of benchmarks/run.py")
    parser.add_argument("--repository", type=Path, metavar="REPO", help="a clone with a history")
    parser.add_argument("--small", action="store_true", help="the smallest case of each")
    given = parser.parse_args()
    if given.figures == ["list"]:
        print("\n".join(_listed()))
        return 0
    names = list(FIGURES) if given.figures == ["all"] else given.figures
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        parser.error(f"there is no figure {unknown[0]}; there are {', '.join(FIGURES)}")
    worst = 0
    for name in names:
        figure = FIGURES[name]
        print(f"\n# {name}: {figure.what}\n# {figure.source}", flush=True)
        missing = [each for each in ("facts", "repository") if figure.needs(each) and getattr(given, each) is None]
        if missing:
            print(f"# not run: it needs --{missing[0]}", flush=True)
            worst = max(worst, 2)
            continue
        for command in (figure.small or figure.commands) if given.small else figure.commands:
            worst = max(worst, _run(command, given))
    return worst


def _run(command: str, given: argparse.Namespace) -> int:
    script, *rest = command.split()
    filled = ["" if each == "''" else each.format(facts=given.facts, repository=given.repository) for each in rest]
    print(f"$ python benchmarks/{' '.join([script, *(each or chr(39) * 2 for each in filled)])}", flush=True)
    return abs(subprocess.run([sys.executable, HERE / script, *filled], check=False).returncode)


def _listed() -> Iterator[str]:
    width = max(map(len, FIGURES))
    for name, figure in FIGURES.items():
        yield f"{name.ljust(width)}  {figure.what} ({figure.source})"
    yield "\nWhat cannot be had:"
    yield from (f"  {each}" for each in NOT_HAD)


if __name__ == "__main__":
    raise SystemExit(main())
