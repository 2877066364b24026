# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The same for processors that have AVX2, BMI and POPCNT: packing, counting and bits take two thirds of the time."""

include "compiled.pyx"
