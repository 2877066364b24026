"""How the program ends: by a signal, with a worker that is busy, with an output that takes nothing."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_line import MARK, PROGRAM, checked, run
from repos import Repo

MAIN = "from pliant.ci.cli import main; main()"
SIGNALS = (signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP)
OF_A_CHECK = (signal.SIGKILL, signal.SIGINT)  # which always run on a check; the others, on a history
NIGHTLY = pytest.mark.nightly
HERE = Path(__file__).parent
PROC = Path("/proc")
BASE = "def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n"
HEAD = BASE.replace("return key", "if key:\n        return None\n    return key")
# A shell, or what runs the tests, may have switched some signals off for all that it starts.
SIGNALS_ON = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
EXTRACTS = f"""{SIGNALS_ON}
import sys
from toy import Toy
from pliant.extractors.workers import extract_apart
list(extract_apart([(0, Toy(), sys.argv[1].encode())]))
"""
ENDS_WITH_PARENT = """
import sys
sys.platform = "elsewhere" if sys.argv[1:] else sys.platform
from pliant.extractors.parent import end_with_parent
end_with_parent(0)
while True: pass
"""
PROGRAM_TEXT = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
.output path
path(x, y) :- edge(x, y).
"""


def marked(mark: str) -> list[int]:
    """The processes that run with this mark in their environment: those that a test started, and theirs."""
    found = []
    for process in PROC.iterdir():
        try:
            if process.name.isdigit() and mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass  # it has ended, or is another user's
    return found


def until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What all processes of a test have in their environment; none of them outlives it."""
    if not PROC.is_dir():
        pytest.skip("processes are listed in /proc")
    monkeypatch.setenv(MARK, str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
    yield f"{MARK}={tmp_path}\0"
    for left in marked(f"{MARK}={tmp_path}\0"):
        os.kill(left, signal.SIGKILL)


@pytest.fixture
def pull_request(repo: Repo) -> Repo:
    repo.commit({"a.py": BASE})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": HEAD})
    return repo


# Processes


@pytest.mark.parametrize("busy", ["!spin", "!hold"])
@pytest.mark.parametrize("by", SIGNALS, ids=lambda by: by.name)
def test_a_busy_worker_ends_with_its_parent(by: signal.Signals, busy: str, mark: str, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    process = subprocess.Popen([sys.executable, "-c", EXTRACTS, f"{busy} {begun}"], stderr=subprocess.DEVNULL)
    until(begun.exists)
    assert len(marked(mark)) == 2
    process.send_signal(by)
    process.wait(60)
    until(lambda: not marked(mark))


@pytest.mark.parametrize("elsewhere", [[], ["elsewhere"]])
def test_a_child_whose_parent_has_gone_before_it_watches_ends(elsewhere: list[str]) -> None:
    read, write = os.pipe()
    process = subprocess.Popen([sys.executable, "-c", ENDS_WITH_PARENT, *elsewhere], stdin=read)
    os.close(read)
    os.close(write)
    assert process.wait(60) == 1


@pytest.mark.parametrize(
    ("command", "by"),
    [
        pytest.param(
            command, by, id=f"{command}-{by.name}", marks=() if (by in OF_A_CHECK) == (command == "check") else NIGHTLY
        )
        for command in ("check", "history")
        for by in SIGNALS
    ],
)
def test_a_signal_ends_all_processes_and_leaves_what_a_next_run_can_use(
    by: signal.Signals, command: str, pull_request: Repo, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull_request.git("checkout", "--quiet", "main")
    names = {f"f{number}.py": "".join(f"def f{number}_{part}(key):\n    return key.a\n" for part in range(250))
             for number in range(60)}  # fmt: skip
    pull_request.commit(names)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    options = ["check", "--base", "main~1", "--head", "main"] if command == "check" else ["history", "main"]
    options += [str(pull_request.folder), "--state-dir", str(tmp_path / "state")]
    options += ["--out", str(tmp_path / "out"), "--jobs", "2", "--versions", "3"] if command == "history" else []
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", SIGNALS_ON + MAIN, *options], stderr=subprocess.PIPE, text=True
    )
    until(lambda: len(marked(mark)) > 2)  # workers are at it
    process.send_signal(by)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (130 if by == signal.SIGINT else -by)
    assert errors == {signal.SIGINT: "pliant: interrupted\n", signal.SIGKILL: ""}.get(
        by, f"pliant: ended by {by.name}\n"
    )
    until(lambda: not marked(mark))
    if by != signal.SIGKILL:
        assert not list((tmp_path / "tmp").iterdir()) and not list((tmp_path / "state").rglob("*.tmp"))
    done = run(*options)
    assert (done.returncode, done.stderr) == (0, "")
    assert not list((tmp_path / "state").rglob("*.tmp"))


def test_a_hang_up_under_nohup_is_nothing(pull_request: Repo) -> None:
    hang_up = f"import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from pliant.ci import sides; \
real = sides.resolve; sides.resolve = lambda *a, **k: (os.kill(os.getpid(), signal.SIGHUP), real(*a, **k))[1]; {MAIN}"
    done = subprocess.run([sys.executable, "-P", "-c", hang_up, "check", pull_request.folder, "-q"], check=False)
    assert done.returncode == 1


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_comes_while_an_object_is_destroyed_ends_the_program(pull_request: Repo, by: int) -> None:
    destroys = f"""{SIGNALS_ON}
import os, time
from pliant.ci import sides
class Dying:
    def __del__(self):
        os.kill(os.getpid(), {int(by)})
        for _ in range(1000): pass
def resolve(*arguments, **named):
    Dying()
    for _ in range(6000): time.sleep(0.01)
sides.resolve = resolve
"""
    command = [sys.executable, "-P", "-c", destroys + MAIN, "check", pull_request.folder, "-q"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == (130 if by == signal.SIGINT else -by)
    assert done.stderr == ("pliant: interrupted\n" if by == signal.SIGINT else f"pliant: ended by {by.name}\n")


DROPS = """
try:
    asked()
except BaseException:
    pass
rest()
"""
KEEPS = """
try:
    asked()
except BaseException as error:
    os.kept = error
"""
FAILS = """
try:
    asked()
finally:
    raise BufferError("cannot close")
"""


@pytest.mark.parametrize("code", [DROPS, KEEPS, FAILS], ids=["dropped", "kept", "replaced"])
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda by: by.name)
def test_an_end_that_code_takes_for_an_error_of_its_own_still_ends_the_program(
    pull_request: Repo, by: signal.Signals, code: str
) -> None:
    program = f"""{SIGNALS_ON}
import os, time
from pliant.ci import sides
real = sides.resolve
def asked():
    os.kill(os.getpid(), {int(by)})
    for _ in range(1000): pass
def rest():
    for _ in range(6000): time.sleep(0.01)
def resolve(*arguments, **named):
    exec({code!r}, globals())
    return real(*arguments, **named)
sides.resolve = resolve
"""
    command = [sys.executable, "-P", "-c", program + MAIN, "check", pull_request.folder, "-q"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == (130 if by == signal.SIGINT else -by)
    assert done.stderr == ("pliant: interrupted\n" if by == signal.SIGINT else f"pliant: ended by {by.name}\n")


# Outputs


COMMANDS = {
    "--version": [],
    "check": ["{repo}"],
    "check --format json": ["{repo}"],
    "history main..pr": ["{repo}", "--out", "{scratch}/out"],
    "queue --base main pr": ["--repo", "{repo}"],
    "facts": ["{repo}", "--out", "{scratch}/facts"],
    "verify": ["{repo}"],
    "doctor": ["{repo}"],
    "datalog run -D -": ["{scratch}/p.dl", "-F", "{scratch}"],
    "datalog explain": ["{scratch}/p.dl"],
    "datalog prove": ["{scratch}/p.dl", 'path("a", "b")', "-F", "{scratch}"],
    "explain": ["{fingerprint}", "{repo}"],
    "rules": [],
    "rules null.attribute": [],
    "state ls": ["--repo", "{repo}"],
    "config show": ["{repo}"],
}


def arguments(command: str, repo: Repo, scratch: Path) -> list[str]:
    (scratch / "p.dl").write_text(PROGRAM_TEXT)
    (scratch / "edge.facts").write_text("".join(f"a{number}\tb\n" for number in range(20_000)) + "a\tb\n")
    fingerprint = checked(repo)["findings"][0]["fingerprint"] if command == "explain" else ""
    values = {"repo": repo.folder, "scratch": scratch, "fingerprint": fingerprint}
    return [*command.split(), *(each.format(**values) for each in COMMANDS[command])]


def in_shell(redirected: str, *options: str, cwd: Path | None = None) -> tuple[int, str]:
    """The status that a shell sees, and what goes to standard error."""
    command = f'{shlex.join(PROGRAM)} "$@" {redirected}'
    script = f"set -o pipefail; {command}"
    done = subprocess.run(
        ["bash", "-c", script, "-", *options], stderr=subprocess.PIPE, check=False, text=True, cwd=cwd
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.one_in(3)
def test_an_output_that_is_closed_is_one_line(pull_request: Repo, tmp_path: Path, command: str) -> None:
    status, errors = in_shell(">&-", *arguments(command, pull_request, tmp_path))
    assert (status, errors) == (2, "pliant: standard output cannot be written: Bad file descriptor\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["check", "check --format json", "datalog run -D -", "rules"])
def test_an_output_on_a_full_disk_is_one_line(pull_request: Repo, tmp_path: Path, command: str) -> None:
    for debug in ([], ["--debug"] if command != "rules" else []):
        status, errors = in_shell(">/dev/full", *arguments(command, pull_request, tmp_path), *debug)
        assert status == 2
        assert errors.endswith("pliant: standard output cannot be written: No space left on device\n")
        assert ("Traceback" in errors) is bool(debug)


def test_a_reader_that_leaves_ends_the_program_as_it_ends_git(pull_request: Repo, tmp_path: Path) -> None:
    options = arguments("datalog run -D -", pull_request, tmp_path)
    assert in_shell("| head -n 1 >/dev/null", *options) == (128 + signal.SIGPIPE, "")
    process = subprocess.Popen([*PROGRAM, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == -signal.SIGPIPE


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_other_streams_that_are_closed_change_nothing(pull_request: Repo, tmp_path: Path, closed: str) -> None:
    if "full" in closed and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    out = tmp_path / "out"
    status, _ = in_shell(f"{closed} >{out}", "check", str(pull_request.folder), "--verbose")
    assert status == 1 and "1 new (1 warning)" in out.read_text()
    assert in_shell(f"{closed} >{out}", "check", str(pull_request.folder), "--base", "nowhere")[0] == 2


def test_an_output_that_does_not_block_is_written_whole(pull_request: Repo, tmp_path: Path) -> None:
    options = arguments("datalog run -D -", pull_request, tmp_path)
    read, write = os.pipe()
    os.set_blocking(write, False)
    process = subprocess.Popen([*PROGRAM, *options], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    time.sleep(0.5)  # the pipe is full by now
    with os.fdopen(read, "rb") as stream:
        lines = stream.read().splitlines()
    assert (len(lines), process.communicate()[1], process.returncode) == (20_005, b"", 0)


def test_a_current_folder_that_has_gone(pull_request: Repo, tmp_path: Path) -> None:
    gone = tmp_path / "gone"

    def check(*options: str) -> tuple[int, str]:
        gone.mkdir(exist_ok=True)
        script = f'rmdir "$PWD"; exec {shlex.join(PROGRAM)} "$@" >/dev/null'
        done = subprocess.run(
            ["bash", "-c", script, "-", *options], cwd=gone, stderr=subprocess.PIPE, text=True, check=False
        )
        return done.returncode, done.stderr

    assert check("check", str(pull_request.folder), "--state-dir", str(tmp_path / "state")) == (1, "")
    assert check("history", "pr", str(pull_request.folder), "--out", str(tmp_path / "out"), "--jobs", "2") == (0, "")
    removed = "pliant: the current folder has been removed: go to one that is there, or give absolute paths\n"
    assert check("check", str(pull_request.folder), "--state-dir", "state") == (2, removed)
    assert check("history", "pr", str(pull_request.folder)) == (2, removed)
    assert check("check", "../repo") == (2, removed)
    status, errors = check("check")
    assert status == 2 and "current folder" in errors and errors.count("\n") == 1
