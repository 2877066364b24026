"""The program as users run it: exit status, streams, and one clear line where it cannot do what was asked."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import PROGRAM, checked, refused, run
from repos import MakeRepo, Repo
from sarif_pydantic import Sarif

BASE = "def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n"
HEAD = BASE.replace("return key", "if key:\n        return None\n    return key")


def large(number: int) -> str:
    """A file of a thousand lines in which nothing has the name of anything else."""
    return "".join(f"def f{number}_{part}(key):\n    return key.a{part}\n\n\n" for part in range(250))


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"a.py": BASE})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": HEAD})
    return repo


# Results


def test_text_goes_to_standard_output_and_nothing_else_anywhere(pull_request: Repo) -> None:
    done = run("check", pull_request.folder)
    assert done.returncode == 1
    assert done.stderr == ""
    assert "a.py:8: warning null.attribute in use" in done.stdout
    assert "       8 |     return find(1).name" in done.stdout
    assert "a.py:3 |         return None" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 new (1 warning), 0 fixed, 0 unchanged | 1 changed file of 1")
    assert "\x1b" not in done.stdout


def test_files_are_counted_once_and_deleted_ones_apart(repo: Repo) -> None:
    names = ("changed", "deleted", "renamed", "replaced", "same")
    repo.commit({f"{name}.py": large(number) for number, name in enumerate(names)} | {"text.txt": "a\n"})
    head = {"deleted.py": None, "changed.py": BASE, "renamed.py": None, "to.py": large(2), "text.txt": "b\n"}
    repo.commit(head | {"replaced.py": None, "replaced.txt": large(3), "added.py": ""})
    summary = run("check", repo.folder, "--base", "HEAD~1").stdout.splitlines()[-1]
    assert summary.split(" | ")[1] == "3 changed files of 4, 2 deleted"  # of `replaced.py` there is only a text now
    counts = checked(repo, "--base", "HEAD~1")["summary"]
    assert [counts[key] for key in ("files", "changed_files", "deleted_files")] == [4, 3, 2]


def test_the_default_is_the_current_folder_and_the_default_branch(pull_request: Repo) -> None:
    sub = pull_request.folder / "sub"
    sub.mkdir()
    assert run("check", cwd=sub).returncode == 1


def test_nothing_new_is_success(pull_request: Repo) -> None:
    assert run("check", pull_request.folder, "--base", "pr", "--head", "pr").returncode == 0
    fixed = run("check", pull_request.folder, "--base", "pr", "--head", "main", "-q")
    assert fixed.returncode == 0  # main adds no commit to pr


def test_a_fix_is_reported_as_fixed(pull_request: Repo) -> None:
    pull_request.commit({"a.py": BASE})
    report = checked(pull_request, "--base", "HEAD~1")
    assert [finding["status"] for finding in report["findings"]] == ["fixed"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("fail_on", "status"), [("note", 1), ("warning", 1), ("error", 0), ("never", 0)])
def test_what_fails(pull_request: Repo, fail_on: str, status: int) -> None:
    assert run("check", pull_request.folder, "--fail-on", fail_on, "--quiet").returncode == status


def test_formats_and_output_file(pull_request: Repo, tmp_path: Path) -> None:
    done = run("check", pull_request.folder, "--format", "sarif", "--output", tmp_path / "report.sarif")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("1 new (1 warning), 0 fixed") and done.stdout.count("\n") == 1
    [sarif] = Sarif.model_validate_json((tmp_path / "report.sarif").read_text()).runs
    assert [result.rule_id for result in sarif.results or []] == ["null.attribute"]
    report = checked(pull_request)
    assert report["schema"] == "pliant-report/1"
    assert set(report) == {"schema", "version", "summary", "findings", "suppressed", "diagnostics"}
    [finding] = report["findings"]  # type: ignore[misc]
    assert set(finding) >= {
        *("rule", "status", "file", "line", "function", "message", "severity"),
        *("confidence", "fingerprint", "path", "cause"),
    }
    assert finding["cause"] == [{"file": "a.py", "line": 3}]
    assert [step["line"] for step in finding["path"]][-1] == 8
    summary = report["summary"]
    assert isinstance(summary, dict)
    assert {"new", "fixed", "unchanged", "strata", "fact_diff", "derived_diff", "seconds"} <= set(summary)


def test_unchanged_findings_on_demand(pull_request: Repo) -> None:
    pull_request.commit({"b.py": "x = 1\n"})
    assert checked(pull_request, "--base", "HEAD~1")["findings"] == []
    [finding] = checked(pull_request, "--base", "HEAD~1", "--all")["findings"]  # type: ignore[misc]
    assert finding["status"] == "unchanged"


def test_the_work_tree(pull_request: Repo) -> None:
    pull_request.git("checkout", "--quiet", "main")
    pull_request.write({"a.py": HEAD, "new.py": "import a\n\na.find(2).other\n"})
    report = checked(pull_request, "--head", "WORKTREE")
    found = {(finding["file"], finding["line"]) for finding in report["findings"]}  # type: ignore[attr-defined]
    assert found == {("a.py", 8), ("new.py", 3)}
    assert pull_request.git("status", "--porcelain") == "M a.py\n?? new.py"


def test_verify_and_facts(pull_request: Repo, tmp_path: Path) -> None:
    done = run("verify", pull_request.folder)
    assert done.returncode == 0 and done.stdout.startswith("equal: ") and done.stdout.count("\n") == 1
    assert " and 1 finding for " in done.stdout
    done = run("facts", pull_request.folder, "--rev", "pr", "--out", tmp_path / "facts")
    assert done.returncode == 0
    lines = (tmp_path / "facts" / "null.facts").read_text().splitlines()
    assert lines and all(len(line.split("\t")) == 2 for line in lines)
    done = run("facts", pull_request.folder, "--rev", "pr", "--out", tmp_path / "graphs", "--schema", "cspa")
    assert done.returncode == 0 and done.stdout.startswith("assign ")
    assert (tmp_path / "graphs" / "nullEdge.facts").read_text()


def test_version_and_help() -> None:
    assert re.fullmatch(r"pliant \S+\n", run("--version").stdout)
    assert "check" in run("--help").stdout
    assert run("check", "--help").returncode == 0
    assert run().returncode == 2


# No fact, no work


@pytest.mark.parametrize(
    "files", [{"a.py": "\n" + HEAD}, {"a.py": "# a comment\n" + HEAD}, {"notes.txt": "x"}, {"a.py": HEAD + "# end\n"}]
)
def test_what_changes_no_meaning_costs_no_evaluation(pull_request: Repo, files: dict[str, str]) -> None:
    pull_request.commit(files)
    report = checked(pull_request, "--base", "HEAD~1", "--verbose")
    summary = report["summary"]
    assert isinstance(summary, dict)
    assert report["findings"] == []
    assert summary["strata"] and checked(pull_request, "--base", "HEAD~1")["summary"]["strata"] == []
    assert summary["fact_diff"] == {"inserted": 0, "deleted": 0}
    assert sum(stratum["instantiations"] for stratum in summary["strata"]) == 0


def test_a_folder_or_a_file_is_a_scope_for_what_is_shown(repo: Repo) -> None:
    repo.commit({"a/a.py": BASE, "b/b.py": BASE})
    repo.commit({"a/a.py": HEAD, "b/b.py": HEAD, "b/c.py": "x = 1\n"})

    def shown(*options: str | Path, cwd: Path | None = None) -> tuple[list[str], str]:
        done = run("check", *options, "--base", "HEAD~1", "--format", "json", cwd=cwd)
        told = json.loads(done.stdout)
        assert told["summary"]["new"] == len(told["findings"]) and done.returncode == (1 if told["findings"] else 0)
        return [finding["file"] for finding in told["findings"]], told["summary"]["scope"]

    assert shown(repo.folder) == (["a/a.py", "b/b.py"], "")
    assert shown(cwd=repo.folder / "a") == (["a/a.py", "b/b.py"], "")
    assert shown(".", cwd=repo.folder / "a") == (["a/a.py"], "a/")
    assert shown(repo.folder / "b") == (["b/b.py"], "b/")
    assert shown(repo.folder / "b" / "b.py") == (["b/b.py"], "b/b.py")
    assert shown(repo.folder / "b" / "c.py") == ([], "b/c.py")
    last = run("check", repo.folder / "b", "--base", "HEAD~1").stdout.splitlines()[-1]
    assert "1 new (1 warning), 0 fixed, 0 unchanged (only b/)" in last


def test_a_cause_in_the_scope_counts_as_well(repo: Repo) -> None:
    repo.commit({"a/find.py": "def find(key):\n    return key\n", "b/b.py": "from a.find import find\nfind(1).name\n"})
    repo.commit({"a/find.py": "def find(key):\n    if key:\n        return None\n    return key\n"})
    for folder, status in (("a", 1), ("b", 1)):
        assert run("check", repo.folder / folder, "--base", "HEAD~1").returncode == status


def test_rules_are_a_scope_as_well(pull_request: Repo) -> None:
    for rule, status in (("null", 1), ("null.attribute", 1), ("alias", 0)):
        done = run("check", pull_request.folder, "--rule", rule)
        assert done.returncode == status and f"(only {rule})" in done.stdout
    assert "there is no rule 'null.atribute' (did you mean 'null.attribute'?)" in refused(
        "check", pull_request.folder, "--rule", "null.atribute"
    )


def test_a_repository_without_sources_says_which_languages_there_are(repo: Repo) -> None:
    repo.commit({"a.rb": "x"})
    repo.commit({"a.rb": "y"})
    said = run("check", repo.folder, "--base", "HEAD~1").stdout
    assert "there is no file to analyse" in said and "Python (.py, .pyi), Java (.java), C (.c, .h), Go (.go)" in said
    repo.commit({"a.py": "x = 1\n"})
    assert "no file to analyse" not in run("check", repo.folder, "--base", "HEAD~1").stdout


def test_a_renamed_file_has_nothing_new(pull_request: Repo) -> None:
    pull_request.git("mv", "a.py", "b.py")
    pull_request.commit()
    assert checked(pull_request, "--base", "HEAD~1")["findings"] == []


# What cannot be done


def test_one_line_for_what_cannot_be_done(pull_request: Repo, tmp_path: Path) -> None:
    folder = pull_request.folder
    assert "no revision 'nowhere'" in refused("check", folder, "--base", "nowhere")
    assert "is not a revision" in refused("check", folder, "--base=--upload-pack=evil")
    assert "is not a revision" in refused("check", folder, "--base=a\nb\x1b[2J")
    assert "not in a git repository" in refused("check", tmp_path)
    assert "the current folder is not in a git repository" in refused("check", cwd=tmp_path)
    assert "there is no folder" in refused("check", tmp_path / "missing")
    assert "cannot be entered: File name too long" in refused("check", "a" * 5000)
    assert "cannot be written" in refused("check", folder, "--output", tmp_path / "missing" / "file")
    assert "git was not found" in refused("check", folder, PATH="/nowhere")
    for command in (["facts", folder, "--out"], ["history", "main", folder, "--out"]):
        assert "a file stands where a folder is needed" in refused(*command, folder / "a.py")


def test_an_unknown_option_is_a_usage_error(pull_request: Repo) -> None:
    done = run("check", pull_request.folder, "--no-such-option")
    assert done.returncode == 2 and "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [2**31, 2**32 + 1, 10**19, int("9" * 4000)])
def test_a_number_that_git_would_take_for_another_is_a_usage_error(pull_request: Repo, number: int) -> None:
    done = run("history", "main", pull_request.folder, "--max-commits", str(number))
    assert done.returncode == 2 and "--max-commits" in done.stderr.splitlines()[-1]


def test_an_unborn_head(repo: Repo) -> None:
    assert "no commit yet" in refused("check", repo.folder)


def test_a_shallow_clone(pull_request: Repo, tmp_path: Path) -> None:
    pull_request.git("checkout", "--quiet", "main")
    pull_request.commit({"c.py": "x = 1\n"})
    url = pull_request.folder.as_uri()
    pull_request.git("clone", "--quiet", "--depth=1", "--no-single-branch", url, str(tmp_path / "shallow"))
    line = refused("check", tmp_path / "shallow", "--base", "main", "--head", "pr")
    assert "git fetch --unshallow origin" in line
    Repo(tmp_path / "shallow").git("fetch", "--quiet", "--unshallow", "origin")
    assert run("check", tmp_path / "shallow", "--base", "main", "--head", "pr").returncode == 1


def test_unrelated_histories(pull_request: Repo) -> None:
    pull_request.git("checkout", "--quiet", "--orphan", "other")
    pull_request.commit()
    assert "no common ancestor" in refused("check", pull_request.folder, "--base", "main")


def test_a_failure_of_ours_is_one_line_and_a_traceback_on_demand(pull_request: Repo) -> None:
    broken = "import pliant.ci.check as c\ndef check(*a): raise RuntimeError('a\\nb')\nc.check = check\n"
    code = f"{broken}import sys; from pliant.ci.cli import main; main()"
    for debug in ([], ["--debug"]):
        done = subprocess.run(
            [sys.executable, "-c", code, "check", str(pull_request.folder), *debug],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ("Traceback" in done.stderr) is bool(debug)
        if not debug:
            assert done.returncode == 2
            assert done.stderr == "pliant: internal error: RuntimeError: a b; --debug shows where\n"


# Hostile repositories, end to end


def deep(levels: int) -> str:
    return "x = " + "(" * levels + "1" + ")" * levels + "\n"


ODD_FILES: dict[str, str | bytes] = {
    "binary.py": b"\0\x01\x02" * 100,
    "latin.py": b"# caf\xe9\nx = None\n",
    "empty.py": b"",
    "bom.py": b"\xef\xbb\xbfx = 1\n",
    "deep.py": deep(10_000),
    "blocks.py": "".join(f"{' ' * level}if x:\n" for level in range(10_000)) + " " * 10_000 + "pass\n",
    "attributes.py": "x" + ".y" * 10_000 + "\n",
    "sum.py": "x = " + "+".join(["1"] * 10_000) + "\n",
    "broken.py": "if x\n    y\nz = None\nz.y\n",
    "large.py": "".join(f"v{number} = {number}\n" for number in range(350_000)),
    "one line.py": "x = [" + "1, " * 300_000 + "]\n",
    "new\nline.py": "x = 1\n",
    "ünïcode \u202e.py": "x = 1\n",
    "pipe|percent%.py": "def f():\n    return None\n",
    "-rf.py": "x = 1\n",
    "crlf.py": "def f():\r\n    return None\r\n\r\n\r\nf().x\r\n",
    "no end.py": "x = None",
}


def test_odd_files_give_a_result(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"start.py": "x = 1\n"})
    (repo.folder / "link.py").symlink_to("/etc/passwd")
    (repo.folder / "loop.py").symlink_to("loop.py")
    inner = Repo(tmp_path / "inner")
    inner.folder.mkdir()
    inner.git("init", "--quiet")
    inner.commit({"a.py": "x = None\nx.y\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "sub.py")
    assert len(ODD_FILES["large.py"]) > 5_000_000
    repo.commit(ODD_FILES)
    (repo.folder / os.fsdecode(b"latin-\xe9.py")).write_bytes(b"x = 1\n")
    repo.commit()
    started = time.monotonic()
    report = checked(repo, "--base", "HEAD~2")
    assert time.monotonic() - started < 60
    said = {remark["file"]: remark["message"] for remark in report["diagnostics"]}  # type: ignore[attr-defined]
    assert said["binary.py"].startswith("not analysed: a binary file")
    assert said["large.py"].startswith("not analysed: more than the 2,097,152 bytes")
    assert said["latin.py"].startswith("not UTF-8 from here on")
    assert said["link.py"] == said["loop.py"] == "not analysed: a symbolic link"
    assert said["sub.py"].startswith("not analysed: a submodule")
    assert "broken.py" in said
    assert not set(said) & {"empty.py", "bom.py", "new\nline.py", "pipe|percent%.py", "no end.py"}
    assert not any("extractor failed" in message for message in said.values()), said
    found = {finding["file"] for finding in report["findings"]}  # type: ignore[attr-defined]
    assert "crlf.py" in found
    text = run("check", repo.folder, "--base", "HEAD~2").stdout
    assert all(character.isprintable() or character == "\n" for character in text)
    assert run("verify", repo.folder, "--base", "HEAD~2").returncode == 0


@pytest.mark.parametrize("options", [[], ["--object-format=sha256"]])
def test_bare_and_sha256_and_detached(make_repo: MakeRepo, tmp_path: Path, options: list[str]) -> None:
    repo = make_repo(*options)
    repo.commit({"a.py": BASE})
    head = repo.commit({"a.py": HEAD})
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(tmp_path / "bare.git"))
    assert run("check", tmp_path / "bare.git", "--base", "main~1", "--head", head).returncode == 1
    repo.git("checkout", "--quiet", "--detach")
    assert run("check", repo.folder, "--base", "HEAD~1").returncode == 1
    repo.write({"a.py": BASE})
    assert run("check", repo.folder, "--base", "HEAD~1", "--head", "WORKTREE").returncode == 0


def test_nothing_of_the_repository_is_imported(pull_request: Repo, tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'trap')!r}, 'w')\nraise SystemExit('trapped')\n"
    names = ("sitecustomize", "json", "numpy", "pyarrow", "typer", "typing_extensions", "conftest", "pliant/ci/cli")
    files = {f"{name}.py": trap for name in names} | {"pliant/__init__.py": trap, "typing.py": trap}
    pull_request.commit({**files, **{f"f{number}.py": f"x{number} = 1\n" for number in range(40)}})
    done = subprocess.run(
        [Path(sys.executable).parent / "pliant", "check"], cwd=pull_request.folder, capture_output=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert not (tmp_path / "trap").exists()


# Terminals and signals


def test_progress_is_shown_on_a_terminal_alone(pull_request: Repo) -> None:
    pull_request.commit({f"f{number}.py": large(number) for number in range(60)})
    controller, terminal = pty.openpty()
    arguments = ["check", str(pull_request.folder), "--head", "HEAD"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown = b""
        while process.poll() is None or select.select([controller], [], [], 0)[0]:
            try:
                if select.select([controller], [], [], 0.1)[0]:
                    shown += os.read(controller, 4096)
            except OSError:
                break
        assert process.stdout is not None
        report = process.stdout.read()
    os.close(controller)
    assert b"extracting" in shown or b"deriving" in shown
    assert b"extracting" not in report and b"\x1b" not in report


@pytest.mark.parametrize("delay", [0.0, 0.5, 1.5])
def test_an_interrupt_leaves_a_state_that_works(pull_request: Repo, tmp_path: Path, delay: float) -> None:
    pull_request.git("checkout", "--quiet", "main")
    pull_request.commit({f"f{number}.py": large(number) for number in range(60)})
    state = tmp_path / "state"
    arguments = [
        *PROGRAM,
        "check",
        str(pull_request.folder),
        "--base",
        "main",
        "--head",
        "pr",
        "--state-dir",
        str(state),
    ]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not state.exists() and process.poll() is None:  # until then an interrupt is the interpreter's
            time.sleep(0.01)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 1, 130)
    if process.returncode == 130:
        assert "Traceback" not in errors
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_reader_that_leaves_early_is_no_failure_of_ours(pull_request: Repo) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "check", str(pull_request.folder), "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.wait(60)
    process.stderr.close()
    assert "Traceback" not in errors and "Exception" not in errors
