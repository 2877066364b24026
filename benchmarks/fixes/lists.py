"""Real fixes of null dereferences, and ordinary commits, as the data files beside this one name them.

`LANGUAGE.toml` has `[[fix]]`: a commit that fixed a null dereference, and where that was. `ordinary.toml` has
`[[ordinary]]`: a repository and the commit from which ordinary ones are counted back. `large.toml` has `[[large]]`: a
repository and what is taken as one large pull request. `verdicts-LANGUAGE.toml` has `[[verdict]]`: what a reader said
of a finding that a commit, or a large pull request, brought.
"""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pliant.extractors.languages import LANGUAGES as LANGUAGES_BY_NAME
from pliant.extractors.languages import Language, language_of

HERE = Path(__file__).parent
LANGUAGES = ("python", "java", "c")
SMALL = 60
"""An ordinary commit changes at most so many lines of the language's sources."""


@dataclass(frozen=True, slots=True)
class Fix:
    """null: where the null comes from and is used, where somebody read it. set: `tuning`, or `held-out` or
    `validation`: no rule was changed for it. Of what was mined (`benchmarks/corpus/mine.py`): what the fix tests, and
    the commit that introduced the bug, with the file's name there."""

    repository: str
    commit: str
    file: str
    function: str
    set: str
    null: str = ""
    what: str = ""
    introduced: str = ""
    introduced_file: str = ""


@dataclass(frozen=True, slots=True)
class Ordinary:
    """count: how many commits, back from `head` along first parents."""

    language: str
    repository: str
    head: str
    count: int


@dataclass(frozen=True, slots=True)
class Large:
    """A pull request from `base` to `head`."""

    language: str
    repository: str
    base: str
    head: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reader said of a finding: verdict is `true`, `unclear` or `false`. commit: the head of what brings it;
    line: told where a function has several."""

    repository: str
    commit: str
    rule: str
    file: str
    function: str
    verdict: str
    why: str
    line: int = 0


def fixes(folder: Path, language: str) -> list[Fix]:
    return [Fix(**entry) for entry in _data(folder / f"{language}.toml").get("fix", [])]


def histories(folder: Path, language: str) -> list[Ordinary]:
    every = [Ordinary(**entry) for entry in _data(folder / "ordinary.toml").get("ordinary", [])]
    return [each for each in every if each.language == language]


def large(folder: Path, language: str) -> list[Large]:
    every = [Large(**entry) for entry in _data(folder / "large.toml").get("large", [])]
    return [each for each in every if each.language == language]


def judged(folder: Path, language: str) -> list[Judged]:
    return [Judged(**entry) for entry in _data(folder / f"verdicts-{language}.toml").get("verdict", [])]


def _data(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text()) if path.exists() else {}


def mirror(mirrors: Path, repository: str) -> Path:
    """The clone of `owner/name` in a folder of clones: `owner/name`, `owner+name`, `name`, each with or without `.git`.

    Raises SystemExit if there is none.
    """
    owner, name = repository.split("/")
    tried = [mirrors / f"{stem}{end}" for stem in (repository, f"{owner}+{name}", name) for end in ("", ".git")]
    for path in tried:
        if path.is_dir():
            inner = [path, *(child for child in path.iterdir() if child.is_dir())]
            return next((each for each in inner if (each / "HEAD").exists() or (each / ".git").exists()), path)
    raise SystemExit(f"no clone of {repository} in {mirrors}: expected one of {', '.join(map(str, tried))}")


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(arguments)} in {repository}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode(errors="replace")


def ordinary_commits(repository: Path, wanted: Ordinary) -> list[str]:
    """Commits, newest first, that change 1 to SMALL lines of the language outside of tests, whatever else they do."""
    # Only sources are compared: a partial clone may be without large files of other kinds.
    sources = [f"*{suffix}" for suffix in LANGUAGES_BY_NAME[wanted.language].suffixes]
    log = git(repository, "log", "--first-parent", "-m", "--numstat", "--format=%x00%H", wanted.head, "--", *sources)
    return [commit for commit, _ in zip(_small(log, wanted.language), range(wanted.count), strict=False)]


def _small(log: str, language: str) -> Iterator[str]:
    for entry in log.split("\0")[1:]:
        commit, *lines = entry.split("\n")
        changed = 0
        for line in filter(None, lines):
            added, deleted, path = line.split("\t", 2)
            if added != "-" and is_read(path, language):
                changed += int(added) + int(deleted)
        if 0 < changed <= SMALL:
            yield commit.strip()


def is_read(path: str, language: str) -> bool:
    found: Language | None = language_of(path)
    return found is not None and found.name.lower() == language and not found.is_test(path)
