/* Errors that one function hands on to its caller, and what it leaves in its out-parameters then. */
#include <stddef.h>

struct config { int readers; };

extern int check(const char *s);
extern int prepare(void);
extern void release(void);
extern struct config *made(void);

static int relay(const char *s, char **out)
{
    int error;

    *out = NULL;
    if ((error = check(s)) < 0)
        return error;
    *out = (char *)s + 1;
    return 0;
}

int relayed_ok(const char *s)
{
    char *p;
    if (relay(s, &p) < 0)
        return 0;
    return *p;
}

int relayed_in_a_variable_ok(const char *s)
{
    char *p = NULL;
    int error = relay(s, &p);
    if (!error)
        return *p;
    return error;
}

int relayed_wrong_way_bad(const char *s)
{
    char *p;
    if (relay(s, &p) >= 0)
        return 0;
    return *p;  // null.pointer
}

static int renamed(const char *s, char **out)
{
    int error;

    *out = NULL;
    error = check(s);
    if (error < 0)
        return error == -3 ? -4 : error;
    *out = (char *)s + 1;
    return error;
}

int renamed_ok(const char *s)
{
    char *p;
    if (renamed(s, &p) < 0)
        return 0;
    return *p;
}

static int cleans_up(const char *s, char **out)
{
    int error;

    *out = NULL;
    if ((error = check(s)) < 0)
        goto done;
    *out = (char *)s + 1;
done:
    release();
    return error;
}

int cleaned_up_ok(const char *s)
{
    char *p;
    if (cleans_up(s, &p) < 0)
        return 0;
    return *p;
}

int cleaned_up_wrong_way_bad(const char *s)
{
    char *p;
    if (cleans_up(s, &p) >= 0)
        return 0;
    return *p;  // null.pointer
}

static int load(struct config **out)
{
    int error;
    struct config *found = NULL;

    if ((error = check("a")) < 0)
        goto failed;
    if ((error = check("b")) < 0)
        goto failed;
    found = made();
    *out = found;
    return 0;
failed:
    *out = NULL;
    return error;
}

int loaded_ok(void)
{
    int error;
    struct config *config = NULL;

    if (!(error = check("c")) && !(error = check("d")))
        release();
    if (!error) {
        if (prepare() == 0)
            release();
        error = load(&config);
    }
    if (!error)
        return config->readers;
    return error;
}

int loaded_not_asked_bad(void)
{
    int error = check("c");
    struct config *config = NULL;

    if (!error)
        error = load(&config);
    if (error)
        return config->readers;  // null.member
    return 0;
}

static int resolved(const char *s, char **out)
{
    int error = relay(s, out);

    release();
    return error == -3 ? -4 : error;
}

int resolved_ok(const char *s)
{
    char *p;
    if (resolved(s, &p) < 0)
        return 0;
    return *p;
}

int resolved_wrong_way_bad(const char *s)
{
    char *p;
    if (resolved(s, &p) >= 0)
        return 0;
    return *p;  // null.pointer
}

int released_before_the_test_ok(const char *s)
{
    char *p;
    int error = relay(s, &p);

    release();
    if (error)
        return error;
    return *p;
}

static int wrapped(const char *s, char **out)
{
    return relay(s, out);
}

int wrapped_ok(const char *s)
{
    char *p;
    if (wrapped(s, &p) < 0)
        return 0;
    return *p;
}

int wrapped_wrong_way_bad(const char *s)
{
    char *p;
    if (wrapped(s, &p) >= 0)
        return 0;
    return *p;  // null.pointer
}
