#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static struct node *first;

int list_ok(void)
{
    int sum = 0;
    for (struct node *n = first; n; n = n->next)
        sum += n->v;
    return sum;
}

int found_or_not_bad(int k)
{
    struct node *found = NULL;
    for (struct node *n = first; n; n = n->next)
        if (n->v == k)
            found = n;
    return found->v;  // null.member
}

int found_and_tested_ok(int k)
{
    struct node *found = NULL;
    for (struct node *n = first; n; n = n->next)
        if (n->v == k) {
            found = n;
            break;
        }
    return found ? found->v : 0;
}

int do_while_ok(const char *s)
{
    const char *p = NULL;
    do {
        p = s;
        s++;
    } while (*s);
    return *p;
}

int while_assigned_bad(const char *s)
{
    char *colon;
    while ((colon = strchr(s, ':')) != NULL)
        s = colon + 1;
    return *colon;  // null.pointer
}

int continued_ok(char **names, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        char *p = strchr(names[i], ':');
        if (!p)
            continue;
        sum += *p;
    }
    return sum;
}

int for_ever_ok(void)
{
    char *p = NULL;
    for (;;) {
        p = malloc(1);
        if (p)
            break;
    }
    return *p;
}

struct entry { struct entry *next; int key; };
struct queue { struct entry *first; };

#define EVERY(entry, queue) \
    for ((entry) = (queue)->first; (entry) != NULL; (entry) = (entry)->next)

static struct entry *search(struct queue *queue, int key)
{
    struct entry *entry;
    EVERY(entry, queue)
    if (entry->key == key)
        return entry;
    return NULL;
}

static struct entry *search_elsewhere(struct queue *queue, int key)
{
    struct entry *entry;
    TAILQ_FOREACH(entry, queue, entries)
    if (entry->key == key)
        return entry;
    return NULL;
}

#define CLEAR(queue) do { \
    struct entry *each = NULL; \
    TAILQ_FOREACH(each, queue, entries) { \
        each->key = 0; \
    } \
} while (0)

void clear_ok(struct queue *queue)
{
    struct entry *each;
    CLEAR(queue);
    TAILQ_FOREACH(each, queue, entries)
    each->key = 1;
}

int found_ok(struct queue *queue)
{
    struct entry *entry = search(queue, 1);
    return entry ? entry->key : 0;
}

int not_found_bad(struct queue *queue)
{
    return search(queue, 2)->key;  // null.member
}

int not_found_elsewhere_bad(struct queue *queue)
{
    return search_elsewhere(queue, 2)->key;  // null.member
}

int behind_what_was_found_bad(struct queue *queue)
{
    int *nothing = NULL;
    if (!search(queue, 3) || !search_elsewhere(queue, 3))
        return 0;
    return *nothing;  // null.pointer
}
