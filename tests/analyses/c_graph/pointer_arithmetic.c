struct item { int v; };
static struct item items[8];
void run(int n)
{
    struct item *p = items;
    look(p + n);  // holds: struct item
    p++;
    look(p);  // holds: struct item
    look(&items[n]);  // holds: struct item
}
