"""Queries that stay: clients register them, and follow how commits change the answers.

commits (follow.py) ──► the maintained state and its registered queries (dataflow.py) ──► clients (flight.py)
"""
