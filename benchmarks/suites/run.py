#!/usr/bin/env python3
"""Public suites of other tools, run on a checkout of each; nothing of theirs is kept here.

    run.py SUITE CHECKOUT [--misses]

SUITE is one of juliet, itc, itc-marked, infer, nullaway, optional, pycg, pointerbench. Prints a table by category:
places that the suite calls bad and how many of them were found, places that it calls good and how many alarms were
false; of both, how many a report shows by default: neither refuted nor otherwise unlikely. With --misses
every wrong place is named.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tables import table
from verdicts import HEADS, rows

SUITES = {
    "juliet": "juliet",
    "itc": "itc",
    "itc-marked": "itc_marked",
    "infer": "infer_pulse",
    "nullaway": "nullaway",
    "optional": "optional_types",
    "pycg": "pycg",
    "pointerbench": "pointerbench",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--misses", action="store_true", help="name every place that is judged wrongly")
    options = parser.parse_args()
    verdicts = list(importlib.import_module(SUITES[options.suite]).verdicts(options.checkout))
    print(table(HEADS, rows(verdicts)))
    if options.misses:
        for verdict in verdicts:
            if verdict.wrong:
                print(f"{verdict.wrong}  {verdict.category}  {verdict.place}")


if __name__ == "__main__":
    main()
