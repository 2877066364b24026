#include <stdlib.h>

int constant_index_bad(void)
{
    char *names[2];
    names[0] = NULL;
    return names[0][0];  // null.subscript
}

int other_index_ok(void)
{
    char *names[2];
    names[0] = NULL;
    names[1] = "x";
    return names[1][0];
}

int variable_index_bad(char **names, int i)
{
    names[i] = NULL;
    return names[i][0];  // null.subscript
}

int index_moved_ok(char **names, int i)
{
    names[i] = NULL;
    i++;
    return names[i][0];
}

int tested_element_ok(char **names, int i)
{
    names[i] = malloc(2);
    if (!names[i])
        return 0;
    return names[i][0];
}

int array_is_no_null_ok(void)
{
    int a[3] = { 0 };
    return a[0] + *a;
}

int two_dimensions_ok(void)
{
    int a[2][2] = { { 0, 0 }, { 0, 0 } };
    return a[1][1];
}

int matrix_bad(int **m)
{
    m[0] = calloc(2, sizeof **m);
    return m[0][1];  // null.subscript
}

int reversed_ok(const char *s)
{
    return 0[s];
}

int initialised_bad(void)
{
    char *names[] = { "a", NULL };
    return names[1][0];  // null.subscript
}
