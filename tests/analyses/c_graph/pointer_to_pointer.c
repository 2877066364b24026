struct item { int v; };
static struct item only;
static void set(struct item **out)
{
    *out = &only;
}
void run(void)
{
    struct item *p;
    set(&p);  // calls: set
    look(p);  // holds: item
}
