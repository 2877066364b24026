"""Datalog text in, a checked and stratified program with its plans out. Knows nothing of data."""
