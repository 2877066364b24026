struct a { int v; };
struct b { int v; };
static struct a one;
static struct b two;
void run(int n)
{
    void *p = n ? (void *)&one : (void *)&two;
    look(p);  // holds: a, b
    look((n++, &two));  // holds: b
}
