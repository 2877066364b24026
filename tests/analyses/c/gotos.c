#include <stdlib.h>

int cleanup_ok(size_t n)
{
    int rc = -1;
    char *a = NULL, *b = NULL;
    a = malloc(n);
    if (!a)
        goto out;
    b = malloc(n);
    if (!b)
        goto out;
    a[0] = b[0];
    rc = 0;
out:
    free(b);
    free(a);
    return rc;
}

int used_after_label_bad(size_t n)
{
    char *a = malloc(n);
    if (!a)
        goto out;
    a[0] = 1;
out:
    return a[0];  // null.subscript
}

int backwards_ok(size_t n)
{
    char *a;
again:
    a = malloc(n);
    if (!a)
        goto again;
    return a[0];
}

int into_a_block_bad(int n)
{
    char *a = NULL;
    if (n)
        goto inside;
    while (n < 3) {
        a = "text";
inside:
        n += a[0];  // null.subscript
    }
    return n;
}

int over_the_end_ok(int n)
{
    char *a = NULL;
    goto end;
    n = a[0];
end:
    return n;
}

int label_that_no_jump_reaches_ok(int n, int how)
{
    char *a = NULL;
    goto end;
    goto label;
label:
    n = (how ? 1 : 2) + a[0];
end:
    return n;
}
