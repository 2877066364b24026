#include "shared.h"

static struct thing fallback;

static struct thing *local(int n)
{
    (void)n;
    return &fallback;
}

int own_static_ok(int n)
{
    return local(n)->v;
}

int of_other_file_bad(int n)
{
    return thing_find(n)->v;  // null.member
}

int static_in_header_bad(int n)
{
    return thing_or_null(n)->v;  // null.member
}

int tested_in_header_ok(int n)
{
    struct thing *t = thing_find(n);
    if (thing_usable(t))
        return t->v;
    return 0;
}
