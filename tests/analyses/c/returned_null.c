#include <stddef.h>
struct s { int v; };
static struct s only;

static struct s *find(int k)
{
    if (k == 1)
        return &only;
    return NULL;
}

static struct s *find_zero(int k)
{
    return k ? &only : 0;
}

static struct s *same(struct s *p)
{
    return p;
}

static struct s *through(int k)
{
    struct s *p = find(k);
    return p;
}

int direct_bad(int k)
{
    return find(k)->v;  // null.member
}

int kept_bad(int k)
{
    struct s *p = find_zero(k);
    return p->v;  // null.member
}

int two_levels_bad(int k)
{
    return through(k)->v;  // null.member
}

int handed_back_bad(int k)
{
    return same(find(k))->v;  // null.member
}

int handed_back_ok(struct s *p)
{
    return same(p)->v;
}

int tested_ok(int k)
{
    struct s *p = find(k);
    return p ? p->v : 0;
}
