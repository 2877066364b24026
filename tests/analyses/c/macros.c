#include <stdlib.h>
#include <string.h>
#define NONE NULL
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FIRST(p) ((p)->v)
#define SAFE_FIRST(p) ((p) ? (p)->v : 0)
#define COLON(s) strchr((s), ':')
#define ALLOC(type) ((type *)malloc(sizeof(type)))
#define IGNORE(x)
struct s { int v; };

int object_like_bad(void)
{
    struct s *p = NONE;
    return p->v;  // null.member
}

int expression_bad(size_t n)
{
    struct s *p = malloc(n);
    return FIRST(p);  // null.member
}

int expression_ok(size_t n)
{
    struct s *p = malloc(n);
    return SAFE_FIRST(p);
}

int result_bad(const char *s)
{
    return *COLON(s);  // null.pointer
}

int allocation_bad(void)
{
    struct s *p = ALLOC(struct s);
    return p->v;  // null.member
}

int ignored_ok(void)
{
    struct s *p = NULL;
    IGNORE(p->v);
    return p == NULL;
}

int nested_ok(int a, int b)
{
    return MAX(a, MAX(b, 1));
}
