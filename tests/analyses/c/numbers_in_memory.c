// Numbers in structs and behind pointers, sizes, and variables of the file over calls.
#include <stdlib.h>
#include <pthread.h>
struct part { int x; int y; };
typedef struct Whole { struct part inner; int size; int *where; } Whole;
extern void use(struct Whole whole);
extern void change(struct Whole *whole);
static int *slot;
static int one;

void left_out_ok(void) { Whole w = {.size = 5}; int *p = NULL; if (w.inner.x) *p = 1; }
void nested_ok(void) { Whole w = {{1, 2}, 3, NULL}; int *p = NULL; if (w.inner.y != 2) *p = 1; }
void literal_ok(Whole *w) { *w = (Whole){{1, 2}, 3, NULL}; int *p = NULL; if (w->size != 3) *p = 1; }
void of_literal_ok(void) { int *p = NULL; if (((struct part){.y = 32, .x = 0}).x) *p = 1; }
void passed_whole_ok(void) { Whole w = {{1, 2}, 3, NULL}; int *p = NULL; use(w); if (w.size != 3) *p = 1; }
void passed_whole_bad(void)
{
    Whole w = {{1, 2}, 3, NULL};
    w.where = NULL;
    use(w);
    *w.where = 1;  // null.pointer
}
void passed_address_bad(void)
{
    Whole w = {{1, 2}, 3, NULL};
    int *p = NULL;
    change(&w);
    if (w.size != 3)
        *p = 1;  // null.pointer
}

// What functions of the file store.
static void put(int *where, int number) { *where = number; }
static void put_some(int *where, int number) { if (number > 3) *where = number; }
void stored_ok(void) { int n = 0; int *p = NULL; put(&n, 7); if (n != 7) *p = 1; }
void stored_bad(void)
{
    int n = 0;
    int *p = NULL;
    put(&n, 7);
    if (n == 7)
        *p = 1;  // null.pointer
}
void stored_some_bad(int k)
{
    int n = 0;
    int *p = NULL;
    put_some(&n, k);
    if (n)
        *p = 1;  // null.pointer
}

void sizes_ok(void)
{
    char c[2];
    int table[] = {1, 2, 3};
    int *p = NULL;
    if (sizeof(c) > 2) *p = 1;
    if (sizeof(table) / sizeof(table[0]) != 3) *p = 1;
}
int every_one_ok(void)
{
    static const char *names[4];
    const char *last = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        last = "name";
    return last[0];
}

// Variables of the file.
static void fill(void) { slot = &one; }
static void fill_later(void) { fill(); }
static void look(void) { one++; }
int filled_ok(void) { slot = NULL; fill_later(); return *slot; }
int looked_bad(void)
{
    slot = NULL;
    look();
    return *slot;  // null.pointer
}
int filled_once_ok(void)
{
    pthread_once_t once = PTHREAD_ONCE_INIT;
    slot = NULL;
    pthread_once(&once, fill);
    return *slot;
}
static void *work_bad(void *data)
{
    Whole *whole = data;
    whole->size = 3;  // null.member
    return NULL;
}
void start(pthread_t *thread) { pthread_create(thread, NULL, work_bad, NULL); }
void read_from_elsewhere_bad(void)
{
    int n = 0;
    int *p = NULL;
    change((Whole *)&n);
    while (n > 0)
        *p = n--;  // null.pointer
}
