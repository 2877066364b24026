#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int find(const char *s, char **out)
{
    *out = NULL;
    if (!*s)
        return -1;
    *out = (char *)s + 1;
    return 0;
}

int status_tested_ok(const char *s)
{
    char *p;
    if (find(s, &p) < 0)
        return 0;
    return *p;
}

int status_in_a_variable_ok(const char *s)
{
    char *p = NULL;
    int rc = find(s, &p);
    if (rc != 0)
        return rc;
    return *p;
}

int status_ignored_bad(const char *s)
{
    char *p;
    find(s, &p);
    return *p;  // null.pointer
}

int wrong_status_bad(const char *s)
{
    char *p;
    if (find(s, &p) == 0)
        return 0;
    return *p;  // null.pointer
}

static int lookup(int k, char **out)
{
    if (k > 3) {
        *out = NULL;
        return 1;
    }
    *out = "x";
    return 1;
}

int success_without_value_bad(int k)
{
    char *p;
    if (!lookup(k, &p))
        return 0;
    return *p;  // null.pointer
}

int result_itself_tested_ok(int k)
{
    char *p;
    if (lookup(k, &p) && p)
        return *p;
    return 0;
}

static void reset(char **p)
{
    free(*p);
    *p = NULL;
}

int reset_bad(void)
{
    char *p = strdup("x");
    reset(&p);
    return *p;  // null.pointer
}

static int counted(const char *text, int *count)
{
    *count = 0;
    return text != 0;
}

static int first_of_bad(const char **name)
{
    int count;
    counted("other", &count);
    return (*name)[0];  // null.subscript
}

int number_between(int named)
{
    const char *name = named ? "name" : NULL;
    return first_of_bad(&name);
}

// What an initialiser leaves null, also one that another function of the file runs, and what only says where to write.
struct grown { int len; char *data; struct grown *owner; };
extern void append(struct grown *g, int byte);
extern int lookup(const char *name);
extern struct grown *made(void);
static void start(struct grown *g) { g->data = NULL; g->len = 0; }
static void start_sized(struct grown *g, int size) { start(g); g->len = size; }
static void start_full(struct grown *g) { start(g); g->data = "full"; }
int never_appended_bad(int n)
{
    struct grown text;
    start_sized(&text, n);
    while (n-- > 0)
        append(&text, n);
    return text.data[0];  // null.subscript
}
int started_full_ok(void)
{
    struct grown text;
    start_full(&text);
    return text.data[0];
}
int started_and_set_ok(void)
{
    struct grown text;
    start_sized(&text, 1);
    text.data = "set";
    return text.data[0];
}
static int by_name_bad(const char **mail, const char **name)
{
    int at = lookup(*mail);
    return at ? (*name)[at] : 0;  // null.subscript
}
int no_name(const char *contact)
{
    const char *mail = contact, *name = NULL;
    return by_name_bad(&mail, &name);
}
static int set_between(const char **name)
{
    *name = "found";
    lookup(*name);
    return (*name)[0];
}
int name_is_set_ok(void)
{
    const char *name = NULL;
    return set_between(&name);
}

int varying(int count, ...)
{
    va_list rest;
    va_start(rest, count);
    int said = vscanf("%p", rest);
    va_end(rest);
    return said;
}

int by_a_function_of_any_number_ok(int k)
{
    char *found = NULL;
    if (varying(k, 0, &found))
        return found[0];
    return 0;
}

int first_of_any_number(char **found, ...)
{
    return found != NULL;
}

int not_by_what_it_names_bad(int k)
{
    char *found = NULL;
    if (first_of_any_number(&found, k))
        return found[0];  // null.subscript
    return 0;
}
