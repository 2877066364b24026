struct item { int v; };
union slot { struct item *ref; long number; };
static struct item only;
void run(void)
{
    union slot s;
    s.ref = &only;
    look(s.ref);  // holds: item
}
