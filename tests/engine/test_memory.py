"""Freed memory is kept where the C library can be told to."""

from __future__ import annotations

import subprocess
import sys

import pytest

TOUCHES = """
import resource, sys
import numpy as np
from pliant.engine import keep_freed_memory
if sys.argv[1] == "kept":
    keep_freed_memory()
np.ones(8 << 20, np.uint8)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(8):
    np.ones(8 << 20, np.uint8)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it counts page faults as Linux does")
def test_arrays_take_the_memory_that_others_have_left() -> None:
    def faults(how: str) -> int:
        command = [sys.executable, "-P", "-c", TOUCHES, how]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    kept, given_back = faults("kept"), faults("as usual")
    if not given_back:
        pytest.skip("the C library keeps memory anyway")
    assert kept < given_back / 2
