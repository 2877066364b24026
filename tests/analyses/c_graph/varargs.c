struct item { int v; };
static struct item only;
static void each(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    look(va_arg(ap, struct item *));  // holds: item
    va_end(ap);
}
void run(void)
{
    each(1, &only);  // calls: each
}
