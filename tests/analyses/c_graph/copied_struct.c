struct item { int v; };
struct box { struct item *ref; };
static struct item only;
static struct box from = { &only };
static struct box to;
void run(void)
{
    to = from;
    look(to.ref);  // holds: item
}
