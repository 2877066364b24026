"""What an update does to the numbers and states of rows, and what waits in it."""

def sum_by_row(changes, died):
    cdef Py_ssize_t size = 0, slots = 16, each, here, out = 0, slot, shift = 60, kept = 0
    for change in changes:
        size += len(change[0])
    while slots < 2 * size:
        slots *= 2
        shift -= 1
    places_array = np.zeros(slots, np.int32)
    rows_array, sums_array = np.empty(size, np.int32), np.empty(size, np.int64)
    cdef int32_t* places = <int32_t*> items(places_array, 4)  # 1 + where the row of a slot is among those found
    cdef int32_t* rows = <int32_t*> items(rows_array, 4)
    cdef int64_t* sums = <int64_t*> items(sums_array, 8)
    cdef const int32_t* given
    cdef const int64_t* counts
    cdef const int32_t* deaths = NULL
    cdef int32_t row
    cdef int64_t time
    if died is not None:
        deaths = <const int32_t*> items(died, 4)
    for of_rows, of_counts, at in changes:
        here, time = len(of_rows), at
        given, counts = <const int32_t*> items(of_rows, 4), <const int64_t*> items(of_counts, 8)
        with nogil:
            for each in range(here):
                row = given[each]
                if deaths != NULL:
                    prefetch(deaths + given[min(each + AHEAD, here - 1)])
                    if deaths[row] > time:
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


cdef inline void fetch(Numbers numbers, int32_t row) noexcept nogil:
    """Ask memory for what is read a little later: rows lie anywhere, and each is waited for."""
    prefetch(<const char*> numbers.data + row * numbers.width)


cdef bint add(Numbers into, const int32_t* rows, const int64_t* change, Py_ssize_t size, int64_t most) noexcept nogil:
    """Add changes to numbers of rows, which may repeat; or nothing, if a sum is more than `most`."""
    cdef Py_ssize_t each, last
    cdef int64_t total
    for each in range(size):
        fetch(into, rows[min(each + AHEAD, size - 1)])
        total = number(into, rows[each]) + change[each]
        if total > most:
            for last in range(each):
                put_number(into, rows[last], number(into, rows[last]) - change[last])
            return False
        put_number(into, rows[each], total)
    return True


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


cdef enum Matter:  # a change of how many instantiations fire at a level
    WAITS
    NEXT  # it is one level above the one at which its row is present
    NOTHING


cdef struct Places:  # where rows are
    const uint8_t* states
    Numbers level
    const int32_t* moving


cdef inline void fetch_place(Places of, int32_t row) noexcept nogil:
    prefetch(of.states + row)
    fetch(of.level, row)


cdef inline Matter matter(Places of, int32_t row, int32_t at) noexcept nogil:
    cdef int32_t present, taken
    if not of.states[row] & PRESENT:
        return WAITS
    present = taken = <int32_t> number(of.level, row)
    if of.moving != NULL and of.moving[row]:
        taken = of.moving[row] - 1
    return WAITS if at <= taken else NEXT if at - present == 1 else NOTHING


cdef inline bint add_known(Numbers above, int32_t row, int64_t change, int64_t most) noexcept nogil:
    """Add to a number that is known, unless it is more than `most` then."""
    cdef int64_t known = number(above, row)
    if known:
        if known + change > most:
            return False
        put_number(above, row, known + change)
    return True


def note(rows, levels, counts, state, level, moving, total, above):
    cdef Py_ssize_t size = len(rows), each, out = 0, start = 0, failed = -1
    cdef const int32_t* given = <const int32_t*> items(rows, 4)
    cdef const int32_t* at = <const int32_t*> items(levels, 4)
    cdef const int64_t* changes = <const int64_t*> items(counts, 8)
    cdef Places places
    cdef Numbers totals = numbers_of(total, PyBUF_WRITABLE), next_up = numbers_of(above, PyBUF_WRITABLE)
    cdef int64_t most_total = 0 if total is None else most(total), most_above = 0 if above is None else most(above)
    cdef int32_t last = 0
    cdef bint in_order = True
    cdef Matter what
    places.states, places.level = <const uint8_t*> items(state, 1), numbers_of(level)
    places.moving = NULL if moving is None else <const int32_t*> items(moving, 4)
    if totals.width and not add(totals, given, changes, size, most_total):
        return "total"
    kept, kept_levels, kept_counts = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int64)
    cdef int32_t* out_rows = <int32_t*> items(kept, 4)
    cdef int32_t* out_levels = <int32_t*> items(kept_levels, 4)
    cdef int64_t* out_counts = <int64_t*> items(kept_counts, 8)
    with nogil:
        for each in range(size):
            fetch_place(places, given[min(each + AHEAD, size - 1)])
            what = matter(places, given[each], at[each])
            if what == WAITS:
                in_order = in_order and last <= at[each]
                last = at[each]
                out_rows[out], out_levels[out], out_counts[out] = given[each], last, changes[each]
                out += 1
            elif what == NEXT and next_up.width and not add_known(next_up, given[each], changes[each], most_above):
                failed = each
                break
        for each in range(failed):
            if matter(places, given[each], at[each]) == NEXT:
                add_known(next_up, given[each], -changes[each], most_above)
        if failed >= 0 and totals.width:
            for each in range(size):
                put_number(totals, given[each], number(totals, given[each]) - changes[each])
    if failed >= 0:
        return "above"
    if not in_order:
        order = np.argsort(kept_levels[:out], kind="stable")
        kept, kept_levels, kept_counts = kept.take(order), kept_levels.take(order), kept_counts.take(order)
        out_levels = <int32_t*> items(kept_levels, 4)
    found = []
    for each in range(1, out + 1):
        if each == out or out_levels[each] != out_levels[start]:
            found.append((out_levels[start], kept[start:each], kept_counts[start:each]))
            start = each
    return found


def divide(rows, sums, state, level, count, above, int visited):
    cdef Py_ssize_t size = len(rows), each, deaths = 0, falls = 0, comers = 0, failed = -1
    dead, lowered, arrivals = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    lowered_sums, arrival_sums = np.empty(size, np.int64), np.empty(size, np.int64)
    cdef const int32_t* given = <const int32_t*> items(rows, 4)
    cdef const int64_t* changes = <const int64_t*> items(sums, 8)
    cdef const uint8_t* states = <const uint8_t*> items(state, 1)
    cdef int32_t* dead_rows = <int32_t*> items(dead, 4)
    cdef int32_t* lowered_rows = <int32_t*> items(lowered, 4)
    cdef int32_t* arrival_rows = <int32_t*> items(arrivals, 4)
    cdef int64_t* of_lowered = <int64_t*> items(lowered_sums, 8)
    cdef int64_t* of_arrivals = <int64_t*> items(arrival_sums, 8)
    cdef Numbers level_of = numbers_of(level), counts = numbers_of(count, PyBUF_WRITABLE)
    cdef Numbers next_up = numbers_of(above, PyBUF_WRITABLE)
    cdef int64_t most_count = most(count), most_above = 0 if above is None else most(above), at, change, left
    cdef int32_t row
    cdef bint owing = False
    with nogil:
        for each in range(size):
            row = given[min(each + AHEAD, size - 1)]
            prefetch(states + row)
            fetch(level_of, row)
            fetch(counts, row)
            row, change = given[each], changes[each]
            if not states[row] & PRESENT:
                if change > 0:
                    arrival_rows[comers], of_arrivals[comers] = row, change
                    comers += 1
                continue
            at = number(level_of, row)
            if at == visited:
                left = number(counts, row) + change
                if left > most_count:
                    failed = each
                    break
                put_number(counts, row, left)
                owing |= left < 0
                if not left:
                    dead_rows[deaths] = row
                    deaths += 1
            elif at == visited - 1:
                if next_up.width and not add_known(next_up, row, change, most_above):
                    failed = each
                    break
            elif at > visited and change > 0:
                lowered_rows[falls], of_lowered[falls] = row, change
                falls += 1
        for each in range(failed):
            row, change = given[each], changes[each]
            if states[row] & PRESENT and number(level_of, row) == visited:
                put_number(counts, row, number(counts, row) - change)
            elif states[row] & PRESENT and number(level_of, row) == visited - 1 and next_up.width:
                add_known(next_up, row, -change, most_above)
    if failed >= 0:
        return "count" if at == visited else "above"
    return Divided(
        dead[:deaths], lowered[:falls], lowered_sums[:falls], arrivals[:comers], arrival_sums[:comers], owing
    )


def enter(rows, counts, state, level, count, above, int at, int known):
    cdef Py_ssize_t size = len(rows), each
    cdef const int32_t* given = <const int32_t*> items(rows, 4)
    cdef const int64_t* of_given = <const int64_t*> items(counts, 8)
    cdef uint8_t* states = <uint8_t*> items(state, 1)
    cdef Numbers level_of = numbers_of(level, PyBUF_WRITABLE), count_of = numbers_of(count, PyBUF_WRITABLE)
    cdef Numbers next_up = numbers_of(above, PyBUF_WRITABLE)
    cdef int64_t most_count = most(count)
    cdef int32_t row
    cdef bint fits = True
    with nogil:
        for each in range(size):
            fits &= of_given[each] <= most_count
        if fits:
            for each in range(size):
                row = given[min(each + AHEAD, size - 1)]
                prefetch(states + row)
                fetch(level_of, row)
                fetch(count_of, row)
                fetch(next_up, row)
                put_number(level_of, given[each], at)
                put_number(count_of, given[each], of_given[each])
                if next_up.width:
                    put_number(next_up, given[each], known)
                states[given[each]] |= PRESENT
    return fits


def lower(rows, counts, level, count, above, moving, int at):
    cdef Py_ssize_t size = len(rows), each
    former = np.empty(size, np.int32)
    cdef const int32_t* given = <const int32_t*> items(rows, 4)
    cdef const int64_t* of_given = <const int64_t*> items(counts, 8)
    cdef int32_t* before = <int32_t*> items(former, 4)
    cdef int32_t* movers = <int32_t*> items(moving, 4)
    cdef Numbers level_of = numbers_of(level, PyBUF_WRITABLE), count_of = numbers_of(count, PyBUF_WRITABLE)
    cdef Numbers next_up = numbers_of(above, PyBUF_WRITABLE)
    cdef int64_t most_count = most(count), most_above = 0 if above is None else most(above), known
    cdef bint fits = True, known_fits = True
    with nogil:
        for each in range(size):
            before[each] = <int32_t> number(level_of, given[each])
            fits &= of_given[each] <= most_count
            if next_up.width and before[each] == at + 1:
                known_fits &= number(count_of, given[each]) < most_above
        if fits and known_fits:
            for each in range(size):
                if next_up.width:
                    known = number(count_of, given[each]) if before[each] == at + 1 else 0
                    put_number(next_up, given[each], 1 + known)
                put_number(level_of, given[each], at)
                put_number(count_of, given[each], of_given[each])
                movers[given[each]] = before[each] + 1
    return former if fits and known_fits else "above" if fits else "count"


def outlook(rows, total, above):
    cdef Py_ssize_t size = len(rows), each, rises = 0, falls = 0, others = 0
    raised, fallen, unknown = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    counts = np.empty(size, np.int64)
    cdef const int32_t* given = <const int32_t*> items(rows, 4)
    cdef int32_t* raised_rows = <int32_t*> items(raised, 4)
    cdef int32_t* fallen_rows = <int32_t*> items(fallen, 4)
    cdef int32_t* unknown_rows = <int32_t*> items(unknown, 4)
    cdef int64_t* of_raised = <int64_t*> items(counts, 8)
    cdef Numbers totals = numbers_of(total), next_up = numbers_of(above)
    cdef int64_t known
    cdef int32_t row
    with nogil:
        for each in range(size):
            row = given[min(each + AHEAD, size - 1)]
            fetch(totals, row)
            fetch(next_up, row)
            row = given[each]
            if not number(totals, row):
                continue
            known = number(next_up, row) if next_up.width else 0
            if known > 1:
                raised_rows[rises], of_raised[rises] = row, known - 1
                rises += 1
            elif known:
                fallen_rows[falls] = row
                falls += 1
            else:
                unknown_rows[others] = row
                others += 1
    return Outlook(raised[:rises], counts[:rises], fallen[:falls], unknown[:others])
