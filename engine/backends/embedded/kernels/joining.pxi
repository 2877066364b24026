"""What keys meet, and columns of rows."""

def join(entries, bint keys, bint rows, bint seconds, carried, fetched, checks, seen, levels):
    cdef Py_ssize_t total = 0, out = 0, start, place, entry, places = 0
    cdef uint8_t wanted = 0, barred = 0
    cdef const uint8_t* states = NULL
    cdef int32_t row = 0, now = 0, before = 0, former_level, other, ceiling = 0
    cdef bint levelled = levels is not None, moves = False, reads_rows, keeps_rows, keeps_keys
    cdef Py_ssize_t kept
    cdef Numbers of_rows = numbers_of(None if levels is None else levels.of_rows)
    cdef const int64_t* low
    cdef const int64_t* counts
    cdef const int32_t* run_rows = NULL
    cdef const int32_t* of_keys = NULL
    cdef const int32_t* former = NULL
    cdef const int32_t* moving = NULL
    cdef const uint64_t* run_keys = NULL
    cdef int32_t* out_rows = NULL
    cdef int32_t* out_seconds = NULL
    cdef int32_t* out_levels = NULL
    cdef int32_t* out_former = NULL
    cdef int64_t* out_keys = NULL
    cdef const int32_t* of_key[WIDE]
    cdef int32_t* of_entry[WIDE]
    cdef int column, columns = 0
    for each in entries:
        places = len(each.counts)
        counts = <const int64_t*> items(each.counts, 8)
        for place in range(places):
            total += counts[place]
    keeps_rows = rows or fetched or checks
    keeps_keys = keys or checks or len(carried) > WIDE
    reads_rows = keeps_rows or seen is not None or of_rows.width
    keys_array = np.empty(total, np.int64) if keeps_keys else None
    rows_array = np.empty(total, np.int32) if keeps_rows else None
    seconds_array = np.empty(total, np.int32) if seconds else None
    levels_array = np.empty(total, np.int32) if levelled else None
    former_array = None
    carried_arrays = None
    if keeps_keys:
        out_keys = <int64_t*> items(keys_array, 8)
    if not checks and len(carried) <= WIDE:
        carried_arrays = [np.empty(total, np.int32) for _ in carried]
        columns = len(carried)
        for column in range(columns):
            of_key[column] = <const int32_t*> items(carried[column], 4)
            of_entry[column] = <int32_t*> items(carried_arrays[column], 4)
    if keeps_rows:
        out_rows = <int32_t*> items(rows_array, 4)
    if seconds:
        out_seconds = <int32_t*> items(seconds_array, 4)
    if levelled:
        of_keys, ceiling = <const int32_t*> items(levels.of_keys, 4), levels.ceiling
        out_levels = <int32_t*> items(levels_array, 4)
        if levels.former is not None:
            moves, former_array = True, np.empty(total, np.int32)
            former = <const int32_t*> items(levels.former, 4)
            out_former = <int32_t*> items(former_array, 4)
            if levels.moving is not None and len(levels.moving):
                moving = <const int32_t*> items(levels.moving, 4)
    if seen is not None:
        states, wanted, barred = <const uint8_t*> items(seen.state, 1), seen.wanted, seen.barred
    for each in entries:
        places = len(each.low)
        low, counts = <const int64_t*> items(each.low, 8), <const int64_t*> items(each.counts, 8)
        if reads_rows:
            run_rows = <const int32_t*> items(each.rows, 4)
        if seconds:
            run_keys = <const uint64_t*> items(each.keys, 8)
        with nogil:
            for place in range(places):
                start = out
                if levelled:
                    now = of_keys[place]
                    if moves:
                        before = former[place]
                for entry in range(low[place], low[place] + counts[place]):
                    kept = 1
                    if reads_rows:
                        row = run_rows[entry]
                        if keeps_rows:
                            out_rows[out] = row
                        if states != NULL:  # no branch: which rows are seen cannot be foretold
                            kept = ((states[row] & wanted) != 0) & ((states[row] & barred) == 0)
                    if levelled:
                        other = <int32_t> number(of_rows, row) if of_rows.width else 0
                        if moves:
                            former_level = before
                            if of_rows.width:
                                former_level = max(before, moving[row] - 1 if moving != NULL and moving[row] else other)
                                kept &= (former_level != max(now, other)) | (former_level < ceiling)
                            out_former[out] = former_level
                        out_levels[out] = max(now, other)
                    if seconds:
                        out_seconds[out] = <int32_t> <uint32_t> run_keys[entry]
                    if keeps_keys:
                        out_keys[out] = place
                    out += kept
                for column in range(columns):
                    row = of_key[column][place]
                    for entry in range(start, out):
                        of_entry[column][entry] = row
    for of_row, of_key_column in checks:
        out = check(of_row, of_key_column, out, keys_array, rows_array, seconds_array, levels_array, former_array)
    if carried_arrays is None:
        carried_arrays = [taken[int64_t](each, keys_array[:out]) for each in carried]
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
        [taken[int32_t](each, rows_array) for each in fetched],
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


cdef taken(const int32_t[::1] column, const Place[::1] places):
    array = np.empty(places.shape[0], np.int32)
    cdef int32_t[::1] into = array
    cdef Py_ssize_t each
    with nogil:
        for each in range(places.shape[0]):
            into[each] = column[places[each]]
    return array


def take(numbers, const int32_t[::1] rows):
    cdef Numbers of = numbers_of(numbers)
    cdef Py_ssize_t each
    if of.width == 4:
        return taken[int32_t](numbers, rows)
    array = np.empty(rows.shape[0], np.int32)
    cdef int32_t[::1] into = array
    with nogil:
        for each in range(rows.shape[0]):
            into[each] = <int32_t> number(of, rows[each])
    return array
