void follow_bad(int **p)
{
    int *data = *p;
    *data = 1;  // null.pointer
}

void follow_after_test_ok(int **p)
{
    if (*p)
        **p = 1;
}

void follow_number_ok(int **p)
{
    **p = 1;
}
