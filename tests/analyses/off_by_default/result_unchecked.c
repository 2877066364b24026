#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int first;
    int second;
};

int connect_to(const char *name);
int counted(int n);
void consume(int n);

static int square(int n)
{
    return n * n;
}

static int last_error;

static int set_error(int code)
{
    last_error = code;
    return code;
}

static struct pair make_pair(void)
{
    struct pair made;
    made.first = 1;
    made.second = 2;
    return made;
}

// Stored and never read.

int overwritten_bad(const char *a, const char *b)
{
    int failed = connect_to(a); // result.unchecked
    failed = connect_to(b);
    return failed;
}

void only_counted_up_bad(void)
{
    int n = counted(1); // result.unchecked
    n++;
}

void only_added_to_bad(void)
{
    int n;
    n = counted(1); // result.unchecked
    n += 2;
    n *= 3;
}

void struct_never_read_bad(void)
{
    struct pair p;
    p = make_pair(); // result.unchecked
}

void read_where_nothing_runs_bad(void)
{
    int tries = 1;
    int found = connect_to("a"); // result.unchecked
    tries--;
    if (tries != 0)
        consume(found);
}

int read_in_a_loop_ok(int n)
{
    int total = 0;
    int failed = connect_to("a");
    for (int i = 0; i < n; i++) {
        total += failed;
        failed = connect_to("b");
    }
    return total;
}

int read_on_one_way_ok(int n)
{
    int failed = connect_to("a");
    if (n)
        return failed;
    return 0;
}

int counted_and_read_ok(void)
{
    int n = counted(1);
    n++;
    return n;
}

void counted_in_an_argument_ok(int *table)
{
    int n = counted(1);
    consume(table[n++]);
}

int tested_in_a_condition_ok(void)
{
    int n;
    while ((n = counted(1)) > 0)
        consume(2);
    n = counted(2);
    return n >= 0 ? 1 : 2;
}

void kept_up_to_date_ok(int n)
{
    n = counted(n);
    consume(1);
}

void address_of_a_parameter_ok(int n, void (*use)(int *))
{
    n = counted(1);
    use(&n);
}

static int never(void)
{
    for (;;)
        consume(1);
    return 1;
}

int nothing_comes_back_ok(void)
{
    int n = never();
    return n;
}

int else_behind_a_directive_ok(int a, int b)
{
    int n;
    if (a)
        n = counted(1);
#ifdef MORE
    else if (b)
        n = counted(2);
#endif
    else
        n = counted(3);
    return n;
}

void by_its_address_ok(void (*use)(int *))
{
    int n = counted(1);
    use(&n);
}

int struct_read_ok(void)
{
    struct pair p = make_pair();
    return p.first;
}

void meant_to_be_unused_ok(void)
{
    int n = counted(1);
    (void)n;
    __attribute__((unused)) int m = counted(2);
    __attribute__((cleanup(consume))) int k = counted(3);
    volatile int v = counted(4);
}

int in_a_conditional_of_the_preprocessor_ok(void)
{
    int n = counted(1);
#ifdef TRACE
    consume(n);
#endif
    return 0;
}

int under_a_goto_ok(int again)
{
    int n;
start:
    n = counted(1);
    if (again)
        goto out;
    again = 1;
    goto start;
out:
    return n;
}

int by_assembly_ok(void)
{
    int n = counted(1);
    int out;
    __asm__("mov %1, %0" : "=r"(out) : "r"(n));
    return out;
}

// Dropped.

void of_the_library_bad(FILE *file, const char *text)
{
    fputs(text, file); // result.unchecked
    strlen(text); // result.unchecked
    fclose(file); // result.unchecked
}

void output_bad(const char *text)
{
    printf("%s\n", text); // result.output
    puts(text); // result.output
}

void does_nothing_else_bad(void)
{
    square(3); // result.unchecked
}

void others_read_it_bad(void)
{
    if (set_error(1))
        return;
    if (set_error(2) || set_error(3) || set_error(4))
        return;
    set_error(5); // result.unchecked
}

static int report(int code)
{
    last_error = code;
    return -1;
}

static int *keep(int *p)
{
    last_error = 0;
    return p;
}

int a_constant_or_an_argument_ok(int n, int *p)
{
    if (n == 1)
        return report(1);
    if (n == 2)
        return report(2);
    if (n == 3)
        return report(3);
    if (n == 4)
        return report(4);
    report(5);
    int *a = keep(p), *b = keep(p), *c = keep(p), *d = keep(p);
    keep(p);
    return *a + *b + *c + *d;
}

static int push(int n)
{
    last_error = n;
    return n > 3 ? n : 0;
}

int half_of_them_drop_it_ok(void)
{
    push(1);
    push(2);
    return push(3) + push(4);
}

void dropped_on_purpose_ok(FILE *file, const char *text)
{
    (void)fputs(text, file);
    (void)square(3);
}

void nobody_needs_it_ok(char *to, const char *from)
{
    strcpy(to, from);
    memset(to, 0, 3);
    fprintf(stderr, "%s", from);
    connect_to(from);
}
