#include <stdlib.h>

struct part { int number; };
struct machine { struct part *part; };

static struct part *find(int number)
{
    if (number > 3)
        return NULL;
    return calloc(1, sizeof(struct part));
}

/* A member that holds what a variable holds: what a test shows of the variable on one way, it does not on the other. */
void one_way_bad(struct machine *machine, int number)
{
    struct part *found = find(number);
    machine->part = found;
    if (found)
        number++;
    machine->part->number = number;  // null.member
}

void every_way_ok(struct machine *machine, int number)
{
    struct part *found = find(number);
    machine->part = found;
    if (!found)
        return;
    if (number == 4)
        number++;
    machine->part->number = number;
}
