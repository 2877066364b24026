"""Facts of a published shape, for inputs that are not to be had.

    python benchmarks/generate.py DIR [--scale 0.1]

`galen`: the axioms of an ontology in normal form, for programs/galen.dl. At scale 1 about as many as the published
input has (976,552). Classes form a taxonomy of several parents a class; general classes have few restrictions of their
own and hand them down; roles form a small hierarchy with chains of parts and places. `closure`: a random graph.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

CLOSURE_NODES = 3_000  # each with two edges, so that some 5.6 million pairs are connected
GALEN = ("isA", "has", "chain", "conjunction", "exists", "subrole")
_CLASSES = 400_000  # at scale 1
_ROLES = 950

Rows = NDArray[np.int64]


def galen(folder: Path, scale: float, seed: int = 0) -> None:
    """Write the relations of `GALEN` as `NAME.facts`."""
    for name, rows in galen_rows(scale, seed).items():
        np.savetxt(folder / f"{name}.facts", np.unique(rows, axis=0), "%d", "\t")


def closure(folder: Path, seed: int = 0) -> None:
    """Write a random graph as `edge.facts`."""
    ends = np.random.default_rng(seed).integers(CLOSURE_NODES, size=(2 * CLOSURE_NODES, 2))
    np.savetxt(folder / "edge.facts", np.unique(ends, axis=0), "%d", "\t")


def galen_rows(scale: float, seed: int = 0) -> dict[str, Rows]:
    random = np.random.default_rng(seed)
    classes = max(100, int(_CLASSES * scale))
    roles = min(_ROLES, max(20, classes // 20))
    return {
        "isA": _taxonomy(random, classes),
        "has": _triples(random, classes, roles, int(0.72 * classes)),
        "chain": _chains(random, roles),
        "conjunction": _conjunctions(random, classes, int(0.16 * classes)),
        "exists": _definitions(random, classes, roles, int(0.16 * classes)),
        "subrole": _tree(random, roles, 4),
    }


def _tree(random: np.random.Generator, size: int, branching: int) -> Rows:
    """Every node but the first is below an earlier one, so that depth grows with the logarithm of the size."""
    child = np.arange(1, size)
    parent = (child - 1) // branching
    jitter = random.integers(0, branching, len(child))
    return np.stack([child, np.maximum(parent - jitter, 0)], axis=1)


def _taxonomy(random: np.random.Generator, classes: int) -> Rows:
    tree = _tree(random, classes, 6)
    second = random.choice(len(tree), int(0.2 * len(tree)), replace=False)
    child = tree[second, 0]
    return np.concatenate([tree, np.stack([child, _general(random, child)], axis=1)])


def _general(random: np.random.Generator, below: Rows) -> Rows:
    """For each class one that is more general: an earlier one, and rather a much earlier one."""
    return (below * random.random(len(below)) ** 2).astype(np.int64)


def _role(random: np.random.Generator, roles: int, size: int) -> Rows:
    """A few roles are used much."""
    return (roles * random.random(size) ** 3).astype(np.int64)


def _triples(random: np.random.Generator, classes: int, roles: int, size: int) -> Rows:
    subject = random.integers(0, classes, size)
    return np.stack([subject, _role(random, roles, size), random.integers(0, classes, size)], axis=1)


def _conjunctions(random: np.random.Generator, classes: int, size: int) -> Rows:
    """x and y imply z, where a class below both is likely: x is below what y is below."""
    y = random.integers(1, classes, size)
    return np.stack([_general(random, y), y, _general(random, y)], axis=1)


def _definitions(random: np.random.Generator, classes: int, roles: int, size: int) -> Rows:
    """To have an r that is a y implies z, a class about as general as y."""
    y = random.integers(1, classes, size)
    return np.stack([y, _role(random, roles, size), _general(random, y)], axis=1)


def _chains(random: np.random.Generator, roles: int) -> Rows:
    """One role in eight passes along itself or along another one: r1 after r2 implies r1."""
    role = np.arange(5, roles, 8)
    along = np.where(random.random(len(role)) < 0.5, role, random.permutation(role))
    return np.stack([role, along, role], axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--scale", type=float, default=0.1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    galen(options.folder, options.scale)


if __name__ == "__main__":
    main()
