"""Rows that are alike, packed into words, sorted and counted."""

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
