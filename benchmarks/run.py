"""All benchmarks by one command: Bootstrap beside other engines, then updates of published sizes, ratios of one run.

    python benchmarks/run.py --facts DIR [--programs cspa_psql,csda_*,doop] [--quick] [--check] [--verify]

DIR holds a folder of facts for each case (`cspa_psql/assign.facts.gz`, ...); galen's are generated. Prints Markdown.
Every measurement runs in a process of its own. Peers that are not installed are left out, and it is said.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import peers
from cases import QUICK, USUAL, Case, find_cases, prepare
from peers import Failed, Souffle, Taken
from tables import mebibytes, number, percent, ratio, seconds, table

OURS = Path(__file__).parent / "ours.py"
SIZES = (1, 10, 100, 400, 700, 1000)
STRATEGIES = ("update", "elastic")

Told = dict[str, Any]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--programs", help="names or patterns of cases, separated by commas")
    parser.add_argument("--quick", action="store_true", help="few small cases, two sets of 1, 10 and 100 facts")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="of the sets that updates take out")
    parser.add_argument("--sets", type=int, default=5, help="sets of each size")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="empty for Bootstrap alone")
    parser.add_argument("--switch", type=float, help="the switching parameter of elastic")
    parser.add_argument("--cold", action="store_true", help="read the whole state before each update")
    parser.add_argument("--runs", type=int, default=3, help="of each Bootstrap; the median counts")
    parser.add_argument("--scale", type=float, default=0.05, help="of galen: 1 is the published size")
    parser.add_argument("--peers", default="souffle,interpreted,duckdb,pathway", help="empty for none")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a peer may take")
    parser.add_argument("--check", action="store_true", help="compare the outputs with Soufflé's, tuple by tuple")
    parser.add_argument("--profile", action="store_true", help="show what each rule costs in Bootstrap")
    parser.add_argument("--verify", action="store_true", help="hold states between deletion and insertion to Bootstrap")
    parser.add_argument("--work", type=Path, help="keep prepared facts and compiled programs here")
    parser.add_argument("--json", type=Path, help="write all measurements here")
    options = parser.parse_args()
    if options.quick:
        options.sizes, options.sets, options.runs = "1,10,100", min(options.sets, 2), 1
    options.patterns = (options.programs or ",".join(QUICK if options.quick else USUAL)).split(",")
    options.peers = [name for name in options.peers.split(",") if name]
    return options


def main() -> None:
    options = arguments()
    peers.leave_on_signals()
    if not options.facts.is_dir():
        sys.exit(f"a folder of fact sets is expected: {options.facts}")
    cases = find_cases(options.facts, options.patterns)
    with tempfile.TemporaryDirectory(prefix="pliant-benchmarks-") as temporary:
        work = options.work or Path(temporary)
        souffle = Souffle(work, peers.threads(), options.limit)
        show(f"Soufflé {souffle.version()} on {souffle.threads} threads; {os.cpu_count()} processors; "
             f"median of {options.runs} runs; galen at scale {options.scale}\n")  # fmt: skip
        measured: dict[str, Told] = {}
        differing: list[str] = []
        for case in cases:
            facts = prepare(case, options.facts, work, options.scale)
            outputs = work / "outputs" / case.name if options.check else None
            told = ours(case, facts, options, outputs)
            if "failed" not in told:
                told["peers"] = {name: vars(taken) for name, taken in measure_peers(case, facts, souffle, options)}
                if outputs is not None:
                    differing += compare(case, facts, souffle, outputs, told)
            measured[case.name] = told
            sys.stderr.write(f"{case.name} is done\n")
        report(measured, options)
        if options.json is not None:
            options.json.write_text(json.dumps(measured, indent=1))
        failed = [f"{name}: {told['failed']}" for name, told in measured.items() if "failed" in told]
        if failed or differing:
            sys.exit("\n".join([*failed, *differing]))


def ours(case: Case, facts: Path, options: argparse.Namespace, outputs: Path | None) -> Told:
    command = [sys.executable, str(OURS), case.name, str(facts), "--all-facts", str(options.facts)]
    command += ["--runs", str(options.runs), "--sizes", options.sizes, "--sets", str(options.sets)]
    command += ["--strategies", options.strategies]
    command += [] if options.switch is None else ["--switch", str(options.switch)]
    command += ["--cold"] if options.cold else []
    command += ["--verify"] if options.verify else []
    command += ["--profile"] if options.profile else []
    command += [] if outputs is None else ["--output", str(outputs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"failed": (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]}
    told: Told = json.loads(done.stdout)
    return told


def measure_peers(
    case: Case, facts: Path, souffle: Souffle, options: argparse.Namespace
) -> Iterable[tuple[str, Taken]]:
    runs = ["--runs", str(options.runs)]
    ways: dict[str, Callable[[], Taken]] = {
        "souffle": lambda: souffle.evaluate(case, facts, options.runs, compiled=True),
        "interpreted": lambda: souffle.evaluate(case, facts, options.runs, compiled=False),
        "duckdb": lambda: peers.by_script(
            peers.DUCKDB, case, facts, options.limit, *runs, "--threads", str(peers.threads())
        ),
        "pathway": lambda: peers.by_script(peers.PATHWAY, case, facts, options.limit),
    }
    for name in options.peers:
        if name not in ways:
            sys.exit(f"no peer is called {name}; expected some of {', '.join(ways)}")
        yield name, ways[name]()


def compare(case: Case, facts: Path, souffle: Souffle, mine: Path, told: Told) -> list[str]:
    """Outputs that differ from Soufflé's. The number of equal tuples goes into `told`."""
    theirs = mine.with_name(f"{mine.name}.souffle")
    try:
        souffle.write(case, facts, theirs)
    except (Failed, OSError) as failed:
        return [f"{case.name}: Soufflé's outputs are not to be had: {failed}"]
    told["equal"] = 0
    differing = []
    for name in told["outputs"]:
        lines = [sorted((folder / f"{name}.csv").read_bytes().splitlines()) for folder in (mine, theirs)]
        if lines[0] == lines[1]:
            told["equal"] += len(lines[0])
        else:
            alone = [len(set(lines[0]) - set(lines[1])), len(set(lines[1]) - set(lines[0]))]
            differing.append(
                f"{case.name}: {name} has {alone[0]} tuples that Soufflé lacks and lacks {alone[1]} of its"
            )
    return differing


def report(measured: dict[str, Told], options: argparse.Namespace) -> None:
    good = {name: told for name, told in measured.items() if "failed" not in told}
    if not good:
        return
    show("Bootstrap\n\n" + bootstrap_table(good))
    if options.peers:
        show("\nOther engines, seconds; ratio: ours over theirs\n\n" + peer_table(good, options.peers))
        show(notes(good))
    if any(told["updates"] for told in good.values()):
        show("\nUpdates: medians of deletion and insertion, as a share of Bootstrap\n\n" + update_table(good))
        show("\nInsertions against deletions of the same facts, and the longest update\n\n" + ways_table(good))
    for name, told in good.items():
        if told["profile"]:
            show(f"\nRules of {name}\n\n{told['profile']}")
    if options.check:
        show("\nEqual to Soufflé's output, tuple by tuple: " + ", ".join(
            f"{name} ({told['equal']:,})" for name, told in good.items() if "equal" in told))  # fmt: skip


def bootstrap_table(measured: dict[str, Told]) -> str:
    heads = ("case", "facts", "derived", "levels", "instantiations", "seconds", "of it evaluation", "peak MiB",
             "state bytes/tuple")  # fmt: skip
    return table(heads, [
        (name, number(told["facts"]), number(told["derived"]), number(told["levels"]), number(told["instantiations"]),
         seconds(told["seconds"]), seconds(told["evaluation"]), mebibytes(told["peak_rss_bytes"]),
         f"{told['bytes_per_tuple']:.1f}")
        for name, told in measured.items()
    ])  # fmt: skip


def peer_table(measured: dict[str, Told], names: Sequence[str]) -> str:
    rows = []
    ratios: dict[str, list[float]] = {name: [] for name in names}
    for case, told in measured.items():
        row = [case, seconds(told["evaluation"])]
        for name in names:
            taken = told["peers"][name]
            if taken["failed"]:
                row += ["-", "-", "-"]
                continue
            ratios[name].append(told["evaluation"] / taken["seconds"])
            row += [seconds(taken["seconds"]), ratio(told["evaluation"], taken["seconds"]),
                    mebibytes(taken["peak_rss_bytes"])]  # fmt: skip
        rows.append(row)
    means = ["geometric mean", ""]
    for name in names:
        means += ["", f"{math.exp(statistics.fmean(map(math.log, ratios[name]))):.2f}" if ratios[name] else "-", ""]
    return table(["case", "ours", *(head for name in names for head in (name, "ratio", "MiB"))], [*rows, means])


def notes(measured: dict[str, Told]) -> str:
    """Why a peer has no number, and sizes that differ."""
    lines = []
    for case, told in measured.items():
        for name, taken in told["peers"].items():
            if taken["failed"]:
                lines.append(f"{case}, {name}: {taken['failed']}")
            differing = {each for each, size in taken["sizes"].items() if told["outputs"].get(each, size) != size}
            if differing:
                lines.append(f"{case}, {name}: sizes differ of {', '.join(sorted(differing))}")
    return "\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


def update_table(measured: dict[str, Told]) -> str:
    heads = ("case", "strategy", "size", "seconds", "share", "processor share", "instantiations", "share", "least",
             "changed", "bootstrapped")  # fmt: skip
    rows = []
    for case, told in measured.items():
        for (strategy, size), some in grouped(told, "strategy", "size"):
            taken, used = median(some, "seconds"), median(some, "instantiations")
            again = sum("bootstrap" in each["used"] for each in some)
            rows.append((case, strategy, number(size), seconds(taken), percent(taken / told["seconds"]),
                         percent(median(some, "processor") / told["processor"]), number(used),
                         percent(used / max(told["instantiations"], 1)),
                         percent(median(some, "least") / max(told["instantiations"], 1)),
                         number(median(some, "changed")), f"{again} of {len(some)}"))  # fmt: skip
    return table(heads, [*rows, *pooled(measured)])


def pooled(measured: dict[str, Told]) -> list[tuple[str, ...]]:
    """For each strategy and size the medians over the updates of all cases, each as a share of its case's Bootstrap."""
    shares: dict[tuple[str, int], list[Told]] = {}
    for told in measured.values():
        for each in told["updates"]:
            shares.setdefault((each["strategy"], each["size"]), []).append({
                "seconds": each["seconds"] / told["seconds"],
                "processor": each["processor"] / told["processor"],
                "instantiations": each["instantiations"] / max(told["instantiations"], 1),
                "least": each["least"] / max(told["instantiations"], 1),
            })  # fmt: skip
    return [
        (f"all {len(some)} updates", strategy, number(size), "", percent(median(some, "seconds")),
         percent(median(some, "processor")), "", percent(median(some, "instantiations")),
         percent(median(some, "least")), "", "")
        for (strategy, size), some in shares.items() if len(measured) > 1
    ]  # fmt: skip


def ways_table(measured: dict[str, Told]) -> str:
    heads = ("case", "strategy", "size", "delete s", "insert s", "delete/insert", "longest s", "longest/Bootstrap",
             "of processor time")  # fmt: skip
    rows = []
    for case, told in measured.items():
        for (strategy, size), some in grouped(told, "strategy", "size"):
            middle = {way: median([each for each in some if each["way"] == way], "seconds")
                      for way in ("delete", "insert")}  # fmt: skip
            longest = max(each["seconds"] for each in some)
            rows.append((case, strategy, number(size), seconds(middle["delete"]), seconds(middle["insert"]),
                         ratio(middle["delete"], middle["insert"]), seconds(longest),
                         ratio(longest, told["seconds"]),
                         ratio(max(each["processor"] for each in some), told["processor"])))  # fmt: skip
    return table(heads, rows)


def grouped(told: Told, *keys: str) -> list[tuple[tuple[Any, ...], list[Told]]]:
    groups: dict[tuple[Any, ...], list[Told]] = {}
    for each in told["updates"]:
        groups.setdefault(tuple(each[key] for key in keys), []).append(each)
    return list(groups.items())


def median(some: list[Told], key: str) -> float:
    return statistics.median(each[key] for each in some)


def show(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
