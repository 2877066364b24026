#include <stdlib.h>
#include <string.h>

static char *cache;

const char *cached_bad(const char *key)
{
    if (cache && strcmp(cache, key) == 0)
        return cache;
    free(cache);
    if (strlen(key) > 100)
        return cache;  // alias.use-after-free
    cache = strdup(key);
    return cache;
}

const char *cached_ok(const char *key)
{
    free(cache);
    cache = NULL;
    if (strlen(key) > 100)
        return cache;
    cache = strdup(key);
    return cache;
}

char *freed_bad(char *text)
{
    free(text);
    return text;  // alias.use-after-free
}

char *freed_on_error_ok(size_t size)
{
    char *text = malloc(size);
    if (text != NULL && size > 100) {
        free(text);
        text = NULL;
    }
    return text;
}

char *freed_null_ok(char *text)
{
    if (text == NULL) {
        free(text);
        return text;
    }
    return text;
}

int compared_ok(char *text, char *other)
{
    int same = text == other;
    free(text);
    return same;
}
