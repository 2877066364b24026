"""Freed memory is kept where the C library can be told to; the most that was in use is this program's."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pliant.engine import peak_memory

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


PEAK = """
import sys
import numpy as np
from pliant.engine import peak_memory
before = peak_memory()
np.ones(int(sys.argv[1]), np.uint8)
print(before, peak_memory())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere a program inherits the figure")
def test_peak_memory_is_of_this_program_and_of_the_past() -> None:
    held, freed = bytearray(b"1") * (400 << 20), 128 << 20
    command = [sys.executable, "-P", "-c", PEAK, str(freed)]
    before, after = map(int, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
    assert before < 200 << 20 < len(held) < peak_memory()
    assert freed * 0.9 < after - before < 2 * freed  # the system adds up pages now and then
