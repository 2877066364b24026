"""What an update does to the numbers and states of rows, and what waits in it."""

def sum_by_row(changes, died):
    cdef Py_ssize_t size = 0, slots = 16, each, out = 0, slot, shift = 60, kept = 0
    for change in changes:
        size += len(change[0])
    while slots < 2 * size:
        slots *= 2
        shift -= 1
    places_array = np.zeros(slots, np.int32)
    rows_array, sums_array = np.empty(size, np.int32), np.empty(size, np.int64)
    cdef int32_t[::1] places = places_array  # 1 + where the row of a slot is among those that are found
    cdef int32_t[::1] rows = rows_array
    cdef int64_t[::1] sums = sums_array
    cdef const int32_t[::1] given
    cdef const int64_t[::1] counts
    cdef const int32_t[::1] deaths
    cdef int32_t row
    cdef int64_t time
    cdef bint mortal = died is not None
    if mortal:
        deaths = died
    for of_rows, of_counts, at in changes:
        given, counts, time = of_rows, of_counts, at
        with nogil:
            for each in range(given.shape[0]):
                row = given[each]
                if mortal and deaths[row] > time:
                    continue
                slot = <Py_ssize_t> ((<uint64_t> <uint32_t> row * <uint64_t> 0x9E3779B97F4A7C15) >> shift)
                while places[slot] and rows[places[slot] - 1] != row:
                    slot = (slot + 1) & (slots - 1)
                if places[slot]:
                    sums[places[slot] - 1] += counts[each]
                else:
                    rows[out], sums[out] = row, counts[each]
                    out += 1
                    places[slot] = <int32_t> out
    with nogil:
        for each in range(out):
            rows[kept], sums[kept] = rows[each], sums[each]
            kept += sums[each] != 0
    return rows_array[:kept], sums_array[:kept]


def add(numbers, const int32_t[::1] rows, const int64_t[::1] change, bint unique, int64_t most):
    cdef Numbers into = numbers_of(numbers, PyBUF_WRITABLE)
    cdef Py_ssize_t each
    cdef int64_t total
    cdef bint fits = True
    with nogil:
        for each in range(rows.shape[0]):
            total = number(into, rows[each]) + change[each]
            fits &= 0 <= total <= most
            put_number(into, rows[each], total)
        if not fits:
            for each in range(rows.shape[0]):
                put_number(into, rows[each], number(into, rows[each]) - change[each])
    return fits


def put(numbers, const int32_t[::1] rows, const int64_t[::1] values, int64_t most):
    cdef Numbers into = numbers_of(numbers, PyBUF_WRITABLE)
    cdef Py_ssize_t each
    cdef bint fits = True
    with nogil:
        for each in range(rows.shape[0]):
            fits &= values[each] <= most
            put_number(into, rows[each], values[each])
    return fits


def fill(numbers, const int32_t[::1] rows, int64_t value):
    cdef Numbers into = numbers_of(numbers, PyBUF_WRITABLE)
    cdef Py_ssize_t each
    with nogil:
        for each in range(rows.shape[0]):
            put_number(into, rows[each], value)


def mark(uint8_t[::1] state, const int32_t[::1] rows, uint8_t kept, uint8_t added):
    cdef Py_ssize_t each
    with nogil:
        for each in range(rows.shape[0]):
            state[rows[each]] = (state[rows[each]] & kept) | added


def settle(uint8_t[::1] state, parts):
    cdef Py_ssize_t size = 0, each, losses = 0, gains = 0, visits = 0
    cdef const int32_t[::1] rows
    cdef uint8_t before
    for part in parts:
        size += len(part)
    visited, lost, gained = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    cdef int32_t* visited_rows = <int32_t*> items(visited, 4)
    cdef int32_t* lost_rows = <int32_t*> items(lost, 4)
    cdef int32_t* gained_rows = <int32_t*> items(gained, 4)
    for part in parts:
        rows = part
        with nogil:
            for each in range(rows.shape[0]):
                before = state[rows[each]]
                if before & VISITED:
                    continue
                visited_rows[visits] = rows[each]
                visits += 1
                if before & FORMERLY and before & PRESENT:
                    before = FORMERLY | KEPT | PRESENT
                elif before & FORMERLY:
                    before = FORMERLY
                    lost_rows[losses] = rows[each]
                    losses += 1
                elif before & PRESENT:
                    before = PRESENT
                    gained_rows[gains] = rows[each]
                    gains += 1
                state[rows[each]] = before | VISITED
    with nogil:
        for each in range(visits):
            state[visited_rows[each]] &= ~VISITED
    return np.sort(lost[:losses]), np.sort(gained[:gains])


def sift(
    const int32_t[::1] rows, const int32_t[::1] levels, const int64_t[::1] counts, const uint8_t[::1] state, level,
    moving,
):
    cdef Py_ssize_t size = rows.shape[0], each, out = 0, beyond = 0
    kept, kept_levels, kept_counts = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int64)
    others, other_counts = np.empty(size, np.int32), np.empty(size, np.int64)
    cdef int32_t* out_rows = <int32_t*> items(kept, 4)
    cdef int32_t* out_levels = <int32_t*> items(kept_levels, 4)
    cdef int32_t* beyond_rows = <int32_t*> items(others, 4)
    cdef int64_t* out_counts = <int64_t*> items(kept_counts, 8)
    cdef int64_t* beyond_counts = <int64_t*> items(other_counts, 8)
    cdef Numbers level_of = numbers_of(level)
    cdef const int32_t* movers = NULL
    cdef int32_t row, present, lowest = INT32_MAX, highest = 0
    if moving is not None and len(moving):
        movers = <const int32_t*> items(moving, 4)
    with nogil:
        for each in range(size):
            row = rows[each]
            present = <int32_t> number(level_of, row)
            if not state[row] & PRESENT or levels[each] <= (
                movers[row] - 1 if movers != NULL and movers[row] else present
            ):
                out_rows[out], out_levels[out], out_counts[out] = row, levels[each], counts[each]
                lowest, highest = min(lowest, levels[each]), max(highest, levels[each])
                out += 1
            elif levels[each] - present == 1:
                beyond_rows[beyond], beyond_counts[beyond] = row, counts[each]
                beyond += 1
    return Sifted(
        kept[:out], kept_levels[:out], kept_counts[:out], lowest if out else 0, highest, others[:beyond],
        other_counts[:beyond],
    )


def divide(const int32_t[::1] rows, const int64_t[::1] sums, const uint8_t[::1] state, level, count, int visited):
    cdef Py_ssize_t size = rows.shape[0], each, heres = 0, deaths = 0, belows = 0, falls = 0, comers = 0
    here, dead, below = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    lowered, arrivals = np.empty(size, np.int32), np.empty(size, np.int32)
    here_counts, below_sums = np.empty(size, np.int64), np.empty(size, np.int64)
    lowered_sums, arrival_sums = np.empty(size, np.int64), np.empty(size, np.int64)
    cdef int32_t* here_rows = <int32_t*> items(here, 4)
    cdef int32_t* dead_rows = <int32_t*> items(dead, 4)
    cdef int32_t* below_rows = <int32_t*> items(below, 4)
    cdef int32_t* lowered_rows = <int32_t*> items(lowered, 4)
    cdef int32_t* arrival_rows = <int32_t*> items(arrivals, 4)
    cdef int64_t* of_here = <int64_t*> items(here_counts, 8)
    cdef int64_t* of_below = <int64_t*> items(below_sums, 8)
    cdef int64_t* of_lowered = <int64_t*> items(lowered_sums, 8)
    cdef int64_t* of_arrivals = <int64_t*> items(arrival_sums, 8)
    cdef Numbers level_of = numbers_of(level), count_of = numbers_of(count)
    cdef int32_t row
    cdef int64_t at, change
    with nogil:
        for each in range(size):
            row, change = rows[each], sums[each]
            if not state[row] & PRESENT:
                if change > 0:
                    arrival_rows[comers], of_arrivals[comers] = row, change
                    comers += 1
                continue
            at = number(level_of, row)
            if at == visited:
                here_rows[heres], of_here[heres] = row, number(count_of, row) + change
                if not of_here[heres]:
                    dead_rows[deaths] = row
                    deaths += 1
                heres += 1
            elif at == visited - 1:
                below_rows[belows], of_below[belows] = row, change
                belows += 1
            elif at > visited and change > 0:
                lowered_rows[falls], of_lowered[falls] = row, change
                falls += 1
    return Divided(
        here[:heres], here_counts[:heres], dead[:deaths], below[:belows], below_sums[:belows], lowered[:falls],
        lowered_sums[:falls], arrivals[:comers], arrival_sums[:comers],
    )
