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
