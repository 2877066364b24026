// What a macro of a header does with its argument is done where it is used.
#include <stdlib.h>
#include "text.h"

size_t length_bad(size_t n)
{
    char *s = malloc(n);
    return LENGTH(s);  // null.argument
}

size_t two_bad(size_t n)
{
    char *s = malloc(n);
    return LENGTH_OF_TWO("a", s);  // null.argument
}

int type_bad(int n)
{
    struct x *x = n ? calloc(1, sizeof *x) : NULL;
    return type_of(x);  // null.argument
}

size_t tested_by_macro_ok(size_t n)
{
    char *s = malloc(n);
    return LENGTH_OR_0(s);
}

size_t tested_ok(size_t n)
{
    char *s = malloc(n);
    return s ? LENGTH(s) : 0;
}
