"""A check of a watched work tree is done by the watch, and says what it says alone; whatever comes by the socket."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from repos import MakeRepo, Repo
from watching import BAD, GOOD, PATIENCE, Watch

from pliant.ci import watch_socket
from pliant.ci.watch_socket import Answer, Asked, Question, ask, comparison, listening

pytestmark = pytest.mark.usefixtures("short_cache")


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    made = make_repo()
    made.commit({"a.py": GOOD.format(name="a"), "sub/b.py": GOOD.format(name="b")})
    return made


def question(repo: Repo, base: str | None = "HEAD", **others: Any) -> Question:
    style = dict.fromkeys(("colour", "verbose", "quiet", "suppressed"), False)
    plain = Question(
        comparison(base, None, None),
        str(repo.folder),
        None,
        [],
        False,
        None,
        [("json", None)],
        style,
        None,
        None,
        None,
        0.0,
    )
    return plain._replace(**others)


def _checked(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run("check", repo.folder, "--base", "HEAD", "--head", "WORKTREE", *arguments)


def _without_seconds(text: str) -> Any:
    told = json.loads(text)
    for changing in ("seconds", "extracted_files", "start"):
        told["summary"].pop(changing, None)
    return told


def test_a_watch_says_what_a_check_says_alone(repo: Repo, watching: Watch) -> None:
    (repo.folder / "a.py").write_text(BAD.format(name="a"))
    (repo.folder / "sub/c.py").write_text(BAD.format(name="c"))
    below = {"within": "", "folder": str(repo.folder / "sub")}
    for others in ({}, {"rules": ["alias"]}, below, {"unchanged": True}, {"fail_on": "error"}):
        answer = ask(repo.folder / "sub", question(repo, **others))
        assert answer is not None
        [[text, file, added]] = answer.texts
        assert (file, added, answer.said, answer.error) == (None, False, [], None)
        options = ["--rule=alias"] if "rules" in others else ["--all"] if "unchanged" in others else []
        options += ["--fail-on=error"] if "fail_on" in others else []
        within = "sub" if "within" in others else ""
        alone = run(
            "check",
            repo.folder / within,
            "--base=HEAD",
            "--head=WORKTREE",
            "--format=json",
            "--strategy=bootstrap",
            *options,
        )
        assert _without_seconds(text) == _without_seconds(alone.stdout)
        assert alone.returncode == answer.fails


def test_each_form_is_written_by_the_one_that_asks(repo: Repo, watching: Watch, tmp_path: Path) -> None:
    (repo.folder / "a.py").write_text(BAD.format(name="a"))
    alone = _checked(repo, "--strategy=bootstrap", "--format=sarif", f"--report=junit={tmp_path / 'alone'}")
    done = run(
        "check",
        repo.folder,
        "--base",
        "HEAD",
        "--head",
        "WORKTREE",
        "--format=sarif",
        "--report=junit=asked",
        cwd=tmp_path,
    )
    assert (done.stdout, done.stderr, done.returncode) == (alone.stdout, alone.stderr, 1)
    assert (tmp_path / "asked").read_text().count("<failure") == (tmp_path / "alone").read_text().count("<failure") == 1


def test_an_error_of_a_check_is_that_of_the_one_that_asks(repo: Repo, watching: Watch) -> None:
    answer = ask(repo.folder, question(repo, rules=["nul"]))
    assert answer is not None and answer.error is not None
    done = _checked(repo, "--rule=nul")
    assert (done.stdout, done.stderr, done.returncode) == ("", f"pliant: {answer.error}\n", 2)
    assert ask(repo.folder, question(repo)) is not None


def test_another_comparison_and_another_environment_are_declined(
    repo: Repo,
    watching: Watch,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert ask(repo.folder, question(repo)) is not None
    assert ask(repo.folder, question(repo, base="HEAD~0")) is None
    assert ask(repo.folder, question(repo, comparison=comparison("HEAD", tmp_path, None))) is None
    assert ask(repo.folder, question(repo, comparison=comparison("HEAD", None, tmp_path))) is None
    with monkeypatch.context() as patch:
        patch.setattr(watch_socket, "_PROGRAM", [1, 2])  # installed anew since the watch began
        assert ask(repo.folder, question(repo)) is None
    for name in ("GITHUB_BASE_REF", "CI_PROJECT_URL", "PLIANT_STATE_DIR", "GIT_CONFIG_COUNT"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            assert ask(repo.folder, question(repo)) is None
    for name in ("GIT_ASKPASS", "XDG_SESSION_ID", "TERM"):  # of a terminal, not of the comparison
        monkeypatch.setenv(name, "x")
    assert ask(repo.folder, question(repo)) is not None
    assert ask(tmp_path, question(repo)) is None  # in no work tree


def test_rubbish_and_silence_harm_nobody_else(repo: Repo, watching: Watch) -> None:
    path = str(watch_socket._path(repo.folder))
    silent = []
    deep = b"[" * 60_000 + b"\n"
    for sent in (b"", b"\n", b"[]\n", b"{}\n", deep, b"[" + deep * 2, b"\xff\n", b'["HEAD"', b"1" * (1 << 17)):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        with suppress(ConnectionError):
            connection.sendall(sent)
        silent.append(connection)
    odd = question(repo)._replace(outputs=[("nothing", None)], style={"odd": True})
    assert ask(repo.folder, odd) is None
    assert ask(repo.folder, question(repo)) is not None
    for connection in silent:
        connection.close()
    assert ask(repo.folder, question(repo)) is not None
    watching.follows(repo)
    watching.process.terminate()
    assert watching.process.communicate()[1] == "pliant: ended by SIGTERM\n"


def test_a_watch_that_was_killed_leaves_nothing_in_the_way(repo: Repo, watching: Watch) -> None:
    watching.process.kill()
    watching.process.wait()
    assert watch_socket._path(repo.folder).exists()
    assert ask(repo.folder, question(repo)) is None
    assert _checked(repo).returncode == 0
    watching.lines.unlink()
    again = Watch(repo, "--base", "HEAD")
    assert ask(repo.folder, question(repo)) is not None
    again.process.terminate()
    assert again.process.communicate()[1] == "pliant: ended by SIGTERM\n"
    assert not watch_socket._path(repo.folder).exists()


@pytest.fixture
def answers(repo: Repo) -> Iterator[Callable[[Callable[[Asked], None]], None]]:
    """Sets what is done with questions on the repository."""
    done: list[Callable[[Asked], None]] = []

    def answered(asked: Asked) -> None:
        done[-1](asked)

    with listening(repo.folder, answered, pytest.fail):
        yield done.append


def test_a_check_writes_what_it_is_answered(repo: Repo, answers: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "file")
    texts = [("on standard output\n", None), ("in a file\n", file), ("more\n", file, True)]
    answers(lambda asked: asked.answer(Answer(texts, ["said"], fails=True)))
    done = _checked(repo)
    assert (done.stdout, done.stderr, done.returncode) == ("on standard output\n", "pliant: said\n", 1)
    assert Path(file).read_text() == "in a file\nmore\n"
    assert _checked(repo, "--strategy=update").stdout.startswith("0 new")
    assert "0 new" in run("check", repo.folder, "--base", "HEAD").stdout


def test_an_answer_that_takes_long_is_waited_for_and_silence_is_not(
    repo: Repo, answers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_socket, "_SILENCE", 0.5)
    monkeypatch.setattr(watch_socket, "_PULSE", 0.05)

    def late(asked: Asked) -> None:
        asked.begin()
        threading.Timer(1.5, asked.answer, [Answer(said=["late"])]).start()

    answers(late)
    assert ask(repo.folder, question(repo)) == Answer([], ["late"])
    waiting: list[Asked] = []
    answers(waiting.append)  # whoever would answer does something else
    began = time.monotonic()
    assert ask(repo.folder, question(repo)) is None
    assert time.monotonic() - began >= 0.5
    until = time.monotonic() + PATIENCE
    while waiting[0].wanted:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_questions_past_what_waits_are_not_taken(
    repo: Repo,
    answers: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch_socket, "_MOST_AT_ONCE", 1)
    waiting: list[Asked] = []
    answers(waiting.append)
    with listening(repo.folder.parent, waiting.append, pytest.fail), closing(socket.socket(socket.AF_UNIX)) as first:
        first.connect(str(watch_socket._path(repo.folder.parent)))
        first.sendall(json.dumps(question(repo)).encode() + b"\n")
        while not waiting:
            time.sleep(0.01)
        (repo.folder.parent / ".git").mkdir()
        assert ask(repo.folder.parent, question(repo)) is None
        assert len(waiting) == 1


def test_a_folder_that_others_can_open_is_not_used(repo: Repo) -> None:
    folder = watch_socket._folder()
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    said: list[str] = []
    with listening(repo.folder, lambda asked: asked.answer(Answer()), said.append):
        assert ask(repo.folder, question(repo)) is None
    assert len(said) == 1 and said[0].startswith("checks of this work tree will not use this watch: ")
    folder.chmod(0o700)
    with listening(repo.folder, lambda asked: asked.answer(Answer()), pytest.fail):
        assert ask(repo.folder, question(repo)) == Answer([], [])
        folder.chmod(0o711)
        assert ask(repo.folder, question(repo)) is None


def test_a_second_watch_says_that_there_is_one(repo: Repo, answers: Any) -> None:
    answers(lambda asked: asked.answer(Answer(said=["the first"])))
    said: list[str] = []
    with listening(repo.folder, lambda asked: asked.answer(Answer(said=["the second"])), said.append):
        assert said
    assert ask(repo.folder, question(repo)) == Answer([], ["the first"])


def test_what_asks_imports_nothing_heavy() -> None:
    command = "import sys, pliant.ci.watch_socket, pliant.ci.outputs, pliant.ci.commands.check; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-P", "-c", command], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "pyarrow", "tree_sitter", "lark", "pliant.engine", "pliant.ci.report"}.intersection(
        loaded.split()
    )
