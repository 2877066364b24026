#include <stddef.h>

struct link {
    int key;
    struct link *next;
};

static struct link *find(struct link *link, int key)
{
    while (link != NULL && link->key != key)
        link = link->next;
    return link;
}

int found_bad(struct link *first, int key)
{
    struct link *link = find(first, key);
    return link->key;  // null.member
}

int found_ok(struct link *first, int key)
{
    struct link *link = find(first, key);
    return link == NULL ? 0 : link->key;
}

int behind_the_last_bad(struct link *first)
{
    struct link *link = first->next;
    while (link != NULL)
        link = link->next;
    return link->key;  // null.member
}

int last_ok(struct link *first)
{
    struct link *link = first;
    while (link->next != NULL)
        link = link->next;
    return link->key;
}
