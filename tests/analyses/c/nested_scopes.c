#include <stddef.h>

int shadowed_ok(char *p)
{
    {
        char *p = NULL;
        (void)p;
    }
    return p[0];
}

int shadowed_bad(void)
{
    char *p = "x";
    {
        char *p = NULL;
        return p[0];  // null.subscript
    }
    return p[0];
}

int loop_variable_ok(int n)
{
    int sum = 0;
    for (char *p = "abc"; *p; p++)
        sum += *p;
    for (int p = 0; p < n; p++)
        sum += p;
    return sum;
}
