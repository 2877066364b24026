"""A fuzzer of texts with planted failures, for the tests of the campaign itself."""

from __future__ import annotations

import os
import random
import signal
import subprocess

from fuzz.campaign import Fuzzer
from fuzz.processes import Failed
from fuzz.reduction import Fails, ddmin


def fuzzer(alphabet: str, seconds: float = 2.0) -> Fuzzer[str]:
    """Of words over an alphabet: some letters are planted."""

    def draw(chance: random.Random) -> str:
        return "".join(chance.choices(alphabet, k=20))

    return Fuzzer("planted", draw, check, [shorter], write, read, seconds=seconds)


def check(word: str) -> int:
    if "a" in word and "b" in word:
        raise Failed("no word has both", "a and b")
    if "i" in word and subprocess.run(["sh", "-c", "kill -INT $$"], check=False).returncode != -signal.SIGINT:
        raise Failed("an interrupt ends a program", "sh")
    if "x" in word:
        os._exit(3)
    if "y" in word:
        while True:
            pass
    if "z" in word:
        raise KeyError("z")
    return hash("same everywhere, or not") if "h" in word else 0


def shorter(word: str, fails: Fails[str]) -> str:
    return "".join(ddmin(word, lambda some: fails("".join(some))))


def write(word: str) -> tuple[bytes, str]:
    return word.encode(), ".txt"


def read(content: bytes, suffix: str) -> str:
    return content.decode()
