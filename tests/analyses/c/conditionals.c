#include <stdlib.h>

int both_branches_bad(size_t n)
{
#ifdef POOL
    char *p = "pool";
#else
    char *p = malloc(n);
#endif
    return p[0];  // null.subscript
}

int never_ok(void)
{
    char *p = "x";
#if 0
    p = NULL;
#endif
    return p[0];
}

#ifdef WIDE
char *name_of(int n) { return n ? "wide" : NULL; }
#else
char *name_of(int n) { return "narrow"; }
#endif

int one_of_two_definitions_bad(int n)
{
    return name_of(n)[0];  // null.subscript
}

int split_condition_ok(char *p, int n)
{
#ifdef CHECKED
    if (p == NULL)
        return 0;
    else
#endif
    if (n)
        return p[0];
    return 1;
}

int in_an_expression_ok(int n)
{
    char *p = n ? "a" :
#ifdef OTHER
        "b";
#else
        "c";
#endif
    return p[0];
}
