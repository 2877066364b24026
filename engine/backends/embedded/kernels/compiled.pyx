# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The functions of `in_numpy` as loops over the rows. What they take and give is said there.

Row numbers, and starts of entries, are taken to lie in the arrays that they are for, as everywhere in the engine:
nothing checks that here.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.string cimport memcpy
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

from .interface import Divided, Joined, Sifted

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define pliant_ones(word) __builtin_popcountll(word)
    #define pliant_prefetch(place) __builtin_prefetch(place)
    #else
    static int pliant_ones(unsigned long long word) {
        int ones = 0;
        for (; word; word &= word - 1) ones++;
        return ones;
    }
    #define pliant_prefetch(place)
    #endif
    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    static int pliant_avx2(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
            && __builtin_cpu_supports("popcnt");
    }
    #else
    static int pliant_avx2(void) { return 0; }
    #endif
    """
    int ones "pliant_ones"(unsigned long long word) noexcept nogil
    void prefetch "pliant_prefetch"(const void* place) noexcept nogil
    int supports_avx2 "pliant_avx2"() noexcept nogil

cdef enum:
    AHEAD = 32  # keys that are found by bits at the same time
    TOGETHER = 16  # searches at the same time: what one waits for from memory, the others wait for as well
    FORMERLY = 1  # OLD of a row's state
    KEPT = 2  # KEPT
    PRESENT = 4  # NEW
    VISITED = 128  # of none
    FEW = 16  # keys for each other one that is merged with them: so many are copied together
    WIDE = 16  # columns that a join carries along as it goes

ctypedef fused Word:
    uint32_t
    uint64_t

ctypedef fused Asked:
    uint32_t
    uint64_t

cdef struct Numbers:  # an array of one of `widths`
    void* data
    Py_ssize_t width  # bytes of a number, 0 where there are none


cdef Numbers numbers_of(object array, int flags=PyBUF_SIMPLE) except *:
    cdef Py_buffer view
    cdef Numbers found
    found.data, found.width = NULL, 0
    if array is not None:
        PyObject_GetBuffer(array, &view, flags)
        found.data, found.width = view.buf, view.itemsize
        PyBuffer_Release(&view)  # the caller holds the array
    return found


cdef void* items(object array, Py_ssize_t width) except? NULL:
    """Those of a contiguous array, of so many bytes each: to make a memoryview takes as long as a hundred of them."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    PyBuffer_Release(&view)  # the caller holds the array
    if view.itemsize != width:
        raise ValueError(f"a kernel was given numbers of {8 * view.itemsize} bits, not of {8 * width}")
    return view.buf


cdef inline int64_t number(Numbers numbers, Py_ssize_t index) noexcept nogil:
    if numbers.width == 1:
        return (<uint8_t*> numbers.data)[index]
    if numbers.width == 2:
        return (<uint16_t*> numbers.data)[index]
    if numbers.width == 4:
        return (<int32_t*> numbers.data)[index]
    return (<int64_t*> numbers.data)[index]


cdef inline void put_number(Numbers numbers, Py_ssize_t index, int64_t value) noexcept nogil:
    """It wraps around where it does not fit."""
    if numbers.width == 1:
        (<uint8_t*> numbers.data)[index] = <uint8_t> value
    elif numbers.width == 2:
        (<uint16_t*> numbers.data)[index] = <uint16_t> value
    elif numbers.width == 4:
        (<int32_t*> numbers.data)[index] = <int32_t> value
    else:
        (<int64_t*> numbers.data)[index] = value


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


def has_avx2():
    """Whether this processor runs what `compiled_avx2` was compiled for."""
    return bool(supports_avx2())


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


def pack(parts, Py_ssize_t size):
    cdef list widths = [], offsets = []
    cdef Py_ssize_t index
    for index in range(len(parts[0])):
        least, most = extent([part[index] for part in parts])
        offsets.append(least)
        widths.append((most - least).bit_length())
    cdef int bits = sum(widths)
    if bits > 64:
        return None
    words = np.zeros(size, np.uint32 if bits <= 32 else np.uint64)
    index = 0
    for part in parts:
        for column, width, offset in zip(part, widths, offsets):
            if bits <= 32:
                pack_column[uint32_t](words, index, column, width, offset)
            else:
                pack_column[uint64_t](words, index, column, width, offset)
        index += len(part[0])
    return words, widths, offsets


def count_packed(words, list widths, list offsets):
    words.sort()
    if words.itemsize == 4:
        return count_words[uint32_t](words, widths, offsets)
    return count_words[uint64_t](words, widths, offsets)


cdef tuple extent(list columns):
    """The smallest and the largest value, as unsigned numbers."""
    cdef uint32_t least = 0xFFFFFFFF, most = 0, value
    cdef const int32_t[::1] column
    cdef Py_ssize_t each
    for column in columns:
        with nogil:
            for each in range(column.shape[0]):
                value = <uint32_t> column[each]
                least = value if value < least else least
                most = value if value > most else most
    if least > most:  # there is none
        return 0, 0
    return least, most


cdef int pack_column(
    Word[::1] words, Py_ssize_t first, const int32_t[::1] column, int width, uint32_t offset
) except -1:
    cdef Py_ssize_t each
    cdef int shift = width & (8 * sizeof(Word) - 1)  # one by all bits is not defined; then there is nothing to shift
    with nogil:
        for each in range(column.shape[0]):
            words[first + each] = (words[first + each] << shift) | (<uint32_t> column[each] - offset)
    return 0


cdef tuple count_words(Word[::1] words, list widths, list offsets):
    cdef Py_ssize_t size = words.shape[0], each, out = 0
    counts_array = np.empty(size, np.int64)
    cdef int64_t[::1] counts = counts_array
    cdef int32_t[::1] into
    cdef int shift = 0, width
    cdef uint32_t offset, mask
    with nogil:
        for each in range(size):
            words[out] = words[each]
            counts[out] = each + 1  # where the last of its kind ends; without a branch, which nobody could foretell
            out += each + 1 == size or words[each + 1] != words[each]
        for each in range(out - 1, 0, -1):
            counts[each] -= counts[each - 1]
    columns = []
    for width, offset in zip(reversed(widths), reversed(offsets)):
        column = np.empty(out, np.int32)
        into, mask = column, <uint32_t> ((<uint64_t> 1 << width) - 1)
        with nogil:
            for each in range(out):
                into[each] = <int32_t> (((<uint32_t> (words[each] >> shift)) & mask) + offset)
        shift = (shift + width) & (8 * sizeof(Word) - 1)
        columns.append(column)
    columns.reverse()
    return columns, counts_array[:out]


def merge(keys, rows, other_keys, other_rows, into_keys, into_rows):
    if keys.itemsize == 4:
        merge_words[uint32_t](keys, rows, other_keys, other_rows, into_keys, into_rows)
    else:
        merge_words[uint64_t](keys, rows, other_keys, other_rows, into_keys, into_rows)


cdef int merge_words(
    const Word[::1] keys, const int32_t[::1] rows, const Word[::1] others, const int32_t[::1] other_rows,
    Word[::1] into, int32_t[::1] into_rows,
) except -1:
    """Without branches that nobody could foretell; where there are few others, what lies between them is copied."""
    cdef Py_ssize_t size = keys.shape[0], many = others.shape[0], first = 0, second = 0, out = 0, step, stop
    cdef bint later
    with nogil:
        if many * FEW < size:
            for second in range(many):
                step, stop = 1, size - first
                while step < stop and keys[first + step - 1] <= others[second]:
                    step *= 2
                stop = first + min(step, stop)
                stop = first_above(keys, first, stop, others[second])
                if stop > first:
                    memcpy(&into[out], &keys[first], (stop - first) * sizeof(Word))
                    memcpy(&into_rows[out], &rows[first], (stop - first) * sizeof(int32_t))
                    out += stop - first
                    first = stop
                into[out], into_rows[out] = others[second], other_rows[second]
                out += 1
            second = many
        while first < size and second < many:
            later = others[second] < keys[first]
            into[out] = others[second] if later else keys[first]
            into_rows[out] = other_rows[second] if later else rows[first]
            second += later
            first += not later
            out += 1
        if first < size:
            memcpy(&into[out], &keys[first], (size - first) * sizeof(Word))
            memcpy(&into_rows[out], &rows[first], (size - first) * sizeof(int32_t))
        elif second < many:
            memcpy(&into[out], &others[second], (many - second) * sizeof(Word))
            memcpy(&into_rows[out], &other_rows[second], (many - second) * sizeof(int32_t))
    return 0


cdef inline Py_ssize_t first_above(const Word[::1] keys, Py_ssize_t start, Py_ssize_t end, Word key) noexcept nogil:
    """The first place from `start` on, before `end`, whose key is greater; `end` if there is none."""
    cdef Py_ssize_t middle
    while start < end:
        middle = (start + end) >> 1
        if keys[middle] <= key:
            start = middle + 1
        else:
            end = middle
    return start


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
