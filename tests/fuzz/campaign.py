"""Runs a fuzzer: as many inputs as asked for, each failure once, reduced and written to a file."""

from __future__ import annotations

import hashlib
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from fuzz.processes import Checker, Failure
from fuzz.reduction import Pass, reduce

C = TypeVar("C")
_TRIES = 1500  # inputs that a reduction may try; of those that are slow a twentieth


@dataclass(frozen=True)
class Fuzzer(Generic[C]):
    """draw: an input, the same for the same state of the generator. check: raises Failed; what it returns is the same
    with any hash seed. passes: make an input smaller. write: the bytes and the suffix of a file that `read` reads.
    counts: what an input is counted as in the summary, by what `check` said of it. seconds: of processor time for one.
    hash_seeds: of the processes that check each input, and say the same."""

    name: str
    draw: Callable[[random.Random], C]
    check: Callable[[C], object]
    passes: Sequence[Pass[C]]
    write: Callable[[C], tuple[bytes, str]]
    read: Callable[[bytes, str], C]
    counts: Callable[[C, object], Mapping[str, int]] = lambda case, answer: {"inputs": 1}
    seconds: float = 20.0
    hash_seeds: tuple[int, ...] = (1, 2)


@dataclass
class Result:
    """failures: by key, each with how often it was met and the file with the reduced input."""

    kinds: Counter[str] = field(default_factory=Counter)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    files: dict[tuple[str, str], Path | None] = field(default_factory=dict)


def run(fuzzer: Fuzzer[C], seed: int, numbers: Sequence[int], keep: Path | None) -> Result:
    """Input `n` depends on the seed and on n alone."""
    result = Result()
    with _checkers(fuzzer) as check:
        for done, number in enumerate(numbers, 1):
            case = drawn(fuzzer, seed, number)
            answer = check(case)
            if not isinstance(answer, Failure):
                result.kinds.update(fuzzer.counts(case, answer))
            else:
                result.kinds["failing"] += 1
                result.met[answer.key] += 1
                if answer.key not in result.files:
                    print(f"\ninput {number} of seed {seed}: {answer}", file=sys.stderr)
                    result.files[answer.key] = _reduced(fuzzer, case, answer, check, keep, f"seed {seed}, {number}")
            if done % 50 == 0 or done == len(numbers):
                print(f"\r{done} of {len(numbers)}, {len(result.met)} failures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return result


def drawn(fuzzer: Fuzzer[C], seed: int, number: int) -> C:
    return fuzzer.draw(random.Random(f"{fuzzer.name} {seed} {number}"))


def told(fuzzer: Fuzzer[Any], seed: int, result: Result) -> str:
    """The summary: counts, then a line for each failure."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(result.kinds.items()))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    failing = f"{len(result.met)} kinds of failures in {sum(result.met.values())} inputs"
    spent = f"{usage.ru_utime + usage.ru_stime:.0f} processor seconds"
    lines = [f"{fuzzer.name}: seed {seed}, {kinds}; {failing}, {spent}"]
    for key, count in result.met.most_common():
        lines.append(f"  {count} x {key[0]}: {key[1]} ({result.files[key] or 'not kept'})")
    return "\n".join(lines)


class _checkers(Generic[C]):
    """Checks an input in a process for each hash seed, and compares what they say."""

    def __init__(self, fuzzer: Fuzzer[C]):
        self._processes = [Checker(fuzzer.check, fuzzer.seconds, seed) for seed in fuzzer.hash_seeds]

    def __enter__(self) -> Callable[[C], object]:
        return self._check

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.close()

    def _check(self, case: C) -> object:
        answers = []
        for process in self._processes:
            answers.append(process(case))
            if isinstance(answers[-1], Failure):
                return answers[-1]
        if any(answer != answers[0] for answer in answers):
            return Failure(
                "the hash seed changes nothing", "another answer with another hash seed", repr(answers)[:2000]
            )
        return answers[0]


def _reduced(
    fuzzer: Fuzzer[C], case: C, failure: Failure, check: Callable[[C], object], keep: Path | None, origin: str
) -> Path | None:
    if keep is None:
        return None

    def fails(smaller: C) -> bool:
        answer = check(smaller)
        return isinstance(answer, Failure) and answer.key == failure.key

    slow = "processor seconds" in failure.property or "hangs" in failure.property
    small = reduce(case, fails, fuzzer.passes, _TRIES // 20 if slow else _TRIES)
    content, suffix = fuzzer.write(small)
    name = hashlib.sha256(repr(failure.key).encode()).hexdigest()[:8]
    keep.mkdir(parents=True, exist_ok=True)
    path = keep / f"{fuzzer.name}-{name}{suffix}"
    path.write_bytes(content)
    whole, _ = fuzzer.write(case)
    (keep / f"{fuzzer.name}-{name}.whole").write_bytes(whole)
    path.with_suffix(".why").write_text(f"{failure}\n{fuzzer.name}, {origin}\n\n{failure.detail}\n", "utf-8", "replace")
    return path


def cases(folder: Path, name: str) -> Iterator[Path]:
    """The reduced inputs of a fuzzer that were kept as tests."""
    yield from sorted(path for path in folder.glob(f"{name}-*") if path.suffix not in (".why", ".whole"))
