"""What a configuration makes of a file and of a finding: read or not, test code or not, how severe."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, cast

from pliant.ci.config import Config, Project, default
from pliant.ci.config_table import matcher
from pliant.extractors import languages

if TYPE_CHECKING:
    from pliant.analyses.findings import Finding

Matcher = Callable[[str], bool]
Level = Literal["off", "note", "warning", "error"]


class Selection:
    """Which files are read, and as what. Patterns of a sub-project are relative to its folder."""

    def __init__(self, config: Config | None = None):
        self.config = config or default()
        self._plain = len(self.config.projects) == 1 and self.config.top.settings == default().top.settings

    def language(self, path: str) -> languages.Language | None:
        """The language that a file is read in; None for one that is not read."""
        language = languages.language_of(path)
        if language is None or self._plain:
            return language
        project = self.config.project_of(path)
        settings = project.settings
        if (
            language.name not in settings.languages
            or (settings.include and not self._matches(project, "include", path))
            or self._matches(project, "exclude", path)
            or (settings.tests == "skip" and self._is_test(project, path))
            or (settings.examples == "skip" and self._matches(project, "example_paths", path))
        ):
            return None
        return language

    def is_test(self, path: str) -> bool:
        """Whether a file is treated as test code."""
        if self._plain:
            return languages.is_test(path)
        project = self.config.project_of(path)
        return project.settings.tests != "report" and self._is_test(project, path)

    def is_example(self, path: str) -> bool:
        """Whether findings in a file are notes because it is an example."""
        project = self.config.project_of(path)
        return project.settings.examples == "note" and self._matches(project, "example_paths", path)

    @cached_property
    def key(self) -> str:
        """Part of the key of every state: a digest of all that facts depend on; empty for the default."""
        parts = [
            [project.path, *(getattr(project.settings, name) for name in _OF_FACTS)] for project in self.config.projects
        ]
        defaults = [["", *(getattr(default().top.settings, name) for name in _OF_FACTS)]]
        models = [[model.language, model.text] for model in self.config.models]
        if parts == defaults and not models:
            return ""
        return hashlib.sha256(json.dumps([parts, models]).encode()).hexdigest()[:16]

    def least(self, path: str) -> float:
        """The probability below which a finding of a file is unlikely."""
        return self.config.project_of(path).settings.min_confidence

    def _is_test(self, project: Project, path: str) -> bool:
        return languages.is_test(path) or self._matches(project, "test_paths", path)

    def _matches(self, project: Project, name: str, path: str) -> bool:
        patterns = getattr(project.settings, name)
        if not patterns:
            return False
        return _matcher(patterns)(path[len(project.path) + 1 :] if project.path else path)


_OF_FACTS = ("languages", "include", "exclude", "tests", "test_paths", "examples", "example_paths")


@cache
def _matcher(patterns: tuple[str, ...]) -> Matcher:
    return matcher(patterns)


def graded(findings: Iterable[Finding], selection: Selection) -> list[Finding]:
    """The findings as the configuration has them: those of rules that are off are left out, the others get the severity
    that their rule has there."""
    kept = []
    level: Level | None
    for finding in findings:
        level = _level(selection.config.project_of(finding.file), finding.rule)
        if level == "off":
            continue
        if selection.is_example(finding.file) or finding.severity == "note":
            level = "note"
        kept.append(replace(finding, severity=level) if level else finding)
    return kept


def _level(project: Project, rule: str) -> Level | None:
    from pliant.analyses.registry import OPT_IN

    if rule in OPT_IN:  # a pattern switches nothing on
        return cast("Level", project.settings.rules.get(rule, "off"))
    fitting = [key for key in project.settings.rules if key == rule or (key[-1:] == "*" and rule.startswith(key[:-1]))]
    return cast("Level", project.settings.rules[max(fitting, key=len)]) if fitting else None
