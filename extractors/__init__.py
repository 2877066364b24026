"""Source text in, facts out.

A language is one folder that lowers its syntax trees to facts of the relations in `schema`; nothing here knows of
git, of the engine or of findings.
"""
