"""The module of names that all files of a C program share."""

from __future__ import annotations

LINKAGE = "C"  # the one module that all names with external linkage, and the names of types, are members of
