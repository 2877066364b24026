/* Macros that are names and stand for statements: they leave the function. */
#include <stdlib.h>

#define EXIT_WITH_FAILURE    \
    do {                     \
        code = EXIT_FAILURE; \
        goto finish;         \
    } while (0)
#define FAIL EXIT_WITH_FAILURE
#define NOTE_FAILURE           \
    do {                       \
        code = EXIT_FAILURE;   \
    } while (0)

struct item { int size; };

static struct item *find(int key)
{
    if (key > 3)
        return NULL;
    return malloc(sizeof(struct item));
}

int in_braces_ok(int key)
{
    int code = 0;
    struct item *found = find(key);
    if (key > 3) {
        EXIT_WITH_FAILURE;
    }
    if (!found) {
        EXIT_WITH_FAILURE;
    }
    code = found->size;
finish:
    return code;
}

int alone_ok(int key)
{
    int code = 0;
    struct item *found = find(key);
    if (!found)
        FAIL;
    code = found->size;
finish:
    return code;
}

int goes_on_bad(int key)
{
    int code = 0;
    struct item *found = find(key);
    if (!found)
        NOTE_FAILURE;
    code += found->size; // null.member
    return code;
}
