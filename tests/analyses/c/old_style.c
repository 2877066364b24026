#include <stddef.h>

static int length_bad(text, n)
    char *text;
    int n;
{
    return text[n];  // null.subscript
}

int pass()
{
    return length_bad(NULL, 1);
}

char *maybe(n)
int n;
{
    if (n)
        return "x";
    return 0;
}

int result_bad(n)
int n;
{
    return maybe(n)[0];  // null.subscript
}
