#include <stddef.h>

char *made(int n) __attribute__((returns_nonnull));
char *made(int n)
{
    static char text[8];
    return n ? text : NULL;
}

int promised_ok(int n)
{
    return made(n)[0];
}

__attribute__((nonnull(1))) static int first_ok(const char *s)
{
    return s[0];
}

int pass(void)
{
    return first_ok(NULL);
}

static int nullable_bad(const char *_Nullable s)
{
    return s[0];  // null.subscript
}

static int nonnull_ok(const char *_Nonnull s)
{
    return s[0];
}

int pass_both(const char *s)
{
    return nullable_bad(s) + nonnull_ok(s);
}

[[noreturn]] static void stop(void)
{
    for (;;)
        ;
}

int stopped_ok(char *p)
{
    p = NULL;
    if (p == NULL)
        stop();
    return *p;
}
