"""`pliant init`: the files that set the program up in a repository. None is changed that is there already."""

from __future__ import annotations

import difflib
import json
import os
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Repository
from pliant.ci.version import installed

_SETTINGS = "pliant.toml"
_WORKFLOW = ".github/workflows/pliant.yml"
_JOB = ".gitlab/pliant.yml"
_SOURCE = re.compile(r"(?P<url>https://[\w.:/~+-]+)@(?P<commit>[0-9a-f]{40}|[0-9a-f]{64})")
_NEEDS_SOURCE = "needs --source URL@COMMIT: where this program's repository is, at a commit of 40 digits"


@dataclass(frozen=True, slots=True)
class File:
    """A file to be written below `root`: where, what messages call it, and whether it is a program."""

    root: Path
    path: Path
    name: str
    text: str
    program: bool = False


def installed_from() -> str:
    """The repository and commit that this program was installed from, as URL@COMMIT, where the installer has noted
    them; if it was installed from a clone, the clone's origin and commit. Empty where neither is known."""
    found = installed()
    try:
        noted = json.loads((found and found.read_text("direct_url.json")) or "{}")
        if "vcs_info" in noted:
            return f"{noted['url'].removesuffix('.git')}@{noted['vcs_info']['commit_id']}"
        return cloned_from(Path(url2pathname(urlsplit(noted["url"]).path)))
    except (KeyError, ValueError, AttributeError, TypeError):
        return ""


def cloned_from(folder: Path) -> str:
    """The origin of a clone and its commit, as URL@COMMIT; empty where the origin is not known to have the commit, or
    the files are not those of the commit."""
    try:
        with Repository.open(folder) as repository:
            url = repository.remote_url("origin").removesuffix(".git")
            commit = repository.resolve("HEAD")
            published = repository.git("for-each-ref", "--count=1", f"--contains={commit}", "refs/remotes/origin")
            changed = repository.attempt("diff", "--quiet", "--no-ext-diff", commit, "--").returncode
    except UserError:
        return ""
    source = f"{url}@{commit}"
    return source if published and not changed and folder == repository.folder and _SOURCE.fullmatch(source) else ""


def planned(folder: Path, chosen: set[str], source: str) -> tuple[list[File], list[str]]:
    """The files to write, and what is to be said of those that are not. chosen: empty for what fits the repository."""
    with Repository.open(folder) as repository:
        if repository.bare:
            raise UserError("a bare repository has no place for these files: give the folder of a clone")
        top = repository.folder
        remote = repository.remote_url("origin")
        hooks, remark = _hooks_folder(repository)
    given = _SOURCE.fullmatch(source)
    if source and given is None:
        raise UserError(
            f"--source: expected URL@COMMIT, with https:// and a commit of 40 digits, not '{visible(source)}'"
        )
    wanted = chosen or {
        "settings",
        "hook",
        *(["github"] if "github" in remote or (top / ".github").is_dir() else []),
        *(["gitlab"] if "gitlab" in remote or (top / ".gitlab-ci.yml").is_file() else []),
    }
    files, remarks = [], []
    if "settings" in wanted:
        files.append(File(top, top / _SETTINGS, _SETTINGS, _template("pliant.toml")))
    for name, path, template in (("github", _WORKFLOW, "github.yml"), ("gitlab", _JOB, "gitlab.yml")):
        if name in wanted and given is None:
            remarks.append(f"{path} is left out: it {_NEEDS_SOURCE}")
        elif name in wanted and given is not None:
            text = _template(template).replace("@SOURCE@", given["url"]).replace("@COMMIT@", given["commit"])
            owner = given["url"].removesuffix(".git").split("://")[-1].partition("/")[2]
            files.append(File(top, top / path, path, text.replace("@ACTION@", f"{owner}@{given['commit']}")))
    if "hook" in wanted and remark:
        remarks.append(remark)
    elif "hook" in wanted and hooks is not None:
        files.append(File(hooks, hooks / "pre-push", "the hook pre-push", _template("pre-push"), program=True))
    return _new(files, top, remarks), remarks


def _new(files: list[File], top: Path, remarks: list[str]) -> list[File]:
    fresh = []
    for file in files:
        if os.path.lexists(file.path):
            remarks.append(f"{visible(file.name)} is there already and stays as it is")
        elif file.name == _SETTINGS and _has_section(top / "pyproject.toml"):
            remarks.append("pyproject.toml has [tool.pliant] already: pliant.toml is left out")
        else:
            fresh.append(file)
    return fresh


def _has_section(path: Path) -> bool:
    return path.is_file() and b"[tool.pliant" in path.read_bytes()


def diff(file: File) -> str:
    """The file as a unified diff against nothing."""
    lines = difflib.unified_diff([], file.text.splitlines(keepends=True), "/dev/null", visible_path(str(file.path)))
    return "".join(lines)


def write(file: File) -> None:
    """Writes a file that is not there. A folder on the way that is a link may lead elsewhere, and is refused."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        for folder in reversed(file.path.parents):
            if folder.is_symlink() and folder.is_relative_to(file.root):
                raise UserError(f"{visible_path(str(folder))} is a link: nothing is written through it")
        file.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file.path, flags, 0o777 if file.program else 0o666)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(file.text)
    except FileExistsError:
        raise UserError(f"{visible_path(str(file.path))} is there already, and is not written over") from None
    except OSError as error:
        raise UserError(f"{visible_path(str(file.path))} cannot be written: {error.strerror}") from None


def _hooks_folder(repository: Repository) -> tuple[Path | None, str]:
    if repository.configured("core.hooksPath"):
        return None, "core.hooksPath is set: put 'exec pliant pre-push \"$@\"' into the pre-push hook there"
    return repository.common_dir / "hooks", ""


def _template(name: str) -> str:
    return resources.files("pliant.ci").joinpath("templates", name).read_text(encoding="utf-8")
