struct item { int v; };
static struct item a;
void run(int i)
{
    struct item *items[3];
    items[0] = &a;
    look(items[i]);  // holds: item
    look(*items);  // holds: item
}
