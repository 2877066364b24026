#include "shared.h"

static struct thing only;

static struct thing *local(int n)
{
    return n ? &only : NULL;
}

struct thing *thing_find(int n)
{
    return local(n);
}
