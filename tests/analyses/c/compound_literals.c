#include <stddef.h>
struct s { char *text; };

static int first(const struct s *s)
{
    return s->text[0];
}

int literal_bad(void)
{
    struct s *s = &(struct s){ NULL };
    return s->text[0];  // null.subscript
}

int literal_ok(void)
{
    return first(&(struct s){ .text = "x" });
}

int array_literal_ok(void)
{
    int *p = (int[]){ 1, 2 };
    return p[0];
}
