/* Functions whose heads are calls of macros that other files define; a macro that gives its argument a value. */
#include <stdlib.h>
#include <string.h>

typedef struct node { int value; char *name; } node_t;

METHOD(list_t, destroy_ok, void,
    node_t *this)
{
    free(this->name);
    free(this);
}

METHOD(list_t, count_ok, int,
    node_t *this)
{
    return this->value;
}

METHOD(list_t, find_bad, char*,
    node_t *this, int letter)
{
    char *at = strchr(this->name, letter);
    return *at == 'a' ? at : NULL;  // null.pointer
}

PLUGIN_FUNCTION(home_bad)
{
    char *at = getenv("HOME");
    return *at;  // null.pointer
}

DEFINE_CALL3(open_bad, const char *, path, int, flags)
{
    node_t *node = malloc(sizeof(*node));
    node->value = 1;  // null.member
    return 0;
}

int made_ok(int n)
{
    node_t *node = NULL;
    MAKE(node,
        .value = n,
        .name = named(n, "(,"),
    );
    return node->value;
}

int other_bad(int n)
{
    node_t *node = NULL, *other = NULL;
    MAKE(other, .value = n);
    return node->value + other->value;  // null.member
}
