struct item { int v; };
static struct item only;
static struct item *current;
void set(void)
{
    current = &only;
}
void run(void)
{
    look(current);  // holds: item
}
