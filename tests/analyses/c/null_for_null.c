#include <stddef.h>

struct item { struct item *next; char *key; };

static const char *key_of(struct item *item)
{
    if (!item)
        return NULL;
    return item->key;
}

static const char *key_by_comparison(struct item *item)
{
    if (item == NULL)
        return NULL;
    return item->key;
}

int null_only_for_null_ok(struct item *first)
{
    int n = 0;
    while (first) {
        n += *key_of(first) + *key_by_comparison(first);
        first = first->next;
    }
    return n;
}

int may_be_null_bad(struct item *first)
{
    return *key_of(first->next);  // null.pointer
}

int is_null_bad(void)
{
    return *key_of(NULL);  // null.pointer
}
