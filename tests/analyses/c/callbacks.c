// Functions that are passed, and called with what was passed along.
#include <stddef.h>
struct item { int size; };
typedef void (*visit)(struct item *item, void *data);
typedef void (*reset)(int **where);
extern int several(void);

static void count_bad(struct item *item, void *data)
{
    int *total = data;
    *total += item->size;  // null.pointer
}
static void count_some_ok(struct item *item, void *data)
{
    int *total = data;
    if (total)
        *total += item->size;
}
static void each(struct item *item, visit call, void *data)
{
    if (item)
        call(item, data);
}
static void each_of(struct item *item, visit call, void *data) { each(item, call, data); }
void no_data(struct item *item) { each_of(item, count_bad, NULL); }
void no_data_needed(struct item *item) { each_of(item, &count_some_ok, NULL); }
void with_data(struct item *item) { int n = 0; each(item, count_bad, &n); }

static void clear(int **where) { *where = NULL; }
static void keep(int **where) { }
static void apply(reset call, int **where) { (*call)(where); }
static void apply_again(reset call, int **where) { apply(call, where); }
int cleared_bad(int *p)
{
    apply_again(&clear, &p);
    return *p;  // null.pointer
}
int kept_ok(int *p)
{
    apply_again(&keep, &p);
    return *p;
}
