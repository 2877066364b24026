#include <stdint.h>
#include <stdlib.h>
struct a { int v; };
struct b { struct a base; };

int through_void_bad(void)
{
    void *p = NULL;
    return ((struct a *)p)->v;  // null.member
}

int through_base_ok(void *p)
{
    struct b *b = p;
    struct a *a = (struct a *)b;
    return a->v;
}

int of_allocation_bad(void)
{
    struct a *p = (struct a *)malloc(sizeof(struct a));
    return p->v;  // null.member
}

int tested_through_a_cast_ok(void)
{
    void *p = malloc(8);
    if ((char *)p == NULL)
        return 0;
    return ((struct a *)p)->v;
}

int fn_through_a_number(void)
{
    uintptr_t n = (uintptr_t)NULL;
    struct a *p = (struct a *)n;
    return p->v;  // missed: null.member
}
