struct item { int v; };
struct box { struct item *ref; };
static struct item only;
static struct box from = { &only };
static struct box to;
void run(void)
{
    memcpy(&to, &from, sizeof to);
    look(to.ref);  // holds: none
}
