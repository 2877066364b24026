"""Every document is in lines that a terminal shows, and its links lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
WIDEST = 120
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines outside of code."""
    code = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield number, line


def anchors(page: Path) -> set[str]:
    """What a heading is called in a link, as GitHub makes it."""
    headings = [line.lstrip("#").strip() for _, line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_are_short_and_links_lead_somewhere(page: Path) -> None:
    for number, line in prose(page):
        assert len(line) <= WIDEST or line.lstrip().startswith("|"), f"{page.name}:{number}"
        for link in _LINK.findall(line):
            if link.startswith(("http:", "https:", "mailto:")):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            assert target.exists(), f"{page.name}:{number}: {link}"
            if anchor and target.suffix == ".md":
                assert anchor in anchors(target), f"{page.name}:{number}: {link}"
