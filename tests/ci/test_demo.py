"""The example at the top of the README is what the program prints for it."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_shows_what_the_demo_prints() -> None:
    shown = re.search(r"\$ pliant check --base main\n\n(.*?)```", README.read_text("utf-8"), re.S)
    assert shown
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pliant.ci.demo"], capture_output=True, text=True, timeout=120, check=True
    )
    printed = re.search(r"--head pull-request\n\n(.*?)\nexit status 1", done.stdout, re.S)
    assert printed
    seconds = re.compile(r"\d+\.\d s")
    assert seconds.sub("S", printed[1]) == seconds.sub("S", shown[1])
