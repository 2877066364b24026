struct item { int v; };
struct box { struct item *ref; };
static struct item only;
void run(void)
{
    struct box a, b;
    a.ref = &only;
    look(b.ref);  // holds: item
}
