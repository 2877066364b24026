"""Fixes and ordinary commits as pull requests, on a repository with one bug; and the lists that are kept."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS, run
from repos import MakeRepo

sys.path.insert(0, str(BENCHMARKS))
sys.path.insert(0, str(BENCHMARKS / "fixes"))

import lists

BUG = "import re\n\ndef year(text):\n    found = re.match('[0-9]+', text)\n    return found.group()\n"
FIXED = BUG.replace("found.group()", "found.group() if found else ''")


@pytest.mark.nightly
def test_a_fix_is_undone_and_done_and_ordinary_commits_are_judged(make_repo: MakeRepo, tmp_path: Path) -> None:
    (tmp_path / "clones").mkdir()
    repo = make_repo(name="clones/acme+shop")
    repo.commit({"dates.py": "import re\n"})
    bug = repo.commit({"dates.py": BUG})
    fix = repo.commit({"dates.py": FIXED})
    brought = repo.commit({"other.py": BUG.replace("year", "month"), "tests/test_dates.py": "import dates\n"})
    repo.commit({"README": "text\n"})
    folder = tmp_path / "lists"
    folder.mkdir()
    entry = f'[[fix]]\nrepository = "acme/shop"\ncommit = "{fix}"\nfile = "dates.py"\nnull = "no match"\n'
    other = entry.replace("[[fix]]", '[[fix]]\nfunction = "month"\nset = "held-out"')
    mined = f'what = "variable"\nintroduced = "{bug}"\nintroduced_file = "dates.py"\n'
    (folder / "python.toml").write_text(f'{entry}function = "year"\nset = "tuning"\n{mined}{other}')
    head = f'language = "python"\nrepository = "acme/shop"\nhead = "{repo.git("rev-parse", "HEAD")}"\ncount = 1\n'
    (folder / "ordinary.toml").write_text(f"[[ordinary]]\n{head}")
    place = f'repository = "acme/shop"\ncommit = "{brought}"\nrule = "null.attribute"\nfile = "other.py"\n'
    (folder / "verdicts-python.toml").write_text(
        f'[[verdict]]\n{place}function = "month"\nverdict = "true"\nwhy = "no match"\n'
    )
    program = tmp_path / "pliant"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m pliant.ci.cli "$@"\n')
    program.chmod(0o700)
    pliant = [str(tmp_path / "clones"), "--lists", str(folder), "--pliant", str(program)]
    before = repo.git("count-objects", "-v")

    done = run("fixes/run.py", "fixes", "python", *pliant, "--introducing")
    assert done.returncode == 0, done.stderr
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()]
    assert ["acme/shop", fix[:10], "year", "tuning", "yes", "yes", "yes", "yes"] in cells
    assert ["acme/shop", fix[:10], "month", "held-out", "elsewhere", "no", "elsewhere", "-"] in cells
    assert ["tuning", "all", "1 of 1", "1 of 1", "1 of 1", "1 of 1"] in cells
    assert ["tuning", "variable", "1 of 1", "1 of 1", "1 of 1", "1 of 1"] in cells
    assert ["held-out", "all", "0 of 1", "0 of 1", "0 of 1", "0 of 0"] in cells

    done = run("fixes/run.py", "commits", "python", *pliant)
    assert done.returncode == 0, done.stderr
    assert "1 commits, 1 new findings: 1 true" in done.stdout

    sides = f'base = "{fix}"\nhead = "{brought}"\n'
    (folder / "large.toml").write_text(f'[[large]]\nlanguage = "python"\nrepository = "acme/shop"\n{sides}')
    gone = f'[[verdict]]\n{place}function = "year"\nline = 3\nverdict = "false"\nwhy = "no month"\n'
    with (folder / "verdicts-python.toml").open("a") as verdicts:
        verdicts.write(gone)
    done = run("fixes/run.py", "large", "python", *pliant)
    assert done.returncode == 0, done.stderr
    assert "1 large pull requests, 1 new findings: 1 true\ntold no more: 1 false\n" in done.stdout
    kept = tmp_path / "findings.jsonl"
    sampled = run("fixes/run.py", "large", "python", *pliant, "--sample", "0", "--findings", str(kept))
    assert "1 large pull requests, 0 new findings: none" in sampled.stdout and not kept.read_text()
    assert "0 of 1 new findings, by seed 1" in sampled.stderr
    run("fixes/run.py", "large", "python", *pliant, "--sample", "1", "--findings", str(kept))
    assert [json.loads(line)["function"] for line in kept.read_text().splitlines()] == ["month"]
    assert repo.git("count-objects", "-v") == before

    program.write_text("#!/bin/sh\necho pliant: object 12 is not in this clone >&2\nexit 2\n")
    for what in ("fixes", "commits", "large"):
        done = run("fixes/run.py", what, "python", *pliant)
        assert done.returncode == 1 and "object 12 is not in this clone" in done.stderr
        assert done.stderr.endswith(f"{2 if what == 'fixes' else 1} could not be checked, and are not counted\n")


@pytest.mark.parametrize("language", lists.LANGUAGES)
def test_the_lists_are_whole(language: str) -> None:
    fixes = lists.fixes(lists.HERE, language)
    assert len({(fix.repository, fix.commit, fix.file, fix.function) for fix in fixes}) == len(fixes) == 30
    assert {fix.set for fix in fixes} == {"tuning", "held-out"}
    assert all(re.fullmatch("[0-9a-f]{40}", fix.commit) and fix.null for fix in fixes)
    histories = lists.histories(lists.HERE, language)
    assert sum(each.count for each in histories) == 100
    unseen = lists.histories(lists.HERE / "unseen", language)
    assert not {each.repository for each in unseen} & {each.repository for each in (*histories, *fixes)}
    for folder, some in ((lists.HERE, histories), (lists.HERE / "unseen", unseen)):
        for verdict in lists.judged(folder, language):
            assert verdict.repository in {each.repository for each in (*some, *lists.large(folder, language))}
            assert verdict.verdict in ("true", "unclear", "false")
            assert verdict.why
