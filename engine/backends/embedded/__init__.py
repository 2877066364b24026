"""Relations as numpy columns of 32-bit words, arrangements as sorted runs, plans executed a whole column at a time.

Comes in: plans and rows of ids. Goes out: instantiations, a column for each variable of the head. No loop here runs
over tuples.
"""
