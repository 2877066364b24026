"""The command line as people expect it: help, completion, the doctor, quiet and colour, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PROGRAM, refused, run
from repos import Repo
from typer.main import get_command

from pliant.ci.commands.app import app
from pliant.ci.commands.page import page
from pliant.ci.wording import counted

REWRITE = bool(os.environ.get("PLIANT_REWRITE"))
PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
NULL = "def find(key):\n    if key:\n        return None\n    return key\n\n\nfind(1).name\n"


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"a.py": "x = 1\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"b.py": NULL})
    return repo


# Help


def test_the_page_is_what_help_says() -> None:
    if REWRITE:
        PAGE.write_text(page(app))
    assert PAGE.read_text() == page(app), "PLIANT_REWRITE=1 rewrites docs/cli.md"


def test_every_command_has_a_help_and_every_option_too() -> None:
    def walk(command: object, name: str) -> None:
        for child, inner in getattr(command, "commands", {}).items():
            walk(inner, f"{name} {child}")
        assert getattr(command, "help", None), name
        for parameter in getattr(command, "params", ()):
            assert getattr(parameter, "help", None), f"{name}: {parameter.name}"

    walk(get_command(app), "pliant")


@pytest.mark.parametrize("command", ["check", "pre-push", "init"])
def test_help_has_examples_on_lines_of_their_own(command: str) -> None:
    shown = run(command, "--help").stdout
    assert "Examples:\n" in shown
    examples = shown.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) >= 2 and all(len(line) < 100 for line in examples)
    assert "\b" not in shown


def test_the_list_of_commands_leaves_no_sentence_half_said() -> None:
    commands = run("--help", COLUMNS="80").stdout.partition("Commands:\n")[2].splitlines()
    assert len(commands) >= 14 and all(line.endswith(".") and not line.endswith("..") for line in commands)


def test_a_rule_is_shown_by_its_id_alone() -> None:
    done = run("rules", "null.attribute")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("rules", "show", "null.attribute").stdout
    assert "there is no rule 'null.atribute' (did you mean 'null.attribute'?)" in refused("rules", "null.atribute")


@pytest.mark.parametrize("told", ["0 entries", "1 entry", "2 entries"])
def test_numbers_agree_with_their_nouns(told: str) -> None:
    assert counted(int(told[0]), "entry") == told and counted(int(told[0]), "head").endswith("s") == (told[0] != "1")


def test_a_command_runs_in_the_folder_that_is_named_before_it(pull_request: Repo) -> None:
    (pull_request.folder / "below").mkdir()
    told = run("-C", pull_request.folder / "below", "check", "..")
    assert told.stdout.splitlines()[:-1] == run("check", pull_request.folder).stdout.splitlines()[:-1] != []
    assert "-C nowhere: No such file or directory" in refused("-C", "nowhere", "check")


def test_completion() -> None:
    asked = {"_PLIANT_COMPLETE": "complete_bash", "COMP_WORDS": "pliant che", "COMP_CWORD": "1"}
    assert "check" in run(**asked).stdout.split()
    shell = ["bash", "-c", f"{shlex.join([*PROGRAM, '--show-completion'])}; exit $?"]  # it asks for its own
    assert "_PLIANT_COMPLETE" in subprocess.run(shell, check=False, capture_output=True, text=True).stdout


# The doctor


def test_the_doctor_finds_nothing_wrong_here(pull_request: Repo) -> None:
    done = run("doctor", pull_request.folder)
    assert done.returncode == 0, done.stdout
    assert "ok     base: main, merge base" in done.stdout and "grammar of java" in done.stdout
    assert not (pull_request.folder / ".pliant").exists()


def test_the_doctor_says_what_to_do(pull_request: Repo, tmp_path: Path) -> None:
    pull_request.git("checkout", "--quiet", "main")
    pull_request.commit({"pliant.toml": "fail_on = 3\n"})
    key = tmp_path / "home-state" / "pliant" / "key"
    key.write_text("")
    key.chmod(0o644)
    done = run("doctor", pull_request.folder, "--json")
    assert done.returncode == 1
    found = {finding["name"]: finding for finding in json.loads(done.stdout)}
    assert "did you mean 'fail-on'" in found["settings"]["found"]
    assert found["key of the state"]["verdict"] == "wrong" and "chmod 600" in found["key of the state"]["found"]
    outside = {finding["name"]: finding["verdict"] for finding in json.loads(run("doctor", tmp_path, "--json").stdout)}
    assert outside["repository"] == "wrong" and outside["git"] == "ok"
    nothing = json.loads(run("doctor", pull_request.folder, "--json", PATH="/nowhere").stdout)
    assert next(finding["found"] for finding in nothing if finding["name"] == "git").startswith("git was not found")


# Quiet, verbose, colours


def on_terminal(*arguments: str, **environment: str) -> str:
    controller, terminal = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=terminal, stderr=subprocess.DEVNULL, env=inherited | environment
    ) as process:
        os.close(terminal)
        shown = b""
        while True:
            try:
                part = os.read(controller, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        process.wait(60)
    os.close(controller)
    return shown.decode()


def test_colours_are_for_terminals_that_want_them(pull_request: Repo) -> None:
    check = ("check", str(pull_request.folder))
    assert "\x1b[" in on_terminal(*check)
    assert "\x1b[" not in on_terminal(*check, NO_COLOR="1")
    assert "\x1b[" not in on_terminal(*check, "--no-color")
    assert "\x1b[" not in run(*check, NO_COLOR="").stdout


def test_quiet_is_one_line_and_verbose_says_more(pull_request: Repo) -> None:
    lines = {option: run("check", pull_request.folder, option).stdout.count("\n") for option in ("-q", "--all", "-v")}
    assert lines["-q"] == 1 < lines["--all"] < lines["-v"]


# How it ends

INTERRUPTED_IMPORT = """
import sys
class Finder:
    def find_spec(self, name, path, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
from pliant.ci.cli import main
main()
"""
INTERRUPTED_WORK = """
import pliant.ci.check
def check(*arguments):
    raise KeyboardInterrupt
pliant.ci.check.check = check
from pliant.ci.cli import main
main()
"""


@pytest.mark.parametrize(
    "code", [*(INTERRUPTED_IMPORT.format(name=name) for name in ("typer", "pyarrow", "numpy")), INTERRUPTED_WORK]
)
def test_an_interrupt_is_one_line_also_while_it_starts(pull_request: Repo, code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code, "check", str(pull_request.folder)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "pliant: interrupted\n")


@pytest.mark.parametrize(
    "arguments", [["check", "--no-such"], ["chekc"], ["check", "--fail-on", "warn"], ["check", "a", "b"]]
)
def test_a_wrong_use_ends_with_the_reason(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("pliant: ")
    assert "Traceback" not in done.stderr
    assert "Value error" not in done.stderr
