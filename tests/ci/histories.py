"""A small repository with a past: findings that come, move, are renamed, merged and fixed; commits without code."""

from __future__ import annotations

from pathlib import Path

from repos import Repo

SAFE = "def name(user):\n    return user.name\n"
FIND = """def find(users, key):
    for user in users:
        if user.key == key:
            return user
    return None
"""
USE = "\n\ndef show(users):\n    return find(users, 1).name\n"
GUARDED = "\n\ndef show(users):\n    user = find(users, 1)\n    return user.name if user is not None else ''\n"
FIRST = "from app.users import find\n\n\ndef first(users):\n    return find(users, 0).key\n"
SHARED = "def add(item, items=[]):\n    items.append(item)\n    return items\n"
OTHER = (FIND + USE).replace("find", "search").replace("show", "view")
AGAIN = "\n\ndef greet(users):\n    return 'Hello ' + find(users, 2).name\n"


def with_a_past(folder: Path) -> Repo:
    """About fifteen commits on main, two of them merges."""
    folder.mkdir(parents=True)
    repo = Repo(folder)
    repo.git("init", "--quiet")
    repo.git("symbolic-ref", "HEAD", "refs/heads/main")
    repo.commit({"app/names.py": SAFE, "app/__init__.py": "", "README": "one\n"}, "start")
    repo.git("tag", "start")
    repo.commit({"app/users.py": FIND + USE}, "a null that is used")
    repo.commit({"README": "two\n"}, "only words")
    repo.commit({"app/users.py": "import os\n\n\n" + FIND + USE}, "lines move")
    repo.commit({"app/shared.py": SHARED}, "a shared default")
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit({"app/users.py": "import os\n\n\n" + FIND + USE + AGAIN}, "another use, on a side")
    repo.commit({"app/side.py": SAFE}, "a side's file")
    repo.git("checkout", "--quiet", "main")
    repo.git("mv", "app/shared.py", "app/lists.py")
    repo.commit(message="a file is renamed")
    repo.git("merge", "--quiet", "--no-ff", "--message", "the side comes in", "side")
    repo.commit({"app/users.py": FIND + GUARDED + AGAIN}, "one use is guarded")
    repo.commit(
        {"app/more.py": "from app.users import find\n\n\ndef first(users):\n    return find(users, 0).key\n"}, "more"
    )
    repo.commit({"README": "three\n"}, "words again")
    repo.commit({"app/more.py": FIRST.replace(".key", ".key  # pliant: ignore[null] it is there")}, "first is silenced")
    repo.commit({"app/more.py": FIRST}, "first is told again")
    repo.git("checkout", "--quiet", "-b", "fix", "HEAD~2")
    repo.commit({"app/lists.py": SHARED.replace("=[]", "")}, "no default")
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-ff", "--message", "the fix comes in", "fix")
    repo.commit({"app/more.py": None}, "more is less")
    repo.git("checkout", "--quiet", "--orphan", "other")
    repo.git("rm", "-rfq", ".")
    repo.commit(
        {"lib/other.py": OTHER},
        "another start",
    )
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-ff", "--allow-unrelated-histories", "--message", "two starts", "other")
    repo.commit({"lib/other.py": None}, "the other is gone")
    repo.commit({"app/users.py": FIND + GUARDED}, "no greeting")
    return repo
