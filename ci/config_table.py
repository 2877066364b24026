"""Every setting, once: its key, what it may be, its default and what it does.

The check of a configuration file, `pliant config keys` and docs/configuration.md are made from this table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pliant.analyses.ranking import ranking
from pliant.ci.errors import UserError, visible
from pliant.extractors.languages import LANGUAGES

Kind = Literal["text", "texts", "patterns", "flag", "share", "choice", "choices", "levels", "projects"]

TREATMENTS = ("report", "note", "skip")
LEVELS = ("off", "note", "warning", "error")
FAIL_ON = ("note", "warning", "error", "never")


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the configuration.

    kind: `text`; `texts`, a list; `patterns`, a list of those of .gitignore; `flag`, true or false; `share`, a number
    from 0 to 1; `choice` of `choices`; `choices`, a list of them; `levels`, a table from a pattern of rule ids to a
    choice; `projects`, a list of tables. project: may also be given for a sub-project, where it wins. named: only in a
    file that `--config` names, because it says where files are written.
    """

    key: str
    kind: Kind
    default: Any
    help: str
    example: str
    choices: tuple[str, ...] = ()
    project: bool = False
    named: bool = False


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "languages",
        "choices",
        tuple(LANGUAGES),
        "The languages that are read.",
        '["python", "c"]',
        tuple(LANGUAGES),
        project=True,
    ),
    Setting(
        "include",
        "patterns",
        (),
        "The files that are read, as patterns of .gitignore. An empty list means all files.",
        '["src/", "lib/**/*.py"]',
        project=True,
    ),
    Setting(
        "exclude",
        "patterns",
        (),
        "The files that are not read, as patterns of .gitignore, for example generated or vendored files.",
        '["third_party/", "*_pb2.py"]',
        project=True,
    ),
    Setting(
        "tests",
        "choice",
        "note",
        "How test code is treated. `note`: a null that a test uses is not reported, because the test fails by itself, "
        "and other findings are notes. `report`: like other code. `skip`: test code is not read.",
        '"skip"',
        TREATMENTS,
        project=True,
    ),
    Setting(
        "test-paths",
        "patterns",
        (),
        "The paths of test code, as patterns, in addition to the usual names of each language.",
        '["qa/"]',
        project=True,
    ),
    Setting(
        "examples",
        "choice",
        "report",
        "How examples are treated. `report`: like other code. `note`: findings are notes. `skip`: examples are not "
        "read.",
        '"note"',
        TREATMENTS,
        project=True,
    ),
    Setting(
        "example-paths",
        "patterns",
        ("example/", "examples/", "sample/", "samples/", "demo/", "demos/"),
        "The paths of examples, as patterns.",
        '["docs/snippets/"]',
        project=True,
    ),
    Setting(
        "rules",
        "levels",
        {},
        "The severity of rules, or `off`. A key is a rule id or a prefix that ends with `*`; the longest matching key "
        "wins. A finding that is a note because it is unlikely or because of its location stays a note. A rule that is "
        "off by default is turned on by its own id, not by a pattern.",
        '{ "alias.*" = "note", "null.argument" = "off" }',
        LEVELS,
        project=True,
    ),
    Setting(
        "min-confidence",
        "share",
        ranking().shown,
        "The probability below which a null dereference is unlikely: a note, and listed only with `--all`. 0 lists all "
        "but those that no execution can reach.",
        "0.3",
        project=True,
    ),
    Setting(
        "fail-on",
        "choice",
        "warning",
        "The lowest severity of a new finding that makes a check exit with status 1.",
        '"error"',
        FAIL_ON,
        project=True,
    ),
    Setting(
        "fail-on-skipped",
        "flag",
        False,
        "Whether a check also exits with status 1 if a changed file, or a function or part of one, was not analysed.",
        "true",
        project=True,
    ),
    Setting(
        "models",
        "texts",
        (),
        "Your own model files, NAME.LANGUAGE.toml. A model file describes what library calls return. For Python and "
        "Java the format is that of the files in extractors/models/, which describe their standard libraries "
        "and, in `python_packages.toml`, widely used packages. For every language, a file may have the tables of "
        "`names.toml`. Paths are relative to the repository and read "
        "from the same revision as the configuration; in a file that `--config` names, they are relative to that "
        "file.",
        '["pliant/orders.python.toml"]',
    ),
    Setting(
        "rule-files",
        "texts",
        (),
        "Your own rules in Datalog. Each `.output name` with columns (site, origin) becomes the rule `user.name`. "
        "Paths are as for `models`.",
        '["pliant/own.dl"]',
    ),
    Setting(
        "baseline",
        "text",
        "",
        "The file of the baseline: findings that are suppressed because they existed when `pliant baseline write` "
        "wrote it. The path is relative to the repository and read from the same revision as the configuration; in a "
        "file that `--config` names, it is relative to that file.",
        '"pliant-baseline.json"',
    ),
    Setting(
        "calibration",
        "text",
        "",
        "A file that `pliant calibrate` wrote: what the history of the repository adds to the weights of the "
        "confidence. The path is as for `baseline`.",
        '"pliant-calibration.toml"',
    ),
    Setting(
        "state-dir",
        "text",
        "",
        "Where state is kept between runs. A relative path starts at the folder of the configuration file.",
        '".pliant-state"',
        named=True,
    ),
    Setting(
        "projects",
        "projects",
        (),
        "The sub-projects. Each has a `path`, a `name` (by default the path) and its own settings.",
        '[{ path = "services/shop", fail-on = "error" }]',
    ),
)

BY_KEY = {setting.key: setting for setting in SETTINGS}
PROJECT_KEYS = ("path", "name", *(setting.key for setting in SETTINGS if setting.project))


def checked(table: Mapping[str, Any], where: str, *, named: bool) -> dict[str, Any]:
    """The values of a configuration's table, each of its kind; `where` is what messages call the file.

    `named`: whether the file is one that `--config` named.
    """
    values = {}
    for key, value in table.items():
        setting = BY_KEY.get(key)
        if setting is None:
            raise _unknown(key, BY_KEY, where)
        if setting.named and not named:
            raise UserError(
                f"{where}: {key}: a repository does not say where files are written: "
                f"put it into a file that --config names, or use --{key}"
            )
        values[key] = _projects(value, where) if setting.kind == "projects" else _value(setting, value, where, key)
    return values


def _projects(value: Any, where: str) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(project, dict) for project in value):
        raise _mistyped("projects", "a list of tables, such as [[tool.pliant.projects]]", value, where)
    projects: list[dict[str, Any]] = []
    for number, table in enumerate(value):
        at = f"projects[{number}]"
        for key in table:
            if key not in PROJECT_KEYS:
                raise _unknown(key, PROJECT_KEYS, f"{where}: {at}")
        if "path" not in table:
            raise UserError(f"{where}: {at}: path is missing: the folder of the sub-project")
        project = {
            key: _value(BY_KEY[key], given, where, f"{at}.{key}") for key, given in table.items() if key in BY_KEY
        }
        project["path"] = _folder(table["path"], where, f"{at}.path")
        name = table.get("name", project["path"])
        if not isinstance(name, str) or not name.isprintable() or not name:
            raise _mistyped(f"{at}.name", "a printable name", name, where)
        if name in (known["name"] for known in projects):
            raise UserError(f"{where}: {at}.name: {visible(name)!r} is the name of two sub-projects: give each its own")
        if project["path"] in (known["path"] for known in projects):
            raise UserError(f"{where}: {at}.path: {visible(project['path'])!r} is the path of two sub-projects")
        projects.append({**project, "name": name})
    return tuple(projects)


def _folder(value: Any, where: str, at: str) -> str:
    """A folder in the repository, with forward slashes and no dots."""
    if isinstance(value, str):
        parts = [part for part in value.replace("\\", "/").split("/") if part not in ("", ".")]
        if parts and ".." not in parts and not value.startswith(("/", "\\")):
            return "/".join(parts)
    raise _mistyped(at, "a folder inside the repository", value, where)


def _value(setting: Setting, value: Any, where: str, at: str) -> Any:
    match setting.kind:
        case "text":
            if isinstance(value, str):
                return _without_nul(value, where, at)
            raise _mistyped(at, "a string", value, where)
        case "flag":
            if isinstance(value, bool):
                return value
            raise _mistyped(at, "true or false", value, where)
        case "share":
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
                return float(value)
            raise _mistyped(at, "a number from 0 to 1", value, where)
        case "texts" | "patterns" | "choices":
            if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
                raise _mistyped(at, "a list of strings", value, where)
            for number, part in enumerate(value):
                place = f"{at}[{number}]"
                if setting.kind == "choices" and part not in setting.choices:
                    raise _no_choice(part, setting.choices, f"{where}: {place}")
                if setting.kind == "patterns" and (reason := _no_pattern(part)):
                    raise UserError(
                        f"{where}: {place}: expected a pattern as in .gitignore, found {_shown(part)}: {reason}"
                    )
                _without_nul(part, where, place)
            return tuple(value)
        case "choice":
            if not isinstance(value, str):
                raise _mistyped(at, f"one of {_listed(setting.choices)}", value, where)
            if value not in setting.choices:
                raise _no_choice(value, setting.choices, f"{where}: {at}")
            return value
        case "levels":
            if not isinstance(value, dict):
                raise _mistyped(at, f"a table such as {setting.example}", value, where)
            for pattern, level in value.items():
                if "*" in pattern[:-1] or not pattern.isprintable():
                    raise UserError(f"{where}: {at}: '{visible(pattern)}': a * may only stand at the end of a rule id")
                _check_rule(pattern, f"{where}: {at}")
                if level not in setting.choices:
                    raise _no_choice(level, setting.choices, f"{where}: {at}.'{visible(pattern)}'")
            return dict(value)
        case _:
            raise AssertionError(setting.kind)


def _without_nul(value: str, where: str, at: str) -> str:
    if "\0" in value:
        raise UserError(f"{where}: {at}: expected a text without NUL characters, found {_shown(value)}")
    return value


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path is one of those that patterns, as in .gitignore, are for."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(pattern.replace("\\", "/") for pattern in patterns).match_file


def _no_pattern(pattern: str) -> str:
    """Why that is no pattern, or nothing."""
    try:
        matcher([pattern])
    except (ValueError, RecursionError, OverflowError, re.error) as error:
        return visible(" ".join(str(error).split()))
    return ""


def _check_rule(pattern: str, where: str) -> None:
    from pliant.analyses.rules import rules

    if pattern.startswith("user."):  # a rule of the user's own
        return
    known = rules()
    fits = any(rule.startswith(pattern[:-1]) for rule in known) if pattern.endswith("*") else pattern in known
    if not fits:
        hint = nearest(pattern, known)
        raise UserError(f"{where}: there is no rule '{visible(pattern)}'{hint}; pliant rules lists all")


def _unknown(key: str, known: Any, where: str) -> UserError:
    return UserError(
        f"{where}: there is no setting '{visible(key)}'{nearest(key, known)}; pliant config keys lists all"
    )


def _no_choice(value: object, choices: tuple[str, ...], where: str) -> UserError:
    hint = nearest(value, choices) if isinstance(value, str) else ""
    return UserError(f"{where}: expected one of {_listed(choices)}, found {_shown(value)}{hint}")


def _mistyped(at: str, expected: str, value: object, where: str) -> UserError:
    return UserError(f"{where}: {at}: expected {expected}, found {_shown(value)}")


def nearest(word: str, known: Any) -> str:
    """A hint at what was probably meant, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(word.replace("_", "-").lower(), list(known), n=1, cutoff=0.6)
    return f" (did you mean '{near[0]}'?)" if near else ""


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words)


def _shown(value: object) -> str:
    kinds = {bool: "a boolean", int: "a number", float: "a number", dict: "a table", list: "a list"}
    if isinstance(value, str):
        return f"'{visible(value[:60])}'"
    if isinstance(value, list) and (wrong := [part for part in value if not isinstance(part, str)]):
        return f"a list with {_shown(wrong[0])} in it"
    return kinds.get(type(value), f"a {type(value).__name__}")
