struct item { int v; };
struct box { struct item *ref; };
static struct item only;
void run(void)
{
    struct box a = { &only }, b;
    static struct box *c;
    c = malloc(sizeof *c);
    memcpy(c, &a, sizeof a);
    look(b.ref);  // holds: struct item
}
