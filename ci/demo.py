"""A small repository with a pull request in it, checked: `python -m pliant.ci.demo [FOLDER]`.

The pull request makes a lookup return None where it raised before, and a shop's default basket is shared between
customers. Neither of the two lines that fail is in the diff.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from git import Actor, Repo

_DATE = "1704067200 +0000"  # so that commit ids are the same everywhere

_BASE = {
    "shop/__init__.py": "",
    "shop/catalogue.py": '''\
"""What the shop sells."""


class Article:
    def __init__(self, number, name, price):
        self.number = number
        self.name = name
        self.price = price


class Catalogue:
    def __init__(self, articles):
        self.by_number = {article.number: article for article in articles}

    def find(self, number):
        if number not in self.by_number:
            raise LookupError(number)
        return self.by_number[number]
''',
    "shop/basket.py": '''\
"""What a customer is about to buy."""


class Basket:
    def __init__(self, articles=None):
        self.articles = list(articles or ())

    def add(self, article):
        self.articles.append(article)

    def total(self):
        return sum(article.price for article in self.articles)
''',
    "shop/checkout.py": '''\
"""From article numbers to a receipt."""

from shop.basket import Basket


def price_tag(catalogue, number):
    article = catalogue.find(number)
    return f"{article.name}: {article.price:.2f}"


def receipt(catalogue, numbers):
    basket = Basket()
    lines = []
    for number in numbers:
        basket.add(catalogue.find(number))
        lines.append(price_tag(catalogue, number))
    lines.append(f"total: {basket.total():.2f}")
    return "\\n".join(lines)
''',
    "main.py": """\
from shop.catalogue import Article, Catalogue
from shop.checkout import receipt

catalogue = Catalogue([Article(1, "pencil", 0.80), Article(2, "paper", 4.50)])
print(receipt(catalogue, [1, 2, 2]))
""",
}

_HEAD = {
    "shop/catalogue.py": _BASE["shop/catalogue.py"].replace(
        """\
        if number not in self.by_number:
            raise LookupError(number)
        return self.by_number[number]
""",
        """\
        if number not in self.by_number:
            return None
        return self.by_number[number]
""",
    ),
    "shop/basket.py": _BASE["shop/basket.py"].replace(
        """\
    def __init__(self, articles=None):
        self.articles = list(articles or ())
""",
        """\
    def __init__(self, articles=[]):
        self.articles = articles
""",
    ),
}


def make_repository(folder: Path) -> None:
    """A repository with branches main and pull-request, the second checked out."""
    author = Actor("Demo", "demo@example.org")
    with Repo.init(folder, initial_branch="main") as repository:
        for branch, files in (("main", _BASE), ("pull-request", _HEAD)):
            if branch != "main":
                repository.create_head(branch).checkout()
            for name, text in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            repository.index.add(list(files))
            message = "A shop" if branch == "main" else "Unknown articles are no error; baskets may start full"
            repository.index.commit(
                message, author=author, committer=author, author_date=_DATE, commit_date=_DATE, skip_hooks=True
            )


def main(arguments: list[str]) -> int:
    """Makes the repository and checks it; fails unless the check finds something, as it should."""
    with tempfile.TemporaryDirectory(prefix="pliant-demo-") as scratch:
        folder = Path(arguments[0]) if arguments else Path(scratch) / "shop"
        make_repository(folder)
        options = ["--base", "main", "--head", "pull-request", "--state-dir", str(Path(scratch) / "state")]
        sys.stdout.write(f"$ pliant check {folder} --base main --head pull-request\n\n")
        sys.stdout.flush()
        program = [sys.executable, "-P", "-m", "pliant.ci.cli"]
        status = subprocess.run([*program, "check", str(folder), *options], check=False).returncode
        sys.stdout.write(f"\nexit status {status}: {'something new was found' if status == 1 else 'unexpected'}\n")
        return 0 if status == 1 else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
