#include <stdlib.h>

struct node { int kind; };
#define KIND(node) ((node)->kind)
#define IS_LIST(node) ((node) && KIND(node) == 1)
#define IS_LEAF(node) (!(node) || KIND(node) == 2)

static struct node *find(int key)
{
    return key ? NULL : malloc(sizeof(struct node));
}

int tested_by_the_macro_ok(int key)
{
    struct node *n = find(key);
    return IS_LIST(n) || IS_LEAF(n);
}

int untested_macro_bad(int key)
{
    struct node *n = find(key);
    return KIND(n);  // null.member
}

int call_in_parentheses_ok(int key)
{
    struct node *n = find(key);
    return (n) && n->kind;
}

int own_likely_ok(int key)
{
    struct node *n = find(key);
    if (l_unlikely(n == NULL))
        return 0;
    return n->kind + (my_likely(n != NULL) ? n->kind : 0);
}
