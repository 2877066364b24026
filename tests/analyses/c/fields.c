#include <stdlib.h>
struct inner { char *text; int v; };
struct outer { struct inner in; struct inner *ref; char *name; };

int arrow_bad(struct outer *o)
{
    o->ref = NULL;
    return o->ref->v;  // null.member
}

int dot_bad(void)
{
    struct outer o;
    o.name = NULL;
    return o.name[0];  // null.subscript
}

int nested_bad(struct outer *o)
{
    o->in.text = NULL;
    return o->in.text[0];  // null.subscript
}

int nested_elsewhere_ok(struct outer *o)
{
    o->in.text = NULL;
    return o->name[0];
}

int tested_ok(struct outer *o)
{
    o->name = malloc(3);
    if (o->name == NULL)
        return -1;
    return o->name[0];
}

int tested_in_a_chain_ok(struct outer *o)
{
    o->ref = calloc(1, sizeof *o->ref);
    return o && o->ref && o->ref->v;
}

int replaced_ok(struct outer *o)
{
    o->name = NULL;
    o->name = "x";
    return o->name[0];
}

int other_object_ok(struct outer *o, struct outer *p)
{
    o->name = NULL;
    return p->name[0];
}

int through_a_copy_bad(struct outer *o)
{
    struct outer *p = o;
    o->name = NULL;
    return p->name[0];  // null.subscript
}

static void set_name(struct outer *o)
{
    o->name = "x";
}

int set_by_a_call_ok(struct outer *o)
{
    o->name = NULL;
    set_name(o);
    return o->name[0];
}

static void keep_name(struct outer *o)
{
    o->in.v = 1;
}

int kept_by_a_call_bad(struct outer *o)
{
    o->name = NULL;
    keep_name(o);
    return o->name[0];  // null.subscript
}

static void drop_name(struct outer *o)
{
    o->name = NULL;
}

int dropped_by_a_call_bad(struct outer *o)
{
    drop_name(o);
    return o->name[0];  // null.subscript
}
