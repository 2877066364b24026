// Numbers that decide which way is taken.
#include <stdlib.h>
enum mode { OFF, LOW = 3, HIGH, BOTH = LOW + HIGH };
static unsigned char letter = 'a';
static int limit = 8;
static int counted;
struct point { int x; unsigned size; struct point *next; };
extern int ask(void);
extern void keep(int *where);
extern struct point *lookup(int key);

void local_constant_ok(void) { int on = 1; int *p = NULL; if (!on) *p = 1; }
void local_constant_bad(void)
{
    int on = 1;
    int *p = NULL;
    if (on)
        *p = 1;  // null.pointer
}
void computed_ok(void) { int a = 7, b = a * 2 - 4; int *p = NULL; if (b != 10) *p = 1; }
void enumerator_ok(void) { enum mode m = BOTH; int *p = NULL; if (m != 7) *p = 1; }
void even_ok(int n) { int *p = NULL; if (n + n == 5) *p = 1; }
void even_bad(int n)
{
    int *p = NULL;
    if (n + n == 6)
        *p = 1;  // null.pointer
}
void rest_ok(int n) { int *p = NULL; if (n % 4 == 4) *p = 1; }
void masked_ok(int n) { int *p = NULL; if ((n & 3) > 3) *p = 1; }
void both_ok(int a, int b) { int *p = NULL; if (a < b && a > b) *p = 1; }
void both_bad(int a, int b)
{
    int *p = NULL;
    if (a < b && a > 0)
        *p = 1;  // null.pointer
}
void left_over_ok(int n)
{
    int *p = NULL;
    if (n < 0) return;
    if (n == 0) return;
    if (n < 1) *p = 1;
}
void unsigned_ok(struct point *s, unsigned n) { int *p = NULL; if (n < 0 || s->size < 0) *p = 1; }
void wraps_bad(unsigned n)
{
    int *p = NULL;
    if (n - 1 > 5)
        *p = 1;  // null.pointer
}
void fraction_bad(double f)
{
    int *p = NULL;
    if (f > 0 && f < 1)
        *p = 1;  // null.pointer
}
void of_the_file_ok(void) { int *p = NULL; if (letter != 'a') *p = 1; }
void of_the_file_bad(void)
{
    int *p = NULL;
    counted = limit;
    if (counted > 3)
        *p = 1;  // null.pointer
}
void written_by_another_bad(void)
{
    int flag = 0;
    int *p = NULL;
    keep(&flag);
    if (flag)
        *p = 1;  // null.pointer
}
void member_ok(void) { struct point s = {4, 5, NULL}; int *p = NULL; if (s.x == 5) *p = 1; }
void element_bad(int i)
{
    int a[3] = {0, 0, 0};
    int *p = NULL;
    a[i] = 1;
    if (a[1])
        *p = 1;  // null.pointer
}
void other_name_bad(struct point *a, struct point *b)
{
    int *p = NULL;
    a->x = 0;
    b->x = 1;
    if (a->x)
        *p = 1;  // null.pointer
}
void list_bad(struct point *a)
{
    int *p = NULL;
    struct point *b;
    a->x = 0;
    for (b = a; b; b = b->next) {
        if (a->x)
            *p = 1;  // null.pointer
        b->x = 1;
    }
}
void counter_bad(void)
{
    int tries = 0;
    int *p = NULL;
    while (ask()) {
        if (tries == 2)
            *p = 1;  // null.pointer
        tries++;
    }
}

void number_as_pointer_bad(void)
{
    int a = 3;
    int *p = (int *)(long)(2 * a - 6);
    *p = 1;  // null.pointer
}
void other_number_as_pointer_ok(void) { int a = 4; int *p = (int *)(long)(2 * a - 6); *p = 1; }

// Loops whose first round is known.
int runs_ok(void)
{
    struct point *p = NULL;
    static struct point one;
    for (int i = 0; i < 3; i++)
        p = &one;
    return p->x;
}
int may_not_run_bad(int n)
{
    struct point *p = NULL;
    static struct point one;
    for (int i = 0; i < n; i++)
        p = &one;
    return p->x;  // null.member
}
int never_runs_bad(void)
{
    struct point *p = NULL;
    static struct point one;
    for (int i = 1; i < 1; i++)
        p = &one;
    return p->x;  // null.member
}
void after_the_loop_bad(void)
{
    int i, *p = NULL;
    for (i = 0; i < 3; i++)
        ask();
    if (i == 3)
        *p = 1;  // null.pointer
}

// Switches.
int chosen_ok(void)
{
    int kind = 2, *p = NULL;
    switch (kind) {
    case 1: return *p;
    case 2: return 0;
    default: return *p;
    }
}
int chosen_bad(int kind)
{
    int *p = NULL;
    switch (kind) {
    case 1: return 0;
    default: return *p;  // null.pointer
    }
}
int shown_by_case_ok(int kind)
{
    int *p = NULL;
    switch (kind) {
    case 1: if (kind != 1) return *p; break;
    }
    return 0;
}

// What functions of the file give, and which arguments they come back with.
static int sign(int n) { if (n < 0) return -1; return n > 0; }
static void need(int n) { if (n < 0) exit(1); }
static int *for_small(int n, int *p) { if (n < 1 << 7) return NULL; return p; }
static int *never(void) { return NULL; }
void result_ok(int n) { int *p = NULL; if (sign(n) > 1) *p = 1; }
void result_bad(int n)
{
    int *p = NULL;
    if (sign(n) > 0)
        *p = 1;  // null.pointer
}
void result_for_ok(void) { int *p = NULL; if (sign(-4) != -1) *p = 1; }
void argument_ok(void) { int n = ask(); int *p = NULL; need(n); if (n < 0) *p = 1; }
int large_ok(int *p) { return p ? *for_small(1000, p) : 0; }
int small_bad(int *p)
{
    return p ? *for_small(5, p) : 0;  // null.pointer
}
int some_bad(int n, int *p)
{
    return p ? *for_small(n, p) : 0;  // null.pointer
}
int always_null_ok(void) { int *p = NULL; if (never() == NULL) return 0; return *p; }

void address_ok(int *p) { int own = 0, *q = NULL; if (p == &own) *q = 1; }
static int mode = 4, depth = 4, level = 4;
void locals_of_those_names(int depth)
{
    int mode = 3;
    keep(&mode);
    depth = mode++;
}
void named_like_a_local_ok(void) { int *p = NULL; if (mode != 4) *p = 1; }
void named_like_a_parameter_ok(void) { int *p = NULL; if (depth != 4) *p = 1; }
void outside_of_the_block(void)
{
    {
        int level = 1;
        keep(&level);
    }
    level = 2;
}
void changed_outside_of_a_block_bad(void)
{
    int *p = NULL;
    if (level != 4)
        *p = 1;  // null.pointer
}

// What is passed becomes what the parameter can be.
static char *cut(char *p, unsigned long number)
{
    if (number == 0)
        return p;
    p[0] = 0;
    return p;
}
static char *cut_few(char *p, unsigned char number)
{
    if (number > 4)
        return p;
    return NULL;
}
int cut_all_bad(char *p, const char *s)
{
    const char *q = strchr(s, ':');
    p = cut(p, -1);
    return p[0] + q[0];  // null.subscript
}
int cut_more_than_fit_bad(char *p)
{
    return cut_few(p, 259)[0];  // null.subscript
}
int cut_some_ok(char *p)
{
    return cut_few(p, 59)[0];
}
