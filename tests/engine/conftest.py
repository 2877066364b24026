"""The property tests' profile: the same examples in every run, unless PLIANT_PROPERTY_EXAMPLES asks for more."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from programs import EXAMPLES

settings.register_profile(
    "engine",
    max_examples=EXAMPLES or 60,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("engine")
