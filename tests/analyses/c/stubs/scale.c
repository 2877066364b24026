#include <stddef.h>
struct monitor { int scale; };
int outside(int event, const struct monitor **found);
struct monitor *given(int event);

int set_outside_ok(int event)
{
    const struct monitor *found = NULL;
    if (outside(event, &found) == 0)
        return found->scale;
    return 0;
}

int given_outside_ok(int event)
{
    return given(event)->scale;
}
