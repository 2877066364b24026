"""The nightly fuzzer: random inputs of every kind that a check reads, each with what has to hold of it.

    python tests/fuzz sources --language c --count 10000 --seed 1 [REPOSITORY ...]

A module for each kind of input says how one is drawn from a seed, what is checked of it, and into which parts it can be
taken to be made smaller. `campaign.py` runs them in processes of their own (`processes.py`), reduces what fails
(`reduction.py`) and writes it to a file that becomes a test when it is put into `cases/`.
"""
