#include <stdlib.h>

static void *allocate(size_t n, int gently)
{
    void *p = malloc(n);
    if (!p) {
        if (!gently)
            abort();
        return NULL;
    }
    return p;
}

int strict_ok(size_t n)
{
    char *p = allocate(n, 0);
    return p[0];
}

int gentle_bad(size_t n)
{
    char *p = allocate(n, 1);
    return p[0];  // null.subscript
}

int either_bad(size_t n, int how)
{
    char *p = allocate(n, how);
    return p[0];  // null.subscript
}
