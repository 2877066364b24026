#include <stdio.h>

struct point { int x, y; };
struct item {
    struct item *next;
    struct point at;
    int marks[4];
    union { int number; char *text; } value;
    int (*show)(struct item *, int);
};
typedef struct { struct item *first; foo_t lock; } list_t;
typedef struct item *item_p;

int numbers(unsigned a, int b, double c)
{
    int x = a + b * 2 - 'a' % 3, y = -1, z = ~b;
    x += y << 2;
    x = y = 0x10;
    z = x++ + --y;
    x = (a > b) + !b;
    x = a && (b || c < 1.5);
    x = b ? a : y, z;
    x = (char) b;
    return x | sizeof(int) | sizeof x | sizeof(struct item);
}

int pointers(struct item *p, item_p q, list_t *list, int i)
{
    int *mark = p->marks, value = *mark++;
    int *second = &p->marks[1];
    struct point *at = &p->at, copy = *at, many[2];
    list->first->at.x = q->next->at.y;
    many[i] = copy;
    many[i].x = p->marks[i];
    *second = i[p->marks];
    (*q).next = NULL;
    q->next = 0;
    p->at = copy;
    lock(&list->lock);
    value += second - mark;
    second -= i;
    p->value.text = (char *) 0;
    if (p == NULL || q->next != 0 || !list)
        return p->show(p, 0);
    return (*p->show)(q, i) + (&copy)->x;
}

struct item *conditional(struct item *p, int n)
{
    struct item *q = n ? 0 : p;
    struct item *r = p ?: q;
    r = n > 3 ? p->next : NULL;
    return ({ struct item *held = r; held->next; });
}

void *unknown(thing_t *t, other_t o)
{
    t->inside.name = o.name;
    t->list[2] = t->count + 1;
    take(&t->inside, &o, (void *) t, (long) t);
    __asm__("nop" : "=r"(t->count) : "r"(o.name));
    return _Generic(t, int: o.name, default: t);
}
