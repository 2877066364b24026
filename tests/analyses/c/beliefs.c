/* What most functions test for null, others use without a test. */
#include <stddef.h>
#include <string.h>

struct window { int id; int count; };
struct container { struct window *window; struct window *frame; };
struct icon { struct window *window; };
struct session { void *(*alloc)(size_t count, void **context); void *context; char *name; };
struct pool { void *(*alloc)(size_t count, void **context); void *context; };
struct handle *lookup(int id);
struct handle { int number; };

#define ALLOCATE(s, n) (s)->alloc((n), &(s)->context)

int tested_in_one_way_ok(struct container *c)
{
    if (c->window == NULL)
        return 0;
    return c->window->id;
}

int tested_in_another_ok(struct container *c)
{
    return c->window ? c->window->id : 0;
}

int relies_bad(struct container *c)
{
    return c->window->id;  // null.member
}

int relies_on_that_of_another_structure_ok(struct icon *i)
{
    return i->window->id;
}

int tests_first_ok(struct container *c)
{
    if (!c->window || c->window->count == 0)
        return 0;
    return c->window->id;
}

int tests_frame_ok(struct container *c)
{
    return c->frame ? c->frame->id : 0;
}

int relies_on_frame_ok(struct container *c)  /* as many do as test it */
{
    return c->frame->id;
}

int tests_result_ok(void)
{
    struct handle *h = lookup(1);
    return h ? h->number : 0;
}

int tests_result_too_ok(void)
{
    struct handle *h = lookup(2);
    if (!h)
        return 0;
    return h->number;
}

int relies_on_result_bad(void)
{
    return lookup(3)->number;  // null.member
}

void tests_memory_ok(struct session *s)
{
    char *p = ALLOCATE(s, 10);
    if (!p)
        return;
    p[0] = 0;
    s->name = p;
}

void tests_more_memory_ok(struct session *s)
{
    char *p = ALLOCATE(s, 20);
    if (p)
        p[0] = 0;
    s->name = p;
}

void relies_on_memory_bad(struct session *s, const char *name)
{
    char *p = ALLOCATE(s, 30);
    memcpy(p, name, 30);  // null.argument
    s->name = p;
}

void relies_on_memory_of_another_structure_ok(struct pool *s, const char *name)
{
    char *p = ALLOCATE(s, 30);
    memcpy(p, name, 30);
}
