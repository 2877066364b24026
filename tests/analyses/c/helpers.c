#include <stdlib.h>
struct s { int v; };

static int usable(const struct s *p)
{
    return p != NULL && p->v > 0;
}

static int missing(const struct s *p)
{
    if (!p)
        return 1;
    return 0;
}

static void check(const struct s *p)
{
    if (!p)
        abort();
}

static void look_at(const struct s *p)
{
    (void)p;
}

#define PRESENT(p) ((p) != NULL)
#define CHECKED(p) do { if (!(p)) return 0; } while (0)

int by_helper_ok(size_t n)
{
    struct s *p = malloc(n);
    if (usable(p))
        return p->v;
    return 0;
}

int by_helper_bad(size_t n)
{
    struct s *p = malloc(n);
    if (!usable(p))
        return p->v;  // null.member
    return 0;
}

int by_negative_helper_ok(size_t n)
{
    struct s *p = malloc(n);
    if (missing(p))
        return 0;
    return p->v;
}

int by_check_ok(size_t n)
{
    struct s *p = malloc(n);
    check(p);
    return p->v;
}

int by_no_check_bad(size_t n)
{
    struct s *p = malloc(n);
    look_at(p);
    return p->v;  // null.member
}

int by_macro_ok(size_t n)
{
    struct s *p = malloc(n);
    return PRESENT(p) ? p->v : 0;
}

int by_statement_macro_ok(size_t n)
{
    struct s *p = malloc(n);
    CHECKED(p);
    return p->v;
}
