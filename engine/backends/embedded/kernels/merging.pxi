"""Two sorted runs as one."""

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
