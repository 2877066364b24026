#include <stddef.h>
#include "codes.h"

int find(const char *name, char **out)
{
    if (!*name) {
        *out = NULL;
        return E_MISSING;
    }
    *out = (char *)name;
    return E_OK;
}

int wait_for(const char *name, char **out)
{
    *out = NULL;
    if (!*name)
        return E_BUSY;
    *out = (char *)name;
    return 0;
}

int hand_out(const char *name, char **out)
{
    if (!*name) {
        *out = NULL;
        return E_PASSTHROUGH;
    }
    *out = (char *)name;
    return 0;
}
