"""Rules of a user's own, in Datalog alone; and what a report leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, run
from in_memory import findings
from repos import Repo

OWN = """.decl printed_twice(site: symbol, origin: symbol)  // this prints what was printed before
.output printed_twice
printed_twice(b, a) :-
    call_value(a, v), call_value(b, w), call(a, f, _), call(b, f, _), a != b,
    direct(v, "builtins.print"), direct(w, "builtins.print").
"""
TOML = 'rule-files = ["own.dl"]\n'
ONE = "def f(x):\n    print(x)\n"
TWO = ONE + "    print(x)\n"


def new(repo: Repo, *options: str) -> list[dict[str, object]]:
    done = run("check", repo.folder, "--base", "main", "--head", "pr", "--format", "json", *options)
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)["findings"]
    return found


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"pliant.toml": TOML, "own.dl": OWN, "a.py": ONE})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": TWO})
    return repo


def test_a_rule_of_a_users_own_is_told_like_others(pull_request: Repo) -> None:
    found = new(pull_request)
    lines = {(finding["rule"], finding["line"]) for finding in found}
    assert lines == {("user.printed-twice", 2), ("user.printed-twice", 3)}
    assert found[0]["message"] == "This prints what was printed before"
    assert found[0]["severity"] == "warning" and found[0]["function"] == "f"
    pull_request.commit({"a.py": TWO.replace("print(x)", "print(x)  # pliant: ignore[user] wanted")})
    assert new(pull_request) == []


def test_a_pull_request_does_not_choose_the_rules(pull_request: Repo) -> None:
    pull_request.commit({"own.dl": OWN.replace("printed_twice", "other")})
    assert {finding["rule"] for finding in new(pull_request)} == {"user.printed-twice"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "own.dl"),
        (OWN.replace(".output printed_twice", ""), "has no .output relation"),
        (".decl a(x: symbol)\n.output a\na(x) :- null(x, _).\n", "two columns, (site: symbol, origin: symbol)"),
        (f"{OWN}.decl extra(x: symbol)\n.input extra\n", ".input extra"),
        (OWN.replace("call_value(a, v)", "no_such(a, v)"), "no_such"),
    ],
)
def test_a_mistake_is_one_line(repo: Repo, text: str, says: str) -> None:
    repo.commit({"pliant.toml": TOML, "own.dl": text, "a.py": ONE})
    line = refused("check", repo.folder, "--base", "HEAD")
    assert line.startswith("pliant: a rule of your own cannot be used") and says in line


IGNORED = "import re\n\n\ndef f(x):\n    try:\n        re.match('a', x).group()\n    except Exception:\n        pass\n"


def test_what_is_unlikely_is_listed_on_demand_and_counted(repo: Repo) -> None:
    repo.commit({"a.py": "\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": IGNORED})
    assert new(repo) == []
    [finding] = new(repo, "--all")
    assert (finding["unlikely"], finding["probability"], finding["confidence"]) == (True, 0.0, "low")
    text = run("check", repo.folder, "--base", "main", "--head", "pr").stdout
    assert "1 unlikely (--all lists them)" in text
    assert findings({"a.py": IGNORED})


def test_the_list_of_rules_has_those_of_the_repository(pull_request: Repo) -> None:
    listed = run("rules", "--repo", pull_request.folder)
    assert listed.stdout.splitlines()[-1].split(maxsplit=1) == [
        "user.printed-twice",
        "This prints what was printed before (own.dl)",
    ]
    assert "null.attribute" in listed.stdout
    rows = json.loads(run("rules", "--repo", pull_request.folder, "--json").stdout)
    assert rows[-1] == {
        "id": "user.printed-twice",
        "title": "This prints what was printed before",
        "file": "own.dl",
    }
    page = run("rules", "show", "user.printed-twice", "--repo", pull_request.folder)
    assert "This prints what was printed before." in page.stdout and "own.dl" in page.stdout


def test_a_config_file_names_the_rules_that_are_listed(pull_request: Repo) -> None:
    pull_request.commit({"own.dl": OWN.replace("printed_twice", "other"), "named.toml": TOML})
    assert "user.other" in run("rules", "--config", pull_request.folder / "named.toml").stdout


def test_outside_of_a_repository_the_list_has_no_rules_of_its_own(tmp_path: Path) -> None:
    assert "user." not in run("rules", cwd=tmp_path).stdout
    assert "not in a git repository" in refused("rules", "--repo", tmp_path)
