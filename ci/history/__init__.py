"""A range of commits: what each of them introduced and fixed, and how long each finding lived.

    commits ──► edges (parent, commit) ──► windows of up to 64 versions ──► a folder of results a window ──► tables

Comes in: a git repository and a range. Goes out: Parquet files in a folder. Windows are independent tasks: each reads
git for itself, and any process may run it.
"""
