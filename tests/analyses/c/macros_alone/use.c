#include <stdlib.h>
#include "leave.h"
struct client { int *event; int flag; };

static void closed(struct client *c)
{
    free(c->event);
    c->event = NULL;
}

void left_by_a_name_ok(struct client *c)
{
    if (c->flag) {
        closed(c);
        leave_here;
    }
    *c->event = 1;
}

void noted_by_a_name_bad(struct client *c)
{
    if (c->flag) {
        closed(c);
        note_here;
    }
    *c->event = 1;  // null.pointer
}

int left_by_a_label_ok(struct client *c)
{
    if (c->flag) {
        closed(c);
        leave_for_end;
    }
    *c->event = 1;
end:
    return 0;
}

int shown_by_a_label_ok(int size)
{
    int *p = size ? malloc(size) : NULL;
    end_unless(p);
    *p = 1;
end:
    return 0;
}

int shown_too_late_bad(int size)
{
    int *p = size ? malloc(4) : NULL;
    *p = 1;  // null.pointer
    end_unless(p);
end:
    return 0;
}
