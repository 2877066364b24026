struct item { int v; };
struct box { struct item *ref; };
static struct item only;
void run(void)
{
    struct box *b = &(struct box){ .ref = &only };
    look(b);  // holds: box
    look(b->ref);  // holds: item
}
