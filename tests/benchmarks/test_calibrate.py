"""The share of true alias findings, from verdicts of readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmark_command import run


def test_the_share_is_that_of_the_verdicts(tmp_path: Path) -> None:
    table = tmp_path / "verdicts.toml"
    rules = [("alias.overlap", "true"), ("null.call", "true"), ("alias.overlap", "false"), ("alias.overlap", "unclear")]
    table.write_text("".join(f'[[verdict]]\nrule = "{rule}"\nverdict = "{said}"\n\n' for rule, said in rules))
    lines = tmp_path / "verdicts.jsonl"
    lines.write_text("".join(json.dumps({"rule": "alias.stack-escape", "verdict": "false"}) + "\n" for _ in range(5)))
    done = run("fixes/calibrate.py", "--verdicts", str(table), str(lines))
    assert done.returncode == 0, done.stderr
    assert "alias: 1 true, 6 false\n" in done.stdout
    assert '[shares]\n"alias" = 0.19\n' in done.stdout  # 1.5 of 8
    assert '"origin: call" = ' in done.stdout  # the weights stay


def a_finding(number: int, verdict: str, feature: str, *, unlikely: bool = False, refuted: bool = False) -> str:
    return json.dumps(
        {
            "repository": f"acme/{number % 3}", "head": "h", "path": [{"file": "a.py", "line": number, "note": ""}],
            "verdict": verdict, "chosen": False, "unlikely": unlikely, "features": {feature: 1.0},
            "witness": {"verdict": "refuted" if refuted else "witnessed"},
        }
    )  # fmt: skip


def test_what_was_read_stands_for_all_and_the_noise_of_ordinary_commits_decides_what_is_shown(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is installed with the benchmarks")
    shown = [a_finding(number, "true" if number % 2 else "false", "often") for number in range(12)]
    unlikely = [a_finding(number, "true" if number == 100 else "false", "seldom", unlikely=True)
                for number in range(100, 106)]  # fmt: skip
    unread = [a_finding(number, "not judged", "seldom", unlikely=True) for number in range(200, 212)]
    refuted = [a_finding(number, "true", "never", unlikely=True, refuted=True) for number in range(300, 310)]
    removed = [a_finding(number, "true", "origin: removed") for number in range(400, 410)]
    findings, ordinary = tmp_path / "findings.jsonl", tmp_path / "ordinary.jsonl"
    findings.write_text("\n".join([*shown, *unlikely, *unread, *refuted, *removed]))
    ordinary.write_text("\n".join([a_finding(1, "not judged", "often"), *(unread[:3])]))
    few = run("fixes/calibrate.py", str(findings), "--ordinary", str(ordinary), "--commits", "20")
    assert few.returncode == 0, few.stderr
    assert "18 findings of 3 repositories" in few.stdout
    # Six of twelve, and one of six that stands for three of eighteen.
    assert "| 0.0        |       30 |    9 |" in few.stdout
    assert '"often" = ' in few.stdout and '"never"' not in few.stdout
    many = run("fixes/calibrate.py", str(findings), "--ordinary", str(ordinary), "--commits", "200")
    least = [float(done.stdout.partition("few enough from ")[2].split()[0]) for done in (few, many)]
    assert least[0] > least[1] == 0.0
