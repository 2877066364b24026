"""A history of a real repository: what it costs, beside checks in a loop, and many versions beside one.

    python benchmarks/history.py cost REPO --commits 1000          # from nothing; commits a second, memory, git
    python benchmarks/history.py versions REPO ... [--plot SVG]    # one fixpoint over 1, 2, 4, ... 64 versions
    python benchmarks/history.py loop REPO --commits 20            # checks in a loop, Bootstrap of each, git alone
    python benchmarks/history.py prices REPO                       # what pricing.py holds

REPO is a clone with full history. Times are of processor seconds unless it says otherwise.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from pliant.analyses import registry
from pliant.ci.check import check
from pliant.ci.commands.history import summary_text
from pliant.ci.comparison import Request as CheckRequest
from pliant.ci.git import Repository
from pliant.ci.history.plan import Plan, Range, plan
from pliant.ci.history.run import Request, history
from pliant.ci.history.versions import ensure, fact_cache, facts_of, read_versions
from pliant.ci.history.window import selection_of
from pliant.ci.snapshot import Snapshot
from pliant.engine import Evaluation, VersionedFacts, Versions, peak_memory


def ignore(message: str) -> None:
    pass


def cost(repo: Path, commits: int, jobs: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        wanted = Range("HEAD", max_commits=commits)
        started = time.perf_counter()
        summary = history(Request(repo, out, wanted, Path(scratch) / "state", jobs=jobs), ignore)
        seconds = time.perf_counter() - started
        print(summary_text(summary, out), end="")
        share = summary.phases["git"] / sum(summary.phases.values())
        rate = summary.totals.commits / seconds
        print(f"{seconds:.0f} s from nothing on {jobs} processes, {rate:.1f} commits a second, git {share:.1%}")
        print(f"largest process {summary.peak_bytes / 2**20:.0f} MiB, this one {peak_memory() / 2**20:.0f} MiB")


class Prepared:
    """The last versions of a repository, extracted."""

    def __init__(self, repo: Path, state: Path, versions: int):
        self.repository = Repository.open(repo)
        self.selection = selection_of(self.repository, self.repository.resolve("HEAD"), None)
        self.cache = fact_cache(state / "facts")
        self.snapshots: list[Snapshot] = []
        planned: Plan = plan(self.repository, Range("HEAD", max_commits=4 * versions), 64, self.selection)
        for window in reversed(planned.windows):
            found = read_versions(self.repository, window, self.selection).snapshots
            self.snapshots = [*found, *self.snapshots]
        self.snapshots = self.snapshots[-versions:]
        ensure(self.cache, self.snapshots, self.repository.read)

    def facts(self, versions: int) -> VersionedFacts:
        return facts_of(registry.program(), self.snapshots[-versions:], self.cache, self.selection)


def _times(run: object, repeat: int) -> Iterator[float]:
    assert callable(run)
    for _ in range(repeat):
        started = time.process_time()
        run()
        yield time.process_time() - started


def versions(repos: Sequence[Path], repeat: int, picture: Path | None) -> None:
    """What many versions cost, by what one does: evaluated by the same means, and by Bootstrap."""
    lines: dict[str, list[tuple[int, float]]] = {}
    print("| repository | versions | facts | tuples | s | / one version | / Bootstrap of one |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for repo in repos:
        with tempfile.TemporaryDirectory() as state:
            prepared = Prepared(repo, Path(state), 64)
            name = repo.absolute().name.removesuffix(".git")
            batch = prepared.facts(1).batch(0)
            alone = min(_times(lambda batch=batch: Evaluation.bootstrap(registry.program(), batch), repeat))  # type: ignore[misc]
            for number in (1, 2, 4, 8, 16, 32, 64):
                if number > len(prepared.snapshots):
                    break
                tried = []
                for _ in range(repeat):
                    facts = prepared.facts(number)
                    size = facts.size
                    started = time.process_time()
                    made = Versions.of(facts)
                    tried.append(time.process_time() - started)
                    tuples = made.tuples
                    del facts, made
                spent = min(tried)
                line = lines.setdefault(name, [])
                one = line[0][1] if line else spent
                line.append((number, spent))
                shares = f"{spent / one:.2f} | {spent / alone:.2f}"
                print(f"| {name} | {number} | {size:,} | {tuples:,} | {spent:.2f} | {shares} |")
    if picture is not None:
        _plot(lines, picture)


def _plot(lines: dict[str, list[tuple[int, float]]], path: Path) -> None:
    import matplotlib  # noqa: PLC0415 - only of the benchmarks extra

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pliant"  # the same file for the same numbers
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(6.4, 4), layout="constrained")
    for name, points in lines.items():
        axes.plot([number for number, _ in points], [spent / points[0][1] for _, spent in points], "o-", label=name)
    axes.axhline(2, color="0.6", linestyle="--", linewidth=1)
    axes.set_xscale("log", base=2, nonpositive="clip")
    axes.set_xticks([1, 2, 4, 8, 16, 32, 64], labels=["1", "2", "4", "8", "16", "32", "64"])
    axes.set_ylim(0, 2.2)
    axes.set_xlabel("versions in one fixpoint")
    axes.set_ylabel("processor seconds by those of one version")
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def loop(repo: Path, commits: int) -> None:
    """Seconds of the clock a commit, after everything is extracted."""
    with tempfile.TemporaryDirectory() as scratch:
        state = Path(scratch)
        repository = Repository.open(repo)
        selection = selection_of(repository, repository.resolve("HEAD"), None)
        planned = plan(repository, Range("HEAD", max_commits=commits), 64, selection)
        for window in planned.windows:
            ensure(fact_cache(state / "facts"), read_versions(repository, window, selection).snapshots, repository.read)
        for name, strategy in (("checks in a loop", "elastic"), ("evaluated from nothing each", "bootstrap")):
            started = time.perf_counter()
            for commit in planned.commits:
                request = CheckRequest(repo, commit.parents[0], commit.oid, state / strategy, strategy=strategy)  # type: ignore[arg-type]
                report = check(request, ignore)
                report.keep()
            seconds = time.perf_counter() - started
            print(f"{name}: {seconds / commits:.2f} s a commit, {commits / seconds:.2f} commits a second")
        count = 0
        try:
            from pydriller import Repository as Driller  # noqa: PLC0415
        except ImportError:
            print("PyDriller is not installed: its time is left out")
            return
        oids = [commit.oid for commit in planned.commits]
        clone = state / "clone"  # it reads no bare repository
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(repo), str(clone)], check=True)
        started = time.perf_counter()
        for each in Driller(str(clone), only_commits=oids).traverse_commits():
            count += sum(len(file.diff or "") for file in each.modified_files)
        seconds = time.perf_counter() - started
        print(f"PyDriller, reading the same diffs ({count:,} characters): {commits / seconds:.1f} commits a second")


def prices(repo: Path) -> None:
    with tempfile.TemporaryDirectory() as state:
        prepared = Prepared(repo, Path(state), 64)
        facts = prepared.facts(64)
        size, one = facts.size, facts.size_of(0)
        together = min(_times(lambda: Versions.of(prepared.facts(64)), 2)) - min(_times(lambda: prepared.facts(64), 2))
        batch = facts.batch(0)
        bootstrap = min(_times(lambda: Evaluation.bootstrap(registry.program(), batch), 2))
        evaluation = Evaluation.bootstrap(registry.program(), batch)
        spent, changes, most = 0.0, 0, min(16, facts.count)
        for version in range(1, most):
            insert, delete = facts.difference(version - 1, version)
            changes += sum(facts.changes(version - 1, version))
            started = time.process_time()
            evaluation.update(insert=insert, delete=delete)
            spent += time.process_time() - started
        print(f"many versions: {together / size * 1e6:.1f} us a fact ({together:.2f} s, {size:,} facts)")
        print(f"Bootstrap: {bootstrap / one * 1e6:.1f} us a fact ({bootstrap:.2f} s, {one:,} facts)")
        print(f"updates: {spent / (most - 1):.2f} s each, {spent / (most - 1) / bootstrap:.2f} of Bootstrap, "
              f"{changes / (most - 1):.0f} facts each")  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cost", "versions", "loop", "prices"])
    parser.add_argument("repo", type=Path, nargs="+", help="`versions` takes several")
    parser.add_argument("--plot", type=Path, help="an SVG file that `versions` writes")
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args(arguments)
    repo = asked.repo[0]
    if asked.what == "cost":
        cost(repo, asked.commits, asked.jobs)
    elif asked.what == "versions":
        versions(asked.repo, asked.repeat, asked.plot)
    elif asked.what == "loop":
        loop(repo, asked.commits)
    else:
        prices(repo)


if __name__ == "__main__":
    subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)
    main()
