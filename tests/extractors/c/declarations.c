struct option { char flag; const char *name; int *value; struct { int low, high; } range; };
extern int verbose, other;
extern struct option *find(const char *name) __attribute__((nonnull(1), returns_nonnull));
void die(const char *fmt, ...) __attribute__((noreturn));
static int add(int a, int b) { return a + b; }
static struct option options[] = {
    { 'v', "verbose", &verbose, { 0, 2 } },
    { .flag = 'q', .range.high = 1 },
    'n', 0, NULL, 3, 4,
    [5] = { 'x' },
};
struct node { struct node *next; } first, *head = &first, second = { &second };
int (*table[2])(int, int) = { add, 0 };
int matrix[2][2] = { { 1, 2 }, { 3 } }, unset;
char text[] = "abc", *word = "word";
header_t header = { 1, "two" };

int use(const char *name, ...)
{
    struct option *found = find(name), local = { 'l' }, plain;
    int numbers[] = { 1, add(1, 2), [4] = 3 }, *p = { 0 };
    va_list ap;
    va_start(ap, name);
    while (va_arg(ap, int))
        plain = local;
    va_end(ap);
    typeof(found) same = found;
    __auto_type inferred = same->value;
    if (!found)
        die("nothing: %s", name);
    take((struct option) { .name = name }, &(int) { 3 }, local);
    struct inner { int deep; } in;
    in.deep = setjmp(buffer);
    return table[0](matrix[1][0], *inferred);
}

struct option give(struct option given)
{
    given.range.low++;
    return given;
}

_Noreturn void leave(void) { for (;;) ; }

int calls_leave(int *_Nullable p)
{
    leave();
    return *p;
}
