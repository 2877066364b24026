"""What keys meet, and columns of rows."""

cdef struct Joining:
    # What is asked: the entries of each of so many keys in a run.
    Py_ssize_t places
    const int64_t* low
    const int64_t* counts
    const int32_t* run_rows
    const uint64_t* run_keys
    bint reads_rows
    # Rows that are seen have such a state, if there are states.
    const uint8_t* states
    uint8_t wanted
    uint8_t barred
    # Levels of keys, now and formerly, and of rows; either may be missing.
    const int32_t* of_keys
    const int32_t* former
    Numbers of_rows
    const int32_t* moving
    int32_t ceiling
    bint told_apart  # what has the same level now and formerly is wanted under the ceiling only
    # Columns of the keys.
    int columns
    const int32_t* of_key[WIDE]
    # What is met: so many entries, and of each what there is an array for.
    Py_ssize_t out
    int64_t* out_keys
    int32_t* out_rows
    int32_t* out_seconds
    int32_t* out_levels
    int32_t* out_former
    int32_t* of_entry[WIDE]


cdef void meet(Joining* joining) noexcept nogil:
    """Add what the keys meet in one run."""
    if (
        joining.states != NULL and joining.of_keys != NULL and joining.of_rows.width == 1 and joining.former == NULL
        and joining.out_seconds != NULL and joining.out_rows == NULL and joining.out_keys == NULL
    ):
        meet_pairs(joining)
    else:
        meet_any(joining)


cdef void meet_pairs(Joining* joining) noexcept nogil:
    """What an update asks for most: the second columns of pairs that are seen, and levels of a byte."""
    cdef const int64_t* low = joining.low
    cdef const int64_t* counts = joining.counts
    cdef const int32_t* run_rows = joining.run_rows
    cdef const uint64_t* run_keys = joining.run_keys
    cdef const uint8_t* states = joining.states
    cdef const uint8_t* row_levels = <const uint8_t*> joining.of_rows.data
    cdef int32_t* out_seconds = joining.out_seconds
    cdef int32_t* out_levels = joining.out_levels
    cdef uint8_t wanted = joining.wanted, barred = joining.barred, state
    cdef int32_t now, other, row, value
    cdef Py_ssize_t out = joining.out, start, place, entry
    cdef int column
    for place in range(joining.places):
        start, now = out, joining.of_keys[place]
        for entry in range(low[place], low[place] + counts[place]):
            row = run_rows[entry]
            state, other = states[row], row_levels[row]
            out_seconds[out] = <int32_t> <uint32_t> run_keys[entry]
            out_levels[out] = other if other > now else now
            out += ((state & wanted) != 0) & ((state & barred) == 0)  # no branch: which are seen cannot be foretold
        for column in range(joining.columns):
            value = joining.of_key[column][place]
            for entry in range(start, out):
                joining.of_entry[column][entry] = value
    joining.out = out


cdef void meet_any(Joining* joining) noexcept nogil:
    cdef const int64_t* low = joining.low
    cdef const int64_t* counts = joining.counts
    cdef const int32_t* run_rows = joining.run_rows
    cdef const uint64_t* run_keys = joining.run_keys
    cdef const uint8_t* states = joining.states
    cdef uint8_t wanted = joining.wanted, barred = joining.barred
    cdef const int32_t* of_keys = joining.of_keys
    cdef const int32_t* former = joining.former
    cdef Numbers of_rows = joining.of_rows
    cdef const int32_t* moving = joining.moving
    cdef int32_t ceiling = joining.ceiling, row = 0, now = 0, before = 0, former_level, other
    cdef bint reads_rows = joining.reads_rows, told_apart = joining.told_apart
    cdef int64_t* out_keys = joining.out_keys
    cdef int32_t* out_rows = joining.out_rows
    cdef int32_t* out_seconds = joining.out_seconds
    cdef int32_t* out_levels = joining.out_levels
    cdef int32_t* out_former = joining.out_former
    cdef Py_ssize_t out = joining.out, start, place, entry, kept
    cdef int column
    for place in range(joining.places):
        start = out
        if of_keys != NULL:
            now = of_keys[place]
            if former != NULL:
                before = former[place]
        for entry in range(low[place], low[place] + counts[place]):
            kept = 1
            if reads_rows:
                row = run_rows[entry]
                if out_rows != NULL:
                    out_rows[out] = row
                if states != NULL:  # no branch: which rows are seen cannot be foretold
                    kept = ((states[row] & wanted) != 0) & ((states[row] & barred) == 0)
            if of_keys != NULL:
                other = <int32_t> number(of_rows, row) if of_rows.width else 0
                if former != NULL:
                    former_level = before
                    if of_rows.width:
                        former_level = max(before, moving[row] - 1 if moving != NULL and moving[row] else other)
                    if told_apart:
                        kept &= (former_level != max(now, other)) | (former_level < ceiling)
                    out_former[out] = former_level
                out_levels[out] = max(now, other)
            if out_seconds != NULL:
                out_seconds[out] = <int32_t> <uint32_t> run_keys[entry]
            if out_keys != NULL:
                out_keys[out] = place
            out += kept
        for column in range(joining.columns):
            row = joining.of_key[column][place]
            for entry in range(start, out):
                joining.of_entry[column][entry] = row
    joining.out = out


def join(entries, wanted, carried, fetched, checks, seen, levels):
    cdef bint keys = wanted.keys, rows = wanted.rows, seconds = wanted.seconds
    cdef Joining joining
    cdef Py_ssize_t total = 0, out, place
    cdef const int64_t* counts
    cdef int column
    memset(&joining, 0, sizeof(joining))
    for each in entries:
        counts = <const int64_t*> items(each.counts, 8)
        for place in range(len(each.counts)):
            total += counts[place]
    keys_array = rows_array = seconds_array = levels_array = former_array = carried_arrays = None
    if keys or checks or len(carried) > WIDE:
        keys_array = np.empty(total, np.int64)
        joining.out_keys = <int64_t*> items(keys_array, 8)
    if not checks and len(carried) <= WIDE:
        carried_arrays = [np.empty(total, np.int32) for _ in carried]
        joining.columns = len(carried)
        for column in range(joining.columns):
            joining.of_key[column] = <const int32_t*> items(carried[column], 4)
            joining.of_entry[column] = <int32_t*> items(carried_arrays[column], 4)
    if rows or fetched or checks:
        rows_array = np.empty(total, np.int32)
        joining.out_rows = <int32_t*> items(rows_array, 4)
    if seconds:
        seconds_array = np.empty(total, np.int32)
        joining.out_seconds = <int32_t*> items(seconds_array, 4)
    if levels is not None:
        levels_array = np.empty(total, np.int32)
        joining.out_levels = <int32_t*> items(levels_array, 4)
        joining.of_keys, joining.ceiling = <const int32_t*> items(levels.of_keys, 4), levels.ceiling
        joining.of_rows = numbers_of(levels.of_rows)
        joining.told_apart = joining.of_rows.width
        if levels.former is not None:
            former_array = np.empty(total, np.int32)
            joining.out_former = <int32_t*> items(former_array, 4)
            joining.former = <const int32_t*> items(levels.former, 4)
            if levels.moving is not None and len(levels.moving):
                joining.moving = <const int32_t*> items(levels.moving, 4)
    if seen is not None:
        joining.states, joining.wanted, joining.barred = <const uint8_t*> items(seen.state, 1), seen.wanted, seen.barred
    joining.reads_rows = rows_array is not None or seen is not None or joining.of_rows.width
    for each in entries:
        joining.places = len(each.low)
        joining.low, joining.counts = <const int64_t*> items(each.low, 8), <const int64_t*> items(each.counts, 8)
        if joining.reads_rows:
            joining.run_rows = <const int32_t*> items(each.rows, 4)
        if seconds:
            joining.run_keys = <const uint64_t*> items(each.keys, 8)
        with nogil:
            meet(&joining)
    out = joining.out
    for of_row, of_key_column in checks:
        out = check(of_row, of_key_column, out, keys_array, rows_array, seconds_array, levels_array, former_array)
    if carried_arrays is None:
        carried_arrays = [taken[int64_t](each, joining.out_keys, out) for each in carried]
    elif out < total:
        carried_arrays = [each[:out] for each in carried_arrays]
    if out < total:
        keys_array = None if keys_array is None else keys_array[:out]
        rows_array = None if rows_array is None else rows_array[:out]
        seconds_array = None if seconds_array is None else seconds_array[:out]
        levels_array = None if levels_array is None else levels_array[:out]
        former_array = None if former_array is None else former_array[:out]
    return Joined(
        out,
        keys_array,
        rows_array,
        seconds_array,
        carried_arrays,
        [taken[int32_t](each, joining.out_rows, out) for each in fetched],
        levels_array,
        former_array,
    )


cdef Py_ssize_t check(
    const int32_t[::1] of_rows, const int32_t[::1] of_keys, Py_ssize_t size, int64_t[::1] keys, int32_t[::1] rows,
    seconds, levels, former,
) except -1:
    """Leave the entries whose column of the row equals that of the key; how many these are."""
    cdef Py_ssize_t each, out = 0
    cdef int32_t[::1] column
    cdef uint8_t[::1] equal = np.empty(size, np.uint8)
    for each in range(size):
        equal[each] = of_rows[rows[each]] == of_keys[keys[each]]
    for other in (seconds, levels, former):
        if other is None:
            continue
        column, out = other, 0
        for each in range(size):
            column[out] = column[each]
            out += equal[each]
    out = 0
    for each in range(size):
        keys[out], rows[out] = keys[each], rows[each]
        out += equal[each]
    return out


ctypedef fused Place:
    int32_t
    int64_t


cdef taken(column, const Place* places, Py_ssize_t size):
    array = np.empty(size, np.int32)
    cdef const int32_t* of = <const int32_t*> items(column, 4)
    cdef int32_t* into = <int32_t*> items(array, 4)
    cdef Py_ssize_t each
    with nogil:
        for each in range(size):
            into[each] = of[places[each]]
    return array


def take(numbers, rows):
    cdef Numbers of = numbers_of(numbers)
    cdef const int32_t* places = <const int32_t*> items(rows, 4)
    cdef Py_ssize_t size = len(rows), each
    if of.width == 4:
        return taken[int32_t](numbers, places, size)
    array = np.empty(size, np.int32)
    cdef int32_t* into = <int32_t*> items(array, 4)
    with nogil:
        for each in range(size):
            into[each] = <int32_t> number(of, places[each])
    return array
