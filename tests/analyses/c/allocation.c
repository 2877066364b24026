#include <stdlib.h>
#include <string.h>

char calloc_bad(void)
{
    char *p = calloc(1, 1);
    return *p;  // null.pointer
}

char realloc_bad(char *p)
{
    char *q = realloc(p, 9);
    return *q;  // null.pointer
}

char strdup_bad(const char *s)
{
    char *p = strdup(s);
    return p[0];  // null.subscript
}

void memset_bad(size_t n)
{
    void *p = malloc(n);
    memset(p, 0, n);  // null.argument
}

void free_ok(size_t n)
{
    void *p = malloc(n);
    free(p);
}

struct node { struct node *next; int *data; };

int member_bad(struct node *n)
{
    n->data = malloc(4);
    return n->data[0];  // null.subscript
}

int member_ok(struct node *n)
{
    n->data = malloc(4);
    if (!n->data)
        return -1;
    n->data[0] = 1;
    return n->data[0];
}
