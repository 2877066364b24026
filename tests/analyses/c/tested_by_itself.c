// What a function tests for null itself, it may be given.
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct s { int v; char *text; };
extern struct s *find(int key);
extern int verbose;

int used_then_tested_bad(struct s *p)
{
    int v = p->v;  // null.member
    if (p)
        v++;
    return v;
}

int used_then_compared_bad(struct s *p, int most)
{
    int v = p->v;  // null.member
    if (v < most && p != NULL)
        v++;
    return v;
}

int tested_then_used_bad(struct s *p)
{
    if (p == NULL)
        puts("nothing");
    return p->v;  // null.member
}

int one_side_bad(struct s *p, int key)
{
    int v = 0;
    if (p != NULL && key)
        v = p->v;
    else
        v = key;
    return v + p->v;  // null.member
}

static size_t length_bad(const char *text)
{
    return strlen(text);  // null.argument
}

size_t passed_on(const char *text)
{
    if (text == NULL && verbose)
        puts("nothing");
    return length_bad(text);
}

int result_bad(int key)
{
    struct s *p = find(key);
    if (!p && verbose)
        return 0;
    return p->v;  // null.member
}

int tested_first_ok(struct s *p)
{
    if (!p)
        return 0;
    return p->v;
}

int left_ok(struct s *p, int key)
{
    if (p == NULL) {
        if (key)
            return 1;
        return 0;
    }
    return p->v;
}

int asserted_ok(struct s *p)
{
    int v = p->v;
    assert(p != NULL);
    return v;
}

int replaced_ok(struct s *p)
{
    static struct s other;
    if (p == NULL)
        p = &other;
    return p->v;
}

int another_ok(struct s *p)
{
    int v = p->v;
    p = find(v);
    if (p)
        v++;
    return v;
}

#define TEXT_OF(p) ((p) ? (p)->text : "")

const char *tested_in_macro_ok(struct s *p)
{
    int v = p->v;
    return v ? TEXT_OF(p) : "";
}

int same_test_ok(struct s *p)
{
    int v = 0;
    if (p)
        v = 1;
    if (p)
        v += p->v;
    return v;
}

int in_the_meantime_ok(struct s *p, int key)
{
    if (p == NULL && (p = find(key)) == NULL)
        return 0;
    return p->v;
}

int one_of_two_is_used_then_the_first_is_tested_ok(struct s *first, struct s *second)
{
    struct s *p = first ? first : second;
    int v = p->v;
    if (first)
        return 1;
    return v;
}

int one_of_two_is_used_then_tested_bad(struct s *first, struct s *second)
{
    struct s *p = first ? first : second;
    int v = p->v;  // null.member
    if (p)
        return 1;
    return v;
}
