#include <stdlib.h>
struct inner { int v; };
struct s { int v; struct inner in; struct s *next; };
void use(struct inner *in) { in->v = 1; }
int tested(struct inner *in) { return in ? in->v : 0; }

void passed_bad(size_t n)
{
    struct s *p = malloc(n);
    use(&p->in);  // null.member
}

void passed_number_bad(void)
{
    struct s *p = malloc(3);
    if (p == NULL)
        use((struct inner *)&p->in.v);  // null.member
    free(p);
}

int told_once_bad(size_t n)
{
    struct s *p = malloc(n);
    use(&p->in);  // null.member
    return p->v;
}

void passed_ok(size_t n)
{
    struct s *p = malloc(n);
    if (!p)
        return;
    use(&p->in);
}

struct inner *kept_ok(struct s *given)
{
    struct s *p = given ? given->next : NULL;
    struct inner *in = &p->in;
    return p ? in : NULL;
}

void variable_ok(void)
{
    struct s here;
    use(&here.in);
}

int followed_once_ok(struct s *p)
{
    use(&p->in);
    return tested(&p->in);
}
