#include <stdlib.h>
struct s { int v; struct s *next; };

int negation_ok(size_t n)
{
    struct s *p = malloc(n);
    if (!p)
        return 0;
    return p->v;
}

int compared_ok(size_t n)
{
    struct s *p = malloc(n);
    if (p == NULL)
        return 0;
    return p->v;
}

int compared_turned_ok(size_t n)
{
    struct s *p = malloc(n);
    if (NULL != p)
        return p->v;
    return 0;
}

int zero_compared_ok(size_t n)
{
    struct s *p = malloc(n);
    return p != 0 ? p->v : 0;
}

int wrong_branch_bad(size_t n)
{
    struct s *p = malloc(n);
    if (!p)
        return p->v;  // null.member
    return 0;
}

int conjunction_ok(size_t n)
{
    struct s *p = malloc(n);
    return p && p->v;
}

int disjunction_ok(size_t n)
{
    struct s *p = malloc(n);
    if (!p || p->v == 0)
        return 0;
    return p->v;
}

int disjunction_bad(size_t n)
{
    struct s *p = malloc(n);
    return p || p->v;  // null.member
}

int assigned_in_condition_ok(size_t n)
{
    struct s *p;
    if ((p = malloc(n)) == NULL)
        return 0;
    return p->v;
}

int assigned_in_loop_ok(struct s *(*next)(void))
{
    struct s *p;
    int sum = 0;
    while ((p = malloc(sizeof *p)))
        sum += p->v;
    return sum;
}

int nested_negations_ok(size_t n)
{
    struct s *p = malloc(n);
    if (!!p)
        return p->v;
    return 0;
}

int kept_result_ok(size_t n)
{
    struct s *p = malloc(n);
    int there = p != NULL;
    if (there)
        return p->v;
    return 0;
}

int two_at_once_ok(size_t n)
{
    struct s *p = malloc(n), *q = malloc(n);
    if (!p || !q) {
        free(p);
        free(q);
        return 0;
    }
    return p->v + q->v;
}

int other_tested_bad(size_t n)
{
    struct s *p = malloc(n), *q = malloc(n);
    if (!p)
        return 0;
    return q->v;  // null.member
}

int comma_in_condition_ok(size_t n)
{
    struct s *p;
    if (p = malloc(n), p)
        return p->v;
    return 0;
}

int same_test_again_ok(size_t n, int wanted)
{
    struct s *p = NULL;
    if (wanted) {
        p = malloc(n);
        if (!p)
            return 0;
    }
    if (wanted)
        return p->v;
    return 1;
}
