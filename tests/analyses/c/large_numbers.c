#include <stdlib.h>

static unsigned int fill(char **out, int how)
{
    if (how) {
        *out = NULL;
        return 0xffffffff;
    }
    *out = "a";
    return 0x7fffffff;
}

int compared_ok(void)
{
    char *text;
    if (fill(&text, 0) != 4294967295u && text)
        return text[0];
    return 0;
}

int compared_bad(void)
{
    char *text;
    fill(&text, 1);
    return text[0]; // null.subscript
}
