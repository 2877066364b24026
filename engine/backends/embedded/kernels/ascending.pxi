"""Levels of a stratum, one after the other, as long as they are short.

The tuples of its relations are kept in hash tables, by all columns and by those that rules look up. A level's heads are
collected first, so that a level that turns out to be long leaves no trace.
"""

cdef enum:
    MOST_VARIABLES = 64
    MOST_COLUMNS = 16  # of a key, and of what a lookup binds
    SIEVE = 0
    LOOKUP = 1  # in the runs of a relation of a lower stratum
    HELD = 2  # in a relation of the stratum
    TOO_LONG = 1
    NO_MEMORY = 2
    WORTH_PARTS = 1024  # entries of a run that is divided into parts,
    ENTRIES_OF_QUESTION = 16  # once there was a question for each so many of them

cdef struct Ints:
    int32_t* at
    Py_ssize_t size
    Py_ssize_t room

cdef struct Chain:  # the rows of a relation that have the same values in some columns, the newest first
    int count
    int columns[MOST_COLUMNS]
    int32_t* first  # of each of a power of two of hashes, or -1
    int32_t* following  # of each row
    Py_ssize_t hashes
    Py_ssize_t room

cdef struct Stored:  # a relation of the stratum
    int arity
    int32_t** columns
    Py_ssize_t before  # rows that it had
    Py_ssize_t stable  # rows from here on are those of the level before
    Py_ssize_t size
    Py_ssize_t start  # of the rows that the running level adds
    Py_ssize_t room
    int32_t* levels  # of rows that are new, as are `own`: instantiations at the level of the row
    int64_t* own
    int64_t* others  # at higher levels, and of these `above`: at the next one
    int64_t* above
    int32_t* places  # a hash table of rows, -1 where there is none
    Py_ssize_t hashes
    Chain* chains
    int chain_count
    Ints known  # rows and levels of instantiations of what was there

cdef struct Stretch:  # a run
    const uint64_t* keys
    const int32_t* rows
    Py_ssize_t size
    int64_t asked
    int32_t* starts  # once many were asked for: where the entries of each of `parts` parts of the keys start
    Py_ssize_t parts
    int shift  # bits of a key, less the first one, that do not tell its part

cdef struct Step:
    int kind
    int count
    int operands[MOST_COLUMNS]  # variables, or -1 for a constant
    int32_t constants[MOST_COLUMNS]
    bint whole
    bint prefix
    bint absent
    int run_count
    Stretch runs[MOST_RUNS]
    const uint8_t* states
    uint8_t wanted
    uint8_t barred
    int bind_count
    const int32_t* bound[MOST_COLUMNS]  # columns; of a held relation their numbers in `bound_columns`
    int bound_columns[MOST_COLUMNS]
    int variables[MOST_COLUMNS]
    int second
    int tier
    int chain
    bint stable
    int equal_count
    int equal_first[MOST_COLUMNS]
    int equal_second[MOST_COLUMNS]
    bint less
    bint more
    bint equal
    bint unsigned

cdef struct Head:
    int tier
    int count
    int operands[MOST_COLUMNS]
    int32_t constants[MOST_COLUMNS]

cdef struct Counted:  # as in Tally: `met` is its work
    int64_t runs
    int64_t driven
    int64_t found
    int64_t met
    int64_t searched

cdef struct Rule:  # a rule that is driven by one of its atoms
    int driver
    int bind_count
    int bound_columns[MOST_COLUMNS]
    int variables[MOST_COLUMNS]
    int constant_count
    int constant_columns[MOST_COLUMNS]
    int32_t constants[MOST_COLUMNS]
    int equal_count
    int equal_first[MOST_COLUMNS]
    int equal_second[MOST_COLUMNS]
    Step* steps
    int step_count
    Head* heads
    int head_count
    Counted done
    Counted before  # the running level


cdef inline uint64_t mixed(uint64_t hash, int32_t value) noexcept nogil:
    hash = (hash ^ <uint32_t> value) * <uint64_t> 0x9E3779B97F4A7C15
    return hash ^ (hash >> 29)


cdef inline Py_ssize_t at_least(const uint64_t* keys, Py_ssize_t size, uint64_t wanted) noexcept nogil:
    """The first place whose key is not less."""
    cdef Py_ssize_t low = 0, half
    while size > 0:
        half = size >> 1
        if keys[low + half] < wanted:
            low += half + 1
            size -= half + 1
        else:
            size = half
    return low


cdef int part_up(Stretch* stretch) noexcept nogil:
    """Divide a run into parts by equal ranges of keys: into no more parts than it has entries."""
    cdef uint64_t span = stretch.keys[stretch.size - 1] - stretch.keys[0]
    cdef Py_ssize_t entry, part, last = 0
    while span >> stretch.shift >= <uint64_t> stretch.size:
        stretch.shift += 1
    stretch.parts = (span >> stretch.shift) + 1
    stretch.starts = <int32_t*> malloc((stretch.parts + 1) * sizeof(int32_t))
    if stretch.starts == NULL:
        return NO_MEMORY
    for entry in range(stretch.size):
        part = (stretch.keys[entry] - stretch.keys[0]) >> stretch.shift
        while last <= part:
            stretch.starts[last] = <int32_t> entry
            last += 1
    while last <= stretch.parts:
        stretch.starts[last] = <int32_t> stretch.size
        last += 1
    return 0


cdef inline Py_ssize_t place_of(Stretch* stretch, uint64_t wanted) noexcept nogil:
    """The first place whose key is not less."""
    cdef Py_ssize_t part
    if stretch.starts == NULL:
        return at_least(stretch.keys, stretch.size, wanted)
    if wanted <= stretch.keys[0]:
        return 0
    part = min(<uint64_t> ((wanted - stretch.keys[0]) >> stretch.shift), <uint64_t> stretch.parts)
    if part == stretch.parts:
        return stretch.size
    return stretch.starts[part] + at_least(
        stretch.keys + stretch.starts[part], stretch.starts[part + 1] - stretch.starts[part], wanted)


cdef int push(Ints* ints, int32_t value) noexcept nogil:
    cdef Py_ssize_t room
    cdef int32_t* grown
    if ints.size == ints.room:
        room = 2 * ints.room + 64
        grown = <int32_t*> realloc(ints.at, room * sizeof(int32_t))
        if grown == NULL:
            return NO_MEMORY
        ints.at, ints.room = grown, room
    ints.at[ints.size] = value
    ints.size += 1
    return 0


cdef int make_room(void** array, Py_ssize_t items, Py_ssize_t width) noexcept nogil:
    cdef void* grown = realloc(array[0], items * width)
    if grown == NULL:
        return NO_MEMORY
    array[0] = grown
    return 0


cdef int reserve(Stored* tier, Py_ssize_t needed) noexcept nogil:
    cdef Py_ssize_t room
    cdef int column, failed = 0
    if needed <= tier.room:
        return 0
    room = max(needed, tier.room + tier.room // 2, 256)
    for column in range(tier.arity):
        failed |= make_room(<void**> &tier.columns[column], room, sizeof(int32_t))
    failed |= make_room(<void**> &tier.levels, room, sizeof(int32_t))
    failed |= make_room(<void**> &tier.own, room, sizeof(int64_t))
    failed |= make_room(<void**> &tier.others, room, sizeof(int64_t))
    failed |= make_room(<void**> &tier.above, room, sizeof(int64_t))
    if failed:
        return NO_MEMORY
    tier.room = room
    return 0


cdef uint64_t hash_of(Stored* tier, Py_ssize_t row) noexcept nogil:
    cdef uint64_t hash = 0
    cdef int column
    for column in range(tier.arity):
        hash = mixed(hash, tier.columns[column][row])
    return hash


cdef int hash_all(Stored* tier) noexcept nogil:
    """Make the hash table of all rows, with room for as many more."""
    cdef Py_ssize_t hashes = 256, row, slot
    cdef int32_t* places
    while hashes < 4 * (tier.size + 1):
        hashes *= 2
    places = <int32_t*> malloc(hashes * sizeof(int32_t))
    if places == NULL:
        return NO_MEMORY
    memset(places, 0xFF, hashes * sizeof(int32_t))
    for row in range(tier.size):
        slot = hash_of(tier, row) & (hashes - 1)
        while places[slot] >= 0:
            slot = (slot + 1) & (hashes - 1)
        places[slot] = <int32_t> row
    free(tier.places)
    tier.places, tier.hashes = places, hashes
    return 0


cdef int chain_rows(Stored* tier, Chain* chain, Py_ssize_t start) noexcept nogil:
    """Put the rows from `start` on into a chain; all of them, if it has become small for them."""
    cdef Py_ssize_t row, slot, room, hashes
    cdef uint64_t hash
    cdef int each
    if tier.size > chain.room or chain.first == NULL:
        room, hashes = 2 * tier.size + 256, 256
        while hashes < room:
            hashes *= 2
        if make_room(<void**> &chain.following, room, sizeof(int32_t)):
            return NO_MEMORY
        if make_room(<void**> &chain.first, hashes, sizeof(int32_t)):
            return NO_MEMORY
        memset(chain.first, 0xFF, hashes * sizeof(int32_t))
        chain.room, chain.hashes = room, hashes
        start = 0
    for row in range(start, tier.size):
        hash = 0
        for each in range(chain.count):
            hash = mixed(hash, tier.columns[chain.columns[each]][row])
        slot = hash & (chain.hashes - 1)
        chain.following[row] = chain.first[slot]
        chain.first[slot] = <int32_t> row
    return 0


cdef bint sieved(Step* step, const int32_t* variables) noexcept nogil:
    cdef int64_t left = held_by(step.operands[0], step.constants[0], variables)
    cdef int64_t right = held_by(step.operands[1], step.constants[1], variables)
    if step.unsigned:
        left, right = <uint32_t> <int32_t> left, <uint32_t> <int32_t> right
    return (step.less and left < right) or (step.more and left > right) or (step.equal and left == right)


cdef class Ascent:
    """Relations of a stratum, and what is derived in them from level to level."""

    cdef Stored* tiers
    cdef int tier_count
    cdef Rule* ways
    cdef int way_count
    cdef int32_t variables[MOST_VARIABLES]
    cdef Ints heads
    cdef int64_t most_met
    cdef int64_t short
    cdef bint noting
    cdef readonly int level
    cdef object read  # arrays

    most_columns = MOST_COLUMNS
    most_runs = MOST_RUNS
    most_variables = MOST_VARIABLES

    def __cinit__(self, tiers, ways, constants, int level, Py_ssize_t short, Py_ssize_t most_met, bint noting):
        cdef int index
        self.level, self.short, self.most_met, self.noting, self.read = level, short, most_met, noting, ways
        self.tiers = <Stored*> calloc(max(len(tiers), 1), sizeof(Stored))
        self.ways = <Rule*> calloc(max(len(ways), 1), sizeof(Rule))
        if self.tiers == NULL or self.ways == NULL:
            raise MemoryError
        self.tier_count, self.way_count = len(tiers), len(ways)
        for index in range(self.tier_count):
            self._take_relation(&self.tiers[index], tiers[index])
        for index in range(self.way_count):
            self._take_way(&self.ways[index], ways[index], constants)
        for index in range(self.tier_count):
            self._index(&self.tiers[index])

    def __dealloc__(self):
        cdef int index, each, run
        if self.tiers != NULL:
            for index in range(self.tier_count):
                tier = &self.tiers[index]
                if tier.columns != NULL:
                    for each in range(tier.arity):
                        free(tier.columns[each])
                for each in range(tier.chain_count):
                    free(tier.chains[each].first)
                    free(tier.chains[each].following)
                free(tier.columns)
                free(tier.levels)
                free(tier.own)
                free(tier.others)
                free(tier.above)
                free(tier.places)
                free(tier.chains)
                free(tier.known.at)
        if self.ways != NULL:
            for index in range(self.way_count):
                for each in range(self.ways[index].step_count):
                    for run in range(self.ways[index].steps[each].run_count):
                        free(self.ways[index].steps[each].runs[run].starts)
                free(self.ways[index].steps)
                free(self.ways[index].heads)
        free(self.tiers)
        free(self.ways)
        free(self.heads.at)

    cdef int _take_relation(self, Stored* tier, relation) except -1:
        columns, stable, size = relation
        cdef int column
        tier.arity = len(columns)
        tier.columns = <int32_t**> calloc(max(tier.arity, 1), sizeof(int32_t*))
        if tier.columns == NULL or reserve(tier, size + 256):
            raise MemoryError
        tier.before = tier.size = size
        tier.stable = stable
        for column in range(tier.arity):
            memcpy(tier.columns[column], items(columns[column], 4), size * sizeof(int32_t))
        memset(tier.others, 0, size * sizeof(int64_t))
        memset(tier.above, 0, size * sizeof(int64_t))
        return 0

    cdef int _index(self, Stored* tier) except -1:
        cdef int failed = 0, each
        with nogil:
            failed = hash_all(tier)
            for each in range(tier.chain_count):
                failed |= chain_rows(tier, &tier.chains[each], 0)
        if failed:
            raise MemoryError
        return 0

    cdef int _take_way(self, Rule* way, given, constants) except -1:
        cdef int index
        driver, of_constants, equal, binds, steps, heads = given
        way.driver = driver
        way.constant_count = len(of_constants)
        for index in range(way.constant_count):
            way.constant_columns[index], way.constants[index] = of_constants[index][0], constants[of_constants[index][1]]
        way.equal_count = len(equal)
        for index in range(way.equal_count):
            way.equal_first[index], way.equal_second[index] = equal[index]
        way.bind_count = len(binds)
        for index in range(way.bind_count):
            way.bound_columns[index], way.variables[index] = binds[index]
        way.steps = <Step*> calloc(max(len(steps), 1), sizeof(Step))
        way.heads = <Head*> calloc(max(len(heads), 1), sizeof(Head))
        if way.steps == NULL or way.heads == NULL:
            raise MemoryError
        way.step_count, way.head_count = len(steps), len(heads)
        for index in range(way.step_count):
            self._take_step(&way.steps[index], steps[index], constants)
        for index in range(way.head_count):
            way.heads[index].tier = heads[index][0]
            way.heads[index].count = len(heads[index][1])
            take_operands(heads[index][1], constants, way.heads[index].operands, way.heads[index].constants)
        return 0

    cdef int _take_step(self, Step* step, given, constants) except -1:
        cdef int index
        if isinstance(given, Sieve):
            step.kind, step.unsigned = SIEVE, given.unsigned
            step.less = "<" in given.operator or given.operator == "!="
            step.more = ">" in given.operator or given.operator == "!="
            step.equal = given.operator in ("=", "<=", ">=")
            take_operands((given.left, given.right), constants, step.operands, step.constants)
            return 0
        step.count = len(given.operands)
        take_operands(given.operands, constants, step.operands, step.constants)
        step.bind_count = len(given.binds)
        if isinstance(given, Held):
            step.kind, step.tier, step.stable, step.second = HELD, given.tier, given.stable, -1
            step.chain = self._chain(&self.tiers[step.tier], given.columns)
            for index in range(step.bind_count):
                step.bound_columns[index], step.variables[index] = given.binds[index]
            step.equal_count = len(given.equal)
            for index in range(step.equal_count):
                step.equal_first[index], step.equal_second[index] = given.equal[index]
            return 0
        step.kind, step.whole, step.prefix, step.absent = LOOKUP, given.whole, given.prefix, given.absent
        step.second = given.second
        step.run_count = len(given.runs)
        for index in range(step.run_count):
            run = given.runs[index]
            step.runs[index].keys = <const uint64_t*> items(run.keys, 8)
            step.runs[index].rows = <const int32_t*> items(run.rows, 4)
            step.runs[index].size = len(run.keys)
        if given.seen is not None:
            step.states = <const uint8_t*> items(given.seen[0], 1)
            step.wanted, step.barred = given.seen[1], given.seen[2]
        for index in range(step.bind_count):
            column, variable = given.binds[index]
            step.bound[index], step.variables[index] = <const int32_t*> items(column, 4), variable
        return 0

    cdef int _chain(self, Stored* tier, columns) except -1:
        """The number of the chain by these columns."""
        cdef int index, each
        cdef Chain* chain
        for index in range(tier.chain_count):
            chain = &tier.chains[index]
            if chain.count == len(columns) and all(chain.columns[each] == columns[each] for each in range(chain.count)):
                return index
        if make_room(<void**> &tier.chains, tier.chain_count + 1, sizeof(Chain)):
            raise MemoryError
        chain = &tier.chains[tier.chain_count]
        memset(chain, 0, sizeof(Chain))
        chain.count = len(columns)
        for each in range(chain.count):
            chain.columns[each] = columns[each]
        tier.chain_count += 1
        return tier.chain_count - 1

    def go(self, int64_t most_work):
        cdef int failed = 0, index
        cdef bint over = False
        cdef int64_t work = 0
        cdef Py_ssize_t waiting, new
        with nogil:
            while work < most_work:
                waiting = 0
                for index in range(self.tier_count):
                    waiting += self.tiers[index].size - self.tiers[index].stable
                failed = TOO_LONG if waiting > self.short else self._derive()
                if failed:
                    break
                for index in range(self.way_count):
                    work += self.ways[index].done.met - self.ways[index].before.met
                new = self._arrive()
                if new <= 0:
                    over, failed = new == 0, NO_MEMORY if new < 0 else 0
                    break
                self.level += 1
        if failed == NO_MEMORY:
            raise MemoryError
        return "over" if over else "long" if failed else "more"

    cdef int _derive(self) noexcept nogil:
        """Collect the heads of a level."""
        cdef int index, failed
        self.heads.size = 0
        for index in range(self.way_count):
            self.ways[index].before = self.ways[index].done
        for index in range(self.way_count):
            failed = self._drive(&self.ways[index])
            if failed:
                for index in range(self.way_count):
                    self.ways[index].done = self.ways[index].before
                return failed
        return 0

    cdef int _drive(self, Rule* way) noexcept nogil:
        cdef Stored* tier = &self.tiers[way.driver]
        cdef Py_ssize_t row
        cdef int each, failed
        cdef bint fits
        if tier.stable == tier.size:
            return 0
        for each in range(way.step_count):
            if way.steps[each].kind == HELD and not self.tiers[way.steps[each].tier].size:
                return 0
        way.done.runs += 1
        way.done.driven += tier.size - tier.stable
        for row in range(tier.stable, tier.size):
            fits = True
            for each in range(way.constant_count):
                fits = fits and tier.columns[way.constant_columns[each]][row] == way.constants[each]
            for each in range(way.equal_count):
                fits = fits and tier.columns[way.equal_first[each]][row] == tier.columns[way.equal_second[each]][row]
            if not fits:
                continue
            way.done.met += 1
            for each in range(way.bind_count):
                self.variables[way.variables[each]] = tier.columns[way.bound_columns[each]][row]
            failed = self._descend(way, 0)
            if failed:
                return failed
        return 0

    cdef int _descend(self, Rule* way, int at) noexcept nogil:
        """All that meets what the variables hold, from a step on."""
        cdef Step* step
        if at == way.step_count:
            return self._emit(way)
        step = &way.steps[at]
        if step.kind == SIEVE:
            return self._descend(way, at + 1) if sieved(step, self.variables) else 0
        if step.kind == HELD:
            return self._look_among_held(way, step, at)
        return self._look_up(way, step, at)

    cdef int _look_up(self, Rule* way, Step* step, int at) noexcept nogil:
        cdef uint64_t key = 0, word
        cdef int each, run, failed
        cdef Stretch* stretch
        cdef Py_ssize_t entry
        cdef int32_t row
        cdef uint8_t state
        for each in range(step.count):
            key = key << 32 | <uint32_t> held_by(step.operands[each], step.constants[each], self.variables)
        way.done.searched += step.run_count
        for run in range(step.run_count):
            stretch = &step.runs[run]
            stretch.asked += 1
            if stretch.starts == NULL and stretch.size >= WORTH_PARTS and (
                stretch.asked * ENTRIES_OF_QUESTION > stretch.size and part_up(stretch)
            ):
                return NO_MEMORY
            entry = place_of(stretch, key << 32 if step.prefix else key)
            if step.absent and not step.whole:  # all that it might meet, although one is enough
                word = (key + 1) << 32 if step.prefix else key + 1
                way.done.met += (place_of(stretch, word) if word else stretch.size) - entry
            while entry < stretch.size:
                word = stretch.keys[entry]
                if (word >> 32 if step.prefix else word) != key:
                    break
                row = stretch.rows[entry]
                entry += 1
                way.done.met += not step.absent and not step.whole
                if step.states != NULL:
                    state = step.states[row]
                    if not state & step.wanted or state & step.barred:
                        continue
                if step.absent:
                    return 0
                way.done.met += step.whole
                if way.done.met - way.before.met > self.most_met:
                    return TOO_LONG
                for each in range(step.bind_count):
                    self.variables[step.variables[each]] = step.bound[each][row]
                if step.second >= 0:
                    self.variables[step.second] = <int32_t> <uint32_t> word
                failed = self._descend(way, at + 1)
                if failed:
                    return failed
        return self._descend(way, at + 1) if step.absent else 0

    cdef int _look_among_held(self, Rule* way, Step* step, int at) noexcept nogil:
        cdef Stored* tier = &self.tiers[step.tier]
        cdef Chain* chain = &tier.chains[step.chain]
        cdef int32_t values[MOST_COLUMNS]
        cdef uint64_t hash = 0
        cdef int each, failed
        cdef int32_t row
        cdef bint same
        for each in range(step.count):
            values[each] = held_by(step.operands[each], step.constants[each], self.variables)
            hash = mixed(hash, values[each])
        way.done.searched += 1
        row = chain.first[hash & (chain.hashes - 1)]
        while row >= 0:
            same = not step.stable or row < tier.stable
            for each in range(step.count):
                same = same and tier.columns[chain.columns[each]][row] == values[each]
            if same:
                way.done.met += 1
                if way.done.met - way.before.met > self.most_met:
                    return TOO_LONG
                for each in range(step.equal_count):
                    same = same and (
                        tier.columns[step.equal_first[each]][row] == tier.columns[step.equal_second[each]][row])
            if same:
                for each in range(step.bind_count):
                    self.variables[step.variables[each]] = tier.columns[step.bound_columns[each]][row]
                failed = self._descend(way, at + 1)
                if failed:
                    return failed
            row = chain.following[row]
        return 0

    cdef int _emit(self, Rule* way) noexcept nogil:
        cdef int index, each, failed = 0
        cdef Head* head
        way.done.found += 1
        for index in range(way.head_count):
            head = &way.heads[index]
            failed |= push(&self.heads, head.tier)
            for each in range(head.count):
                failed |= push(&self.heads, held_by(head.operands[each], head.constants[each], self.variables))
        return NO_MEMORY if failed else 0

    cdef Py_ssize_t _arrive(self) noexcept nogil:
        """Count the heads of the level; the number of those that are new, or -1."""
        cdef Py_ssize_t at = 0, new = 0
        cdef int index, each
        cdef Stored* tier
        for index in range(self.tier_count):
            self.tiers[index].start = self.tiers[index].size
        while at < self.heads.size:
            tier = &self.tiers[self.heads.at[at]]
            if self._count(tier, &self.heads.at[at + 1]):
                return -1
            at += 1 + tier.arity
        for index in range(self.tier_count):
            tier = &self.tiers[index]
            tier.stable = tier.start
            new += tier.size - tier.start
            for each in range(tier.chain_count):
                if chain_rows(tier, &tier.chains[each], tier.start):
                    return -1
        return new

    cdef int _count(self, Stored* tier, const int32_t* values) noexcept nogil:
        """Count an instantiation that derives a tuple, which gets a row if it has none."""
        cdef uint64_t hash = 0
        cdef Py_ssize_t slot, row
        cdef int column
        cdef bint same
        for column in range(tier.arity):
            hash = mixed(hash, values[column])
        slot = hash & (tier.hashes - 1)
        while tier.places[slot] >= 0:
            row, same = tier.places[slot], True
            for column in range(tier.arity):
                same = same and tier.columns[column][row] == values[column]
            if same:
                if row >= tier.start:
                    tier.own[row] += 1
                    return 0
                tier.others[row] += 1
                tier.above[row] += row >= tier.stable
                if self.noting:
                    return push(&tier.known, <int32_t> row) | push(&tier.known, self.level)
                return 0
            slot = (slot + 1) & (tier.hashes - 1)
        row = tier.size
        if row >= INT32_MAX or reserve(tier, row + 1):
            return NO_MEMORY
        for column in range(tier.arity):
            tier.columns[column][row] = values[column]
        tier.levels[row], tier.own[row], tier.others[row], tier.above[row] = self.level, 1, 0, 0
        tier.places[slot] = <int32_t> row
        tier.size += 1
        return hash_all(tier) if 2 * tier.size > tier.hashes else 0

    def tallies(self):
        return [
            Tally(way.done.runs, way.done.driven, way.done.found, way.done.met, way.done.searched)
            for way in self.ways[:self.way_count]
        ]

    def derived(self, int index):
        cdef Stored* tier = &self.tiers[index]
        cdef Py_ssize_t new = tier.size - tier.before
        others = _copied(tier.others, tier.size, 8)
        above = _copied(tier.above, tier.size, 8)
        again = others[: tier.before].nonzero()[0]
        known = _copied(tier.known.at, tier.known.size, 4)
        return Derived(
            [_copied(tier.columns[column] + tier.before, new, 4) for column in range(tier.arity)],
            _copied(tier.levels + tier.before, new, 4), _copied(tier.own + tier.before, new, 8),
            others[tier.before :], above[tier.before :],
            again.astype(np.int32), others[again], above[again], (known[::2], known[1::2]),
        )


cdef object _copied(const void* numbers, Py_ssize_t size, Py_ssize_t width):
    array = np.empty(size, np.int32 if width == 4 else np.int64)
    if size:
        memcpy(items(array, width), numbers, size * width)
    return array


cdef inline int32_t held_by(int operand, int32_t constant, const int32_t* variables) noexcept nogil:
    return variables[operand] if operand >= 0 else constant


cdef int take_operands(given, constants, int* operands, int32_t* values) except -1:
    cdef int index
    for index in range(len(given)):
        operands[index] = max(given[index], -1)
        values[index] = constants[~given[index]] if given[index] < 0 else 0
    return 0
