"""The command: `python tests/fuzz FUZZER --count N --seed N`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("", "ci", "engine", "extractors")]  # as pytest has them

from fuzz import campaign, originals  # noqa: E402
from fuzz.registry import FUZZERS  # noqa: E402
from fuzz.trees import LANGUAGES  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description="Try random inputs.")
    parser.add_argument("fuzzer", choices=sorted(FUZZERS))
    parser.add_argument("originals", nargs="*", type=Path, metavar="REPOSITORY", help="git directories and folders to "
                        "take real files from; by default this repository's own fixtures")  # fmt: skip
    parser.add_argument("--language", choices=sorted(LANGUAGES), default="python", help="of sources")
    parser.add_argument("--count", type=int, default=1000, help="how many inputs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="of processor time that an input may take: more than the "
                        "fuzzer's own on a slow machine")  # fmt: skip
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where reduced failures are written")
    options = parser.parse_args()
    originals.use(options.originals)
    fuzzer = FUZZERS[options.fuzzer](options.language)
    if options.seconds is not None:
        fuzzer = replace(fuzzer, seconds=options.seconds)
    numbers = range(options.start, options.start + options.count)
    print(f"{fuzzer.name}: seed {options.seed}", file=sys.stderr)
    result = campaign.run(fuzzer, options.seed, numbers, options.keep)
    print(campaign.told(fuzzer, options.seed, result))
    return 1 if result.met else 0


if __name__ == "__main__":
    sys.exit(main())
