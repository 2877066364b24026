"""Rows that are alike, packed into words, sorted and counted."""

def pack(parts, Py_ssize_t size, int lifted=0):
    cdef list widths = [], offsets = []
    cdef Py_ssize_t first = 0, here
    cdef int bits = 0, index
    cdef uint32_t least, most
    for index in range(len(parts[0])):
        least, most = 0xFFFFFFFF, 0
        for part in parts:
            extend(&least, &most, part[index], index < lifted)
        if least > most:  # there is no row
            least = most = 0
        offsets.append(least)
        widths.append((<int64_t> most - least).bit_length())
        bits += <int> widths[index]
    if bits > 64:
        return None
    words = np.zeros(size, np.uint32 if bits <= 32 else np.uint64)
    for part in parts:
        here = len(part[len(widths) - 1])
        for index in range(len(widths)):
            least = <uint32_t> offsets[index] - (index < lifted)
            if bits <= 32:
                pack_column[uint32_t](<uint32_t*> items(words, 4) + first, here, part[index], widths[index], least)
            else:
                pack_column[uint64_t](<uint64_t*> items(words, 8) + first, here, part[index], widths[index], least)
        first += here
    return words, widths, offsets


def count_packed(words, list widths, list offsets, int key=0):
    words.sort()
    if words.itemsize == 4:
        return count_words[uint32_t](<uint32_t*> items(words, 4), len(words), widths, offsets, key)
    return count_words[uint64_t](<uint64_t*> items(words, 8), len(words), widths, offsets, key)


cdef int extend(uint32_t* least, uint32_t* most, column, bint lifted) except -1:
    """So that the values of a column, as unsigned numbers, lie between them."""
    cdef uint32_t low = 0xFFFFFFFF, high = 0, value
    cdef Py_ssize_t each, size = 0 if column is None else len(column)
    cdef const uint32_t* values
    if column is None:
        low = high = 0
    elif size:
        values = <const uint32_t*> items(column, 4)
        with nogil:
            for each in range(size):
                value = values[each]
                low = value if value < low else low
                high = value if value > high else high
        low, high = low + lifted, high + lifted
    least[0], most[0] = min(least[0], low), max(most[0], high)
    return 0


cdef int pack_column(Word* words, Py_ssize_t size, column, int width, uint32_t offset) except -1:
    cdef Py_ssize_t each
    cdef const uint32_t* values
    cdef int shift = width & (8 * sizeof(Word) - 1)  # one by all bits is not defined; then there is nothing to shift
    if column is None:
        with nogil:
            for each in range(size):
                words[each] <<= shift
    else:
        values = <const uint32_t*> items(column, 4)
        with nogil:
            for each in range(size):
                words[each] = (words[each] << shift) | <uint32_t> (values[each] - offset)
    return 0


cdef tuple count_words(Word* words, Py_ssize_t size, list widths, list offsets, int key):
    cdef Py_ssize_t each, out = 0
    cdef int shift = 0, index, columns = len(widths)
    counts_array = np.empty(size, np.int64)
    cdef int64_t* counts = <int64_t*> items(counts_array, 8)
    cdef int32_t* into
    cdef uint64_t* keys
    cdef Field first, second
    with nogil:
        for each in range(size):
            words[out] = words[each]
            counts[out] = each + 1  # where the last of its kind ends; without a branch, which nobody could foretell
            out += each + 1 == size or words[each + 1] != words[each]
        for each in range(out - 1, 0, -1):
            counts[each] -= counts[each - 1]
    found = []
    if key:
        column = np.empty(out, np.uint64)
        keys = <uint64_t*> items(column, 8)
        second = field(widths[columns - 1], offsets[columns - 1], &shift)
        with nogil:
            for each in range(out):
                keys[each] = value_of(words[each], second)
        if key == 2:
            first = field(widths[columns - 2], offsets[columns - 2], &shift)
            with nogil:
                for each in range(out):
                    keys[each] |= <uint64_t> value_of(words[each], first) << 32
        found.append(column)
    for index in range(columns - key - 1, -1, -1):
        column = np.empty(out, np.int32)
        into, first = <int32_t*> items(column, 4), field(widths[index], offsets[index], &shift)
        with nogil:
            for each in range(out):
                into[each] = <int32_t> value_of(words[each], first)
        found.append(column)
    found.reverse()
    return found, counts_array[:out]


cdef struct Field:  # where words have a column
    int shift
    uint32_t mask
    uint32_t offset


cdef inline Field field(int width, uint32_t offset, int* shift):
    """That which stands `shift` bits above the others, of so many bits; the next one stands above it."""
    cdef Field found
    found.shift, found.mask, found.offset = shift[0], <uint32_t> ((<uint64_t> 1 << width) - 1), offset
    shift[0] += width
    return found


cdef inline uint32_t value_of(Word word, Field of) noexcept nogil:
    """A shift by all bits is not defined; then there is nothing to take, and the mask is 0."""
    return (<uint32_t> (word >> (of.shift & (8 * sizeof(Word) - 1))) & of.mask) + of.offset
