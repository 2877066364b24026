"""Go: from syntax trees to the intermediate representation.

    declarations    a file: what it declares, and its functions one by one
    types           written types; what a file's own types are
    names           what names mean: variables, packages, types, builtins
    body            a function under translation
    places          what can be assigned to
    expressions, literals, calls, builtins, conditions
    statements, assignments, loops, switches

In goes a tree, out comes a `Unit`. Nothing here knows of facts or rules: what null does in Go is said in `semantics`.
"""
