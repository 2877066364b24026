#include <stddef.h>

static void add(int *restrict to, const int *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

static int sum(const int *restrict a, const int *restrict b)
{
    return *a + *b;
}

static void plain(int *to, const int *from)
{
    *to = *from;
}

void same_bad(int *a, size_t n)
{
    add(a, a, n);  // alias.restrict
}

void part_bad(int *a, size_t n)
{
    add(a, a + 1, n);  // alias.restrict
}

void different_ok(int *a, int *b, size_t n)
{
    add(a, b, n);
}

int only_read_ok(int *a)
{
    return sum(a, a);
}

void not_promised_ok(int *a)
{
    plain(a, a);
}
