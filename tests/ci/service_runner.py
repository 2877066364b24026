"""The steps of an action and of a pipeline's job, run as the shell scripts they are, in a clean directory.

What the services themselves do is stood in for: expressions are filled in, `uses:` of caches and of Python is played,
and a checkout is made with the fetches that the service makes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from repos import Repo

TOP = Path(__file__).parents[2]
NO_COMPILER = {"CC": "false"}
"""An installation where there is none: what it takes is a quarter, and what it leaves has to work."""

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_CONTEXT = re.compile(r"\b(?:inputs|github|runner|steps)\.[\w.-]+")


def copy_of_the_source(folder: Path) -> Path:
    """What a checkout of this repository has, where building leaves nothing behind."""
    names = (".pre-commit-hooks.yaml", "action.yml", "pyproject.toml", "setup.py", "README.md", "LICENSE")
    folder.mkdir()
    for name in names:
        shutil.copy(TOP / name, folder / name)
    for name in ("analyses", "ci", "engine", "extractors"):
        shutil.copytree(TOP / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@dataclass
class Done:
    """What a run left: the log, and what a reviewer is shown beside it."""

    status: int
    log: str
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    folder: Path = Path()


def clean_environment(home: Path) -> dict[str, str]:
    """What a machine of a service has; what pliant needs is taken from this one's installation. Machines share a home,
    in which no more is kept than the parsed rules and the library's facts."""
    home.mkdir(parents=True, exist_ok=True)
    reaching = {
        name: value for name, value in os.environ.items() if name.startswith("PIP_") or "_proxy" in name.lower()
    }
    return {
        **reaching,
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "CI": "true",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_DEPS": "1",
        **NO_COMPILER,
        "GIT_CONFIG_GLOBAL": str(home / "no-gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def bash(script: str, cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )


def checkout(remote: Path, folder: Path, refs: list[str], commit: str, *, depth: int = 0) -> Repo:
    """A clone as a service makes it: only what `refs` fetch, one commit checked out, detached."""
    folder.mkdir(parents=True)
    repo = Repo(folder)
    repo.git("init", "--quiet")
    repo.git("remote", "add", "origin", remote.as_uri())
    repo.git("fetch", "--quiet", "--no-tags", *([f"--depth={depth}"] if depth else []), "origin", *refs)
    repo.git("checkout", "--quiet", "--detach", commit)
    return repo


class Action:
    """The composite action of this repository, on a machine of its own for each run."""

    def __init__(self, scratch: Path, venv: Path):
        self.definition: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_text())
        self.scratch = scratch
        self.venv = venv
        self.cache: dict[str, Path] = {}
        self.runs = 0

    def run(self, workspace: Path, github: dict[str, str], event: str, **inputs: str) -> Done:
        """One run; `github`: its context, `event`: the file that describes it."""
        self.runs += 1
        machine = self.scratch / f"machine-{self.runs}"
        temporary = machine / "temp"
        temporary.mkdir(parents=True)
        (temporary / "pliant-venv").symlink_to(self.venv)
        defaults = {name: given.get("default", "") for name, given in self.definition["inputs"].items()}
        contexts = {
            "inputs": {**defaults, **{name.replace("_", "-"): value for name, value in inputs.items()}},
            "github": {**github, "action_path": str(TOP)},
            "runner": {"temp": str(temporary), "os": "Linux"},
        }
        steps: dict[str, dict[str, str]] = {}
        done = Done(0, "", folder=workspace)
        for step in self.definition["runs"]["steps"]:
            condition = step.get("if", "")
            if (done.status and "always()" not in condition) or (condition and not _true(condition, contexts, steps)):
                continue
            outputs = steps[step["id"]] = {}
            filled = {name: _fill(value, contexts, steps) for name, value in step.get("with", {}).items()}
            if "uses" in step:
                self._play(step["uses"], filled, outputs)
            elif step["id"] != "install":
                environment = clean_environment(self.venv.parent / "home") | {
                    "GITHUB_ACTIONS": "true",
                    "GITHUB_WORKSPACE": str(workspace),
                    "GITHUB_EVENT_NAME": github["event_name"],
                    "GITHUB_EVENT_PATH": event,
                    "GITHUB_BASE_REF": github.get("base_ref", ""),
                    "GITHUB_SHA": github["sha"],
                    "RUNNER_TEMP": str(temporary),
                    "GITHUB_OUTPUT": str(machine / "output"),
                    "GITHUB_STEP_SUMMARY": str(machine / "summary"),
                    **{name: _fill(value, contexts, steps) for name, value in step.get("env", {}).items()},
                }
                ran = bash(step["run"], workspace, environment)
                done.log += ran.stdout
                done.status = done.status or ran.returncode
                outputs.update(_key_values(machine / "output"))
                done.outputs.update(outputs)
        summary = machine / "summary"
        done.summary = summary.read_text() if summary.is_file() else ""
        return done

    def install(self, folder: Path) -> None:
        """Runs the step that installs the program."""
        [step] = [step for step in self.definition["runs"]["steps"] if step["id"] == "install"]
        environment = clean_environment(folder / "home") | {
            "PYTHON": sys.executable,
            "SOURCE": str(copy_of_the_source(folder / "source")),
            "RUNNER_TEMP": str(folder),
            **{name: value for name, value in step["env"].items() if not _EXPRESSION.search(value)},
        }
        ran = bash(step["run"], folder, environment)
        assert ran.returncode == 0, ran.stdout

    def _play(self, uses: str, given: dict[str, str], outputs: dict[str, str]) -> None:
        name = uses.partition("@")[0]
        if name == "actions/setup-python":
            outputs["python-path"] = sys.executable
        elif name == "actions/cache/restore":
            keys = [key for key in self.cache if key.startswith(given["restore-keys"].strip())]
            found = given["key"] if given["key"] in self.cache else (keys[-1] if keys else "")
            outputs["cache-hit"] = str(found == given["key"]).lower()
            if found:
                shutil.copytree(self.cache[found], given["path"], symlinks=True)
        elif name == "actions/cache/save":
            kept = self.scratch / f"cache-{len(self.cache)}"
            shutil.copytree(given["path"], kept, symlinks=True)
            self.cache[given["key"]] = kept
        else:
            raise AssertionError(f"no stand-in for {uses}")


def _value(name: str, contexts: dict[str, dict[str, str]], steps: dict[str, dict[str, str]]) -> str:
    first, _, rest = name.partition(".")
    if first == "steps":
        step, _, output = rest.partition(".outputs.")
        return steps.get(step, {}).get(output, "")
    return contexts[first][rest] if first != "github" else contexts[first].get(rest, "")


def _fill(text: str, contexts: dict[str, dict[str, str]], steps: dict[str, dict[str, str]]) -> str:
    return _EXPRESSION.sub(lambda match: _value(match[1], contexts, steps), str(text))


def _true(condition: str, contexts: dict[str, dict[str, str]], steps: dict[str, dict[str, str]]) -> bool:
    filled = _CONTEXT.sub(lambda match: repr(_value(match[0], contexts, steps)), condition)
    filled = filled.replace("always()", "True").replace("&&", " and ").replace("||", " or ")
    return bool(eval(filled, {"__builtins__": {}}))


def _key_values(path: Path) -> dict[str, str]:
    lines = path.read_text().splitlines() if path.is_file() else []
    return {name: value for name, _, value in (line.partition("=") for line in lines)}
