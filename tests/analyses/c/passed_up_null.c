// A null that is returned where a call gave null, of a function that may give it and of one that never does.
#include <stdlib.h>
#include <string.h>

struct list { int length; struct list *next; };
int known(int n);

static void *take(size_t size)
{
    void *p = malloc(size);
    if (!p)
        abort();
    return p;
}
static void *take_or_not(size_t size)
{
    void *p = malloc(size);
    return p;
}
static struct list *make(void)
{
    struct list *l = take(sizeof *l);
    if (l == NULL)
        return NULL;
    l->length = 0;
    l->next = NULL;
    return l;
}
static struct list *make_or_not(void)
{
    struct list *l;
    if ((l = take_or_not(sizeof *l)) == NULL)
        return NULL;
    l->length = 0;
    return l;
}
static struct list *copy(const struct list *other)
{
    struct list *l;
    if (!(l = make()))
        return NULL;
    l->length = other->length;
    return l;
}
static struct list *next(struct list *l) { return l->next; }
static struct list *second(struct list *l)
{
    struct list *n = next(l);
    if (!n)
        return NULL;
    return next(n);
}
static struct list *where_known(int n)
{
    if (!known(n))
        return NULL;
    return make();
}
static struct list *same(struct list *l) { return l; }
static struct list *passed(struct list *l)
{
    struct list *s = same(l);
    if (!s)
        return NULL;
    return s;
}
static struct list *none_of_two(int n)
{
    struct list *l = make();
    if (l == NULL || n < 0)
        return NULL;
    return l;
}

int made_ok(void) { return make()->length; }
int made_or_not_bad(void) { return make_or_not()->length; }  // null.member
int copied_ok(const struct list *l) { return copy(l)->length; }
int second_bad(struct list *l) { return second(l)->length; }  // null.member
int known_bad(void) { return where_known(3)->length; }  // null.member
int passed_bad(struct list *l) { return passed(l)->length; }  // null.member
int none_of_two_bad(void) { return none_of_two(known(3))->length; }  // null.member
