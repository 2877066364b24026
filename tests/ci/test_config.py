"""Configuration: what is refused and how it is said, where it may come from, and what it makes of a check."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from command_line import checked, refused, run
from repos import Repo

from pliant.ci.check import check, verify
from pliant.ci.commits import program_of
from pliant.ci.comparison import Request
from pliant.ci.config import Settings, default, of_file
from pliant.ci.config_table import PROJECT_KEYS, SETTINGS
from pliant.ci.config_table import checked as check_table
from pliant.ci.errors import UserError
from pliant.ci.selection import Selection

NINES = "9" * 5000
NULL = "def find(key):\n    if key:\n        return None\n    return key\n\n\ndef use():\n    return find(1).name\n"
DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"


def config(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pliant.toml"
    path.write_text(text)
    return path


def found_in(report: dict[str, Any]) -> dict[str, str]:
    return {finding["file"]: finding["severity"] for finding in report["findings"]}


# The table


def test_the_settings_of_a_part_are_those_of_the_table() -> None:
    of_table = {key.replace("-", "_") for key in PROJECT_KEYS if key not in ("path", "name")}
    assert {field.name for field in fields(Settings)} == of_table


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_every_example_is_right_and_no_other_kind_is(setting: Any) -> None:
    value = tomllib.loads(f"x = {setting.example}")["x"]
    assert setting.key in check_table({setting.key: value}, "here", named=True)
    with pytest.raises(UserError, match=re.escape(f"here: {setting.key}: expected")):
        check_table({setting.key: 3}, "here", named=True)


def test_the_page_has_every_setting_as_the_table_says_it() -> None:
    text = DOCS.read_text()
    prose = " ".join(text.split())
    for setting in SETTINGS:
        assert setting.help in prose, f"docs/configuration.md: {setting.key}: its text is {setting.help!r}"
        assert f"{setting.key} = {setting.example}" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail_on = 'error'", "there is no setting 'fail_on' (did you mean 'fail-on'?)"),
        ("langauges = []", "did you mean 'languages'?"),
        (
            "languages = ['pyhton']",
            "languages[0]: expected one of python, java, c, go, found 'pyhton' (did you mean 'python'?)",
        ),
        ("languages = 'python'", "languages: expected a list of strings, found 'python'"),
        ("include = ['a', 3]", "include: expected a list of strings, found a list with a number in it"),
        ("fail-on = true", "fail-on: expected one of note, warning, error, never, found a boolean"),
        ("tests = 'ignore'", "tests: expected one of report, note, skip, found 'ignore'"),
        ("rules = ['null.*']", "rules: expected a table"),
        ("min-confidence = 1.5", "min-confidence: expected a number from 0 to 1, found a number"),
        ("min-confidence = nan", "min-confidence: expected a number from 0 to 1, found a number"),
        ("[rules]\n'null.*' = 'warn'", "rules.'null.*': expected one of off, note, warning, error, found 'warn'"),
        ("[rules]\n'null.atribute' = 'off'", "there is no rule 'null.atribute' (did you mean 'null.attribute'?)"),
        ("[rules]\n'nul.*' = 'off'", "there is no rule 'nul.*'"),
        ("[rules]\n'null.frees' = 'note'", "there is no rule 'null.frees' (did you mean 'null.free'?)"),
        ("[rules]\n'n*l' = 'off'", "a * may only stand at the end"),
        ("[[projects]]\nname = 'a'", "projects[0]: path is missing"),
        ("[[projects]]\npath = '../a'", "projects[0].path: expected a folder inside the repository, found '../a'"),
        ("[[projects]]\npath = '/a'", "projects[0].path: expected a folder inside the repository"),
        ("[[projects]]\npath = 'a'\nmodels = []", "projects[0]: there is no setting 'models'"),
        ("[[projects]]\npath = 'a'\n[[projects]]\npath = 'a/'", "is the name of two sub-projects"),
        ("projects = 3", "projects: expected a list of tables"),
        ("models = ['none.toml']", "models: 'none.toml' cannot be read: No such file"),
        ("x = ", "not valid TOML"),
        ("x = " + "[" * 5000, "not valid TOML: nested too deeply"),
        (f"fail-on = {NINES}", "fail-on: a number of 5,000 digits at line 1"),
        (f"rules = {{ 'null.*' = {NINES} }}", "a number of 5,000 digits at line 1"),
        (f"exclude = [\n  'a',\n  {NINES}\n]", "exclude: a number of 5,000 digits at line 3"),
        (f"exclude = 0x{NINES}", "exclude: expected a list of strings, found a number"),
        ("exclude = nan", "exclude: expected a list of strings, found a number"),
        ("exclude = 1e9999999", "exclude: expected a list of strings, found a number"),
        ("exclude = 0001-01-01", "exclude: expected a list of strings, found a date"),
        ("exclude = ['a', '!']", "exclude[1]: expected a pattern as in .gitignore, found '!'"),
        ("include = ['[z-a]']", "include[0]: expected a pattern as in .gitignore, found '[z-a]'"),
        ("[[projects]]\npath = 'a'\ntest-paths = ['!']", "projects[0].test-paths[0]: expected a pattern"),
        ('baseline = "a\\u0000b"', "baseline: expected a text without NUL characters"),
        ('models = ["a\\u0000b"]', "models[0]: expected a text without NUL characters"),
        ('exclude = ["\\ud800"]', "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        of_file(config(tmp_path, text))
    assert message in str(caught.value) and str(tmp_path / "pliant.toml") in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_file_that_was_named_has_to_be_there_and_to_have_settings(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "x = 1\n"})
    assert "none.toml cannot be read: No such file" in refused("check", repo.folder, "--config", tmp_path / "none.toml")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'pliant'\n")
    assert "has no [tool.pliant]" in refused("check", repo.folder, "--config", tmp_path / "pyproject.toml")


# Where it comes from


def test_the_head_does_not_choose_what_it_is_checked_by(repo: Repo) -> None:
    repo.commit({"a.py": "x = 1\n", "pyproject.toml": "[tool.pliant]\nfail-on = 'warning'\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"b.py": NULL, "pyproject.toml": "[tool.pliant]\nfail-on = 'never'\nexclude = ['*']\n"})
    repo.commit({"pliant.toml": "rules = {'*' = 'off'}\n"})
    done = run("check", repo.folder, "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, found_in(report)) == (1, {"b.py": "warning"})
    notes = " ".join(report["summary"]["notes"])
    assert "the head changes the settings in pliant.toml: those of main hold here" in notes
    assert "the head changes the settings in pyproject.toml" in notes
    repo.git("checkout", "--quiet", "main")
    repo.write({"b.py": NULL, "pliant.toml": "rules = {'*' = 'off'}\n"})
    on_disk = run("check", repo.folder, "--head", "WORKTREE")
    assert on_disk.returncode == 1 and "the work tree changes the settings in pliant.toml" in on_disk.stdout
    (repo.folder / "pyproject.toml").unlink()
    named = run("check", repo.folder, "--head", "WORKTREE", "--config", repo.folder / "pliant.toml")
    assert named.returncode == 0 and "changes the settings" not in named.stdout


def test_what_cannot_be_settings_in_the_head_is_a_note_and_in_the_base_one_line(repo: Repo) -> None:
    repo.commit({"a.py": "x = 1\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    for settings in (f"fail-on = {NINES}\n", "exclude = ['!']\n", "# " + "x" * (1 << 20), "fail-on = " + "[" * 9999):
        repo.commit({"pliant.toml": settings})
        assert "changes the settings in pliant.toml" in " ".join(checked(repo)["summary"]["notes"])
        line = refused("check", repo.folder, "--base", "pr")
        assert line.startswith("pliant: pliant.toml of pr"), line
    repo.git("checkout", "--quiet", "main")
    with (repo.folder / "pliant.toml").open("wb") as file:
        file.truncate(99 << 30)
    assert "changes the settings in pliant.toml" in run("check", repo.folder, "--head", "WORKTREE").stdout
    assert "is larger than 1 MiB" in refused("check", repo.folder, "--config", repo.folder / "pliant.toml")


def test_a_mistake_in_the_head_is_only_a_note_and_other_changes_are_none(repo: Repo) -> None:
    repo.commit({"a.py": "x = 1\n", "pyproject.toml": "[project]\nname = 'x'\n[tool.pliant]\nfail-on = 'note'\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"pyproject.toml": "[project]\nname = 'y'\n[tool.pliant]\nfail-on = 'note'\n"})
    assert checked(repo)["summary"]["notes"] == []
    repo.commit({"pyproject.toml": "[tool.pliant]\nfail-on = [[[ pliant"})
    assert "changes the settings in pyproject.toml" in " ".join(checked(repo)["summary"]["notes"])
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "pr")
    repo.commit({"a.py": "x = 2\n"})
    assert "pyproject.toml of HEAD~1: not valid TOML" in refused("check", repo.folder, "--base", "HEAD~1")


def test_a_repository_does_not_say_where_files_are_written(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "x = 1\n", "pliant.toml": "state-dir = '/tmp/somewhere'\n"})
    assert "does not say where files are written" in refused("check", repo.folder, "--base", "HEAD")
    named = config(tmp_path, "state-dir = 'kept'\n")
    assert run("check", repo.folder, "--base", "HEAD", "--config", named).returncode == 0
    assert (tmp_path / "kept" / "commits").is_dir()


def test_two_files_with_settings_are_refused(repo: Repo) -> None:
    repo.commit({"pliant.toml": "", "pyproject.toml": "[tool.pliant]\n"})
    assert "has settings in both" in refused("check", repo.folder, "--base", "HEAD")


def test_show_says_where_each_value_comes_from(repo: Repo) -> None:
    text = "[tool.pliant]\nfail-on = 'error'\n[[tool.pliant.projects]]\npath = 'web'\ntests = 'skip'\n"
    repo.commit({"pyproject.toml": text})
    shown = run("config", "show", repo.folder).stdout
    assert 'fail-on = "error"  # pyproject.toml of main' in shown
    assert 'tests = "note"  # default' in shown
    assert tomllib.loads(shown)["projects"] == [{"tests": "skip", "path": "web", "name": "web"}]
    settings = json.loads(run("config", "show", repo.folder, "--json").stdout)["settings"]
    assert settings["fail-on"] == {"value": "error", "origin": "pyproject.toml of main"}
    assert {row["key"] for row in json.loads(run("config", "keys", "--json").stdout)} == {s.key for s in SETTINGS}
    assert run("config", "keys").stdout.count("\n\n") == len(SETTINGS)


# What it does

TWO = {"a.py": NULL, "vendor/b.py": NULL, "tests/test_c.py": NULL, "examples/d.py": NULL, "T.java": "class T {}\n"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {"a.py": "warning", "vendor/b.py": "warning", "examples/d.py": "warning"}),
        ("exclude = ['vendor/']", {"a.py": "warning", "examples/d.py": "warning"}),
        ("exclude = ['vendor\\*.py', 'a.*']", {"examples/d.py": "warning"}),
        ("include = ['a.py']", {"a.py": "warning"}),
        ("languages = ['java']", {}),
        ("tests = 'report'\ninclude = ['tests/']", {"tests/test_c.py": "warning"}),
        ("test-paths = ['vendor/', 'examples/']", {"a.py": "warning"}),
        ("examples = 'note'\ninclude = ['examples/']", {"examples/d.py": "note"}),
        ("examples = 'skip'\nexclude = ['vendor/']", {"a.py": "warning"}),
        ("rules = {'null.*' = 'error', 'null.attribute' = 'note'}\ninclude = ['a.py']", {"a.py": "note"}),
        ("rules = {'null.attribute' = 'error', 'null.*' = 'off'}\ninclude = ['a.py']", {"a.py": "error"}),
        ("rules = {'null.*' = 'off'}", {}),
        ("min-confidence = 1", {}),
        ("min-confidence = 0\ninclude = ['a.py']", {"a.py": "warning"}),
        ("[[projects]]\npath = 'vendor'\nmin-confidence = 0.99", {"a.py": "warning", "examples/d.py": "warning"}),
        (
            "exclude = ['examples/']\n[[projects]]\npath = 'vendor'\nrules = {'null.attribute' = 'error'}",
            {"a.py": "warning", "vendor/b.py": "error"},
        ),
        (
            "[[projects]]\npath = 'vendor'\nexclude = ['*.py']\n[[projects]]\npath = 'examples'\nlanguages = ['c']",
            {"a.py": "warning"},
        ),
    ],
)
@pytest.mark.one_in(4)
def test_what_settings_make_of_a_check(repo: Repo, tmp_path: Path, text: str, found: dict[str, str]) -> None:
    repo.commit({"start.py": "x = 1\n"})
    repo.commit(TWO)
    request = Request(repo.folder, base="HEAD~1", config=config(tmp_path, text))
    assert {finding.file: finding.severity for finding in check(request, print).findings} == found
    if "clude" in text:  # other files are read
        assert verify(request, print).equal


FREES = "#include <stdlib.h>\nvoid clear(char **p) { *p = NULL; free(*p); }\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("rules = {'null.*' = 'error'}", {}),
        ("rules = {'null.free' = 'off'}", {}),
        ("rules = {'null.free' = 'warning'}", {"a.c": "warning", "lib/b.c": "warning"}),
        ("rules = {'null.free' = 'error', 'null.*' = 'off'}", {"a.c": "error", "lib/b.c": "error"}),
        ("[[projects]]\npath = 'lib'\nrules = {'null.free' = 'note'}", {"lib/b.c": "note"}),
        (
            "rules = {'null.free' = 'error'}\n[[projects]]\npath = 'lib'\nrules = {'null.free' = 'off'}",
            {"a.c": "error"},
        ),
    ],
)
@pytest.mark.one_in(3)
def test_a_rule_that_is_off_by_default_is_switched_on_by_its_id(
    repo: Repo, tmp_path: Path, text: str, found: dict[str, str]
) -> None:
    repo.commit({"start.py": "x = 1\n"})
    repo.commit({"a.c": FREES, "lib/b.c": FREES.replace("clear", "empty")})
    request = Request(repo.folder, base="HEAD~1", config=config(tmp_path, text))
    assert {finding.file: finding.severity for finding in check(request, print).findings} == found
    assert verify(request, print).equal


def test_what_is_off_by_default_is_no_part_of_the_program(tmp_path: Path) -> None:
    off, on = default(), of_file(config(tmp_path, "rules = {'null.free' = 'note'}"))
    assert "freed_null" not in program_of(off).schemas
    assert "freed_null" in program_of(on).schemas


PYTHON_MODEL = '["orders.find"]\nreturns = "orders.Order | None"\n["orders.Order"]\nkind = "class"\n'
JAVA_MODEL = (
    '["shop.Orders"]\nnullable = ["find/1"]\nreturns = { find = "shop.Order" }\n["shop.Order"]\nmembers = ["pay"]\n'
)
USES = {
    "use.py": "import orders\n\n\ndef pay(number):\n    return orders.find(number).pay()\n",
    "Use.java": "import shop.Orders;\nclass Use { void pay(Orders o) { o.find(1).pay(); } }\n",
}


def test_model_files_of_ones_own_count_as_the_base_has_them(repo: Repo) -> None:
    models = {"models/orders.python.toml": PYTHON_MODEL, "models/shop.java.toml": JAVA_MODEL}
    named = "models = ['models/orders.python.toml', 'models/shop.java.toml']\n"
    repo.commit({"a.py": "x = 1\n", **models, "pliant.toml": named})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({**USES, "models/orders.python.toml": "", "models/shop.java.toml": ""})
    assert set(found_in(checked(repo))) == {"use.py", "Use.java"}
    assert run("verify", repo.folder).returncode == 0


def test_without_model_files_nothing_is_known_of_other_libraries(repo: Repo) -> None:
    repo.commit({"a.py": "x = 1\n"})
    repo.commit(USES)
    assert found_in(checked(repo, "--base", "HEAD~1")) == {}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("orders.toml", PYTHON_MODEL, "a model file is called NAME.python.toml or NAME.java.toml"),
        ("x.python.toml", '["a.b"]\nreturn = "x"\n', "unknown key 'return'"),
        ("x.python.toml", "[[[", "not valid TOML"),
        ("x.python.toml", f'["a.b"]\nnullable = [{NINES}]\n', "nullable: a number of 5,000 digits at line 2"),
        ("x.python.toml", '["a.b"]\nnullable = [99999999999]\n', "expected true, false or a list of argument counts"),
        ("x.python.toml", '["a.b"]\nreturns = "' + "-" * 50000 + '1"\n', "returns: expected a type"),
        ("x.python.toml", '["a.b"]\nreturns = "' + "a." * 20000 + 'b"\n', "returns: expected a type"),
        ("x.java.toml", f'["a.B"]\nnullable = {NINES}\n', "nullable: a number of 5,000 digits at line 2"),
        ("x.java.toml", '["a.B"]\nnullable = 3\n', "expected a list, found 3"),
        ("x.java.toml", '["a.B"]\nbases = ["a.B"]\n', "a class is no base of itself"),
        ("x.java.toml", '["a.B"]\nbases = ["a.C"]\n', "no table for the class a.C"),
        ("x.java.toml", '["a.B"]\nnullable = ["f/x"]\n', "expected names of members"),
    ],
)
def test_a_wrong_model_file_is_one_line(repo: Repo, tmp_path: Path, name: str, text: str, message: str) -> None:
    repo.commit({"a.py": "x = 1\n", "A.java": "class A {}\n"})
    (tmp_path / name).write_text(text)
    request = Request(repo.folder, "HEAD", config=config(tmp_path, f"models = ['{name}']"))
    with pytest.raises(UserError) as caught:
        check(request, print)
    assert (message in str(caught.value) and name in str(caught.value)) or "no table" in message or "itself" in message
    assert str(caught.value).isprintable()


def test_a_model_file_is_no_way_out_of_the_tree(repo: Repo) -> None:
    (repo.folder / "link.python.toml").symlink_to("/etc/passwd")
    for path in ("/etc/passwd", "../outside.python.toml", "link.python.toml"):
        repo.commit({"a.py": "x = 1\n", "pliant.toml": f"models = ['{path}']\n"})
        assert "is no file of that revision" in refused("check", repo.folder, "--base", "HEAD")


def test_each_sub_project_fails_by_its_own_rule(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"start.py": "x = 1\n"})
    repo.commit({"web/a.py": NULL})
    text = "fail-on = 'never'\n[[projects]]\npath = 'web'\nfail-on = 'warning'\n"
    named = config(tmp_path, text + "[[projects]]\npath = 'we'\nfail-on = 'never'")
    assert run("check", repo.folder, "--base", "HEAD~1", "--config", named).returncode == 1
    assert run("check", repo.folder, "--base", "HEAD~1", "--config", named, "--fail-on", "error").returncode == 0


def test_states_of_other_settings_are_kept_apart(tmp_path: Path) -> None:
    assert Selection(default()).key == Selection(of_file(config(tmp_path, "fail-on = 'error'"))).key == ""
    keys = [
        Selection(of_file(config(tmp_path, text))).key
        for text in ("exclude = ['a']", "exclude = ['b']", "tests = 'report'")
    ]
    assert len({*keys, ""}) == 4
