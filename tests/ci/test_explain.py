"""`pliant explain` and `pliant rules`: what they print, and that each sentence is one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from repos import Repo
from test_cli import refused, run

from pliant.analyses.rules import rules
from pliant.analyses.sentences import vocabulary

STORE = "def find(key):\n    return key\n"
SHOP = "from store import find\n\n\ndef price(key):\n    return find(key).price\n"


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"store.py": STORE, "shop.py": SHOP})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"store.py": STORE.replace("    return key", "    if not key:\n        return None\n    return key")})
    return repo


def finding(repo: Repo, *options: str) -> dict[str, str]:
    [found] = json.loads(run("check", repo.folder, "--base", "main", "--format", "json", *options).stdout)["findings"]
    assert isinstance(found, dict)
    return found


def test_a_new_finding_is_explained(pull_request: Repo) -> None:
    fingerprint = finding(pull_request)["fingerprint"]
    done = run("explain", fingerprint[:9], pull_request.folder, "--base", "main")
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert text.startswith("null.attribute in price: new")
    way, proof = text.split("the way:\n")[1].split("the proof")
    assert "1. `find()` returns None here\n     store.py:3 | return None\n" in way
    assert "shop.py:5 | return find(key).price" in way
    assert "changed lines that cause it:\n  store.py:3" in way
    # Down to facts of the source, each with its place.
    assert re.search(r"- .* is null; .* says why.*\[store.py:3\]", proof)
    assert "|" not in re.sub(r"\[[^]]*\]", "", proof), "no symbol is shown as it is"


def test_an_unchanged_and_a_fixed_finding_are_explained(pull_request: Repo) -> None:
    fingerprint = finding(pull_request)["fingerprint"]
    unchanged = run("explain", fingerprint, pull_request.folder, "--base", "pr", "--json")
    read = json.loads(unchanged.stdout)
    assert read["finding"]["status"] == "unchanged" and len(read["finding"]["path"]) > 1 and read["proofs"][0]
    pull_request.commit({"store.py": STORE.replace("return key", "return str(key)")})
    fixed = run("explain", fingerprint, pull_request.folder, "--base", "HEAD~1")
    assert "fixed by:\n  store.py:2 | return str(key)" in fixed.stdout, fixed


def test_the_proof_is_that_of_the_path(repo: Repo) -> None:
    shown = "def find():\n    return None\n\n\ndef show(thing):\n    return thing.name\n\n\n"
    shown += "def first():\n    show(find())\n"
    repo.commit({"shop.py": shown})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"shop.py": f"{shown}\n\ndef second():\n    show(find())\n"})
    of_way = finding(repo)
    assert of_way["message"].endswith("(by one more way)")
    text = run("explain", of_way["fingerprint"], repo.folder, "--base", "main").stdout
    way, proof = text.split("the way:\n")[1].split("the proof")
    assert "shop.py:14 | show(find())" in way
    assert "[shop.py:14]" in proof and "[shop.py:10]" not in proof

    # Of two origins, the path is from the one that is witnessed.
    repo.commit({"shop.py": shown, "two.py": """
def make(ready, early):
    thing = None
    if ready and not ready:
        return thing.name
    if early:
        thing = None
    return thing.name
"""})  # fmt: skip
    told = json.loads(run("check", repo.folder, "--base", "main", "--format", "json").stdout)["findings"]
    assert told
    for found in told:
        text = run("explain", found["fingerprint"], repo.folder, "--base", "main").stdout
        origin = re.search(r"1\. .*\n +(\S+:\d+) \|", text)
        assert origin is not None and f"[{origin[1]}]" in text.split("the proof, each")[1].split("the proof for")[0]
        assert text.count("the proof") == 2


def test_what_is_not_there_is_one_line(pull_request: Repo) -> None:
    assert "no finding has the fingerprint abc" in refused("explain", "abc", pull_request.folder, "--base", "main")


def test_rules_are_listed_and_shown(tmp_path: Path) -> None:
    listed = run("rules").stdout
    assert [line.split()[0] for line in listed.splitlines()] == list(rules())
    page = run("rules", "show", "null.attribute").stdout
    assert page == rules()["null.attribute"].page()
    assert json.loads(run("rules", "show", "null.attribute", "--json").stdout)["id"] == "null.attribute"
    assert {rule["id"] for rule in json.loads(run("rules", "--json").stdout)} == set(rules())
    assert "did you mean 'null.attribute'" in refused("rules", "show", "null.atribute")


def test_relations_of_the_ways_of_nulls_have_words() -> None:
    for name in ("null_dereference", "up", "down", "exports", "passes", "summary", "null", "load", "hidden"):
        assert name in vocabulary(), name
