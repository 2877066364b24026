"""A short table through all joins of a plan in one call."""

cdef enum:
    MOST_RUNS = 24  # of an arrangement


def walk(legs, constants, list columns, Py_ssize_t size, levels, former, int32_t ceiling):
    cdef Joining joining
    cdef int32_t* variables[WIDE]
    cdef Py_ssize_t totals[MOST_RUNS]
    cdef Py_ssize_t work = 0, searched = 0, total, run_count, run
    cdef int variable, second
    cdef const void* asked
    cdef int32_t* rows = NULL
    cdef int64_t* spans
    cdef bint whole, prefix, absent, last
    if len(columns) > WIDE:
        return None
    for leg in legs:
        if leg is None:
            return None
        for variable in range(len(columns)):
            variables[variable] = NULL
            if columns[variable] is not None:
                variables[variable] = <int32_t*> items(columns[variable], 4)
        if isinstance(leg, Sieve):
            places = np.empty(size, np.int32)
            total = holds(variables, leg, constants, size, <int32_t*> items(places, 4))
            columns, levels, former = kept(columns, levels, former, leg.carried, places, total)
            size = total
            if not size:
                break
            continue
        (
            runs, operands, whole, prefix, absent, seen, of_rows, moving, carried, binds, second, last, most_asked,
            most_met,
        ) = leg
        run_count = len(runs)
        if size > most_asked or run_count > MOST_RUNS:
            return None
        if not run_count:
            return Walked(0, columns, levels, former, work, searched)
        memset(&joining, 0, sizeof(joining))
        joining.places = size
        # The entries that each row of the table meets, in each run.
        searched += size * run_count
        total = 0
        if whole or len(operands) > 1:
            keys = packed_keys(variables, operands, constants, size)
            asked, width = items(keys, 8), 8
        elif operands[0] < 0:
            keys = np.full(size, constants[~operands[0]], np.int32)
            asked, width = items(keys, 4), 4
        else:
            asked, width = variables[<int> operands[0]], 4
        of_runs = np.empty(2 * size * max(run_count, 1), np.int64)
        spans = <int64_t*> items(of_runs, 8)
        if whole:
            found = np.empty(size, np.int32)
            rows = <int32_t*> items(found, 4)
            look_up(runs, asked, 8, size, rows)
            totals[0] = total = one_each(rows, size, spans)
        else:
            for run in range(run_count):
                each = runs[run]
                starts = each.value_starts(prefix, size) if len(operands) == 1 else None
                totals[run] = ranges_of(
                    each.keys, starts, asked, width, size, prefix, spans + 2 * run * size, spans + (2 * run + 1) * size
                )
                total += totals[run]
            work += total
        if total > most_met:
            return None
        if absent:
            # Rows that meet none that is seen.
            barred = np.zeros(size, np.uint8)
            if seen is not None:
                joining.states, joining.wanted, joining.barred = <const uint8_t*> items(seen[0], 1), seen[1], seen[2]
            for run in range(1 if whole else run_count):
                joining.low, joining.counts = spans + 2 * run * size, spans + (2 * run + 1) * size
                joining.run_rows = rows if whole else <const int32_t*> items(runs[run].rows, 4)
                bar(&joining, <uint8_t*> items(barred, 1))
            places = np.empty(size, np.int32)
            total = unbarred(<const uint8_t*> items(barred, 1), size, <int32_t*> items(places, 4))
            columns, levels, former = kept(columns, levels, former, carried, places, total)
            size = total
            if not size:
                break
            continue
        if not total:
            return Walked(0, columns, levels, former, work, searched)
        # What is kept of them.
        joined = [None] * len(columns)
        joining.columns = len(carried)
        for index in range(len(carried)):
            variable = carried[index]
            column = joined[variable] = np.empty(total, np.int32)
            joining.of_key[index], joining.of_entry[index] = variables[variable], <int32_t*> items(column, 4)
        if second >= 0:
            column = joined[second] = np.empty(total, np.int32)
            joining.out_seconds = <int32_t*> items(column, 4)
        if binds:
            met = np.empty(total, np.int32)
            joining.out_rows = <int32_t*> items(met, 4)
        if levels is not None:
            joining.of_keys, joining.of_rows = <const int32_t*> items(levels, 4), numbers_of(of_rows)
            new_levels = np.empty(total, np.int32)
            joining.out_levels = <int32_t*> items(new_levels, 4)
            if former is not None:
                joining.former = <const int32_t*> items(former, 4)
                if moving is not None:
                    joining.moving = <const int32_t*> items(moving, 4)
                joining.ceiling = INT32_MIN if last else ceiling
                joining.told_apart = last or joining.of_rows.width
                new_former = np.empty(total, np.int32)
                joining.out_former = <int32_t*> items(new_former, 4)
        if seen is not None:
            joining.states, joining.wanted, joining.barred = <const uint8_t*> items(seen[0], 1), seen[1], seen[2]
        joining.reads_rows = joining.out_rows != NULL or joining.states != NULL or joining.of_rows.width
        for run in range(1 if whole else run_count):
            if not totals[run]:
                continue
            joining.low, joining.counts = spans + 2 * run * size, spans + (2 * run + 1) * size
            if whole:
                joining.run_rows = rows
            else:
                each = runs[run]
                joining.run_rows = <const int32_t*> items(each.rows, 4)
                if second >= 0:
                    joining.run_keys = <const uint64_t*> items(each.keys, 8)
            with nogil:
                meet(&joining)
        size = joining.out
        if whole:
            work += size
        for column, variable in binds:
            joined[variable] = taken[int32_t](column, joining.out_rows, size)
        columns = joined
        if levels is not None:
            levels = new_levels
            if former is not None:
                former = new_former
        if not size:
            break
    columns = [None if column is None else column[:size] for column in columns]
    return Walked(
        size, columns, None if levels is None else levels[:size], None if former is None else former[:size], work,
        searched,
    )


cdef packed_keys(int32_t** variables, operands, constants, Py_ssize_t size):
    """The words of one column or two."""
    words_array = np.zeros(size, np.uint64)
    cdef uint64_t* words = <uint64_t*> items(words_array, 8)
    cdef const int32_t* column
    cdef uint32_t constant
    cdef Py_ssize_t each
    for operand in operands:
        if operand >= 0:
            column = variables[<int> operand]
            for each in range(size):
                words[each] = (words[each] << 32) | <uint32_t> column[each]
        else:
            constant = <uint32_t> <int32_t> constants[~operand]
            for each in range(size):
                words[each] = (words[each] << 32) | constant
    return words_array


cdef Py_ssize_t one_each(const int32_t* rows, Py_ssize_t size, int64_t* spans) noexcept nogil:
    """Rows, -1 where there is none, as entries; how many there are."""
    cdef Py_ssize_t each, total = 0
    for each in range(size):
        spans[each], spans[size + each] = each, rows[each] >= 0
        total += rows[each] >= 0
    return total


cdef tuple kept(list columns, levels, former, carried, places, Py_ssize_t size):
    """The rows of a table at so many places."""
    cdef const int32_t* at = <const int32_t*> items(places, 4)
    if size == len(places):
        return columns, levels, former
    left = [None] * len(columns)
    for variable in carried:
        left[<int> variable] = taken[int32_t](columns[<int> variable], at, size)
    return (
        left, None if levels is None else taken[int32_t](levels, at, size),
        None if former is None else taken[int32_t](former, at, size),
    )


cdef void bar(Joining* joining, uint8_t* barred) noexcept nogil:
    """Tell the keys that meet a row that is seen."""
    cdef Py_ssize_t place, entry
    cdef uint8_t state
    for place in range(joining.places):
        for entry in range(joining.low[place], joining.low[place] + joining.counts[place]):
            if joining.states != NULL:
                state = joining.states[joining.run_rows[entry]]
                if not state & joining.wanted or state & joining.barred:
                    continue
            barred[place] = 1
            break


cdef Py_ssize_t unbarred(const uint8_t* barred, Py_ssize_t size, int32_t* places) noexcept nogil:
    cdef Py_ssize_t each, out = 0
    for each in range(size):
        places[out] = <int32_t> each
        out += not barred[each]
    return out


cdef Py_ssize_t holds(int32_t** variables, sieve, constants, Py_ssize_t size, int32_t* places) except -1:
    """Where a comparison holds."""
    cdef int left_of = sieve.left, right_of = sieve.right
    cdef const int32_t* left = variables[left_of] if left_of >= 0 else NULL
    cdef const int32_t* right = variables[right_of] if right_of >= 0 else NULL
    cdef int64_t first = 0, second = 0
    cdef bint unsigned = sieve.unsigned, less = "<" in sieve.operator, more = ">" in sieve.operator
    cdef bint equal = sieve.operator in ("=", "<=", ">=")
    cdef Py_ssize_t each, out = 0
    if sieve.operator == "!=":
        less = more = True
    if left == NULL:
        first = constants[~left_of]
    if right == NULL:
        second = constants[~right_of]
    for each in range(size):
        if left != NULL:
            first = left[each]
        if right != NULL:
            second = right[each]
        places[out] = <int32_t> each
        if unsigned:
            out += (less and <uint32_t> first < <uint32_t> second) or (
                more and <uint32_t> first > <uint32_t> second) or (equal and first == second)
        else:
            out += (less and first < second) or (more and first > second) or (equal and first == second)
    return out
