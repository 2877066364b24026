# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The functions of `in_numpy` as loops over the rows. What they take and give is said there.

Row numbers, and starts of entries, are taken to lie in the arrays that they are for, as everywhere in the engine:
nothing checks that here.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from libc.stdint cimport INT32_MAX, INT32_MIN, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

from ..widths import most
from .interface import Derived, Divided, Held, Joined, Outlook, Sieve, Tally, Walked

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


def has_avx2():
    """Whether this processor runs what `compiled_avx2` was compiled for."""
    return bool(supports_avx2())


include "searching.pxi"
include "joining.pxi"
include "grouping.pxi"
include "merging.pxi"
include "updating.pxi"
include "walking.pxi"
include "ascending.pxi"
