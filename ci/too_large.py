"""What is said where the analyses of a program would take more rows than they may."""

from __future__ import annotations

from collections import Counter

from pliant.analyses.wording import file_of
from pliant.ci.errors import visible_path
from pliant.engine import TooLarge
from pliant.extractors.facts import OWN


def told(error: TooLarge) -> str:
    """One line: what was expected and found, which file most of it is about, and what to do."""
    files: Counter[str] = Counter()
    for symbol, count in error.about.items():
        files[file_of(symbol) if OWN in symbol else ""] += count
    text = f"the analyses of {error.facts:,} facts may join {error.most:,} rows, and these need more"
    of_files = [(file, count) for file, count in files.most_common() if file]
    if not of_files:
        return f"{text}: leave files out with the setting exclude"
    file, count = of_files[0]
    share = 100 * count // files.total()
    return (
        f"{text}; {share}% of the largest relation is about {visible_path(file)}: leave it out with the setting exclude"
    )


__all__ = ["told"]
