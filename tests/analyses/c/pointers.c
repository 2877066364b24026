#include <stdlib.h>

int follow_bad(void)
{
    int *p = NULL;
    return *p;  // null.pointer
}

int copied_bad(void)
{
    int *p = NULL;
    int *q = p;
    return *q;  // null.pointer
}

int replaced_ok(int *other)
{
    int *p = NULL;
    p = other;
    return *p;
}

int pointer_to_pointer_bad(void)
{
    int *p = NULL;
    int **q = &p;
    return **q;  // null.pointer
}

int once_is_enough_bad(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;  // null.pointer
    return *p;
}
