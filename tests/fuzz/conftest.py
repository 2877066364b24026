"""The oracle and the random programs of the engine's tests are those of the fuzzer."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))
