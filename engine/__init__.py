"""Datalog in, derived relations and their differences out.

Knows nothing of source code, git or findings.
"""
