"""Keys in sorted runs."""

cdef inline void bisect(
    const Word* keys, Py_ssize_t* at, Py_ssize_t* sizes, const Word* wanted, int count
) noexcept nogil:
    """For each of some keys the first place, among so many (at least one) from `at` on, that is not less."""
    cdef Py_ssize_t largest = 0, half
    cdef int each
    for each in range(count):
        largest = max(largest, sizes[each])
    while largest > 1:
        for each in range(count):
            half = sizes[each] >> 1
            at[each] += half * (keys[at[each] + half - (half > 0)] < wanted[each])
            sizes[each] -= half
        largest -= largest >> 1
    for each in range(count):
        at[each] += keys[at[each]] < wanted[each]


def find_rows(runs, keys):
    cdef Py_ssize_t size = len(keys)
    rows = np.empty(size, np.int32)
    look_up(runs, items(keys, keys.itemsize), keys.itemsize, size, <int32_t*> items(rows, 4))
    return rows


cdef int look_up(runs, const void* keys, Py_ssize_t width, Py_ssize_t size, int32_t* rows) except -1:
    """The row of each key of `width` bytes, in whichever run it is, or -1."""
    cdef Py_ssize_t left = size, each, entries, values
    cdef int shift
    cdef const int32_t* run_rows
    cdef const int32_t* starts
    cdef const uint64_t* words
    cdef const uint32_t* hashes
    for each in range(size):
        rows[each] = -1
    for run in runs if len(runs) == 1 else sorted(runs, key=_without_bits):
        run_keys = run.keys
        entries = len(run_keys)
        if not left:
            break
        if not entries:
            continue
        run_rows = <const int32_t*> items(run.rows, 4)
        if run.bits is not None:
            left -= find_by_bits(run.bits, run_rows, <const uint64_t*> keys, size, rows)
        elif width == 4:
            hashes = <const uint32_t*> items(run_keys, 4)
            with nogil:
                left -= search[uint32_t](
                    hashes, entries, run_rows, NULL, 0, 0, <const uint32_t*> keys, size, rows
                )
        else:
            words, starts, values, shift = <const uint64_t*> items(run_keys, 8), NULL, 0, run.shift
            if run.starts is not None:
                starts, values = <const int32_t*> items(run.starts, 4), len(run.starts) - 1
            with nogil:
                left -= search[uint64_t](
                    words, entries, run_rows, starts, values, shift, <const uint64_t*> keys, size, rows
                )
    return 0


def _without_bits(run):
    return run.bits is None


cdef Py_ssize_t search(
    const Word* keys, Py_ssize_t size, const int32_t* rows, const int32_t* starts, uint64_t values, int shift,
    const Word* asked, Py_ssize_t total, int32_t* found,
) noexcept nogil:
    """Look up what is not found yet; how many are found now. `starts`: of so many values, if any."""
    cdef Py_ssize_t place = 0, hits = 0
    cdef uint64_t value
    cdef Py_ssize_t at[TOGETHER]
    cdef Py_ssize_t sizes[TOGETHER]
    cdef Py_ssize_t places[TOGETHER]
    cdef Word wanted[TOGETHER]
    cdef int count, each
    while place < total:
        count = 0
        while place < total and count < TOGETHER:
            if found[place] < 0:
                at[count], sizes[count] = 0, size
                if values:
                    value = min(<uint64_t> asked[place] >> shift, values - 1)
                    at[count], sizes[count] = starts[value], max(starts[value + 1] - starts[value], 1)
                wanted[count], places[count] = asked[place], place
                count += 1
            place += 1
        if not count:
            break
        bisect(keys, at, sizes, wanted, count)
        for each in range(count):  # one past the entries of a value is of another one
            if at[each] < size and keys[at[each]] == wanted[each]:
                found[places[each]] = rows[at[each]]
                hits += 1
    return hits


cdef Py_ssize_t find_by_bits(
    bits, const int32_t* rows, const uint64_t* asked, Py_ssize_t size, int32_t* found
) except -1:
    """By steps of some keys at a time: each step asks memory for what the next one reads."""
    cdef const uint64_t* words = <const uint64_t*> items(bits.words, 8)
    cdef const int32_t* ranks = <const int32_t*> items(bits.ranks, 4)
    cdef const int32_t* numbers = <const int32_t*> items(bits.numbers, 4)
    cdef uint64_t stride = bits.stride, blocks = len(bits.numbers)
    cdef Py_ssize_t first = 0, hits = 0, count
    cdef uint64_t block, second, word, bit
    cdef int32_t numbered[AHEAD]
    cdef Py_ssize_t entry[AHEAD]
    cdef uint64_t block_of[AHEAD]
    cdef int each
    with nogil:
        while first < size:
            count = min(<Py_ssize_t> AHEAD, size - first)
            for each in range(count):
                second = <uint32_t> asked[first + each]
                block = (asked[first + each] >> 32) * stride + (second >> 6)
                if second >= 64 * stride or block >= blocks:
                    block = blocks - 1  # it is empty
                block_of[each] = block
                prefetch(&numbers[block])
            for each in range(count):
                numbered[each] = numbers[block_of[each]]
                prefetch(&words[numbered[each]])
                prefetch(&ranks[numbered[each]])
            for each in range(count):
                word, bit = words[numbered[each]], (<uint64_t> 1) << (asked[first + each] & 63)
                entry[each] = -1
                if word & bit and found[first + each] < 0:
                    entry[each] = ranks[numbered[each]] + ones(word & (bit - 1))
                    prefetch(&rows[entry[each]])
            for each in range(count):
                if entry[each] >= 0:
                    found[first + each] = rows[entry[each]]
                    hits += 1
            first += count
    return hits


def find_ranges(keys, starts, asked, bint prefix):
    cdef Py_ssize_t size = len(asked)
    low, counts = np.empty(size, np.int64), np.empty(size, np.int64)
    total = ranges_of(
        keys, starts, items(asked, asked.itemsize), asked.itemsize, size, prefix, <int64_t*> items(low, 8),
        <int64_t*> items(counts, 8),
    )
    return low, counts, total


cdef Py_ssize_t ranges_of(
    keys, starts, const void* asked, Py_ssize_t width, Py_ssize_t size, bint prefix, int64_t* low, int64_t* counts
) except -1:
    cdef Py_ssize_t entries = len(keys), values
    cdef const uint64_t* words
    cdef const uint32_t* hashes
    cdef const int32_t* of_values
    if starts is not None:
        of_values, values = <const int32_t*> items(starts, 4), len(starts)
        with nogil:
            if width == 4:
                return look_up_ranges[uint32_t](of_values, values, <const uint32_t*> asked, size, low, counts)
            return look_up_ranges[uint64_t](of_values, values, <const uint64_t*> asked, size, low, counts)
    if keys.itemsize == 4:
        hashes = <const uint32_t*> items(keys, 4)
        with nogil:
            return search_ranges[uint32_t, uint32_t](
                hashes, entries, <const uint32_t*> asked, size, False, low, counts
            )
    words = <const uint64_t*> items(keys, 8)
    with nogil:
        if width == 4:
            return search_ranges[uint64_t, uint32_t](words, entries, <const uint32_t*> asked, size, prefix, low, counts)
        return search_ranges[uint64_t, uint64_t](words, entries, <const uint64_t*> asked, size, prefix, low, counts)


cdef Py_ssize_t look_up_ranges(
    const int32_t* starts, Py_ssize_t values, const Asked* asked, Py_ssize_t size, int64_t* low, int64_t* counts
) noexcept nogil:
    cdef Py_ssize_t place, total = 0
    cdef uint64_t last = values - 1, value
    for place in range(size):
        value = min(<uint64_t> asked[place], last)
        low[place] = starts[value]
        counts[place] = starts[min(value + 1, last)] - starts[value]
        total += counts[place]
    return total


cdef Py_ssize_t search_ranges(
    const Word* keys, Py_ssize_t entries, const Asked* asked, Py_ssize_t size, bint prefix, int64_t* low,
    int64_t* counts,
) noexcept nogil:
    cdef Py_ssize_t place = 0, total = 0
    cdef Py_ssize_t at[2 * TOGETHER]
    cdef Py_ssize_t sizes[2 * TOGETHER]
    cdef Word wanted[2 * TOGETHER]  # by twos: where the entries of a key start, and those of the next one
    cdef int count, each, shift = 32 if prefix else 0
    if not entries:
        for place in range(size):
            low[place] = counts[place] = 0
        return 0
    while place < size:
        count = <int> min(TOGETHER, size - place)
        for each in range(count):
            at[2 * each] = at[2 * each + 1] = 0
            sizes[2 * each] = sizes[2 * each + 1] = entries
            wanted[2 * each] = <Word> (<uint64_t> asked[place + each] << shift)
            wanted[2 * each + 1] = <Word> ((<uint64_t> asked[place + each] + 1) << shift)
        bisect(keys, at, sizes, wanted, 2 * count)
        for each in range(count):
            low[place + each] = at[2 * each]
            if not wanted[2 * each + 1]:  # there is no next one
                at[2 * each + 1] = entries
            counts[place + each] = at[2 * each + 1] - at[2 * each]
            total += counts[place + each]
        place += count
    return total
