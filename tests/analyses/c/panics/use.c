#include <string.h>
#include "panic.h"
#define xalloc malloc
#define release free
#define die abort

static void out_of_memory(void) { panic("out of %s", "memory"); }
static void (*handler)(void) = out_of_memory;

static void *allocate(size_t size)
{
    void *p = malloc(size);
    if (!p)
        handler();
    return p;
}

int allocated_ok(void)
{
    int *p = allocate(sizeof *p);
    return *p;
}

int panicked_ok(const char *s)
{
    char *p = strchr(s, ':');
    if (p == NULL)
        panic("no colon in %s", s);
    return *p;
}

int complained_bad(const char *s)
{
    char *p = strchr(s, ':');
    if (p == NULL)
        complain("no colon in %s", s);
    return *p;  // null.pointer
}

int asserted_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert_with(NULL, s, p != NULL);
    return *p;
}

int died_ok(const char *s)
{
    char *p = strchr(s, ':');
    if (!p)
        die();
    return *p;
}

int allocated_under_another_name_bad(void)
{
    int *p = xalloc(sizeof *p);
    return *p;  // null.pointer
}

int released_under_another_name_bad(int *p)
{
    release(p);
    return *p;  // alias.use-after-free
}
