#include <stdlib.h>
#include <string.h>
struct message { char *body; };

void twice_bad(char *p)
{
    free(p);
    free(p);  // alias.double-free
}

void two_names_bad(char *p)
{
    char *q = p;
    free(p);
    free(q);  // alias.double-free
}

void on_both_branches_ok(char *p, int n)
{
    if (n)
        free(p);
    else
        free(p);
}

void cleared_ok(char *p)
{
    free(p);
    p = NULL;
    free(p);
}

static void message_free(struct message *m)
{
    free(m->body);
    free(m);
}

void member_and_name_bad(struct message *m, const char *text)
{
    char *body = strdup(text);
    m->body = body;
    message_free(m);
    free(body);  // alias.double-free
}

void name_and_member_bad(struct message *m, const char *text)
{
    char *body = strdup(text);
    m->body = body;
    free(body);
    message_free(m);  // alias.double-free
}

void error_path_bad(char *p, int n)
{
    if (n)
        free(p);
    free(p);  // alias.double-free
}

void error_path_ok(char *p, int n)
{
    if (n) {
        free(p);
        return;
    }
    free(p);
}

void failed_realloc_ok(char *p)
{
    char *q = realloc(p, 10);
    if (!q) {
        free(p);
        return;
    }
    free(q);
}
