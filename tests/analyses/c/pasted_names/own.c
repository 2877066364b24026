#include <stddef.h>
#include "names.h"

char *PRIV(search)(const char *text)
{
    return *text ? (char *)text : NULL;
}

char *PRIV(copy)(const char *text)
{
    return (char *)text;
}
