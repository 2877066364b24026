struct item { int v; };
static struct item items[8];
void run(int n)
{
    struct item *p = items;
    look(p + n);  // holds: item
    p++;
    look(p);  // holds: item
    look(&items[n]);  // holds: item
}
