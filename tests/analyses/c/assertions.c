#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define REQUIRE(condition) do { if (!(condition)) abort(); } while (0)

int asserted_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert(p);
    return *p;
}

int asserted_comparison_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert(p != NULL && "a colon");
    return *p;
}

int own_macro_ok(const char *s)
{
    char *p = strchr(s, ':');
    REQUIRE(p != NULL);
    return *p;
}

int asserted_other_bad(const char *s, const char *t)
{
    char *p = strchr(s, ':');
    assert(t);
    return *p;  // null.pointer
}

#undef assert
#define assert(e) (void)(e)

int assertion_of_the_file_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert(p != NULL);
    return *p;
}
