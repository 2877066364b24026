"""What the lowerings of all languages share.

`source` reads a file and drives its lowering, `base` holds the state of a file and emits the facts of values, guards,
uses and calls, `conditions` and `control` lower branches, loops, switches and exceptions over the SSA builder. A
language adds handlers by the node types of its grammar.
"""
