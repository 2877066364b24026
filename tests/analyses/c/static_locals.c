#include <stdlib.h>

int set_once_ok(void)
{
    static char *cache = NULL;
    if (!cache) {
        cache = malloc(8);
        if (!cache)
            return 0;
    }
    return cache[0];
}

int not_tested_bad(void)
{
    static char *cache;
    cache = malloc(8);
    return cache[0];  // null.subscript
}

int from_an_earlier_call_ok(void)
{
    static char *cache = NULL;
    int n = cache ? cache[0] : 0;
    cache = "x";
    return n;
}
