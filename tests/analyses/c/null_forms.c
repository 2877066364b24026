struct s { int v; };
#define NOTHING ((void *)0)

int zero_bad(void)
{
    struct s *p = 0;
    return p->v;  // null.member
}

int cast_bad(void)
{
    struct s *p = (struct s *)0;
    return p->v;  // null.member
}

int nullptr_bad(void)
{
    struct s *p = nullptr;
    return p->v;  // null.member
}

int macro_bad(void)
{
    struct s *p = NOTHING;
    return p->v;  // null.member
}

int number_ok(struct s *p)
{
    int n = 0;
    return n ? p->v : n;
}

int assigned_bad(struct s *p)
{
    p = 0;
    return p->v;  // null.member
}
