"""What of a comparison a report shows: findings below a path, and of some rules."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pliant.analyses.findings import Finding
from pliant.ci.config_table import nearest
from pliant.ci.errors import UserError, visible, visible_path


@dataclass(frozen=True, slots=True)
class Scope:
    """path: a folder with a slash at its end, or a file, from the top of the repository; empty for everything.
    rules: ids of rules or their families (`null`); empty for all."""

    path: str = ""
    rules: tuple[str, ...] = ()

    def has_file(self, file: str) -> bool:
        return not self.path or file == self.path or (self.path.endswith("/") and file.startswith(self.path))

    def has(self, finding: Finding) -> bool:
        """Whether the line that fails, or a changed line that causes it, is below the path."""
        if self.rules and not any(_is_of(finding.rule, asked) for asked in self.rules):
            return False
        return self.has_file(finding.file) or any(
            self.has_file(place.file) for place in (*finding.cause, *(each.beside for each in finding.removed))
        )

    def check(self, known: Collection[str]) -> None:
        """Raises UserError for a rule that is not among `known`."""
        for asked in self.rules:
            if not any(_is_of(rule, asked) for rule in known):
                meant = nearest(asked, known)
                raise UserError(f"--rule: there is no rule '{visible(asked)}'{meant}: `pliant rules` lists them")

    def __str__(self) -> str:
        return ", ".join(([visible_path(self.path)] if self.path else []) + [*map(visible, self.rules)])


def _is_of(rule: str, asked: str) -> bool:
    return rule == asked or rule.startswith(f"{asked}.")
