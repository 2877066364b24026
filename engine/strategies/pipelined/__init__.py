"""Asynchronous evaluation: shards run their rules on what they hold, and tell each other what they derive.

A shard holds copies of relations (`pipelined_plan`) and never waits inside a phase: messages may come in any order, in
any batch and late. What makes this right, phase by phase:

    climb    Shards take the levels together: what fires at a level is told to the home, counted, and to all copies,
             before anybody goes on. Each instantiation is met once. A level costs an exchange, so this is for strata
             that join their own tuples, as long as levels are large or few; what is above is grown.
    grow     The levels are the least solution of level(head) = min over instantiations of 1 + max(level(body)). A tuple
             is put in at the level at which it is derived, and again when it is derived at a lower one; whatever uses
             it is then derived again. A shard takes its lowest level first, so that little is put in too high.
    lose     Old levels stand still. An instantiation that loses a body tuple is taken from its head's count once: when
             the first of them leaves the shard's view. A tuple whose count at its level is used up is dead everywhere.
             What supports a tuple at its level lies below, so no cycle keeps it up, and the dead are the same in any
             order.
    regrow   From what is left, grow by what is gained, and by what still derives the dead.
    tally    Levels are final. Instantiations that are new or fire at another level are counted at the home of their
             head; tuples that have another level are counted afresh.

The strategy `counting` keeps at homes how many instantiations fire at each level: then nobody is asked what still
derives the dead, or how many fire at a level.

An evaluation from nothing is climb, or grow and tally. A phase ends when no message is under way. The result is that of
Bootstrap, tuple by tuple, level by level, count by count. Closed strata (`pipelined_plan`) need none of this: each
shard runs the embedded strategy.
"""
