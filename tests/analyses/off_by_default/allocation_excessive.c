#include <limits.h>
#include <stdlib.h>

#define ROWS UINT_MAX
#define SMALL 4096

enum { FRAMES = UINT_MAX / 2 + 1 };
static unsigned int total = UINT_MAX;
static unsigned int changed = UINT_MAX;
static const int sizes[2] = {16, -1};

struct opaque;
typedef struct opaque_s opaque_t;

void *constant_bad(void)
{
    return malloc(ROWS * sizeof(long long)); // allocation.excessive
}

void *product_bad(void)
{
    return calloc(1u << 20, 4096); // allocation.excessive
}

static int size_of(int kind)
{
    int size = 0;
    if (kind == 0)
        size = UINT_MAX;
    else
        size = 16;
    return size;
}

void *negative_bad(void)
{
    return malloc(size_of(0) * sizeof(opaque_t)); // allocation.excessive
}

void *enumerator_bad(void)
{
    return malloc(FRAMES); // allocation.excessive
}

void *variable_bad(void)
{
    return malloc(total); // allocation.excessive
}

void *element_bad(void)
{
    return malloc(sizes[1]); // allocation.excessive
}

void *tested_bad(unsigned int n)
{
    if (n < 3000000000u)
        return NULL;
    return realloc(NULL, n); // allocation.excessive
}

void *other_size_ok(void)
{
    return malloc(size_of(1) * sizeof(int));
}

void *element_ok(void)
{
    return malloc(sizes[0]);
}

void *largest_ok(void)
{
    return malloc(INT_MAX);
}

void *small_ok(void)
{
    return calloc(SMALL, sizeof(double));
}

void *changed_ok(unsigned int n)
{
    changed = n;
    return malloc(changed);
}

void *unknown_ok(int n, size_t m)
{
    if (n < 0)
        n = 0;
    return malloc(n * m + sizeof(opaque_t));
}

void *maybe_negative_ok(int n)
{
    return malloc(n - 1);
}

int wrapped_ok(int *p)
{
    int largest = UINT_MAX;
    if (largest > 0)
        p = NULL;
    return *p;
}
