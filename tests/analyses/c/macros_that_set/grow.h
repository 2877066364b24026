#include <stdlib.h>

void *grown(void *p, size_t n);

#define GROW(x, n) do { if ((n) > 0) (x) = grown((x), (n)); } while (0)
#define GROW_FAILS(x, n) ((n) > 8 && ((x) = grown((x), (n)), (n) > 9))
#define GROW_BY_ONE(x, n) GROW((x), (n) + 1)
#define ALLOCATE(x, n) ((x) = malloc(n))
#define MOVE(x, n) do { (x) = realloc((x), (n)); if (!(x)) abort(); } while (0)
#define FORGET(x) do { free(x); (x) = NULL; } while (0)
#define PRINT(x) print_it(x)
#define PRINT_TWICE(x) do { PRINT(x); PRINT(x); } while (0)
void print_it(const char *x);
