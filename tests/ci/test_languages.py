"""One repository with files of all languages: one check tells what each of them brings."""

from __future__ import annotations

import json

import pytest
from command_line import run
from repos import Repo

BASE = {
    "tool.py": "def find(key):\n    return key\n\n\ndef use():\n    return find(1).name\n",
    "src/Store.java": """class Store {
    private final String kept = "x";

    String find(String key) {
        return kept;
    }

    int use() {
        return find("a").length();
    }
}
""",
    "go/store.go": """package store

type Item struct{ name string }

func find(key string) *Item {
	return &Item{}
}
""",
    "go/use.go": """package store

func use(key string) string {
	return find(key).name
}
""",
    "lib/list.h": "struct node { struct node *next; };\nstruct node *find(struct node *from);\n",
    "lib/list.c": """#include "list.h"
struct node *find(struct node *from)
{
    return from->next;
}
""",
    "lib/use.c": """#include "list.h"
int use(struct node *from)
{
    return find(from)->next == from;
}
""",
}
CHANGES = {
    "tool.py": ("return key\n", "if key:\n        return None\n    return key\n"),
    "src/Store.java": ("return kept;", "return key.isEmpty() ? null : kept;"),
    "go/store.go": ("return &Item{}", 'if key == "" {\n\t\treturn nil\n\t}\n\treturn &Item{}'),
    "lib/list.c": ("return from->next;", "if (from->next == from)\n        return NULL;\n    return from->next;"),
}
FOUND = {
    "python": ("tool.py", "use", "null.attribute"),
    "java": ("src/Store.java", "Store.use", "null.method"),
    "go": ("go/use.go", "use", "null.attribute"),
    "c": ("lib/use.c", "use", "null.member"),
}


def _new(repo: Repo) -> set[tuple[str, str, str]]:
    done = run("check", repo.folder, "--base", "HEAD^", "--head", "HEAD", "--format", "json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["diagnostics"] == []
    return {
        (finding["file"], finding["function"], finding["rule"])
        for finding in report["findings"]
        if finding["status"] == "new"
    }


@pytest.mark.parametrize("languages", [list(FOUND), ["python", "c"], ["java"]])
def test_findings_of_the_languages_that_are_read(repo: Repo, languages: list[str]) -> None:
    repo.commit({**BASE, "pliant.toml": f"languages = {json.dumps(languages)}\n"})
    repo.commit({path: BASE[path].replace(before, after) for path, (before, after) in CHANGES.items()})
    assert _new(repo) == {FOUND[language] for language in languages}
