#include "memory.h"
struct s { int v; struct memory *own; };

int direct_bad(void)
{
    struct s *p = memory.take(sizeof(*p));
    return p->v;  // null.member
}

int by_macro_bad(void)
{
    struct s *p = take_some(sizeof(*p));
    return p->v;  // null.member
}

int tested_ok(void)
{
    struct s *p = take_some(sizeof(*p));
    if (p == 0)
        return 0;
    memory.give(p);
    return 1;
}

int never_null_ok(void) { return memory.name()[0]; }

int through_an_object_ok(struct s *s)
{
    struct s *p = s->own->take(sizeof(*p));
    return p->v;
}
