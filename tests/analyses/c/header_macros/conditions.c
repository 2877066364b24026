#include <string.h>
#include "conditions.h"

int checked_ok(const char *s) { char *p = strchr(s, ':'); CHECK(p != NULL); return *p; }
int checked_both_ok(const char *s) { char *p = strchr(s, ':'); CHECK(p != NULL && s[0]); return *p; }
int verified_ok(const char *s) { char *p = strchr(s, ':'); VERIFY(p != NULL); return *p; }
int no_bug_ok(const char *s) { char *p = strchr(s, ':'); BUG_ON(!p); return *p; }
int no_bug_compared_ok(const char *s) { char *p = strchr(s, ':'); BUG_ON(p == NULL); return *p; }
int returned_ok(const char *s) { char *p = strchr(s, ':'); RETURN_IF(p == NULL, -1); return *p; }
int function_ok(const char *s) { char *p = strchr(s, ':'); check(p != NULL); return *p; }
int function_of_the_contrary_ok(const char *s) { char *p = strchr(s, ':'); check_not(p == NULL); return *p; }

int told_bad(const char *s)
{
    char *p = strchr(s, ':');
    TELL_IF(!p);
    return *p;  // null.pointer
}
int either_bad(const char *s)
{
    char *p = strchr(s, ':');
    CHECK(p != NULL || s[0]);
    return *p;  // null.pointer
}
int contrary_bad(const char *s)
{
    char *p = strchr(s, ':');
    BUG_ON(p != NULL);
    return *p;  // null.pointer
}
int function_of_no_use_bad(const char *s)
{
    char *p = strchr(s, ':');
    check(p == NULL);
    return *p;  // null.pointer
}
