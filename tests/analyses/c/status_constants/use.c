/* Constants of a header mean the same number to a test of their sign, of their name and of what they are. */
#include "codes.h"

int sign_ok(const char *name)
{
    char *p;
    if (find(name, &p) < 0)
        return 0;
    return *p;
}

int sign_of_a_macro_ok(const char *name)
{
    char *p;
    if (wait_for(name, &p) < 0)
        return 0;
    return *p;
}

int wrong_sign_bad(const char *name)
{
    char *p;
    if (find(name, &p) > 0)
        return 0;
    return *p;  // null.pointer
}

int positive_sign_bad(const char *name)
{
    char *p;
    if (hand_out(name, &p) < 0)
        return 0;
    return *p;  // null.pointer
}

int name_ok(const char *name)
{
    char *p;
    if (find(name, &p) == E_MISSING)
        return 0;
    return *p;
}

int other_name_bad(const char *name)
{
    char *p;
    if (find(name, &p) == E_BUSY)
        return 0;
    return *p;  // null.pointer
}

int not_its_name_bad(const char *name)
{
    char *p;
    if (find(name, &p) != E_MISSING)
        return 0;
    return *p;  // null.pointer
}

int number_ok(const char *name)
{
    char *p;
    if (find(name, &p) == -3)
        return 0;
    return *p;
}

int below_its_name_bad(const char *name)
{
    char *p;
    if (find(name, &p) < E_MISSING)
        return 0;
    return *p;  // null.pointer
}

int up_to_its_name_ok(const char *name)
{
    char *p;
    if (find(name, &p) <= E_MISSING)
        return 0;
    return *p;
}

int of_no_header_ok(const char *name)
{
    char *p;
    if (find(name, &p) == E_OF_THE_SYSTEM)
        return *p;
    return 0;
}
