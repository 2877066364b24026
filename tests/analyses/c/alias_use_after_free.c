#include <stdlib.h>
struct node { int v; struct node *next; char *text; };
struct list { struct node *head; };

int same_name_bad(struct node *p)
{
    free(p);
    return p->v;  // alias.use-after-free
}

int other_name_bad(struct node *p)
{
    struct node *q = p;
    free(p);
    return q->v;  // alias.use-after-free
}

int through_a_field_bad(struct list *l)
{
    struct node *n = l->head;
    free(l->head);
    return n->v;  // alias.use-after-free
}

int read_before_ok(struct node *p)
{
    struct node *next = p->next;
    free(p);
    return next->v;
}

int replaced_ok(struct node *p, struct node *q)
{
    free(p);
    p = q;
    return p->v;
}

int cleared_ok(struct list *l)
{
    free(l->head);
    l->head = NULL;
    return l->head ? l->head->v : 0;
}

int on_one_branch_bad(struct node *p, int n)
{
    if (n)
        free(p);
    return p->v;  // alias.use-after-free
}

int left_on_that_branch_ok(struct node *p, int n)
{
    if (n) {
        free(p);
        return 0;
    }
    return p->v;
}

void list_ok(struct node *p)
{
    while (p) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
}

void list_bad(struct node *p)
{
    for (; p; p = p->next)  // alias.use-after-free
        free(p);
}

void elements_ok(char **names, int n)
{
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

int interior_bad(struct node *p)
{
    char **text = &p->text;
    free(p);
    return **text;  // alias.use-after-free
}

static void drop(struct list *l)
{
    struct node *next = l->head->next;
    free(l->head);
    l->head = next;
}

int by_a_call_bad(struct list *l)
{
    struct node *n = l->head;
    drop(l);
    return n->v;  // alias.use-after-free
}

int read_again_ok(struct list *l)
{
    drop(l);
    return l->head->v;
}

static void put(struct node *n)
{
    if (--n->v > 0)
        return;
    free(n);
}

int counted_ok(struct node *n)
{
    put(n);
    return n->v;
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    free(n->text);
    free(n);
}

int destroyed_bad(struct node *n)
{
    destroy(n);
    return n->v;  // alias.use-after-free
}

int member_of_destroyed_bad(struct node *n)
{
    char *text = n->text;
    destroy(n);
    return text[0];  // alias.use-after-free
}

static int look(struct node *n)
{
    return n->v;
}

int passed_on_bad(struct node *n)
{
    free(n);
    return look(n);  // alias.use-after-free
}
