#include <stddef.h>
union value { char *text; int *number; };
struct tagged { int tag; union { char *text; int *number; }; };

int same_member_bad(void)
{
    union value v;
    v.text = NULL;
    return v.text[0];  // null.subscript
}

int fn_other_member(void)
{
    union value v;
    v.text = NULL;
    return *v.number;  // missed: null.pointer
}

int anonymous_bad(struct tagged *t)
{
    t->text = NULL;
    return t->text[0];  // null.subscript
}
