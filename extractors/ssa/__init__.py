"""Static single assignment, built while a function is lowered.

The construction is that of Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC
2013): a block knows the values of the variables it defines, a read walks to the predecessors and places phis where
they disagree. On top of it stand

* regions: a join of branches knows where they began, and what they do not write is looked for there;
* guards: a branch on `x is None` gives `x` a new value on either side, so that rules without flow sensitivity see it;
* roots: a guard's root is the value it guards, so that a test can be recognised when it is repeated;
* paths: `base.field` is a variable of its own, keyed by the root of `base`; calls in between are written down as facts
  (`carry`) because only the call graph knows what they change;
* states: of a number or a truth in a field it is known what it was since it was last written, until a call changes it;
* versions: an object that is followed has a new one after every write and every call that gets it;
* control: the variable `LIVE` is redefined by calls that may not return, so that what follows them can be cut off.

Lowering calls `emit` with value numbers; facts are written by `finish`, when trivial phis have been removed.

In go the calls of lowering, out go the facts of a function. `blocks`, `values`, `variables`, `paths`, `heap` and
`function` are layers of one class, `Function`, each on the one before.
"""

from pliant.extractors.ssa.blocks import UNDEFINED, Block, Here, Key, Path, Value
from pliant.extractors.ssa.function import Function
from pliant.extractors.ssa.paths import STATE
from pliant.extractors.ssa.values import LIVE, Refinement

__all__ = ["LIVE", "STATE", "UNDEFINED", "Block", "Function", "Here", "Key", "Path", "Refinement", "Value"]
