/* Functions that a macro names are told apart. */
#include "names.h"

char found_bad(const char *text)
{
    return *PRIV(search)(text);  // null.pointer
}

char copied_ok(const char *text)
{
    return *PRIV(copy)(text);
}

char of_a_table_ok(int at)
{
    return PRIV(table)[at];
}

char passed_ok(const char *text)
{
    char *found = PRIV(search)(text);
    return found ? *PRIV(copy)(found) : 0;
}
