"""The configuration of a run, and which revision it may come from.

Of the analysed repository it is read from the tip of the base, never from the head: a pull request cannot switch off
the check that it has to pass. A file that `--config` names is the caller's own word. What the head changes is told.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pliant.analyses.ranking import CalibrationError, Ranking, calibrated, ranking
from pliant.ci.config_table import PROJECT_KEYS, SETTINGS, checked
from pliant.ci.errors import UserError, read_bounded, visible, visible_path
from pliant.ci.git import Entry, Repository
from pliant.extractors import model_files, toml
from pliant.extractors.model_files import ModelError, ModelFile

FILES = ("pliant.toml", "pyproject.toml")
SITE_PACKAGES = "PLIANT_SITE_PACKAGES"
_MAX_BYTES = 1 << 20
MAX_NAMED_BYTES = 1 << 26  # of a file that the settings name
_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the keys in config_table.py that a part of a repository can have."""

    languages: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    tests: str
    test_paths: tuple[str, ...]
    examples: str
    example_paths: tuple[str, ...]
    rules: Mapping[str, str]
    min_confidence: float
    fail_on: str
    fail_on_skipped: bool


@dataclass(frozen=True, slots=True)
class Project:
    """A part of the repository with settings of its own; `path` is "" for the rest of it."""

    name: str
    path: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class NamedText:
    """A file that the settings name: what messages call it, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Config:
    """projects: the last is the repository itself, before it the others, deepest first. origins: key -> where from."""

    state_dir: Path | None
    projects: tuple[Project, ...]
    models: tuple[ModelFile, ...] = ()
    baseline: NamedText | None = None
    rule_files: tuple[NamedText, ...] = ()
    ranking: Ranking = field(default_factory=ranking)
    values: Mapping[str, Any] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def top(self) -> Project:
        return self.projects[-1]

    def project_of(self, path: str) -> Project:
        """The sub-project that a file belongs to: the deepest one."""
        return next(
            (project for project in self.projects[:-1] if path.startswith(f"{project.path}/")), self.projects[-1]
        )


def default() -> Config:
    return _DEFAULTS


def of_file(path: Path) -> Config:
    """The configuration in a file that the caller names, which therefore has to be there."""
    where = visible_path(str(path))
    try:
        content = read_bounded(path, _MAX_BYTES)
    except OSError as error:
        raise UserError(f"the configuration {where} cannot be read: {error.strerror}") from None
    table = _section(content, path.name, where)
    if table is None:
        raise UserError(f"{where} has no [tool.pliant]: add it, or name a pliant.toml")
    values = checked(table, where, named=True)
    models = [_model(where, name, _named_file(path, name, where, "models").text) for name in values.get("models", ())]
    models += _packages()
    rule_files = [_named_file(path, name, where, "rule-files") for name in values.get("rule-files", ())]
    calibration = None
    if name := values.get("calibration"):
        calibration = _named_file(path, name, where, "calibration")
    baseline = None
    if name := values.get("baseline"):
        try:
            baseline = NamedText(visible_path(name), read_bounded(path.parent / name, MAX_NAMED_BYTES).decode("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise UserError(f"{where}: baseline: '{visible(name)}' cannot be read: {reason}") from None
    return _config(values, where, path.parent, tuple(models), baseline, tuple(rule_files), calibration)


def _named_file(config: Path, name: str, where: str, key: str) -> NamedText:
    try:
        return NamedText(visible_path(name), read_bounded(config.parent / name, MAX_NAMED_BYTES).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise UserError(f"{where}: {key}: '{visible(name)}' cannot be read: {reason}") from None


def of_commit(repository: Repository, commit: str, called: str) -> Config:
    """The configuration in a commit's top folder; `called` is what messages call the commit."""
    found = _in_commit(repository, commit, called)
    if found is None:
        return replace(default(), models=tuple(_packages()))
    name, table = found
    where = f"{name} of {called}"
    values = checked(table, where, named=False)
    models = [
        _model(where, path, _committed_file(repository, commit, path, where, "models").text)
        for path in values.get("models", ())
    ]
    models += _packages()
    rule_files = [
        _committed_file(repository, commit, path, where, "rule-files") for path in values.get("rule-files", ())
    ]
    calibration = None
    if listed := values.get("calibration"):
        calibration = _committed_file(repository, commit, listed, where, "calibration")
    baseline = None
    if listed := values.get("baseline"):
        entry = repository.files(commit, [listed]).get(listed)
        if entry is None:
            raise UserError(f"{where}: baseline: '{visible(listed)}' is no file of that revision")
        baseline = NamedText(visible_path(listed), read_named(repository, entry).decode("utf-8", "replace"))
    return _config(values, where, None, tuple(models), baseline, tuple(rule_files), calibration)


def _committed_file(repository: Repository, commit: str, path: str, where: str, key: str) -> NamedText:
    entry = repository.files(commit, [path]).get(path)
    if entry is None:
        raise UserError(f"{where}: {key}: '{visible(path)}' is no file of that revision")
    try:
        return NamedText(visible_path(path), read_named(repository, entry).decode("utf-8"))
    except UnicodeDecodeError:
        raise UserError(f"{where}: {key}: '{visible(path)}' is not UTF-8") from None


def read_named(repository: Repository, entry: Entry) -> bytes:
    content = repository.content(entry, MAX_NAMED_BYTES)
    if content is None:
        raise UserError(f"{visible_path(entry.path)} is larger than {MAX_NAMED_BYTES >> 20} MiB, which is not read")
    return content


def _model(where: str, name: str, text: str) -> ModelFile:
    try:
        return model_files.of(visible_path(name), text)
    except ModelError as error:
        raise UserError(f"{where}: models: {error}") from None


def _packages() -> list[ModelFile]:
    """The folder of installed packages that the user named: never one that the repository names."""
    named = os.environ.get(SITE_PACKAGES)
    if not named:
        return []
    from pliant.extractors.python.dependencies import installed

    try:
        return [installed(Path(named))]
    except ModelError as error:
        raise UserError(f"--site-packages: {visible_path(str(error))}") from None


def changed_by(repository: Repository, base: str, head: str | Path) -> list[str]:
    """The configuration files in which `head` (a commit, or the top of a work tree) has other settings than `base`."""
    before = repository.files(base, FILES)
    after = {} if isinstance(head, Path) else repository.files(head, FILES)
    changed = []
    for name in FILES:
        if not isinstance(head, Path) and before.get(name) == after.get(name):
            continue
        old = _committed(repository, before.get(name))
        if isinstance(head, Path):
            new = _on_disk(head / name)
        else:
            new = _committed(repository, after.get(name))
        if old != new and _loose(old, name) != _loose(new, name):
            changed.append(name)
    return changed


def _committed(repository: Repository, entry: Entry | None) -> bytes | None:
    """Settings to compare; of a file that is too large to be one, its id."""
    if entry is None:
        return None
    content = repository.content(entry, _MAX_BYTES)
    return entry.oid.encode() if content is None else content


def _on_disk(path: Path) -> bytes | None:
    if path.is_symlink() or not path.is_file():
        return None
    try:
        return read_bounded(path, _MAX_BYTES)
    except OSError as error:  # it cannot be compared, so it is another one
        return str(error).encode("utf-8", "surrogateescape")


def _loose(content: bytes | None, name: str) -> object:
    """The settings of a file, or its text where it has a mistake."""
    if content is None:
        return None
    try:
        return _section(content, name, name)
    except UserError:
        return content


def _in_commit(repository: Repository, commit: str, called: str) -> tuple[str, Mapping[str, Any]] | None:
    found = []
    for name, entry in repository.files(commit, FILES).items():
        table = _section(repository.content(entry, _MAX_BYTES), name, f"{name} of {called}")
        if table is not None:
            found.append((name, table))
    if len(found) > 1:
        raise UserError(f"{called} has settings in both pliant.toml and pyproject.toml: keep one of them")
    return found[0] if found else None


def _section(content: bytes | None, name: str, where: str) -> Mapping[str, Any] | None:
    """The table of settings in a file's content (None: too large); None for a pyproject.toml without one."""
    if content is None or len(content) > _MAX_BYTES:
        raise UserError(f"{where} is larger than {_MAX_BYTES >> 20} MiB, which no configuration is")
    if name == "pyproject.toml" and b"pliant" not in content:
        return None
    try:
        table = toml.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise UserError(f"{where} is not UTF-8") from None
    except toml.TomlError as error:
        raise UserError(f"{where}: {visible(str(error))}") from None
    if name != "pyproject.toml":
        return table
    tool = table.get("tool")
    section = tool.get("pliant") if isinstance(tool, dict) else None
    if section is not None and not isinstance(section, dict):
        raise UserError(f"{where}: tool.pliant: expected a table")
    return section


def _config(
    values: Mapping[str, Any],
    where: str,
    folder: Path | None,
    models: tuple[ModelFile, ...],
    baseline: NamedText | None = None,
    rule_files: tuple[NamedText, ...] = (),
    calibration: NamedText | None = None,
) -> Config:
    whole = {setting.key: values.get(setting.key, setting.default) for setting in SETTINGS}
    top = Project("", "", _settings(whole))
    projects = [
        Project(given["name"], given["path"], _settings({**whole, **given, "rules": _rules(whole, given)}))
        for given in whole["projects"]
    ]
    projects.sort(key=lambda project: (-project.path.count("/"), project.path))
    state = whole["state-dir"]
    return Config(
        Path(os.path.normpath((folder or Path()) / state)).absolute() if state else None,
        (*projects, top),
        models,
        baseline,
        rule_files,
        ranking() if calibration is None else _calibrated(calibration, where),
        whole,
        {setting.key: where if setting.key in values else _DEFAULT for setting in SETTINGS},
    )


def _calibrated(calibration: NamedText, where: str) -> Ranking:
    try:
        return calibrated(calibration.text)
    except CalibrationError as error:
        raise UserError(f"{where}: calibration: {calibration.name}: {visible(str(error))}") from None


def _rules(whole: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, str]:
    return {**whole["rules"], **given.get("rules", {})}


def _settings(values: Mapping[str, Any]) -> Settings:
    keys = [key for key in PROJECT_KEYS if key not in ("path", "name")]
    return Settings(**{key.replace("-", "_"): values[key] for key in keys})


_DEFAULTS = _config({}, _DEFAULT, None, ())
