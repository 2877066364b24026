#include <stdio.h>
#include <stdlib.h>

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static void die_through(const char *why)
{
    die(why);
}

_Noreturn void declared(const char *why);
void with_attribute(const char *why) __attribute__((noreturn));

static void warn_only(const char *why)
{
    fprintf(stderr, "%s\n", why);
}

char exit_ok(size_t n)
{
    char *p = malloc(n);
    if (!p)
        exit(1);
    return p[0];
}

char wrapper_ok(size_t n)
{
    char *p = malloc(n);
    if (!p)
        die("memory");
    return p[0];
}

char two_wrappers_ok(size_t n)
{
    char *p = malloc(n);
    if (!p)
        die_through("memory");
    return p[0];
}

char declared_ok(size_t n)
{
    char *p = malloc(n);
    if (!p)
        declared("memory");
    return p[0];
}

char attribute_ok(size_t n)
{
    char *p = malloc(n);
    if (!p)
        with_attribute("memory");
    return p[0];
}

char warning_bad(size_t n)
{
    char *p = malloc(n);
    if (!p)
        warn_only("memory");
    return p[0];  // null.subscript
}

static void *checked(size_t n)
{
    void *p = malloc(n);
    if (!p)
        die("memory");
    return p;
}

char checked_allocator_ok(size_t n)
{
    char *p = checked(n);
    return p[0];
}

char of_glib_ok(size_t n)
{
    char *p = malloc(n);
    if (!p)
        g_error("no memory for %zu bytes", n);
    return p[0];
}

char of_glib_warning_bad(size_t n)
{
    char *p = malloc(n);
    if (!p)
        g_warning("no memory for %zu bytes", n);
    return p[0];  // null.subscript
}
