"""How a stratum gets from its old state to its new one: Bootstrap, Update, and the elastic choice between them.

Comes in: a stratum, and lower relations whose changes are marked in their rows. Goes out: the stratum's relations,
their changes marked likewise, and a report. Strategies are written against relations and executed plans only.
"""
