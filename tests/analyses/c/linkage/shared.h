#ifndef SHARED_H
#define SHARED_H
#include <stddef.h>

struct thing { int v; };
struct thing *thing_find(int n);

static inline struct thing *thing_or_null(int n)
{
    return n ? thing_find(n) : NULL;
}

static inline int thing_usable(const struct thing *t)
{
    return t && t->v;
}

#endif
