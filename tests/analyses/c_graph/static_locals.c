struct item { int v; };
static void *instance(void)
{
    static struct item only;
    return &only;
}
void run(void)
{
    look(instance());  // calls: instance  // holds: item
}
