struct a { int v; };
struct b { int v; };
static struct a one;
static struct b two;
static void *same(void *p)
{
    return p;
}
void run(void)
{
    look(same(&one));  // calls: same  // holds: a, b
    same(&two);  // calls: same
}
