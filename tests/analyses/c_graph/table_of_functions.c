struct ops { int (*open)(void); int (*close)(void); };
static int open_a(void) { return 1; }
static int close_a(void) { return 1; }
static int open_b(void) { return 2; }
static const struct ops a_ops = { open_a, close_a };
static const struct ops b_ops = { .open = open_b };
int run_a(void)
{
    return a_ops.open();  // calls: open_a
}
static int use(const struct ops *ops)
{
    return ops->open();  // calls: open_a, open_b
}
int run(void)
{
    use(&a_ops);  // calls: use
    return use(&b_ops);  // calls: use
}
