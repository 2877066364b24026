"""Saved evaluations: a whole state, or what changed since another one.

    directory/manifest.json       the newest layer: what it holds, where, with which digests; sealed by its own digest
              data-<token>.arrow  the arrays of a layer
              base-<id>.json      the manifest of a layer below, by its digest

A layer is whole or a delta on the layer below it, whose digest it names. A directory has all layers that its state
needs: what another directory has written is linked, not copied, so a state never depends on a directory that may go.
"""

from .manifest import FORMAT, MANIFEST
from .saved import LazyRelations, SavedState, layers_of
from .saving import Form, Saved, State, save

__all__ = ["FORMAT", "MANIFEST", "Form", "LazyRelations", "Saved", "SavedState", "State", "layers_of", "save"]
