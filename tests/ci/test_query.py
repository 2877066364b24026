"""`pliant query`: what it prints, in every format, on commits and the work tree; and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from command_line import refused, run
from repos import Repo

SHOP = """class Basket:
    def add(self, article):
        return article


def find(key):
    if not key:
        return None
    return Basket()


def use(key):
    basket = find(key)
    basket.add(key)
    return basket


def main():
    return use(1)
"""
CALLS = """
.decl may_reach(f: symbol, g: symbol)
may_reach(f, g) :- call(c, f, _), callee(c, g).
may_reach(f, h) :- may_reach(f, g), may_reach(g, h).
"""
REACHED = ["shop.py|Basket.add", "shop.py|find"]  # by use


@pytest.fixture
def shop(repo: Repo) -> Repo:
    repo.commit({"shop.py": SHOP})
    return repo


def ask(repo: Repo, *arguments: str | Path) -> str:
    done = run("query", *arguments, "--repo", repo.folder)
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout


def test_values_are_shown_as_places(shop: Repo) -> None:
    assert ask(shop, "HEAD", "null_dereference(site, origin)").splitlines() == [
        "site                            origin",
        "------------------------------  ------------------",
        "shop.py:14 the attribute `add`  shop.py:8 `return`",
        "1 row",
    ]


def test_rules_are_demanded_and_proved(shop: Repo, tmp_path: Path) -> None:
    rules = tmp_path / "calls.dl"
    rules.write_text(CALLS)
    found = json.loads(
        ask(shop, "HEAD", 'may_reach("shop.py|use", f)', "--rules", rules, "--format", "json", "--explain", "2")
    )
    [relation] = found["relations"]
    assert found["schema"] == "pliant-query/1" and found["commit"] == shop.git("rev-parse", "HEAD").strip()
    assert relation == {
        "name": "query", "columns": [{"name": "f", "type": "symbol"}], "rows": [[symbol] for symbol in REACHED]
    }  # fmt: skip
    assert found["places"] == {REACHED[0]: {"file": "shop.py", "line": 2}, REACHED[1]: {"file": "shop.py", "line": 6}}
    says = [line["says"] for line in found["proof"]]
    assert says[:2] == ["query(`find()`)", "may_reach(`use()`, `find()`)"] and found["proof"][-1]["is_fact"]
    assert not any("magic" in each or "@" in each for each in says)


def test_rules_without_a_query_have_outputs(shop: Repo, tmp_path: Path) -> None:
    rules = tmp_path / "calls.dl"
    rules.write_text(
        CALLS + ".output may_reach\n.decl n(n: number) .output n\nn(n) :- n = count : { may_reach(_, _) }.\n"
    )
    text = ask(shop, "HEAD", "--rules", rules, "--limit", "1").splitlines()
    assert text[0] == "may_reach" and text[1].split() == ["f", "g"]
    assert text[4] == "5 rows; 4 more are not shown (--limit)"
    assert text[6:] == ["n", "n", "-", "5", "1 row"]
    line = refused("query", "HEAD", "--rules", rules, "--repo", shop.folder, "--format", "tsv")
    assert "takes one relation" in line
    rules.write_text(CALLS)
    assert "no .output relation" in refused("query", "HEAD", "--rules", rules, "--repo", shop.folder)


def test_other_formats_have_symbols_and_places(shop: Repo, tmp_path: Path) -> None:
    query = 'null_dereference(site, origin), word = "a\\tb"'
    lines = [line.split("\t") for line in ask(shop, "HEAD", query, "--format", "tsv").splitlines()]
    assert lines[0] == ["site", "site:place", "origin", "origin:place", "word"]
    assert [lines[1][1], lines[1][3], lines[1][4]] == ["shop.py:14", "shop.py:8", "a\\tb"]
    out = tmp_path / "found.parquet"
    assert ask(shop, "HEAD", query, "--format", "parquet", "--out", out) == ""
    [row] = pq.read_table(out).to_pylist()
    assert list(row.values()) == [*lines[1][:4], "a\tb"]
    assert "needs --out" in refused("query", "HEAD", query, "--repo", shop.folder, "--format", "parquet")
    nowhere = refused("query", "HEAD", query, "--repo", shop.folder, "--out", tmp_path / "no" / "file")
    assert nowhere.endswith("cannot be written: No such file or directory")


def test_a_query_without_variables_holds_or_not(shop: Repo) -> None:
    assert ask(shop, "HEAD", 'callee(_, "shop.py|find")') == "it holds\n"
    assert ask(shop, "HEAD", 'callee(_, "shop.py|never")') == "it does not hold\n"


def test_the_work_tree_and_older_commits_are_asked(shop: Repo) -> None:
    first = shop.git("rev-parse", "HEAD").strip()
    shop.commit({"shop.py": SHOP.replace("return None", "return Basket()")})
    (shop.folder / "shop.py").write_text("\n\n" + SHOP)
    query = "n = count : { null_dereference(_, _) }, null_dereference(s, _)"
    counts = [ask(shop, revision, query).splitlines() for revision in (first, "HEAD", "WORKTREE")]
    assert counts[0][2].split()[:2] == ["1", "shop.py:14"] and counts[1][-1] == "0 rows"
    assert counts[2][2].split()[:2] == ["1", "shop.py:16"]


def test_rules_of_the_repository_can_be_asked(shop: Repo) -> None:
    own = CALLS.replace("may_reach", "runs_into") + ".output runs_into\n"
    shop.commit({"pliant.toml": 'rule-files = ["own.dl"]\n', "own.dl": own})
    assert ask(shop, "HEAD", 'runs_into("shop.py|main", f)').splitlines()[-1] == "3 rows"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["HEAD"], "give a query"),
        (["nowhere", "null(v, w)"], "nowhere"),
        (["HEAD", "point_to(v, o)"], "query:1:1: relation point_to is not declared; did you mean points_to"),
        (["HEAD", "points_to(v)"], "query:1:1: points_to has 2 columns but 1 are given in the query"),
        (["HEAD", "points_to(v, 7)"], "query:1:1: number 7 where a symbol is expected (points_to.o) in the query"),
        (["HEAD", "points_to(v, o), w != o"], "query:1:20: variable w is not bound by a positive atom in the query"),
        (["HEAD", "points_to(v, o), x = y, z < x"], "(and 2 more mistakes)"),
        (["HEAD", "points_to(v, o"], "query:1:15: the query ends inside a literal"),
        (["HEAD", "points_to(v, o)", "--explain", "900"], "--explain 900: the answer has"),
        (["HEAD", "points_to(v, o)", "--rules", "/nowhere.dl"], "the rules /nowhere.dl cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_one_line(shop: Repo, arguments: list[str], says: str) -> None:
    assert says in refused("query", *arguments, "--repo", shop.folder)


def test_a_damaged_state_is_built_again(shop: Repo, tmp_path: Path) -> None:
    state = tmp_path / "state"
    options = ("--state-dir", state)
    before = ask(shop, "HEAD", "null_dereference(s, o)", *options)
    [data] = state.glob("commits/*/engine/data-*.arrow")
    content = bytearray(data.read_bytes())
    for at in range(0, len(content), 64):
        content[at] ^= 0xFF
    data.chmod(0o600)
    data.write_bytes(content)
    done = run("query", "HEAD", "null_dereference(s, o)", "--repo", shop.folder, *options)
    assert done.stdout == before and "ignored" in done.stderr
