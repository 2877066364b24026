"""`pliant datalog`: files as Soufflé has them, epochs, statistics, proofs, and one clear line for what is wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from test_cli import refused, run

from pliant.ci.commands.datalog import STRATEGIES as OFFERED
from pliant.engine.strategies.registry import STRATEGIES

PATHS = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl closed(a: symbol)  .input closed
.decl weight(a: symbol, w: number)  .input weight
.decl path(a: symbol, b: symbol)  .output path
.decl heavy(a: symbol, w: number)  .output heavy
path(x, y) :- edge(x, y), !closed(y).
path(x, z) :- path(x, y), path(y, z).
heavy(x, w) :- weight(x, w), w > 10.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.dl").write_text(PATHS)
    (tmp_path / "edge.facts").write_text("a\tb\nb\tc\nc\td\n")
    (tmp_path / "closed.facts").write_text("")
    (tmp_path / "weight.facts").write_text("b\t12\na\t-3\na\t11\n")
    return tmp_path


def change(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name.replace('_', '.')}.facts").write_text(text)
    return folder


def test_outputs_are_written_in_order_under_their_names(folder: Path) -> None:
    done = run("datalog", "run", folder / "p.dl", "-F", folder, "-D", folder / "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "out" / "path.csv").read_text() == "a\tb\na\tc\na\td\nb\tc\nb\td\nc\td\n"
    assert (folder / "out" / "heavy.csv").read_text() == "a\t11\nb\t12\n"


def test_directives_name_files_and_delimiters(folder: Path) -> None:
    (folder / "p.dl").write_text(
        '.decl e(a: symbol, b: number)\n.input e(filename="one.txt", delimiter=";;")\n.input e(IO=file)\n'
        '.decl o(a: symbol, b: number)\n.output o(delimiter=",", filename="sub/o.txt")\n.printsize e\n'
        "o(a, b) :- e(a, b), b > 1.\n"
    )
    (folder / "one.txt").write_text("a\tb;;2\nc;;1\n")
    (folder / "e.facts").write_text("d\t3\n")
    done = run("datalog", "run", "p.dl", "-D", "out", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "e\t3\n", "")
    assert (folder / "out" / "sub" / "o.txt").read_text() == "a\tb,2\nd,3\n"


def test_standard_output_has_every_relation(folder: Path) -> None:
    done = run("datalog", "run", folder / "p.dl", "-F", folder, "-D", "-")
    assert done.stdout.startswith("---------------\npath\n===============\na\tb\n")
    assert done.stdout.endswith("---------------\nheavy\n===============\na\t11\nb\t12\n===============\n")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_epochs_are_applied_in_their_order(folder: Path, strategy: str) -> None:
    first = change(folder / "1", edge_delete="b\tc\n", edge_insert="b\td\n")
    second = change(folder / "2", closed_insert="d\n", weight_delete="b\t12\n")
    done = run(
        "datalog", "run", "p.dl", "-D", "out", "--update", first, "--update", second, "--strategy", strategy,
        "--changes", "changes", "--stats", "stats.json", cwd=folder,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "out" / "path.csv").read_text() == "a\tb\n"
    assert (folder / "out" / "heavy.csv").read_text() == "a\t11\n"
    assert (folder / "changes" / "1" / "path.delete.facts").read_text() == "a\tc\nb\tc\n"
    assert (folder / "changes" / "1" / "path.insert.facts").read_text() == ""
    assert (folder / "changes" / "2" / "path.delete.facts").read_text() == "a\td\nb\td\nc\td\n"
    stats = json.loads((folder / "stats.json").read_text())
    assert [epoch["epoch"] for epoch in stats["epochs"]] == [0, 1, 2]
    assert [epoch["input_changes"] for epoch in stats["epochs"]] == [6, 2, 2]
    assert [epoch["output_changes"] for epoch in stats["epochs"]] == [8, 2, 4]
    for epoch in stats["epochs"]:
        for stratum in epoch["strata"]:
            assert set(stratum) == {
                "relations", "strategy", "reason", "instantiations", "tuples", "levels", "seconds"
            }  # fmt: skip
    assert stats["peak_rss_bytes"] > stats["state_bytes"] > 0


def test_facts_are_read_as_souffle_reads_them(folder: Path) -> None:
    (folder / "p.dl").write_text(
        ".decl e(a: symbol, b: number, c: unsigned) .input e .decl o(a: symbol, b: number, c: unsigned) .output o\n"
        ".decl n() .input n .decl there() .output there\no(a, b, c) :- e(a, b, c). there() :- n().\n"
    )
    (folder / "n.facts").write_text("()\n")
    text = 'a b\t-1\t0\n"q\t+7\t0x10\r\n\t2147483647\t4294967295\n\u00e4\t 0\t0b11'
    for data in (text.encode(), gzip.compress(text.encode())):
        (folder / "e.facts").write_bytes(data)
        done = run("datalog", "run", "p.dl", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        expected = '\t2147483647\t4294967295\n"q\t7\t16\na b\t-1\t0\n\u00e4\t0\t3\n'
        assert (folder / "o.csv").read_text(encoding="utf-8") == expected
        assert (folder / "there.csv").read_text() == "()\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\t1\nb\n", ":2: 1 field where 2 are expected"),
        (b"a\t1\nb\tx\n", ":2: field 2 is 'x'; a number of 32 bits is expected"),
        (b"a\t1\nb\t0x1f\n", ":2: field 2 is '0x1f'; a number of 32 bits is expected"),
        (b"a\t2147483648\n", ":1: field 2 is '2147483648'; a number of 32 bits is expected"),
        (b"a\t1\n\xff\t1\n", ":2: the text is not UTF-8 (byte 0xff)"),
        (b"a\t1\n\n", ":2: 1 field where 2 are expected"),
        (b"a\t1\t\n", ":1: 3 fields where 2 are expected"),
        (b"a\t1\nb\t2\textra\n", ":2: 3 fields where 2 are expected"),
        (b"a\t" + b"9" * 5000, f":1: field 2 is '{'9' * 60}...'; a number of 32 bits is expected"),
        (b"\x1f\x8bzip", "cannot be read"),
    ],
)
def test_a_fact_file_that_is_wrong_is_told_with_its_line(folder: Path, data: bytes, expected: str) -> None:
    (folder / "weight.facts").write_bytes(data)
    assert expected in refused("datalog", "run", "p.dl", cwd=folder)


def test_an_empty_line_is_no_tuple_of_empty_symbols(folder: Path) -> None:
    for data in (b"a\tb\n\nb\tc\n", b"\na\tb\n", b"a\tb\n\n", b"a\tb\r\n\r\n", b"a\tb\n\r"):
        (folder / "edge.facts").write_bytes(data)
        assert "1 field where 2 are expected" in refused("datalog", "run", "p.dl", cwd=folder)


def test_leading_zeros_are_no_digits(folder: Path) -> None:
    (folder / "weight.facts").write_text(f"a\t{'0' * 5000}12\n")
    assert run("datalog", "run", "p.dl", cwd=folder).returncode == 0
    assert (folder / "heavy.csv").read_text() == "a\t12\n"


def test_what_is_missing_or_misspelt_is_told(folder: Path) -> None:
    (folder / "closed.facts").unlink()
    assert "closed.facts is not there" in refused("datalog", "run", "p.dl", cwd=folder)
    (folder / "closed.facts").write_text("")
    change(folder / "wrong", edgee_insert="")
    line = refused("datalog", "run", "p.dl", "--update", "wrong", cwd=folder)
    assert "did you mean edge.insert.facts?" in line
    assert "No such file" in refused("datalog", "run", "p.dl", "--update", "none", cwd=folder)
    assert "No such file" in refused("datalog", "run", "q.dl", cwd=folder)
    (folder / "f").write_text("")
    assert "cannot be written" in refused("datalog", "run", "p.dl", "-D", "f/out", cwd=folder)


def test_mistakes_of_a_program_are_shown_with_their_lines(folder: Path) -> None:
    (folder / "p.dl").write_text(".decl a(x: symbol)\n.output a\na(x) :- b(x).\na(y) :- c(y).\n")
    done = run("datalog", "run", "p.dl", cwd=folder)
    assert done.returncode == 2 and done.stdout == ""
    assert "p.dl:3:9:" in done.stderr and "p.dl:4:9:" in done.stderr and "a(x) :- b(x)." in done.stderr


def test_a_proof_is_a_tree_of_minimal_height(folder: Path) -> None:
    done = run("datalog", "prove", "p.dl", 'path("b", "d").', cwd=folder)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        'path("b", "d")  level 2, by p.dl:8: path(x, z) :- path(x, y), path(y, z).',
        '├── path("b", "c")  level 1, by p.dl:7: path(x, y) :- edge(x, y), !closed(y).',
        '│   ├── edge("b", "c")  input',
        '│   └── !closed("c")  absent',
        '└── path("c", "d")  level 1, by p.dl:7: path(x, y) :- edge(x, y), !closed(y).',
        '    ├── edge("c", "d")  input',
        '    └── !closed("d")  absent',
    ]
    nodes = json.loads(run("datalog", "prove", "p.dl", 'path("b", "d")', "--format", "json", cwd=folder).stdout)
    assert nodes["holds"] and [len(node.get("body", ())) for node in nodes["proof"]["nodes"]] == [2, 1, 1, 0, 0]


def test_a_removed_tuple_is_led_back_to_the_changes(folder: Path) -> None:
    change(folder / "1", edge_delete="b\tc\n")
    done = run("datalog", "prove", "p.dl", 'path("a", "d")', "--update", "1", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith(
        'path("a", "d") was removed by epoch 1; what took its last derivation (through 3 other removed tuples):\n'
        '  - edge("b", "c")  deleted\n'
    )
    assert 'path("b", "c")  [removed]  level 1' in done.stdout
    change(folder / "2", closed_insert="d\n")
    done = run("datalog", "prove", "p.dl", 'path("c", "d")', "--update", "2", "--format", "json", cwd=folder)
    assert json.loads(done.stdout)["removed"] == {"epoch": 1, "deleted": [], "gained": ['closed("d")'], "tuples": 1}


def test_plans_are_explained_with_and_without_facts(folder: Path) -> None:
    plain = run("datalog", "explain", "p.dl", cwd=folder)
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "recursive: path" in plain.stdout and "from changes of !closed(y)" in plain.stdout
    assert "fan-out" not in plain.stdout
    assert "fan-out" in run("datalog", "explain", "p.dl", "-F", ".", cwd=folder).stdout
    assert "edge.facts is not there" in refused("datalog", "explain", "p.dl", "-F", "nowhere", cwd=folder)


def test_what_cannot_be_proved_is_told(folder: Path) -> None:
    done = run("datalog", "prove", "p.dl", 'path("z", "a")', cwd=folder)
    assert (done.returncode, done.stdout) == (1, 'path("z", "a") does not hold\n')
    assert "did you mean path?" in refused("datalog", "prove", "p.dl", "pth(1)", cwd=folder)
    assert "has 2 columns, and 1 are given" in refused("datalog", "prove", "p.dl", 'path("a")', cwd=folder)
    assert "is a symbol; found 1" in refused("datalog", "prove", "p.dl", 'path("a", 1)', cwd=folder)
    assert "is no tuple" in refused("datalog", "prove", "p.dl", "path(", cwd=folder)
    assert "is no tuple" in refused("datalog", "prove", "p.dl", "path(x, y)", cwd=folder)


def test_every_strategy_is_offered(folder: Path) -> None:
    assert set(OFFERED) == set(STRATEGIES)
    assert "expected one of elastic" in refused("datalog", "run", "p.dl", "--strategy", "magic", cwd=folder)
