"""Addresses of source lines on the web, as a continuous-integration service says where the repository is.

Variables that speak of another folder than the one that is checked are not asked, as in `base.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pliant.ci.base import same_folder

_ADDRESS = re.compile(r"https?://[\w.~:/%@-]+", re.ASCII)
# The folder that a service has checked out, the variables that make the repository's address, and what follows it.
_SERVICES = (
    ("GITHUB_WORKSPACE", ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"), "/blob/{commit}/{path}#L{line}"),
    ("CI_PROJECT_DIR", ("CI_PROJECT_URL",), "/-/blob/{commit}/{path}#L{line}"),
    ("BITBUCKET_CLONE_DIR", ("BITBUCKET_GIT_HTTP_ORIGIN",), "/src/{commit}/{path}#lines-{line}"),
)

VARIABLES = frozenset(name for where, parts, _ in _SERVICES for name in (where, *parts))  # all that are asked


@dataclass(frozen=True, slots=True)
class Pages:
    """root: the address of a repository; empty where none is known. form: of what follows it."""

    root: str = ""
    form: str = ""

    def line(self, commit: str | None, file: str, line: int) -> str:
        """The address of a line of a commit; empty where there is none."""
        if not self.root or commit is None:
            return ""
        return self.root + self.form.format(commit=commit, path=quote(os.fsencode(file)), line=line)


def pages(folder: Path, environment: Mapping[str, str] | None = None) -> Pages:
    variables = os.environ if environment is None else environment
    for where, parts, form in _SERVICES:
        if same_folder(variables.get(where, ""), folder):
            root = "/".join(variables.get(part, "").rstrip("/") for part in parts)
            if _ADDRESS.fullmatch(root):
                return Pages(root.removesuffix(".git"), form)
    return Pages()
