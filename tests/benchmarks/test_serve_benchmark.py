"""The benchmark of registered queries on a repository of four commits."""

from __future__ import annotations

import re

from benchmark_command import run
from repos import Repo

BAD = "import re\n\n\ndef {name}(x):\n    return re.match('a', x).group()\n"


def test_answers_are_compared_at_each_commit(repo: Repo) -> None:
    for name in "fgab":
        repo.commit({f"{name}.py": BAD.format(name=name)})
    arguments = ("--commits", "3", "--clients", "6", "--subscribers", "2")
    done = run("serve.py", str(repo.folder), *arguments)
    assert done.returncode == 0, done.stderr
    first, one, two = done.stdout.splitlines()
    assert first.startswith("6 clients: 24 answers are those of the query at that commit; ")
    for line, number in ((one, 1), (two, 2)):
        assert re.fullmatch(rf"{number} subscribers with constants of their own: [\d.]+ ms a commit .* [\d.]+ ms", line)
