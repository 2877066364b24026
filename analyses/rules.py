"""What every rule means to a reader, from rules.toml: `pliant rules`, docs/rules/ and the help in SARIF.

`python -m pliant.analyses.rules FOLDER` writes the pages.
"""

from __future__ import annotations

import sys
import textwrap
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

SUFFIXES = {"python": "py", "java": "java", "c": "c", "go": "go"}
_COMMENTS = {"python": "# {}", "java": "// {}", "c": "/* {} */", "go": "// {}"}


@dataclass(frozen=True, slots=True)
class Rule:
    """id: stable. bad: an example that has the finding, in `language`; fixed: the same without it. opt_in: off unless
    the configuration switches it on."""

    id: str
    title: str
    what: str
    why: str
    unseen: str
    language: str
    bad: str
    fixed: str
    opt_in: bool = False

    @property
    def heading(self) -> str:
        """The title, as it stands in a list."""
        return f"{self.title} (off by default)" if self.opt_in else self.title

    @property
    def silencer(self) -> str:
        """The comment that silences it."""
        return _COMMENTS[self.language].format(f"pliant: ignore[{self.id}] reason")

    def page(self) -> str:
        """The rule's page, in Markdown."""
        fence = f"```{self.language}"
        everywhere = (
            ""
            if self.opt_in
            else f'; for the whole repository `rules = {{ "{self.id}" = "off" }}` in the configuration'
        )
        silence = (
            "Remove the comment."
            if self.id == "suppression.unused"
            else f"`{self.silencer}` on the line of the use, or of a step on the path to it{everywhere}."
        )
        return "\n".join(
            [
                f"# {self.id}",
                "",
                _filled(f"{self.title}. {self.what}"),
                "",
                *self._switch(),
                _filled(f"**Why it matters.** {self.why}"),
                "",
                "Found:",
                "",
                f"{fence}\n{self.bad}```",
                "",
                "Not found:",
                "",
                f"{fence}\n{self.fixed}```",
                "",
                _filled(f"**To suppress it.** {silence}"),
                "",
                _filled(f"**Limits.** {self.unseen}"),
                "",
            ]
        )

    def _switch(self) -> list[str]:
        if not self.opt_in:
            return []
        return [f'**Off by default.** `rules = {{ "{self.id}" = "warning" }}` in the configuration turns it on.', ""]


def _filled(text: str) -> str:
    """Prose in lines of at most 118 characters."""
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its id."""
    text = resources.files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    found = {}
    for entry in read["rule"]:
        family = read["family"][entry["id"].partition(".")[0]]
        found[entry["id"]] = Rule(
            entry["id"],
            entry["title"],
            entry["what"],
            entry.get("why", family["why"]),
            " ".join(part for part in (entry.get("unseen", ""), family["unseen"]) if part),
            entry["language"],
            entry["bad"],
            entry["fixed"],
            entry.get("off", False),
        )
    return found


def index() -> str:
    """The page that lists all rules, in Markdown."""
    rows = [f"| [{rule.id}]({rule.id}.md) | {rule.heading} |" for rule in rules().values()]
    intro = "For readers of a finding: what each rule reports and why it matters, with an example and its limits."
    return "\n".join(["# Rules", "", intro, "", "| id | what it reports |", "|---|---|", *rows, ""])


def write(folder: Path) -> None:
    """Write a page a rule, and the list of all."""
    folder.mkdir(parents=True, exist_ok=True)
    for rule in rules().values():
        (folder / f"{rule.id}.md").write_text(rule.page(), encoding="utf-8")
    (folder / "README.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
