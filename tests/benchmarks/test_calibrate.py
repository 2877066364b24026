"""The share of true alias findings, from verdicts of readers."""

from __future__ import annotations

import json
from pathlib import Path

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
