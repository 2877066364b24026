"""Datalog programs (`*.dl`) and what a finding of each means."""
