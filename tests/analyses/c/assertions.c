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

struct box { int size; int *items; };

int asserted_with_others_bad(struct box *b, const char *s)
{
    char *p = strchr(s, ':');
    assert_with_info(NULL, b, b->size == 1 && b->items);
    return *p;  // null.pointer
}

int asserted_last_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert_with_info(s, p != NULL);
    return *p;
}

int asserted_equal_bad(const char *s)
{
    char *p = strchr(s, ':');
    assert_equal_int(0, strcmp(s, "a:b"));
    return *p;  // null.pointer
}

int asserted_not_equal_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert_ptr_ne(p, NULL);
    return *p;
}

int asserted_null_bad(const char *s)
{
    char *p = strchr(s, ':');
    assert_null(p);
    return *p;  // null.pointer
}

int asserted_not_null_ok(const char *s)
{
    char *p = strchr(s, ':');
    AssertNotNull(p);
    return *p;
}

int asserted_false_ok(const char *s)
{
    char *p = strchr(s, ':');
    assert_false(p == NULL);
    return *p;
}

int asserted_never_ok(const char *s)
{
    char *p = strchr(s, ':');
    if (p == NULL)
        assert_msg(0, "a colon");
    return *p;
}

int checked_as_an_argument_ok(const char *s)
{
    char *p = strchr(s, ':');
    g_return_val_if_fail(p != NULL, -1);
    return *p;
}

int asserted_there_ok(const char *s)
{
    char *p = strchr(s, ':');
    g_assert_nonnull(p);
    return *p;
}

int expected_with_a_probability_ok(const char *s)
{
    char *p = strchr(s, ':');
    if (__builtin_expect_with_probability(p == NULL, 0, 0.9))
        return 0;
    return *p;
}

int aligned_bad(const char *s)
{
    char *p = __builtin_assume_aligned(strchr(s, ':'), 1);
    return *p;  // null.pointer
}
