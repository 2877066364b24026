/* Macros of a header that give the variable which is their argument another value. */
#include "grow.h"

int grown_ok(size_t n)
{
    char *p = NULL;
    GROW(p, n);
    return p[0];
}

int grown_in_a_condition_ok(size_t n)
{
    char *p = NULL;
    if (GROW_FAILS(p, n))
        return 0;
    return p[0];
}

int grown_in_a_loop_ok(const char *text)
{
    char *p = NULL;
    size_t n = 0;
    while (*text++) {
        if (GROW_FAILS(p, n + 1))
            return 0;
        p[n++] = *text;
    }
    return 0;
}

int grown_by_another_macro_ok(size_t n)
{
    char *p = NULL;
    GROW_BY_ONE(p, n);
    return p[0];
}

int allocated_bad(size_t n)
{
    char *p = NULL;
    ALLOCATE(p, n);
    return p[0];  // null.subscript
}

int moved_ok(size_t n)
{
    char *p = malloc(1);
    if (!p)
        return 0;
    MOVE(p, n);
    return p[0];
}

int forgotten_bad(size_t n)
{
    char *p = malloc(n);
    FORGET(p);
    return p[0];  // null.subscript
}

int printed_bad(void)
{
    char *p = NULL;
    PRINT(p);
    return p[0];  // null.subscript
}

int printed_by_another_macro_bad(void)
{
    char *p = NULL;
    PRINT_TWICE(p);
    return p[0];  // null.subscript
}

int macro_of_the_system_ok(void)
{
    char *p = NULL;
    STAILQ_FIRST_OF(p);
    return p[0];
}

int function_bad(void)
{
    char *p = NULL;
    print_it(p);
    return p[0];  // null.subscript
}

int grown_in_a_loop_that_runs_ok(size_t n)
{
    char *p = NULL;
    do
        GROW(p, n);
    while (n--);
    return p[0];
}
