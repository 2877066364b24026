#include <stdlib.h>
#include <string.h>
struct buffer { char *data; size_t used, size; };

char stale_name_bad(char *p)
{
    char *old = p;
    p = realloc(p, 100);
    if (!p)
        return 0;
    return old[0];  // alias.stale-pointer
}

int stale_interior_bad(struct buffer *b)
{
    char *end = b->data + b->used;
    char *grown = realloc(b->data, 100);
    if (!grown)
        return -1;
    b->data = grown;
    *end = 0;  // alias.stale-pointer
    return 0;
}

int computed_after_ok(struct buffer *b)
{
    char *grown = realloc(b->data, 100);
    if (!grown)
        return -1;
    b->data = grown;
    char *end = b->data + b->used;
    *end = 0;
    return 0;
}

int failed_ok(char *p)
{
    char *q = realloc(p, 100);
    if (q == NULL) {
        int c = p[0];
        free(p);
        return c;
    }
    free(q);
    return 0;
}

static int grow(struct buffer *b)
{
    char *grown;
    if (b->used < b->size)
        return 0;
    grown = realloc(b->data, b->size * 2);
    if (!grown)
        return -1;
    b->data = grown;
    return 0;
}

int grown_by_a_call_bad(struct buffer *b)
{
    char *first = b->data;
    grow(b);
    return *first;  // alias.stale-pointer
}

int read_again_ok(struct buffer *b)
{
    grow(b);
    return b->data[0];
}
