#include <stddef.h>
struct s { int v; char *text; };

static int value_bad(const struct s *p)
{
    return p->v;  // null.member
}

static int tested_value_ok(const struct s *p)
{
    return p ? p->v : 0;
}

static int second_ok(const struct s *p, int n)
{
    return p->v + n;
}

int pass(struct s *s)
{
    return value_bad(NULL) + value_bad(s) + tested_value_ok(NULL) + second_ok(s, 0);
}

static int zero_bad(const char *text)
{
    return text[0];  // null.subscript
}

int pass_zero(void)
{
    return zero_bad(0);
}
