#include <stddef.h>
#include <string.h>

struct visit { void *payload; int (*each)(void *); };
struct item { int size; };

void walk(struct visit *visit);
void walk_all(void);
int known(const char *s);

int filled_by_a_callback_ok(void)
{
    struct item *found = NULL;
    struct visit visit;
    visit.payload = &found;
    walk(&visit);
    return found->size;
}

int filled_by_initializer_ok(void)
{
    struct item *found = NULL;
    struct visit visit = { .payload = &found };
    walk(&visit);
    return found->size;
}

int counted_by_a_callback_bad(const char *s)
{
    int count = 0;
    char *p = strchr(s, ':');
    struct visit visit = { &count, NULL };
    walk(&visit);
    if (count > 0)
        return *p;  // null.pointer
    return 0;
}

int not_called_yet_bad(void)
{
    struct item *found = NULL;
    struct visit visit;
    visit.payload = &found;
    int size = found->size;  // null.member
    walk(&visit);
    return size;
}

int held_by_what_is_passed_ok(struct visit *visit)
{
    struct item *found = NULL;
    visit->payload = &found;
    walk_all();
    visit->payload = NULL;
    return found->size;
}

int library_does_not_write_it_bad(const char *s)
{
    struct item *found = NULL;
    struct visit visit = { &found, NULL };
    size_t length = strlen(s);
    if (length > 3)
        return found->size;  // null.member
    walk(&visit);
    return 0;
}

int another_variable_bad(void)
{
    struct item *found = NULL, *other = NULL;
    struct visit visit = { &found, NULL };
    walk(&visit);
    return found->size + other->size;  // null.member
}
