#include <stdlib.h>
struct pair { char *a; char *b; };

int copied_bad(void)
{
    struct pair p = { "x", NULL };
    struct pair q = p;
    return q.b[0];  // null.subscript
}

int copied_ok(void)
{
    struct pair p = { "x", NULL };
    struct pair q = p;
    return q.a[0];
}

int assigned_whole_bad(void)
{
    struct pair p = { "x", NULL }, q = { "y", "z" };
    q = p;
    return q.b[0];  // null.subscript
}

int designated_bad(void)
{
    struct pair p = { .b = NULL, .a = "x" };
    return p.b[0];  // null.subscript
}

int designated_ok(void)
{
    struct pair p = { .b = "x", .a = NULL };
    return p.b[0];
}

int by_value(struct pair p)
{
    return p.a[0];
}

int fn_left_out(void)
{
    struct pair p = { .a = "x" };
    return p.b[0];  // missed: null.subscript
}
