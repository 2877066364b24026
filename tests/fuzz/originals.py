"""Real files to mutate: of git repositories and folders that the caller names, or the repository's own fixtures."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from fuzz.trees import LANGUAGES, Tree, pieces_of
from pliant.ci.git import Repository

ROOT = Path(__file__).parents[2]
OWN = ("tests/analyses", "tests/extractors", "extractors/lowering", "analyses")
MOST_BYTES = 300_000  # of a file that is read
_PIECES = 400  # kept of each kind of node

_places: tuple[Path, ...] = ()


def use(places: Sequence[Path]) -> None:
    """From now on files are those of these git directories and folders."""
    global _places  # noqa: PLW0603
    _places = tuple(places)
    files.cache_clear()
    pieces.cache_clear()


@cache
def files(language: str) -> list[bytes]:
    """In the same order each time."""
    suffixes = LANGUAGES[language].suffixes
    found: list[bytes] = []
    for place in _places or [ROOT / folder for folder in OWN]:
        found += _of_git(place, suffixes) if _is_git(place) else _of_folder(place, suffixes)
    assert found, f"no file of {language} in {', '.join(map(str, _places or OWN))}"
    return [content for content in found if 0 < len(content) <= MOST_BYTES]


@cache
def pieces(language: str) -> dict[str, list[bytes]]:
    """Source text of nodes by their kind, from all over the files."""
    chance = random.Random(language)
    found: dict[str, list[bytes]] = {}
    seen: dict[str, int] = {}
    some = files(language)
    for content in chance.sample(some, min(len(some), 400)):
        for kind, piece in pieces_of(Tree(content, language)):
            seen[kind] = seen.get(kind, 0) + 1
            kept = found.setdefault(kind, [])
            if len(kept) < _PIECES:
                kept.append(piece)
            elif (place := chance.randrange(seen[kind])) < _PIECES:
                kept[place] = piece
    return found


def _is_git(place: Path) -> bool:
    return (place / "HEAD").is_file() and (place / "objects").is_dir()


def _of_folder(folder: Path, suffixes: tuple[str, ...]) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes and path.is_file() and not path.is_symlink():
            yield path.read_bytes()


def _of_git(folder: Path, suffixes: tuple[str, ...]) -> list[bytes]:
    """Of the commit at HEAD."""
    with Repository.open(folder) as repository:
        tree = repository.tree(repository.resolve("HEAD"))
        oids = [entry.oid for entry in tree if entry.is_file and entry.path.endswith(suffixes)]
        return [content for _, content in repository.read(oids)]
