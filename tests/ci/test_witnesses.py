"""What the report says of a finding that no execution reaches."""

from __future__ import annotations

from command_line import checked, run
from repos import MakeRepo

READ = """
def read(path):
    if path == "":
        return 1, None
    return 0, path.read()
"""
USES = """
def surely(path):
    status, text = read(path)
    return status if status != 0 else text.strip()


def perhaps(path):
    status, text = read(path)
    return status if status == 0 else text.strip()
"""


def test_a_refuted_finding_has_low_confidence_and_is_told_with_all_alone(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    shown = {each["function"]: each for each in checked(repo, "--base", "main")["findings"]}
    assert set(shown) == {"perhaps"} and shown["perhaps"]["witness"] == {"verdict": "witnessed", "reason": ""}
    listed = {each["function"]: each for each in checked(repo, "--base", "main", "--all")["findings"]}
    assert listed["surely"]["witness"] == {"verdict": "refuted", "reason": ""}
    assert listed["surely"]["confidence"] == "low" != listed["perhaps"]["confidence"]
    done = run("check", repo.folder, "--base", "main", "--all")
    assert done.stdout.count("(confidence low)") == 1


def test_what_is_fixed_is_asked_about_too(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ + USES})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ})
    found = {each["function"]: each["witness"]["verdict"] for each in checked(repo, "--base", "main")["findings"]}
    assert found == {"surely": "refuted", "perhaps": "witnessed"}
