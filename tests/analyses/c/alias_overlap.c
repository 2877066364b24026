#include <stdio.h>
#include <string.h>
struct ring { char bytes[64]; size_t length; };

void shift_bad(struct ring *r, size_t n)
{
    memcpy(r->bytes, r->bytes + n, r->length - n);  // alias.overlap
}

void shift_ok(struct ring *r, size_t n)
{
    memmove(r->bytes, r->bytes + n, r->length - n);
}

void doubled_ok(char *p, size_t n)
{
    memcpy(p + n, p, n);
}

void other_ok(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
}

void one_element_ok(int *a)
{
    memcpy(&a[0], &a[1], sizeof(int));
}

void strcpy_bad(char *s)
{
    strcpy(s, s + 1);  // alias.overlap
}

void sprintf_bad(char *s)
{
    sprintf(s, "%s, %s", s, "more");  // alias.overlap
}

void alias_bad(char *p, size_t n)
{
    char *q = p + 1;
    memcpy(p, q, n);  // alias.overlap
}

struct two { char a[8], b[8]; };

void members_ok(struct two *t)
{
    memcpy(t->a, t->b, 8);
}

struct elsewhere;

void of_another_file_bad(struct elsewhere *r, size_t n)
{
    memcpy(r->bytes, r->bytes + n, r->length - n);  // alias.overlap
}

void elements_ok(struct two *t, int i, int last)
{
    memcpy(&t[i], &t[last], sizeof(*t));
}

void some_elements_bad(struct two *t, int i, int last)
{
    memcpy(&t[i], &t[last], 2 * sizeof(*t));  // alias.overlap
}
