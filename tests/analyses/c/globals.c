#include <stdlib.h>
static char *buffer;
char *shared;

int set_and_used_bad(void)
{
    buffer = malloc(4);
    return buffer[0];  // null.subscript
}

int set_elsewhere_bad(void)
{
    return buffer[0];  // null.subscript
}

int set_and_tested_ok(void)
{
    shared = malloc(4);
    if (shared == NULL)
        return -1;
    return shared[0];
}

int cleared_bad(void)
{
    shared = NULL;
    return shared[0];  // null.subscript
}
