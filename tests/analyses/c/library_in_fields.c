#include <stdlib.h>
#include <string.h>

struct options {
    char *user;
    char *path;
    char *copy;
};

static void init(struct options *o)
{
    o->user = getenv("USER");
    o->path = getenv("PATH");
    if (o->path == NULL)
        o->path = "/bin";
}

char used_bad(void)
{
    struct options o;
    init(&o);
    return o.user[0];  // null.subscript
}

char default_ok(void)
{
    struct options o;
    init(&o);
    return o.path[0];
}

static char first_bad(const struct options *o)
{
    return o->user[0];  // null.subscript
}

char passed_on(void)
{
    struct options o;
    init(&o);
    if (o.user == NULL)
        o.path = "none";
    return first_bad(&o);
}

static int copy(struct options *o, const char *text)
{
    o->copy = strdup(text);
    return o->copy == NULL ? -1 : 0;
}

char tested_ok(void)
{
    struct options o;
    if (copy(&o, "a") != 0)
        return 0;
    return o.copy[0];
}

char untested_bad(void)
{
    struct options o;
    copy(&o, "a");
    return o.copy[0];  // null.subscript
}

static char fn_not_named_by_the_caller(const struct options *o)
{
    return o->user[0];  // missed: null.subscript
}

char passes_both(void)
{
    struct options o;
    init(&o);
    return fn_not_named_by_the_caller(&o);
}
