"""The base of a comparison where no --base is given: what a continuous-integration service says of the change.

Services tell branches, and commits that may be stale: a branch is resolved anew, and its merge base with the head
counts. Variables that speak of another folder than the one that is checked are not asked.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_MAX_EVENT = 32 << 20

# Variables that name the branch a change goes to, and the folder that the service has checked out.
_BRANCHES = (
    ("GITHUB_BASE_REF", "GITHUB_WORKSPACE"),  # also Gitea's and Forgejo's
    ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_PROJECT_DIR"),
    ("BITBUCKET_PR_DESTINATION_BRANCH", "BITBUCKET_CLONE_DIR"),
    ("SYSTEM_PULLREQUEST_TARGETBRANCH", "BUILD_SOURCESDIRECTORY"),
    ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "BUILDKITE_BUILD_CHECKOUT_PATH"),
    ("CHANGE_TARGET", "WORKSPACE"),  # Jenkins
    ("DRONE_TARGET_BRANCH", "DRONE_WORKSPACE"),
)
# Variables that hold a commit: of a merge request, and before a push.
_COMMITS = (("CI_MERGE_REQUEST_DIFF_BASE_SHA", "CI_PROJECT_DIR"),)
_PUSHES = (("CI_COMMIT_BEFORE_SHA", "CI_PROJECT_DIR"),)

VARIABLES = frozenset(name for pair in (*_BRANCHES, *_COMMITS, *_PUSHES) for name in pair) | {
    "GITHUB_EVENT_NAME",
    "GITHUB_EVENT_PATH",
}  # all that are asked


@dataclass(frozen=True, slots=True)
class Candidate:
    """branch: its name without `origin/`; empty for a commit. pushed: a commit that a force push may have removed."""

    revision: str
    variable: str
    branch: str = ""
    pushed: bool = False


def candidates(folder: Path, environment: Mapping[str, str] | None = None) -> list[Candidate]:
    """What the service's variables say the base is, the best first; nothing outside of a service."""
    variables = os.environ if environment is None else environment

    def said(name: str, where: str) -> str:
        if not same_folder(variables.get(where, ""), folder):
            return ""
        return variables.get(name, "").strip()

    found = []
    for name, where in _BRANCHES:
        if branch := said(name, where).removeprefix("refs/heads/"):
            found.append(Candidate(f"origin/{branch}", name, branch))
    event = _event(variables) if same_folder(variables.get("GITHUB_WORKSPACE", ""), folder) else {}
    if commit := _commit(event.get("merge_group", {}), "base_sha"):
        found.append(Candidate(commit, "GITHUB_EVENT_PATH"))
    for name, where in _COMMITS:
        if _is_commit(commit := said(name, where)):
            found.append(Candidate(commit, name))
    if found:
        return found
    if variables.get("GITHUB_EVENT_NAME") == "push" and (commit := _commit(event, "before")):
        found.append(Candidate(commit, "GITHUB_EVENT_PATH", pushed=True))
    for name, where in _PUSHES:
        if _is_commit(commit := said(name, where)):
            found.append(Candidate(commit, name, pushed=True))
    return found


def same_folder(named: str, folder: Path) -> bool:
    """Whether a variable's value is that folder."""
    return bool(named) and os.path.realpath(named) == os.path.realpath(folder)


def _event(variables: Mapping[str, str]) -> dict[str, Any]:
    """GitHub's description of what started the run."""
    try:
        path = Path(variables.get("GITHUB_EVENT_PATH", ""))
        event = json.loads(path.read_bytes()) if path.is_file() and path.stat().st_size < _MAX_EVENT else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}


def _commit(table: Any, key: str) -> str:
    value = table.get(key, "") if isinstance(table, dict) else ""
    return value if isinstance(value, str) and _is_commit(value) else ""


def _is_commit(text: str) -> bool:
    """A whole id, and not the one of zeros that stands for no commit."""
    return _ID.fullmatch(text) is not None and set(text) != {"0"}
