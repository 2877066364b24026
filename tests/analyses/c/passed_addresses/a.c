#include <stddef.h>

void follow_bad(int **p);
void follow_after_test_ok(int **p);
void follow_number_ok(int **p);

void pass_null(void)
{
    int *data = NULL;
    follow_bad(&data);
}

void pass_numbers_ok(void)
{
    int *data = NULL;
    int number = 0;
    follow_after_test_ok(&data);
    data = &number;
    follow_number_ok(&data);
}
