"""The fuzzers on a few inputs each, the inputs that failed once, and the campaign on planted failures."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fuzz import campaign, datalog, planted, repositories, sources
from fuzz.processes import Failed
from fuzz.reduction import ddmin, reduce
from fuzz.registry import FUZZERS
from fuzz.trees import LANGUAGES

HERE = Path(__file__).parent
FEW = {"sources": 8, "datalog": 15, "repositories": 1, "settings": 6, "damages": 3, "kills": 1}
EVERY = [(name, language) for name in FUZZERS for language in (LANGUAGES if name == "sources" else ("",))]
KILLING = ("damages", "kills")


@pytest.fixture(autouse=True)
def small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long to make or to check."""
    monkeypatch.setattr(datalog, "_POOLS", 1)
    monkeypatch.setattr(repositories, "PAIRS", 2)


@pytest.mark.parametrize(
    ("name", "language"),
    [pytest.param(*each, marks=[pytest.mark.nightly] * (each[0] in KILLING)) for each in EVERY],
)
def test_a_few_inputs_hold(name: str, language: str) -> None:
    fuzzer = replace(FUZZERS[name](language), hash_seeds=(1,))
    result = campaign.run(fuzzer, 1, range(FEW[name]), None)
    assert not result.met, campaign.told(fuzzer, 1, result)


@pytest.mark.parametrize(
    ("name", "language"),
    [pytest.param(*each, marks=[pytest.mark.nightly] * (each[0] == "repositories")) for each in EVERY],
)
def test_an_input_depends_on_its_seed_alone_and_is_read_as_it_was_written(name: str, language: str) -> None:
    fuzzer = FUZZERS[name](language)
    cases = [campaign.drawn(fuzzer, 7, number) for number in range(12)]
    assert cases[::-1] == [campaign.drawn(fuzzer, 7, number) for number in reversed(range(12))]
    assert len(set(map(repr, cases))) == 12
    for case in cases:
        assert fuzzer.write(fuzzer.read(*fuzzer.write(case))) == fuzzer.write(case)


REDUCED = [pytest.param(name, language, path, id=path.name, marks=[pytest.mark.nightly] * (name in KILLING))
           for name, language in EVERY
           for path in campaign.cases(HERE / "cases", FUZZERS[name](language).name)]  # fmt: skip


@pytest.mark.parametrize(("name", "language", "path"), REDUCED)
def test_what_failed_once_holds(name: str, language: str, path: Path) -> None:
    fuzzer = FUZZERS[name](language)
    fuzzer.check(fuzzer.read(path.read_bytes(), path.suffix))


@pytest.mark.parametrize(
    ("letter", "property", "where", "small"),
    [
        ("ab", "no word has both", "a and b", {"ab", "ba"}),
        ("z", "nothing is raised", "KeyError in planted.py:check", {"z"}),
        ("x", "no input ends the process", "ended with 3", {"x"}),
        ("y", "no input takes more than 0.1 processor seconds", "outside of the program", {"y"}),
        ("h", "the hash seed changes nothing", "another answer with another hash seed", {"h"}),
    ],
)
def test_a_planted_failure_is_found_reduced_and_written(
    tmp_path: Path, letter: str, property: str, where: str, small: set[str]
) -> None:
    result = campaign.run(planted.fuzzer(f"cdefg{letter}", seconds=0.1), 1, range(4), tmp_path)
    [key] = result.met
    assert key == (property, where) and result.met[key] >= 2
    path = result.files[key]
    assert path is not None and path.read_text() in small
    assert property in (path.parent / f"{path.stem}.why").read_text()


def test_what_does_not_fail_is_counted(tmp_path: Path) -> None:
    result = campaign.run(planted.fuzzer("cdefg"), 1, range(10), tmp_path / "kept")
    assert (dict(result.kinds), dict(result.met)) == ({"inputs": 10}, {})
    assert not (tmp_path / "kept").exists()


def test_an_interrupt_ends_a_program_that_a_check_starts() -> None:
    result = campaign.run(planted.fuzzer("i"), 1, range(1), None)
    assert not result.met


def test_delta_debugging_leaves_what_is_needed_and_nothing_else() -> None:
    tried: list[int] = []

    def fails(some: list[int]) -> bool:
        tried.append(len(some))
        return {3, 50, 51, 96} <= set(some)

    assert ddmin(range(100), fails) == [3, 50, 51, 96]
    assert len(tried) < 150


def test_a_source_is_reduced_by_its_tree_its_lines_and_its_bytes() -> None:
    other = "".join(f"int other{number}(int a) {{ return a + {number}; }}\n" for number in range(30))
    text = f"{other}int last(int n) {{ if (n) {{ while (n) {{ call(n, (0x7 + 1)); }} }} return n; }}\n{other}".encode()
    fuzzer = sources.fuzzer("c")
    tries = 0

    def fails(case: Any) -> bool:
        nonlocal tries
        tries += 1
        return b"0x7" in case.files[0][1] and b"last" in case.files[0][1]

    small = reduce(sources.Sources((("a.c", text),)), fails, fuzzer.passes, 1500)
    assert len(small.files[0][1]) <= len("last0x7") + 1
    assert tries < 600


def test_a_check_that_fails_says_which_property() -> None:
    with pytest.raises(Failed) as raised:
        planted.check("ab")
    assert str(raised.value.failure) == "no word has both: a and b"


def test_the_command_prints_its_seed(tmp_path: Path) -> None:
    command = [sys.executable, "-P", str(HERE), "sources", "--language", "c", "--count", "3", "--seed", "5"]
    done = subprocess.run([*command, "--keep", str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(",")[0]) == (0, "sources-c: seed 5")
    assert "0 kinds of failures in 0 inputs" in done.stdout
