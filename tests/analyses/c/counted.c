/* Arrays that are null while their count is 0. */
#include <stdlib.h>

extern int more(void);
extern char *made(size_t n);

int filled_if_any_ok(size_t n)
{
    char *p = NULL;
    size_t i;
    int sum = 0;

    if (n) {
        p = malloc(n);
        if (!p)
            return -1;
    }
    for (i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

int grown_ok(void)
{
    char *p = NULL;
    size_t count = 0, i;
    int sum = 0;

    while (more()) {
        p = realloc(p, count + 1);
        if (!p)
            return -1;
        p[count++] = 1;
    }
    for (i = 0; i < count; i++)
        sum += p[i];
    return sum;
}

int grown_at_times_ok(void)
{
    char *p = NULL;
    int count = 0, i;
    int sum = 0;

    while (more()) {
        if (more()) {
            p = made(count + 1);
            p[count++] = 1;
        }
    }
    for (i = 0; i < count; i++)
        sum += p[i];
    return sum;
}

int counted_by_itself_bad(size_t n)
{
    char *p = NULL;
    size_t count = 0, i;
    int sum = 0;

    while (more()) {
        if (n)
            p = made(n);
        count++;
    }
    for (i = 0; i < count; i++)
        sum += p[i];  // null.subscript
    return sum;
}

int from_minus_one_bad(size_t n)
{
    char *p = NULL;
    int i;
    int sum = 0;

    if (n > 1)
        p = made(n);
    for (i = -1; i < (int)n; i++)
        sum += p[i + 1];  // null.subscript
    return sum;
}

int up_to_the_count_bad(size_t n)
{
    char *p = NULL;
    size_t i;
    int sum = 0;

    if (n)
        p = made(n);
    for (i = 0; i <= n; i++)
        sum += p[i];  // null.subscript
    return sum;
}

int without_a_loop_ok(size_t n, size_t at)
{
    char *p = NULL;

    if (n)
        p = made(n);
    if (at < n)
        return p[at];
    return 0;
}

#define COUNT(at, count) do { for (at = 0; at < (count); at++) more(); } while (0)

int counted_by_a_macro_ok(int n)
{
    char *p = NULL;
    int k;

    if (n > 0)
        p = made(n);
    COUNT(k, n);
    return n > 0 ? p[0] : k;
}

int changed_in_the_body_bad(int n)
{
    char *p = NULL;
    int i, sum = 0;

    if (n > 0)
        p = made(n);
    for (i = 0; i <= n; i++) {
        i -= 2;
        sum += p[i + 2];  // null.subscript
    }
    return sum;
}
