"""Prints docs/ir.md."""

import sys

from pliant.extractors.ir.instructions import markdown

sys.stdout.write(markdown())
