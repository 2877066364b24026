struct item { int v; };
struct inner { struct item *ref; };
struct outer { struct inner in; };
static struct item only;
void run(void)
{
    struct outer o;
    o.in.ref = &only;
    struct inner *i = &o.in;
    look(i->ref);  // holds: item
}
