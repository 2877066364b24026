"""Random programs run by Soufflé and by the engine, all relations compared:

    python tests/souffle/random_programs.py --programs 2000 --seed 1 [--souffle PATH] [--keep FOLDER]

Programs are those of tests/engine/programs.py: negation, constraints, disjunction, recursion, aggregates. Many go into
one run of Soufflé, their relations renamed. A run that Soufflé refuses is cut in halves until the program that it
refuses is found; such programs are told apart. Ends with 1 if anything differs or is refused.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "engine"))

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from oracle import Fact
from programs import Random, batch, facts, programs

from pliant.engine import Evaluation, Program
from pliant.engine.backends.embedded import ascent

BATCH = 40  # programs in a run of Soufflé
_RELATION = re.compile(r"\b([ed]\d+)(?=\()|(?<=put )([ed]\d+)\b")


@dataclass
class Case:
    random: Random
    facts: dict[str, set[Fact]]

    def renamed(self, prefix: str) -> str:
        """The program with a prefix before the names of its relations."""
        return _RELATION.sub(lambda found: prefix + found.group(), self.random.text)


@dataclass
class Outcome:
    """`differing` and `refused`: cases, each with what is to be told of it."""

    compared: int = 0
    tuples: int = 0
    differing: list[tuple[Case, str]] = field(default_factory=list)
    refused: list[tuple[Case, str]] = field(default_factory=list)


class Refused(Exception):
    """Soufflé ended with an error."""


def cases(number: int, chosen: int) -> list[Case]:
    """As many random programs with facts, the same for the same seed."""
    made: dict[str, Case] = {}

    @st.composite
    def drawn(draw: st.DrawFn) -> Case:
        random = draw(programs())
        return Case(random, draw(facts(random, 10)))

    while len(made) < number:  # some are drawn twice
        largest = max(number - len(made), 10)

        @seed(chosen)
        @settings(
            max_examples=largest, phases=[Phase.generate], deadline=None, database=None, derandomize=False,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(drawn())
        def collect(case: Case) -> None:
            made.setdefault(case.random.text + repr(sorted(case.facts.items())), case)

        collect()
        chosen += 1_000_003
    return list(made.values())[:number]


def by_engine(case: Case) -> dict[str, set[Fact]]:
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": case.random.text}), batch(case.facts))
    found = {}
    for name, kinds in case.random.kinds.items():
        rows = evaluation.rows(name)
        columns: list[list[str | int]] = [
            evaluation.strings(rows[:, index]) if kind == "symbol" else rows[:, index].tolist()  # type: ignore[misc]
            for index, kind in enumerate(kinds)
        ]
        found[name] = set(zip(*columns, strict=True)) if columns else {()} if len(rows) else set()
    return found


def by_souffle(some: Sequence[Case], souffle: str) -> list[dict[str, set[Fact]]]:
    """What Soufflé derives of each program. Raises Refused."""
    with tempfile.TemporaryDirectory() as folder:
        given_, out = Path(folder, "facts"), Path(folder, "out")
        given_.mkdir()
        out.mkdir()
        for index, case in enumerate(some):
            for name in case.random.inputs:
                rows = case.facts.get(name, set())
                text = "".join("\t".join(map(str, row)) + "\n" if row else "()\n" for row in sorted(rows, key=repr))
                (given_ / f"p{index}_{name}.facts").write_text(text, encoding="utf-8")
        source = Path(folder, "programs.dl")
        source.write_text("\n".join(case.renamed(f"p{index}_") for index, case in enumerate(some)), encoding="utf-8")
        command = [souffle, "-w", "-F", str(given_), "-D", str(out), str(source)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode or "rror" in ran.stderr:
            raise Refused(ran.stderr.strip() or f"ended with {ran.returncode}")
        return [
            {name: set(_read(out / f"p{index}_{name}.csv", kinds)) for name, kinds in case.random.kinds.items()}
            for index, case in enumerate(some)
        ]


def _read(path: Path, kinds: tuple[str, ...]) -> Iterator[Fact]:
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        if not kinds:
            yield ()
            continue
        yield tuple(text if kind == "symbol" else int(text) for text, kind in zip(line.split("\t"), kinds, strict=True))


def compare(some: Sequence[Case], souffle: str, outcome: Outcome) -> None:
    try:
        found = by_souffle(some, souffle)
    except Refused as error:
        if len(some) == 1:
            outcome.refused.append((some[0], str(error)))
        else:
            compare(some[: len(some) // 2], souffle, outcome)
            compare(some[len(some) // 2 :], souffle, outcome)
        return
    for case, theirs in zip(some, found, strict=True):
        ours = by_engine(case)
        outcome.compared += 1
        outcome.tuples += sum(map(len, theirs.values()))
        if ours != theirs:
            told = [
                f"{name}: only here {sorted(ours[name] - theirs[name], key=repr)}, "
                f"only Soufflé {sorted(theirs[name] - ours[name], key=repr)}"
                for name in ours
                if ours[name] != theirs[name]
            ]
            outcome.differing.append((case, "\n".join(told)))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the engine with Soufflé on random programs.")
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--souffle", default=shutil.which("souffle"), help="the program; by default the one on PATH")
    parser.add_argument("--keep", type=Path, help="a folder for programs that differ or are refused")
    parser.add_argument("--ascents", action="store_true", help="all short levels of a stratum in one call")
    options = parser.parse_args()
    if options.ascents:
        ascent._FEWEST, ascent._ROWS = 0, 1 << 30
    if options.souffle is None:
        parser.error("souffle is not on PATH; name it with --souffle")
    started = time.monotonic()
    made = cases(options.programs, options.seed)
    outcome = Outcome()
    for start in range(0, len(made), BATCH):
        compare(made[start : start + BATCH], options.souffle, outcome)
        print(f"\r{outcome.compared} compared", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for kind, found in (("differs", outcome.differing), ("refused", outcome.refused)):
        for number, (case, told) in enumerate(found):
            print(f"--- {kind}\n{case.random.text}\n{case.facts}\n{told}")
            if options.keep is not None:
                options.keep.mkdir(parents=True, exist_ok=True)
                name = options.keep / f"{kind}{number}.txt"
                name.write_text(f"{case.random.text}\n\n{case.facts}\n\n{told}\n", encoding="utf-8")
    with_aggregates = sum("{" in case.random.text for case in made)
    print(
        f"seed {options.seed}: {len(made)} programs ({with_aggregates} with aggregates), {outcome.compared} compared, "
        f"{outcome.tuples} tuples, {len(outcome.differing)} differ, {len(outcome.refused)} refused by Soufflé, "
        f"{time.monotonic() - started:.0f} s"
    )
    return 1 if outcome.differing or outcome.refused else 0


if __name__ == "__main__":
    sys.exit(main())
