#include "conditions.h"
void check(int ok)
{
    if (!ok)
        abort();
}
void check_not(int wrong)
{
    if (wrong != 0)
        abort();
}
