"""Units of the intermediate representation to facts, for all languages alike.

    declarations    what a file declares: modules, classes, functions
    index           the instructions of a function by number and by operation, for all passes
    outline         what the functions of a file say of each other, for who reads one of them without the others
    survey          what is known of a file before its functions are constructed
    construct       the functions, one after the other, and what fails; construction: static single assignment with
                    guard nodes, block by block
    guards          what predicates show; questions: what is remembered of their answers; handlers: what is caught
    numbers         what constants, arithmetic and comparisons say of numbers; decisions: branches that this decides
    scalars         branches on fields and functions that give one number for good (fixed_numbers)
    steps           what instructions do, on top of exits (ways out), calls, objects, uses (of null), variables
    resources       which calls get what a call has opened, and on which ways out it is lost
    emission        the table that says which instruction gives which facts

`facts.facts_of` runs them; a language calls it with its unit and its `Semantics`.
"""
