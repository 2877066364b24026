"""`pliant aliases`: which places may name one object in the head that could not in the base, with a path to each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import refused, run
from hypothesis import given
from hypothesis import strategies as st
from repos import Repo

from pliant.analyses.aliases import _pairs
from pliant.ci.aliases import Delta, as_dict, as_text, delta
from pliant.ci.comparison import Request

SHOP = """class Basket:
    def __init__(self, items):
        self.items = list(items)

    def get(self):
        return list(self.items)


def fill(items):
    basket = Basket(items)
    seen = basket.get()
    seen.append(1)
    return basket


def main():
    mine = [1, 2]
    basket = fill(mine)
    mine.append(3)
    return basket
"""
KEPT = SHOP.replace("self.items = list(items)", "self.items = items")
BOTH = KEPT.replace("return list(self.items)", "return self.items")


def compared(repo: Repo, tmp_path: Path, place: str | None = None, head: str = "HEAD") -> Delta:
    said: list[str] = []
    found = delta(Request(repo.folder, "HEAD~", head, tmp_path / "state"), place, said.append)
    assert said == []
    return found


def names(delta: Delta, gone: bool = False) -> dict[str, list[str]]:
    """What the names that came are called, by object."""
    objects = delta.gone if gone else delta.came
    return {f"{each.file}:{each.line} {each.says}": sorted(name.says for name in each.came) for each in objects}


def test_a_parameter_that_is_kept_and_a_getter_without_a_copy(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": SHOP})
    repo.commit({"shop.py": BOTH})
    found = compared(repo, tmp_path)
    assert names(found) == {
        "shop.py:17 `list`": [
            "`items` of `Basket`",
            "`main()`, which makes it, passes it on and uses it",
            "the result of `get()`",
        ]
    }
    assert names(found, gone=True) == {}
    [result] = [name for name in found.came[0].came if name.how == "result"]
    assert [(step.line, step.note) for step in result.path] == [
        (17, "it is made here"),
        (18, "it is passed to `fill()` as `items`"),
        (10, "it is passed to `Basket.__init__()` as `items`"),
        (3, "it is stored in the attribute `items`"),
        (6, "it is read from the attribute `items`"),
        (11, "`Basket.get()` returns it"),
    ]


def test_what_was_there_is_beside_what_came(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": KEPT})
    repo.commit({"shop.py": BOTH})
    [shared] = compared(repo, tmp_path).came
    assert [name.says for name in shared.came] == ["the result of `get()`"]
    assert sorted(name.how for name in shared.known) == ["attribute", "maker"]


def test_a_copy_takes_the_alias_away(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": BOTH})
    repo.commit({"shop.py": KEPT})
    found = compared(repo, tmp_path)
    assert names(found) == {}
    assert names(found, gone=True) == {"shop.py:17 `list`": ["the result of `get()`"]}


def test_nothing_is_told_of_what_stays(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": BOTH})
    repo.commit({"shop.py": "# The shop.\n" + BOTH, "other.py": "def f():\n    return [1]\n"})
    assert names(compared(repo, tmp_path)) == {}


def test_a_file_that_moves_keeps_its_aliases(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": BOTH})
    repo.commit({"shop.py": None, "store.py": BOTH})
    found = compared(repo, tmp_path)
    assert names(found) == {} and names(found, gone=True) == {}


def test_a_store_is_placed_only_where_there_is_one_line_of_it(repo: Repo, tmp_path: Path) -> None:
    twice = BOTH.replace("        self.items = items\n", "        self.items = None\n        self.items = items\n")
    repo.commit({"shop.py": SHOP})
    repo.commit({"shop.py": twice})
    steps = {step.line for name in compared(repo, tmp_path).came[0].came for step in name.path if "stored" in step.note}
    assert steps == {2}  # the function, and not the first of both lines


def test_tuples_are_no_objects(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": SHOP.replace("[1, 2]", "(1, 2)").replace("    mine.append(3)\n", "    fill(mine)\n")})
    repo.commit({"shop.py": BOTH.replace("[1, 2]", "(1, 2)").replace("    mine.append(3)\n", "    fill(mine)\n")})
    assert names(compared(repo, tmp_path)) == {}


def test_what_outside_callers_pass_is_an_object(repo: Repo, tmp_path: Path) -> None:
    before = "class Log:\n    def __init__(self, rows):\n        self.rows = list(rows)\n        rows.append(1)\n"
    repo.commit({"log.py": before})
    repo.commit({"log.py": before.replace("list(rows)", "rows")})
    found = compared(repo, tmp_path)
    assert names(found) == {"log.py:2 what is passed as `rows` of `Log.__init__()`": ["`rows` of `Log`"]}
    assert [name.says for name in found.came[0].known] == ["callers of `Log.__init__()`, which pass it"]


@pytest.mark.parametrize(
    ("file", "before", "old", "new", "expected"),
    [
        (
            "Cart.java",
            "import java.util.*;\nclass Cart {\n  final List<String> names;\n"
            "  Cart(List<String> names) { this.names = new ArrayList<>(names); }\n"
            "  static Cart fill() {\n    List<String> mine = new ArrayList<>();\n    Cart cart = new Cart(mine);\n"
            '    mine.add("x");\n    return cart;\n  }\n}\n',
            "new ArrayList<>(names)",
            "names",
            {
                "Cart.java:6 the result of `ArrayList()`": [
                    "`Cart.fill()`, which makes it, passes it on and uses it",
                    "`names` of `Cart`",
                ]
            },
        ),
        (
            "list.c",
            "struct item { int n; };\nstruct list { struct item *first; };\n"
            "static void add(struct list *l, struct item *i) { *l->first = *i; }\n"
            "void run(struct list *l) {\n  struct item a;\n  a.n = 1;\n  add(l, &a);\n}\n",
            "*l->first = *i",
            "l->first = i",
            {"list.c:5 the variable": ["`first` of what is passed as `l` of `run()`", "the variable"]},
        ),
        (
            "list.go",
            "package list\n\ntype Item struct{ n int }\ntype List struct{ first, last *Item }\n\n"
            "func Run() *List {\n\tl := &List{}\n\ti := &Item{1}\n\tl.first = i\n\tl.last = &Item{1}\n\treturn l\n}\n",
            "l.last = &Item{1}",
            "l.last = i",
            {"list.go:8 `Item`": ["`last` of `List`"]},
        ),
    ],
)
def test_every_language(
    repo: Repo, tmp_path: Path, file: str, before: str, old: str, new: str, expected: dict[str, list[str]]
) -> None:
    repo.commit({file: before})
    repo.commit({file: before.replace(old, new)})
    assert names(compared(repo, tmp_path)) == expected


def test_tests_are_no_evidence(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"tests/test_shop.py": SHOP})
    repo.commit({"tests/test_shop.py": BOTH})
    assert names(compared(repo, tmp_path)) == {}


def test_a_place_is_compared_with_every_value(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": SHOP})
    repo.commit({"shop.py": BOTH})
    for place in ("shop.py:17", "shop.py:6", "shop.py:11"):
        [shared] = compared(repo, tmp_path, place).came
        assert (shared.line, shared.says) == (17, "`list`"), place
    assert names(compared(repo, tmp_path, "shop.py:9")) == {}  # a function
    with pytest.raises(Exception, match="nothing that may hold an object stands at shop"):
        compared(repo, tmp_path, "shop.py:12345")


def test_the_work_tree_is_a_head(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": SHOP})
    repo.commit()
    repo.write({"shop.py": BOTH})
    assert len(compared(repo, tmp_path, head="WORKTREE").came) == 1


def test_text_groups_objects_and_shortens_lists(repo: Repo, tmp_path: Path) -> None:
    many = "def main():\n" + "".join(f"    a{n} = [{n}]\n    fill(a{n})\n    a{n}.append(1)\n" for n in range(9))
    shop = SHOP.partition("def main")[0] + many
    repo.commit({"shop.py": shop})
    repo.commit({"shop.py": shop.replace("self.items = list(items)", "self.items = items")})
    found = compared(repo, tmp_path)
    text = list(as_text(found, limit=1))
    assert text[0] == "shop.py:17: `list`, in `main`, may be named now by"
    assert text[-2] == "  the same of 8 more objects, made at shop.py:20, shop.py:23, shop.py:26 and 5 more"
    assert text[-1].startswith("9 objects with new aliases, 0 with fewer | HEAD~ (")
    assert len(as_dict(found)["came"]) == 9


def test_the_command_prints_text_and_json(repo: Repo) -> None:
    repo.commit({"shop.py": SHOP})
    repo.commit({"shop.py": BOTH})
    done = run("aliases", "--base", "HEAD~", "--repo", repo.folder)
    assert done.returncode == 0 and done.stderr == ""
    assert "  + the result of `get()`\n      1. shop.py:17: it is made here\n" in done.stdout
    done = run("aliases", "--base", "HEAD~", "--repo", repo.folder, "--json")
    report = json.loads(done.stdout)
    assert report["schema"] == "pliant-aliases/1" and report["gone"] == []
    assert {name["how"] for name in report["came"][0]["came"]} == {"attribute", "maker", "result"}


def test_what_was_not_analysed_is_said(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": BOTH})
    repo.commit({"shop.py": f"{BOTH}\ndef broken(:\n"})
    found = compared(repo, tmp_path)
    [line, _] = as_text(found)
    assert line.startswith("not analysed: shop.py:22: ")
    [remark] = as_dict(found)["not_analysed"]
    assert (remark["file"], remark["line"]) == ("shop.py", 22)


def test_a_wrong_place_is_one_line(repo: Repo) -> None:
    repo.commit({"shop.py": SHOP})
    line = refused("aliases", "shop.py", "--base", "HEAD", "--repo", repo.folder)
    assert line == "pliant: shop.py is no place: give FILE:LINE, such as src/shop.py:12"


def test_a_rule_file_with_the_same_names_is_one_line(repo: Repo) -> None:
    rules = """.decl may_hold(v: symbol)
may_hold(v) :- null(v, _).
.decl nothing(site: symbol, origin: symbol)  // there is a null here
.output nothing
nothing(v, v) :- may_hold(v).
"""
    repo.commit({"shop.py": SHOP, "own.dl": rules, "pliant.toml": 'rule-files = ["own.dl"]\n'})
    line = refused("aliases", "--base", "HEAD", "--repo", repo.folder)
    assert line.startswith("pliant: a rule file of the configuration declares a name of pliant's: ")
    assert "may_hold" in line


ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 1)), max_size=14)


@given(ROWS, ROWS, st.none() | st.lists(st.integers(0, 5), max_size=2))
def test_pairs_are_those_of_the_definition(old: list, new: list, focus: list[int] | None) -> None:  # type: ignore[type-arg]
    def together(rows: list, one: tuple[int, int], two: tuple[int, int]) -> set[int]:  # type: ignore[type-arg]
        return {s for s, *place in rows if tuple(place) == one} & {s for s, *place in rows if tuple(place) == two}

    places = sorted({(place, field) for _, place, field in new})
    pairs = [
        (made, one, two)
        for one in places
        for two in places
        if one < two and not together(old, one, two) and (focus is None or one[0] in focus or two[0] in focus)
        for made in together(new, one, two)
    ]
    expected = {}
    for made in {made for made, *_ in pairs}:
        # A pair in which both names were there before came by another object that both had no more.
        own = [(one, two) for each, one, two in pairs if each == made and not {(made, *one), (made, *two)} <= set(old)]
        named = {place for pair in own for place in pair}
        if own:
            expected[made] = ({p for p in named if (made, *p) not in old}, {p for p in named if (made, *p) in old})
    arrays = [np.unique(np.array(rows, np.int64).reshape(-1, 3), axis=0) for rows in (old, new)]
    found = {
        each.object: ({tuple(row) for row in each.came.tolist()}, {tuple(row) for row in each.known.tolist()})
        for each in _pairs(*arrays, None if focus is None else np.array(focus, np.int64))
    }
    assert found == expected
