// A null that a variable may have where its function begins: at first, or since another function has set it back. How
// likely it is, by how many functions test the variable and how many rely on it, is not asked here.
#include <stdio.h>
#include <stdlib.h>

static char *only_cleared;
static char *cleared_and_set;
static char *never_written;
static char *set_at_first = "a";
static char *allocated;
static FILE *opened;
static char *main_loop;

void clear(void)
{
    only_cleared = NULL;
    cleared_and_set = NULL;
    set_at_first = NULL;
    main_loop = NULL;
}

void set(char *text)
{
    cleared_and_set = text;
}

int only_cleared_bad(void)
{
    return only_cleared[0]; // null.subscript
}

int cleared_and_set_bad(void)
{
    return cleared_and_set[0]; // null.subscript
}

int never_written_ok(void)
{
    return never_written[0];
}

int set_at_first_bad(void)
{
    return set_at_first[0]; // null.subscript
}

void allocate(void)
{
    allocated = malloc(10);
}

void allocated_bad(void)
{
    allocated[0] = 1; // null.subscript
}

void open_log(void)
{
    opened = fopen("log", "w");
    if (!opened)
        exit(1);
}

int opened_bad(void)
{
    return fgetc(opened); // null.argument
}

int guarded_ok(void)
{
    return only_cleared ? only_cleared[0] : 0;
}

void run(void)
{
    main_loop = "a";
    for (;;)
        guarded_ok();
}

int main_loop_bad(void)
{
    return main_loop[0]; // null.subscript
}

// A variable that calls write, between a write of the function itself and its read.
static char *chosen;
static int wanted = 1;
static void choose(void)
{
    chosen = NULL;
    if (wanted != 1)
        chosen = "other";
}
int never_chosen_bad(void)
{
    choose();
    int first = chosen[0];  // null.subscript
    chosen = NULL;
    return first;
}

// A variable that each caller sets before the call.
static char *handed_on;
static int handed_on_ok(void)
{
    return handed_on[0];
}
int hand_on(char *text)
{
    handed_on = text;
    return handed_on_ok();
}
int hand_another_on(char *text)
{
    handed_on = text + 1;
    return handed_on_ok();
}
static char *sometimes_handed_on;
static int sometimes_handed_on_bad(void)
{
    return sometimes_handed_on[0];  // null.subscript
}
int hand_on_sometimes(char *text)
{
    sometimes_handed_on = text;
    return sometimes_handed_on_bad();
}
int hand_on_no_more(void)
{
    return sometimes_handed_on_bad();
}
