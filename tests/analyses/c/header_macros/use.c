#include <stdlib.h>
#include <string.h>
#include "macros.h"

int constant_bad(void)
{
    struct thing *t = NO_THING;
    return t->v;  // null.member
}

int predicate_ok(size_t n)
{
    struct thing *t = malloc(n);
    return HAS(t) ? t->v : 0;
}

int predicate_bad(size_t n)
{
    struct thing *t = malloc(n);
    return HAS(t) ? 0 : t->v;  // null.member
}

int statement_ok(size_t n)
{
    struct thing *t = malloc(n);
    RETURN_UNLESS(t);
    return t->v;
}

int result_bad(const char *s)
{
    return *colon_of(s);  // null.pointer
}

void copied_before_the_test_ok(void)
{
    LOG(NULL, 1);
}

void copied_and_used_bad(void)
{
    LOG_TO(NULL, 1);  // null.argument
}
