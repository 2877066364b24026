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
    cdef Py_ssize_t left = len(keys)
    rows = np.full(left, -1, np.int32)
    for run in sorted(runs, key=_without_bits):
        if not left:
            break
        if not len(run.keys):
            continue
        if run.bits is not None:
            bits = run.bits
            left -= find_by_bits(bits.words, bits.ranks, bits.numbers, bits.stride, run.rows, keys, rows)
        elif keys.itemsize == 4:
            left -= search[uint32_t](run.keys, run.rows, None, 0, keys, rows)
        else:
            left -= search[uint64_t](run.keys, run.rows, run.starts, run.shift, keys, rows)
    return rows


def _without_bits(run):
    return run.bits is None


cdef Py_ssize_t search(
    const Word[::1] keys, const int32_t[::1] rows, const int32_t[::1] starts, int shift, const Word[::1] asked,
    int32_t[::1] found,
) except -1:
    """Look up what is not found yet; how many are found now."""
    cdef Py_ssize_t size = keys.shape[0], total = asked.shape[0], place = 0, hits = 0
    cdef uint64_t value, values = 0 if starts is None else starts.shape[0] - 1
    cdef Py_ssize_t at[TOGETHER]
    cdef Py_ssize_t sizes[TOGETHER]
    cdef Py_ssize_t places[TOGETHER]
    cdef Word wanted[TOGETHER]
    cdef int count, each
    with nogil:
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
            bisect(&keys[0], at, sizes, wanted, count)
            for each in range(count):  # one past the entries of a value is of another one
                if at[each] < size and keys[at[each]] == wanted[each]:
                    found[places[each]] = rows[at[each]]
                    hits += 1
    return hits


cdef Py_ssize_t find_by_bits(
    const uint64_t[::1] words, const int32_t[::1] ranks, const int32_t[::1] numbers, uint64_t stride,
    const int32_t[::1] rows, const uint64_t[::1] asked, int32_t[::1] found,
) except -1:
    """By steps of some keys at a time: each step asks memory for what the next one reads."""
    cdef Py_ssize_t first = 0, hits = 0, count
    cdef uint64_t block, second, word, bit, blocks = numbers.shape[0]
    cdef int32_t numbered[AHEAD]
    cdef Py_ssize_t entry[AHEAD]
    cdef uint64_t block_of[AHEAD]
    cdef int each
    with nogil:
        while first < asked.shape[0]:
            count = min(<Py_ssize_t> AHEAD, asked.shape[0] - first)
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
    low, counts = np.empty(len(asked), np.int64), np.empty(len(asked), np.int64)
    if starts is not None and asked.itemsize == 4:
        return low, counts, look_up_ranges[uint32_t](starts, asked, low, counts)
    if starts is not None:
        return low, counts, look_up_ranges[uint64_t](starts, asked, low, counts)
    if keys.itemsize == 4:
        return low, counts, search_ranges[uint32_t, uint32_t](keys, asked, False, low, counts)
    if asked.itemsize == 4:
        return low, counts, search_ranges[uint64_t, uint32_t](keys, asked, prefix, low, counts)
    return low, counts, search_ranges[uint64_t, uint64_t](keys, asked, prefix, low, counts)


cdef Py_ssize_t look_up_ranges(
    const int32_t[::1] starts, const Asked[::1] asked, int64_t[::1] low, int64_t[::1] counts
) except -1:
    cdef Py_ssize_t place, total = 0
    cdef uint64_t last = starts.shape[0] - 1, value
    with nogil:
        for place in range(asked.shape[0]):
            value = min(<uint64_t> asked[place], last)
            low[place] = starts[value]
            counts[place] = starts[min(value + 1, last)] - starts[value]
            total += counts[place]
    return total


cdef Py_ssize_t search_ranges(
    const Word[::1] keys, const Asked[::1] asked, bint prefix, int64_t[::1] low, int64_t[::1] counts
) except -1:
    cdef Py_ssize_t size = keys.shape[0], place = 0, total = 0
    cdef Py_ssize_t at[2 * TOGETHER]
    cdef Py_ssize_t sizes[2 * TOGETHER]
    cdef Word wanted[2 * TOGETHER]  # by twos: where the entries of a key start, and those of the next one
    cdef int count, each, shift = 32 if prefix else 0
    if not size:
        low[:] = 0
        counts[:] = 0
        return 0
    with nogil:
        while place < asked.shape[0]:
            count = <int> min(TOGETHER, asked.shape[0] - place)
            for each in range(count):
                at[2 * each] = at[2 * each + 1] = 0
                sizes[2 * each] = sizes[2 * each + 1] = size
                wanted[2 * each] = <Word> (<uint64_t> asked[place + each] << shift)
                wanted[2 * each + 1] = <Word> ((<uint64_t> asked[place + each] + 1) << shift)
            bisect(&keys[0], at, sizes, wanted, 2 * count)
            for each in range(count):
                low[place + each] = at[2 * each]
                if not wanted[2 * each + 1]:  # there is no next one
                    at[2 * each + 1] = size
                counts[place + each] = at[2 * each + 1] - at[2 * each]
                total += counts[place + each]
            place += count
    return total
