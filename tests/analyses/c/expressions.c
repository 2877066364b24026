#include <stdlib.h>
#include <string.h>

int comma_bad(void)
{
    char *p = ("text", NULL);
    return *p;  // null.pointer
}

int conditional_bad(int n)
{
    char *p = n ? "text" : NULL;
    return *p;  // null.pointer
}

int conditional_ok(int n)
{
    char *p = n ? "a" : "b";
    return *p;
}

int elvis_ok(const char *name)
{
    char *p = getenv(name) ?: "none";
    return *p;
}

int chained_assignment_bad(void)
{
    char *p, *q;
    p = q = NULL;
    return *p;  // null.pointer
}

int sizeof_ok(void)
{
    int *p = NULL;
    return sizeof *p;
}

int address_of_element_ok(void)
{
    struct { int a, b; } *p = NULL;
    return &p->b != 0;
}

int post_increment_bad(void)
{
    const char *p = NULL;
    return *p++;  // null.pointer
}

int past_the_separator_bad(const char *s)
{
    const char *p = strchr(s, ':') + 1;
    return *p;  // null.pointer
}

int statement_expression_bad(void)
{
    char *p = ({ char *q = NULL; q; });
    return *p;  // null.pointer
}

int selected_ok(int n)
{
    char *p = _Generic(n, int: "int", default: "other");
    return *p;
}
