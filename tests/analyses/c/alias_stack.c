#include <stdio.h>
#include <string.h>
struct lexer { const char *cursor; };
static const char *kept;

const char *returned_bad(int n)
{
    char text[8];
    snprintf(text, sizeof text, "%d", n);
    return text;  // alias.stack-escape
}

int *address_bad(void)
{
    int n = 1;
    return &n;  // alias.stack-escape
}

const char *static_ok(int n)
{
    static char text[8];
    snprintf(text, sizeof text, "%d", n);
    return text;
}

const char *literal_ok(void)
{
    const char *text = "x";
    return text;
}

void stored_bad(struct lexer *l)
{
    char line[80] = "x";
    l->cursor = line;  // alias.stack-escape
}

void taken_back_ok(struct lexer *l)
{
    char line[80] = "x";
    l->cursor = line;
    puts(l->cursor);
    l->cursor = NULL;
}

void global_bad(void)
{
    char line[80] = "x";
    kept = line;  // alias.stack-escape
}

void out_parameter_bad(int **out)
{
    int n = 3;
    *out = &n;  // alias.stack-escape
}

void local_struct_ok(void)
{
    struct lexer l;
    char line[80] = "x";
    l.cursor = line;
    puts(l.cursor);
}

char *part_bad(void)
{
    char text[8] = "a:b";
    return strchr(text, ':');  // alias.stack-escape
}

char *parameter_ok(char *p)
{
    return p + 1;
}

const char *some_ways_bad(int n)
{
    char text[8] = "x";
    const char *p = n ? text : "none";
    return p;  // alias.stack-escape
}

struct point { int x, y; };
struct shape { struct point at; };

void struct_kept_ok(struct shape *s)
{
    struct point p = { 1, 2 };
    s->at = p;
}

struct point struct_returned_ok(void)
{
    struct point p = { 1, 2 };
    return p;
}

struct node { json_kind kind; place_of_header at; struct shape *shape; };

void of_unknown_type_ok(struct node *n, json_kind kind)  /* as is said of kind.Of it nothing more */
{
    n->kind = kind;
}

void pointed_to_ok(struct node *n, struct shape *from, place_of_header *at)
{
    *n->shape = *from;
    n->at = *at;
}

void into_elements_ok(struct elsewhere *e, int i)
{
    struct shape s = { { 1, 2 } };
    e->shapes[i] = s;
}

void into_an_element_bad(struct elsewhere *e, int i)
{
    struct shape s = { { 1, 2 } };
    e->pointers[i] = &s;  // alias.stack-escape
}

#define copied(a, b) memcpy(&(a), &(b), sizeof(a))

void a_literal_of_unknown_type_ok(place_of_header *at, struct elsewhere *e, int i)
{
    *at = (place_of_header){ 0 };
    e->shapes[i] = (struct shape){ { 1, 2 } };
    e->places[i] = (place_of_header){ { { 0 } } };
}

void the_address_of_a_literal_bad(struct elsewhere *e, int i)
{
    e->pointers[i] = &(struct shape){ { 1, 2 } };  // alias.stack-escape
}

void a_literal_of_an_array_bad(struct elsewhere *e)
{
    e->numbers = (int[]){ 1, 2 };  // alias.stack-escape
}
