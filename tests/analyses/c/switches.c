#include <stdlib.h>

int fall_through_bad(int k)
{
    char *p = "x";
    switch (k) {
    case 1:
        p = NULL;
    case 2:
        return p[0];  // null.subscript
    default:
        return 0;
    }
}

int broken_off_ok(int k)
{
    char *p = "x";
    switch (k) {
    case 1:
        p = NULL;
        break;
    case 2:
        return p[0];
    }
    return 0;
}

int no_default_bad(int k)
{
    char *p = NULL;
    switch (k) {
    case 1:
        p = "a";
        break;
    case 2:
        p = "b";
        break;
    }
    return p[0];  // null.subscript
}

int default_ok(int k)
{
    char *p = NULL;
    switch (k) {
    case 1:
        p = "a";
        break;
    default:
        p = "b";
    }
    return p[0];
}

int nested_cases_ok(int k, int n)
{
    char *p = NULL;
    switch (k) {
    case 0:
        do {
            n--;
    case 1:
            p = "x";
        } while (n > 0);
        return p[0];
    }
    return 0;
}
