#include <stddef.h>
typedef int (*handler)(int);
struct ops { const char *name; int (*open)(int); int (*close)(int); };
static int nothing(int n) { return n; }

static const struct ops full = { .name = "full", .open = nothing, .close = nothing };
static const struct ops partial = { .name = "partial", .open = nothing, .close = NULL };

int null_pointer_bad(void)
{
    handler h = NULL;
    return h(1);  // null.call
}

int followed_bad(void)
{
    handler h = NULL;
    return (*h)(1);  // null.call
}

int tested_ok(handler h)
{
    h = NULL;
    return h ? h(1) : 0;
}

static int close_it_bad(const struct ops *ops)
{
    return ops->close(1);  // null.call
}

static int open_it(const struct ops *ops)
{
    return ops->open(1);
}

static int close_tested_ok(const struct ops *ops)
{
    return ops->close ? ops->close(1) : 0;
}

int run_all(int n)
{
    const struct ops *ops = n ? &full : &partial;
    return close_it_bad(ops) + open_it(ops) + close_tested_ok(ops);
}

int of_one_table_ok(void)
{
    return full.close(1);
}
