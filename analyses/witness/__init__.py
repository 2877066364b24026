"""Whether an execution exists in which a null comes from its origin to its use, or none does.

A candidate of the rules says that a null may reach a use. Here the functions through which it comes are run
symbolically, from the entry of the outermost one to the use, as one formula that has every way at once (bounded model
checking: what is joined is told apart by the way that it came). An SMT solver says whether the formula can hold. What
is not modelled may be anything, so the formula holds in too many cases rather than in too few: where it cannot hold on
any of the ways that the rules know, the candidate is refuted. docs/witnesses.md says what is assumed.

    derived   what the rules have derived of values and calls
    effects   what functions may write, with all that they run
    route     the ways of a null: which functions it goes through, and which calls lead from one to the other
    programs  the instructions of functions, and which of them a symbol stands for
    reads     which functions were read for an answer, and what the rules were asked
    kinds     which objects a type stands for, and which functions a call may run by them
    declared  what values are declared to be
    known     what is known of a value without regard to the way
    outcomes  what a call may leave in a cell, with what it gives
    graph     the blocks of a function with its loops taken apart: a first round, and any later one
    counted   loops over items that are written there
    state     what variables and fields hold, asked for when it is needed
    terms     values and conditions as nodes
    run       one question's run: its bounds, what was read and used
    cells, instructions, order, binding, library, calls, execute   a run of a function, in layers
    bounds    what a question may cost
    reach     what a condition depends on
    solve     whether it can hold; z3_terms: the solver
    judge     the answer
"""
