struct a { int v; };
struct b { int v; };
struct pair { struct a *first; struct b *second; };
static struct a one;
static struct b two;
void run(struct pair *unused)
{
    struct pair p;
    p.first = &one;
    p.second = &two;
    struct pair *q = &p;
    look(q->first);  // holds: a
    look(q->second);  // holds: b
}
