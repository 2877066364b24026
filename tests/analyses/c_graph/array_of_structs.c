struct command { const char *name; int (*run)(int); };
static int add(int n) { return n; }
static int drop(int n) { return n; }
static struct command commands[] = {
    { "add", add },
    { .name = "drop", .run = drop },
    { 0, 0 },
};
int run(int n)
{
    struct command *c = &commands[n];
    return c->run(n);  // calls: add, drop
}
