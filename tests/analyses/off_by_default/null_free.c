#include <stdlib.h>
#include <string.h>

struct buffer {
    char *text;
    size_t size;
};

void freed_too_late_bad(struct buffer *b)
{
    b->text = NULL;
    free(b->text); // null.free
}

void tested_the_wrong_way_bad(char *p)
{
    if (p == NULL)
        free(p); // null.free
}

void cleaned_up_bad(int n)
{
    char *copy = NULL;
    if (n > 0)
        copy = malloc(n);
    free(copy); // null.free
}

static char *shared;

static void set_up(void)
{
    shared = NULL;
}

void shared_variable_bad(void)
{
    set_up();
    free(shared); // null.free
    shared = NULL;
}

static void release_bad(char *p)
{
    free(p); // null.free
}

static char *none(void)
{
    return NULL;
}

void by_a_function_bad(void)
{
    release_bad(NULL);
    char *p = none();
    free(p); // null.free
}

void freed_in_time_ok(struct buffer *b)
{
    free(b->text);
    b->text = NULL;
}

void no_memory_ok(void)
{
    char *p = malloc(10);
    free(p);
}

void tested_ok(int n)
{
    char *copy = NULL;
    if (n > 0)
        copy = malloc(n);
    if (copy)
        free(copy);
}

void always_made_ok(void)
{
    char *p = NULL;
    p = malloc(4);
    free(p);
}

void of_a_parameter_ok(char *p)
{
    free(p);
}

void failed_before_bad(char *p)
{
    char *q = NULL;
    strcpy(q, p); // null.argument
    free(q);
}

static char *never_set;
char *set_elsewhere;
static char *given_memory = NULL;
static char *by_its_address;

void never_set_bad(void)
{
    free(never_set); // null.free
}

void set_ok(size_t n)
{
    free(set_elsewhere);
    free(given_memory);
    free(by_its_address);
    given_memory = malloc(n);
}

void set_by_others_ok(char *p, void (*fill)(char **))
{
    set_elsewhere = p;
    fill(&by_its_address);
}
